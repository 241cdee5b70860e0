/** Finds houses and streets that match every word of an interpretation. */

import { type BoundingBox, isWithin } from '../../core/bounding-box.ts';
import type { LatLng } from '../../core/geo.ts';
import type { AddressContributions, AddressFields } from '../../store/address-contract.ts';
import { inTurn, together } from '../../store/deferred.ts';
import type { Clause, Street, StreetArea, StreetPart } from '../../store/street-parts.ts';
import { codeKey, postcodeWords } from '../../text/postcode-words.ts';
import { stopWordSet } from '../../text/stop-words.ts';
import { wholeName, wholeNames } from '../../text/whole-name.ts';
import { isGeneric, sharesVariant, type Word } from '../../text/words.ts';
import { addressCandidates, mostProminent } from './candidates.ts';
import { CorrectionBudget, type CorrectionOptions, Corrections, isStreetTypeOrDirection } from './corrections.ts';
import { asHouse, asStreet, type Found, housesOf } from './houses.ts';
import type { Interpretation } from './interpret.ts';
import { answeredInFull, houseMatch, nameMatch, nameWorth, numberMissing, scoreOf, spelling } from './score.ts';
import { StreetMatcher } from './street-match.ts';

/** A house or street, and how well it matches: the higher the score the better. */
export type Hit = Found & {
  /** Index of its part in the dataset. */
  part: number;
  street: Street;
  /** The interpretation of the text that it answers. */
  interpretation: Interpretation;
  /** The name that matches best, and its words. */
  name: string;
  words: readonly Word[];
  /** The words of the name that the text has. */
  matched: readonly Word[];
  /** Whether the number is in one part between commas with a word of the name, or with no distinctive word. */
  isNearNumber: boolean;
  /** Share of the name's words that the text has. */
  coverage: number;
  /** The words of the text that nothing explains. */
  left: readonly Word[];
  /** Whether something in the text speaks against it. */
  isDoubtful?: boolean;
  /** What each feature contributes to the score. */
  parts: AddressContributions;
  score: number;
};

/** Conditions besides the text. Each of `groups` must match a term of the street. */
export type Filter = {
  groups: Clause[];
  country?: string;
  city?: Word[];
  codes?: ReadonlySet<string>;
  bbox?: BoundingBox;
};

export type Query = {
  /** The text without a unit, as it is spelled, to distinguish equal spellings from names that only fold to the same. */
  text: string;
  /** Of an address whose parts are known apart. */
  fields?: AddressFields;
  /** What was split off the text. */
  unit?: string;
  others: readonly string[];
  interpretations: readonly Interpretation[];
  filter: Filter;
};

/** `5411 DC`, `SW1A 2AA`: codes with letters and digits, which few streets share. */
const codeOfStreet = /(?<![\p{L}\p{N}])(?:\d{4}\s?[a-z]{2}|[a-z]{1,2}\d[a-z\d]?\s?\d[a-z]{2})(?![\p{L}\p{N}])/iu;
/** Maximum number of streets of one postal code. */
const maxStreetsOfCode = 12;

/**
 * No address has all words of a longer text: a part of it may be one, which `streetNearNumber` finds. Otherwise each of its
 * words is corrected, and dropped in turn, for nothing.
 */
const maxWords = 16;
const isShort = ({ words }: Interpretation) => words.length <= maxWords;

export class AddressFinder {
  readonly parts: readonly StreetPart[];
  readonly matcher = new StreetMatcher();
  /** Number of streets compared with the text of this query. */
  compared = 0;
  #corrections = new CorrectionBudget();

  constructor(parts: readonly StreetPart[]) {
    this.parts = parts;
  }

  /** To be called before each query. */
  reset(): void {
    this.compared = 0;
    this.#corrections = new CorrectionBudget();
  }

  /** Hits of all interpretations of a query; stops at the first interpretation that a house answers in full. */
  collect({ text, interpretations, filter }: Query): Hit[] {
    const hits: Hit[] = [];
    inTurn(interpretations.filter(isShort), (interpretation) => {
      if (interpretation.isSpelledOut && hits.length > 0) return true;
      const found = together(addressCandidates(this.parts, interpretation.words, filter), ({ part, street }) =>
        this.#hitsOf(part, street, text, interpretation, filter),
      );
      hits.push(...found.flat());
      return isAnswered(hits);
    });
    return hits;
  }

