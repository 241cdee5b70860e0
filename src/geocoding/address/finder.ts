/** Houses and streets that the interpretations of a text may mean: every word must be met by what is found. */

import type { Clause, Street, StreetArea, StreetPart } from '../../store/street-parts.ts';
import { fold } from '../../text/fold.ts';
import { codeKey, postcodeWords } from '../../text/postcode-words.ts';
import { wholeName, wholeNames } from '../../text/whole-name.ts';
import type { Word } from '../../text/words.ts';
import { addressCandidates } from './candidates.ts';
import { Corrections, isKind } from './corrections.ts';
import { type Found, housesOf } from './houses.ts';
import type { Interpretation } from './interpret.ts';
import { StreetMatcher } from './street-match.ts';

/** A house or street that was found, and how well it fits: the higher the score the better. */
export type Hit = Found & {
  /** Position of its part in the dataset's. */
  part: number;
  street: Street;
  /** The name that fits best, and its words. */
  name: string;
  words: readonly Word[];
  /** Those of them that the text has. */
  matched: readonly Word[];
  /** Whether the number stands in one part between commas with a word of the name, or with none that tells streets apart. */
  isBesideNumber: boolean;
  /** Share of the name's words that the text has. */
  coverage: number;
  score: number;
};

/** What is asked for besides the text. Each of `groups` must be met by a term of the street. */
export type Filter = { groups: Clause[]; country?: string; city?: Word[]; codes?: ReadonlySet<string> };

export type Query = {
  /** The text as it was asked, for telling names that are spelled alike from names that only fold alike. */
  text: string;
  interpretations: readonly Interpretation[];
  filter: Filter;
};

const matchScore = { exact: 200, interpolated: 100, street: 0 };
/** What it costs that a house has the number only as a part of a range, or is the house of the door asked for. */
const partialCost = { range: 0.8, door: 2 };
/** From this score on a house is there, its street fully named. */
const answeredInFull = matchScore.exact + 99;
/** A name spelled as the text has it comes before one that only means the same: `Hof 2` before `Höf 2`. */
const sameSpelling = { letters: 0.2, folded: 0.1, number: 0.05 };

export class AddressFinder {
  readonly parts: readonly StreetPart[];
  readonly matcher = new StreetMatcher();

  constructor(parts: readonly StreetPart[]) {
    this.parts = parts;
  }

  /** Hits of all interpretations of a query; stops at the first interpretation that a house answers in full. */
  collect({ text, interpretations, filter }: Query): Hit[] {
    const hits: Hit[] = [];
    for (const interpretation of interpretations) {
      for (const [number, part] of this.parts.entries()) {
        for (const street of addressCandidates(part, interpretation.words, filter))
          hits.push(...this.#hitsOf(number, street, text, interpretation, filter));
      }
      if (isAnswered(hits)) break;
    }
    return hits;
  }

  /** The hits of one street whose name is what some of a interpretation's words say; the others need not be met. */
  hitsNamed(
    number: number,
    street: Street,
    text: string,
    interpretation: Interpretation,
    core: readonly Word[],
    filter: Filter,
  ) {
    const name = this.#nameOf(street, core);
    if (name < 0) return [];
    const area = this.parts[number].area(street.area);
    if (filter.country !== undefined && area.country !== filter.country) return [];
    if (filter.city && !filter.city.every((word) => isIn(area, word))) return [];
    const codes = filter.codes ?? codesIn(street, interpretation.words, new Set());
    const houses = housesOf(this.parts[number], street, interpretation.houseNumber, codes);
    return this.#scored(
      number,
      street,
      text,
      { name, coverage: 1, matched: this.matcher.words(street.names[name]), isBesideNumber: true },
      houses,
    );
  }

