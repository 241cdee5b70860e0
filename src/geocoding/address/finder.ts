/** Finds houses and streets that match every word of an interpretation. */

import { type BoundingBox, isWithin, type LatLng } from '../../core/geo.ts';
import type { AddressFields, Budget } from '../../store/address-contract.ts';
import type { Place } from '../../store/store.ts';
import { type Clause, type Street, type StreetArea, type StreetPart, settle } from '../../store/street-parts.ts';
import { stopWordSet } from '../../text/word-lists.ts';
import {
  codeKey,
  isDirection,
  isGeneric,
  isNumeric,
  isStreetType,
  postcodeWords,
  sharesVariant,
  type Word,
  wholeName,
  wholeNames,
} from '../../text/words.ts';
import { isSpent, prices } from '../search-limits.ts';
import { type Candidate, maxCandidates, namedCandidates, streetCandidates } from './candidates.ts';
import { type CorrectionOptions, Corrections } from './corrections.ts';
import { asHouse, asStreet, type Found, housesOf } from './houses.ts';
import type { Interpretation, StreetSpan } from './interpret.ts';
import { answeredInFull, type Hit, houseMatch, nameMatch, scoreOf, spelling, unexplained } from './score.ts';
import { bestName, type NameMatch, wordsOf } from './street-match.ts';

/** Conditions besides the text. Each of `groups` must match a term of the street. */
export type Filter = {
  groups: Clause[];
  country?: string;
  city?: Word[];
  codes?: ReadonlySet<string>;
  bbox?: BoundingBox;
  /** What the search may still cost. */
  budget: Budget;
};

export type Query = {
  /** The text without a unit, as it is spelled, to distinguish equal spellings from names that only fold to the same. */
  text: string;
  /** Of an address whose parts are known apart. */
  fields?: AddressFields;
  /** What is asked for beside the text. */
  beside: AddressFields;
  /** What was split off the text. */
  unit?: string;
  others: readonly string[];
  interpretations: readonly Interpretation[];
  filter: Filter;
  /** The places around which streets lie, instead of having their names. */
  around: readonly Place[];
};

/** `5411 DC`, `SW1A 2AA`: codes with letters and digits, which few streets share. */
const codeOfStreet = /(?<![\p{L}\p{N}])(?:\d{4}\s?[a-z]{2}|[a-z]{1,2}\d[a-z\d]?\s?\d[a-z]{2})(?![\p{L}\p{N}])/iu;
const noneUsed: ReadonlySet<number> = new Set();
const byCode: NameMatch = { name: -1, coverage: 1, used: noneUsed, matched: [] };

/**
 * No address has all words of a longer text: a part of it may be one, which is the name beside the number. Otherwise each of its
 * words is corrected, and dropped in turn, for nothing.
 */
const maxWords = 16;
/** Maximum number of words around a street's whole name. */
const maxAround = 2;
const isShort = ({ words, span }: Interpretation) => span !== undefined || words.length <= maxWords;

const oneLetter = /(?<!\S)\p{L}\.?(?!\S)/u;
const isKind = (word: Word) => word.some(isStreetType);

/** Finds the hits of one query. */
export class AddressFinder {
  readonly parts: readonly StreetPart[];
  /** Number of streets compared with the text so far. */
  compared = 0;
  readonly corrections: Corrections;
  /** What the search may still cost. */
  readonly budget: Budget;

  constructor(parts: readonly StreetPart[], budget: Budget) {
    this.parts = parts;
    this.budget = budget;
    this.corrections = new Corrections(parts, budget);
  }

  /**
   * The hits of a query's interpretations that are `admitted`; stops at the first interpretation that a house answers in full, or
   * with its street's name beside it.
   */
  collect(query: Query, admitted: (hits: Hit[]) => Hit[] = (hits) => hits): Hit[] {
    const hits: Hit[] = [];
    for (const interpretation of query.interpretations.filter(isShort)) {
      const { words, span } = interpretation;
      if (isSpent(this.budget)) break;
      const candidates = span
        ? namedCandidates(this.parts, span.words, spanFilter(query, span))
        : streetCandidates(this.parts, words, query.filter, maxCandidates, maxAround);
      this.budget.left -= candidates.length * prices.street;
      const found = candidates.flatMap((candidate) =>
        isSpent(this.budget) ? [] : this.#hitsOf(candidate, query, interpretation),
      );
      hits.push(...admitted(found));
      if (span ? hits.some(({ matchType }) => matchType === 'exact') : isAnswered(hits)) break;
    }
    return hits;
  }