  /** The houses of a query that names none of their streets, but a postal code with letters and digits: `5411DC 5`. */
  collectByCode({ text, interpretations, filter }: Query): Hit[] {
    const typed = codeOfStreet.exec(text)?.[0];
    if (typed === undefined) return [];
    const code = codeKey(typed);
    return together(interpretations, (interpretation) => {
      const { houseNumber, words } = interpretation;
      if (houseNumber === undefined) return [];
      const clauses = [...filter.groups, { postalCodes: [code] }];
      return mostProminent(this.parts, clauses, maxStreetsOfCode).flatMap(({ part, id }) => {
        const street = this.parts[part].street(id);
        const area = this.parts[part].area(street.area);
        if (filter.country !== undefined && area.country !== filter.country) return [];
        if (!words.every((word) => this.isMatched(street, area, word))) return [];
        const houses = housesOf(this.parts[part], street, houseNumber, new Set([code]));
        const match = {
          coverage: 1,
          name: 0,
          matched: this.matcher.words(street.names[0]),
          isNearNumber: true,
          interpretation,
        };
        return this.#scored(part, street, text, match, inBox(houses, filter)).filter(
          ({ matchType }) => matchType === 'exact',
        );
      });
    }).flat();
  }

  /** The hits of one street whose name is a span of an interpretation; the other words need not match. */
  hitsNamed(
    number: number,
    street: Street,
    text: string,
    interpretation: Interpretation,
    span: readonly Word[],
    filter: Filter,
  ) {
    this.compared++;
    const name = this.#nameOf(street, span);
    if (name < 0) return [];
    const area = this.parts[number].area(street.area);
    if (filter.country !== undefined && area.country !== filter.country) return [];
    if (filter.city && !filter.city.every((word) => isIn(area, word))) return [];
    const codes = filter.codes ?? codesIn(street, interpretation.words, new Set());
    const named = interpretation.houseNumber === undefined ? this.#housesNamed(number, street, interpretation) : [];
    const houses = named.length > 0 ? named : housesOf(this.parts[number], street, interpretation.houseNumber, codes);
    return this.#scored(
      number,
      street,
      text,
      { name, coverage: 1, matched: this.matcher.words(street.names[name]), isNearNumber: true, interpretation },
      passing(street, houses, filter),
    );
  }

  /** The houses of a street with a name instead of a number, where the text has all of its words. */
  #housesNamed(number: number, street: Street, { words }: Interpretation): Found[] {
    return this.parts[number]
      .housesAt(street.id, 0)
      .filter(({ base, text, otherNumber }) => base === 0 && otherNumber === undefined && !/\d/.test(text))
      .filter(({ text }) => this.matcher.words(text).every((word) => words.some((other) => sharesVariant(word, other))))
      .map((house) => asHouse(street, house));
  }

  /**
   * Index of the street's name that these words spell, joined or separate (`Mc Carroll`, `McCarroll`); -1 when none.
   */
  #nameOf({ names }: Street, span: readonly Word[]): number {
    const match = this.matcher.best(names, span);
    if (match && match.coverage === 1 && match.used.size === span.length) return match.name;
    const whole = wholeNames(span);
    return names.findIndex((name) => whole.includes(wholeName(this.matcher.words(name))));
  }

  /** A query whose words are expanded by their corrections. */
  withCorrections(query: Query, options: CorrectionOptions = {}): Query {
    const { text, interpretations, filter } = query;
    const corrections = new Corrections(this.parts, this.#corrections, options);
    // A city's name has no context that would show that a short word was mistyped.
    const cityCorrections = new Corrections(this.parts, this.#corrections, { ...options, letters: undefined });
    return {
      ...query,
      interpretations: together(interpretations.filter(isShort), (interpretation) => ({
        ...interpretation,
        words: corrections.of(interpretation.words, text, true),
      })),
      filter: {
        ...filter,
        groups: together(filter.groups, (group) => (isWord(group) ? cityCorrections.ofWord(group) : group)),
        city: filter.city && together(filter.city, (word) => cityCorrections.ofWord(word)),
      },
    };
  }

  /** Whether a word is the settlement's, its region's or its country's, or a postal code's. */
  isMatched(street: Street, area: StreetArea, word: Word): boolean {
    return isIn(area, word) || this.isPostcode(street, word);
  }

  /** Whether a word is one of a street's postal codes, or a part of one. */
  isPostcode({ postcodes }: Street, word: Word): boolean {
    return postcodes.some((code) => postcodeWords(code).some((term) => word.includes(term)));
  }

  /** The street of a hit instead of its house. */
  asStreet(hit: Hit): Hit {
    const [street] = housesOf(this.parts[hit.part], hit.street, undefined, undefined);
    const parts = { ...hit.parts, houseMatch: numberMissing };
    return { ...hit, ...street, parts, score: scoreOf(parts) };
  }

  #hitsOf(number: number, street: Street, text: string, interpretation: Interpretation, filter: Filter): Hit[] {
    this.compared++;
    const match = this.matcher.best(street.names, interpretation.words);
    if (!match) return [];
    const part = this.parts[number];
    const area = part.area(street.area);
    if (filter.country !== undefined && area.country !== filter.country) return [];
    const isMatched = (word: Word, at: number) =>
      match.used.has(at) ||
      this.isMatched(street, area, word) ||
      (street.names.length > 1 && this.matcher.best(street.names.slice(1), [word]) !== undefined);
    if (!interpretation.words.every(isMatched)) return [];
    if (filter.city && !filter.city.every((word) => isIn(area, word))) return [];
    const codes = filter.codes ?? codesIn(street, interpretation.words, match.used);
    const isNearNumber = isNearHouseNumber(interpretation, match.used);
    return this.#scored(
      number,
      street,
      text,
      { ...match, isNearNumber, hasNumber: interpretation.houseNumber !== undefined, interpretation },
      passing(street, housesOf(part, street, interpretation.houseNumber, codes), filter),
    );
  }

  #scored(
    part: number,
    street: Street,
    text: string,
    match: {
      coverage: number;
      name: number;
      matched: readonly Word[];
      isNearNumber: boolean;
      interpretation: Interpretation;
      /** Whether the query has a house number, so that a street without it scores less. */
      hasNumber?: boolean;
    },
    found: readonly Found[],
  ): Hit[] {
    const name = street.names[match.name];
    const words = this.matcher.words(name);
    const isPart = words.some((word) => !isGeneric(word) && !stopWordSet.has(word[0]) && !match.matched.includes(word));
    return found.map((house) => {
      const isMissing = house.matchType === 'street' && match.hasNumber === true;
      const parts = {
        nameMatch: nameMatch(match.coverage, isPart),
        nameWorth: nameWorth(match.name),
        houseMatch: houseMatch(house) + (isMissing ? numberMissing : 0),
        spelling: spelling(name, house.houseNumber, text),
        unexplained: 0,
      };
      const { coverage, matched, isNearNumber, interpretation } = match;
      const left: readonly Word[] = [];
      return {
        ...house,
        part,
        street,
        name,
        words,
        matched,
        isNearNumber,
        interpretation,
        coverage,
        left,
        parts,
        score: scoreOf(parts),
      };
    });
  }
}