  /** Which of a street's names a few words are, in one piece or several (`Mc Carroll`, `McCarroll`); -1 when none. */
  #nameOf({ names }: Street, core: readonly Word[]): number {
    const match = this.matcher.best(names, core);
    if (match && match.coverage === 1 && match.used.size === core.length) return match.name;
    const whole = wholeNames(core);
    return names.findIndex((name) => whole.includes(wholeName(this.matcher.words(name))));
  }

  /** A query whose words, of `least` letters or more, are also what they may be mistyped forms of. */
  mistyped({ text, interpretations, filter }: Query, least?: number): Query {
    const corrections = new Corrections(this.parts, least);
    // Nothing beside a city's name tells that a short one was mistyped.
    const ofCities = new Corrections(this.parts);
    return {
      text,
      interpretations: interpretations.map((interpretation) => ({
        ...interpretation,
        words: corrections.of(interpretation.words, text, true),
      })),
      filter: {
        ...filter,
        groups: filter.groups.map((group) => (isWord(group) ? ofCities.ofOne(group) : group)),
        city: filter.city?.map((word) => ofCities.ofOne(word)),
      },
    };
  }

  /** Whether a word is the settlement's, its region's or its country's, or a postal code's. */
  isExplained(street: Street, area: StreetArea, word: Word): boolean {
    return isIn(area, word) || this.isPostcode(street, word);
  }

  /** Whether a word is one of a street's postal codes, or a part of one. */
  isPostcode({ postcodes }: Street, word: Word): boolean {
    return postcodes.some((code) => postcodeWords(code).some((term) => word.includes(term)));
  }

  /** The street of a hit in the place of its house. */
  asStreet(hit: Hit): Hit {
    const [street] = housesOf(this.parts[hit.part], hit.street, undefined, undefined);
    return { ...hit, ...street, score: hit.score - matchScore[hit.matchType] };
  }

  #hitsOf(number: number, street: Street, text: string, interpretation: Interpretation, filter: Filter): Hit[] {
    const match = this.matcher.best(street.names, interpretation.words);
    if (!match) return [];
    const part = this.parts[number];
    const area = part.area(street.area);
    if (filter.country !== undefined && area.country !== filter.country) return [];
    const isMet = (word: Word, at: number) =>
      match.used.has(at) ||
      this.isExplained(street, area, word) ||
      (street.names.length > 1 && this.matcher.best(street.names.slice(1), [word]) !== undefined);
    if (!interpretation.words.every(isMet)) return [];
    if (filter.city && !filter.city.every((word) => isIn(area, word))) return [];
    const codes = filter.codes ?? codesIn(street, interpretation.words, match.used);
    const isBesideNumber = isBeside(interpretation, match.used);
    return this.#scored(
      number,
      street,
      text,
      { ...match, isBesideNumber },
      housesOf(part, street, interpretation.houseNumber, codes),
    ).map((hit) =>
      // A number that the street does not have was perhaps none.
      hit.matchType === 'street' && interpretation.houseNumber !== undefined ? { ...hit, score: hit.score - 20 } : hit,
    );
  }

  #scored(
    part: number,
    street: Street,
    text: string,
    match: { coverage: number; name: number; matched: readonly Word[]; isBesideNumber: boolean },
    found: readonly Found[],
  ): Hit[] {
    const name = street.names[match.name];
    const score = 100 * match.coverage - (match.name > 0 ? 0.5 : 0) + spelledAlike(name, text);
    const words = this.matcher.words(name);
    return found.map((house) => ({
      ...house,
      part,
      street,
      name,
      words,
      matched: match.matched,
      isBesideNumber: match.isBesideNumber,
      coverage: match.coverage,
      score:
        score +
        matchScore[house.matchType] -
        (house.bears ? partialCost[house.bears] : 0) +
        (house.houseNumber !== null && text.includes(house.houseNumber) ? sameSpelling.number : 0),
    }));
  }
}

/** Whether a house was found whose street is fully named. */
export function isAnswered(hits: readonly Hit[]): boolean {
  return hits.some(({ score }) => score >= answeredInFull);
}

function spelledAlike(name: string, text: string): number {
  if (text.toLowerCase().includes(name.toLowerCase())) return sameSpelling.letters;
  return fold(text).includes(fold(name)) ? sameSpelling.folded : 0;
}

function isBeside({ words, part: [from, to] }: Interpretation, used: ReadonlySet<number>): boolean {
  const isOwn = ([word]: Word) => !isKind(word) && !/^\d/.test(word);
  const own = words.slice(from, to).flatMap((word, at) => (isOwn(word) ? [from + at] : []));
  return own.length === 0 || own.some((at) => used.has(at));
}

const isWord = (clause: Clause): clause is Word => Array.isArray(clause);
const isIn = (area: StreetArea, word: Word) => word.some((spelling) => area.terms.includes(spelling));

/** Postal codes of a street that words of the query name. */
function codesIn(street: Street, words: readonly Word[], used: ReadonlySet<number>): Set<string> | undefined {
  if (street.postcodes.length < 2) return undefined;
  const rest = words.filter((_, at) => !used.has(at)).map(([word]) => word);
  if (rest.length === 0) return undefined;
  const joined = rest.join('');
  const named = street.postcodes
    .map(codeKey)
    .filter((code) => rest.includes(code) || (code.length > 4 && joined.includes(code)));
  return named.length > 0 ? new Set(named) : undefined;
}