  /** The hits of one street, all of whose words the interpretation must have, or which must have the name of its span. */
  #hitsOf({ part: number, id }: Candidate, { text, filter }: Query, interpretation: Interpretation): Hit[] {
    this.compared++;
    const part = this.parts[number];
    const street = part.street(id);
    const area = part.area(street.area);
    const { houseNumber, words, span } = interpretation;
    const match = span ? this.#matchOfSpan(street, area, span) : this.#matchOfAll(street, area, text, interpretation);
    if (!match) return [];
    if (filter.country !== undefined && area.country !== filter.country) return [];
    if (filter.city && !filter.city.every((word) => isIn(area, word))) return [];
    const codes = filter.codes ?? codesIn(street, words, match.used);
    const named = span && houseNumber === undefined ? this.#housesNamed(number, street, interpretation) : [];
    const found = passing(
      street,
      named.length > 0 ? named : housesOf(part, street, houseNumber, codes, this.budget),
      filter,
    );
    // A postal code alone says where a house is, not which street of it.
    const houses = match.name < 0 ? found.filter(({ matchType }) => matchType === 'exact') : found;
    const name = street.names[Math.max(0, match.name)];
    const nameWords = wordsOf(name);
    const matched = span || match.name < 0 ? nameWords : match.matched;
    // The number of `4 de Julio` tells it from others, although it has abbreviations.
    const isOwn = (word: Word) => isNumber(word) || (!isGeneric(word) && !stopWordSet.has(word[0]));
    const isPart = nameWords.some((word) => isOwn(word) && !matched.includes(word));
    // `Straße 12` is on no street: all of a kind have that word.
    const isSmall = (word: Word) => isKind(word) || stopWordSet.has(word[0]) || isDirection(word[0], true);
    // Nor `Pasaje 12` on `Pasaje C`, though a C is also a kind of street.
    const isLettered = oneLetter.test(name) && !words.some(([word]) => word.length === 1);
    const isWhole = !isLettered && nameWords.every((word) => matched.includes(word) || isSmall(word));
    if (matched.every(isKind) && !isWhole) return [];
    return houses.flatMap((house) => {
      // `1097SC 29` is not on a street called 29.
      if (house.matchType !== 'exact' && houseNumber !== undefined && words.every(isNumber)) return [];
      const parts = {
        nameMatch: nameMatch(match.coverage, isPart),
        houseMatch: houseMatch(house),
        spelling: spelling(name, text),
        unexplained: span ? unexplained(span.others.filter((word) => !this.isMatched(street, area, word)).length) : 0,
      };
      const { coverage } = match;
      const score = scoreOf(parts);
      const prominence = part.prominence(street.id);
      const of = { part: number, street, prominence, interpretation, name, words: nameWords, matched, coverage };
      return [{ ...house, ...of, parts, score }];
    });
  }

  /** How a street's best name matches a text all of whose words it, its settlement or its postal codes have. */
  #matchOfAll(street: Street, area: StreetArea, text: string, interpretation: Interpretation): NameMatch | undefined {
    const { words, houseNumber } = interpretation;
    const isOfArea = (word: Word) => this.isMatched(street, area, word);
    const match = bestName(street.names, words);
    if (!match) {
      // `5411DC 5`; the letters of `5411 DA` and `5411 LA` are also articles, which no word says.
      const [code] = houseNumber === undefined ? [] : (codeOfStreet.exec(text) ?? []);
      const hasCode = code !== undefined && street.postcodes.some((own) => codeKey(own) === codeKey(code));
      return hasCode && words.every(isOfArea) ? byCode : undefined;
    }
    return words.every((word, at) => match.used.has(at) || isOfArea(word)) ? match : undefined;
  }

  /** The match of a street with a name that these words spell, joined or separate (`Mc Carroll`, `McCarroll`). */
  #matchOfSpan(street: Street, area: StreetArea, { words: span, next }: StreetSpan): NameMatch | undefined {
    const { names } = street;
    const end = next.findIndex((word) => this.isMatched(street, area, word));
    const after = end < 0 ? next : next.slice(0, end);
    // `12 Maple Hollow Avenue` is not on `Maple`.
    if (!span.some(isGeneric) && after.some((word) => word[0].length > 1 && isGeneric(word))) return undefined;
    const match = bestName(names, span);
    if (match && match.coverage === 1 && match.used.size === span.length) return { ...match, used: noneUsed };
    const whole = wholeNames(span);
    const name = names.findIndex((each) => whole.includes(wholeName(wordsOf(each))));
    return name < 0 ? undefined : { name, coverage: 1, used: noneUsed, matched: [] };
  }

  /** The houses of a street with a name instead of a number, where the text has all of its words. */
  #housesNamed(number: number, street: Street, { words }: Interpretation): Found[] {
    return this.parts[number]
      .housesAt(street.id, 0)
      .filter(({ base, text, otherNumber }) => base === 0 && otherNumber === undefined && !/\d/.test(text))
      .filter(({ text }) => wordsOf(text).every((word) => words.some((other) => sharesVariant(word, other))))
      .map((house) => asHouse(street, house));
  }

  /** Whether all words of a query are in names. */
  knowsAll({ interpretations, filter }: Query): boolean {
    const words = [...interpretations.flatMap(({ words }) => words), ...filter.groups.filter(isWord)];
    const unknown = new Set(words.map(([word]) => word)).values().filter((word) => !this.corrections.knows(word));
    return unknown.toArray().length === 0;
  }

  /** A query whose words are expanded by their corrections. */
  withCorrections(query: Query, options: CorrectionOptions = {}): Query {
    const { text, interpretations, filter } = query;
    // A city's name has no context that would show that a short word was mistyped.
    const ofCity = (word: Word) => this.corrections.ofWord(word, options);
    const corrected: Query = {
      ...query,
      interpretations: interpretations.filter(isShort).map((interpretation) => ({
        ...interpretation,
        words: this.corrections.of(interpretation.words, text, options),
      })),
      filter: {
        ...filter,
        groups: filter.groups.map((group) => (isWord(group) ? ofCity(group) : group)),
        city: filter.city?.map(ofCity),
      },
    };
    settle(this.parts);
    return corrected;
  }

  /** Whether a word is the settlement's, its region's or its country's, or a postal code's. */
  isMatched(street: Street, area: StreetArea, word: Word): boolean {
    return isIn(area, word) || this.isPostcode(street, word);
  }

  /** Whether a word is one of a street's postal codes, or a part of one. */
  isPostcode({ postcodes }: Street, word: Word): boolean {
    return postcodes.some((code) => postcodeWords(code).some((term) => word.includes(term)));
  }
}

/** The street of a hit instead of its house. */
export const withoutHouse = (hit: Hit): Hit => rescored({ ...hit, ...asStreet(hit.street) }, { houseMatch: 0 });

/** A hit with points deducted for unexplained words. */
export const penalised = (hit: Hit, points: number): Hit =>
  rescored(hit, { unexplained: hit.parts.unexplained + points });

/** A hit with other points for some features. */
export function rescored(hit: Hit, changed: Partial<Hit['parts']>): Hit {
  const parts = { ...hit.parts, ...changed };
  return { ...hit, parts, score: scoreOf(parts) };
}

/** Whether a house was found whose street's full name matched. */
export function isAnswered(hits: readonly Hit[]): boolean {
  return hits.some(({ score }) => score >= answeredInFull);
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

/** Besides the name, one of the other words must be of the street or where it lies. */
const spanFilter = ({ filter, around }: Query, { others }: StreetSpan): Filter =>
  around.length > 0 || others.length === 0 ? filter : { ...filter, groups: [...filter.groups, others.flat()] };

const isWord = (clause: Clause): clause is Word => Array.isArray(clause);
const isNumber = ([word]: Word) => isNumeric(word);
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