/** A hit with points deducted for unexplained words. */
export function penalised(hit: Hit, points: number): Hit {
  const parts = { ...hit.parts, unexplained: hit.parts.unexplained + points };
  return { ...hit, parts, score: scoreOf(parts) };
}

/** Whether a house was found whose street's full name matched. */
export function isAnswered(hits: readonly Hit[]): boolean {
  return hits.some(({ score }) => score >= answeredInFull);
}

function isNearHouseNumber({ words, part: [from, to] }: Interpretation, used: ReadonlySet<number>): boolean {
  const isOwn = ([word]: Word) => !isStreetTypeOrDirection(word) && !/^\d/.test(word);
  const own = words.slice(from, to).flatMap((word, at) => (isOwn(word) ? [from + at] : []));
  return own.length === 0 || own.some((at) => used.has(at));
}

/** The positions inside the filter's box. */
export const inBox = <T extends LatLng>(houses: T[], { bbox }: Filter): T[] =>
  bbox ? houses.filter(({ lat, lng }) => isWithin(lat, lng, bbox)) : houses;

/** The houses with a requested code, inside the filter's box; where no house has the code, the street that has it. */
function passing(street: Street, houses: Found[], filter: Filter): Found[] {
  const { codes } = filter;
  if (!codes) return inBox(houses, filter);
  const hasCode = (code: string | null) => code !== null && codes.has(codeKey(code));
  const coded = houses.filter(({ postalCode }) => hasCode(postalCode));
  const found =
    coded.length > 0 ? coded : [{ ...asStreet(street), postalCode: street.postcodes.find(hasCode) ?? null }];
  return inBox(found, filter);
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
