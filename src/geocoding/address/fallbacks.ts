/** Fallbacks for texts without a full match: search with less of the text, or near the places that it names. */

import type { AddressQuery } from '../../store/address-contract.ts';
import { inTurn, together } from '../../store/deferred.ts';
import type { CityNames, Place } from '../../store/store.ts';
import type { Clause, Street } from '../../store/street-parts.ts';
import { isDirection } from '../../text/abbreviations.ts';
import { isGeneric, queryWords, sharesVariant, type Word } from '../../text/words.ts';
import { namedCandidates } from './candidates.ts';
import { type Claims, placeReachKm } from './claims.ts';
import { isStreetTypeOrDirection } from './corrections.ts';
import { type AddressFinder, type Filter, type Hit, isAnswered, penalised, type Query } from './finder.ts';
import { type Interpretation, interpret } from './interpret.ts';
import { droppedWord, unexplained } from './score.ts';

/** The gazetteer operations that fallbacks need. */
export type Gazetteer = CityNames;

/** Maximum number of places looked up for one text. */
const maxLookUps = 24;
/** Maximum number of words of a text that are dropped, one at a time, when nothing else matches. */
const maxDroppedWords = 6;
/** Maximum length of an abbreviated street type (`Ave`, `St`), allowing for a typing mistake. */
const maxAbbreviationLength = 3;
/** Maximum number of words in a country's name. */
const maxCountryWords = 5;
/**
 * Maximum number of interpretations whose house number is tried with the street next to it, and of words in that
 * street's name.
 */
const maxInterpretations = 4;
const maxNameWords = 6;
/** Maximum number of places around which a street is searched. */
const maxPlaces = 3;

/** A query without the country that its text names. */
export type CountryScope = {
  query: Query;
  country: string;
  named: readonly Word[];
  /** Whether it ends the text or stands before a comma. At the beginning, it may be the street's: `Sint Helena Avenue`. */
  isSeparate: boolean;
};

/**
 * The query without the country at the start or end of its text, restricted to that country; undefined when it names
 * none.
 */
export function stripCountry(query: Query, places: Gazetteer): CountryScope | undefined {
  if (query.filter.country !== undefined) return undefined;
  const tokens = query.text.split(/[\s,;]+/).filter((token) => /[\p{L}\p{N}]/u.test(token));
  for (let count = Math.min(maxCountryWords, tokens.length - 1); count > 0; count--) {
    const [ending] = places.countriesNamed(tokens.slice(-count).join(' '));
    const [beginning] = tokens[0].length > 3 ? places.countriesNamed(tokens.slice(0, count).join(' ')) : [];
    const country = ending ?? beginning;
    if (country === undefined) continue;
    const last = ending === undefined ? tokens[count - 1] : tokens[tokens.length - count];
    const at = ending === undefined ? query.text.indexOf(last) + last.length : endOfRest(query.text, tokens, count);
    const text = ending === undefined ? query.text.slice(at) : query.text.slice(0, at);
    const named = queryWords((ending === undefined ? tokens.slice(0, count) : tokens.slice(-count)).join(' '));
    const isSeparate = ending !== undefined || /^\s*,/.test(text);
    const scoped = { text, interpretations: interpret(text), filter: { ...query.filter, country } };
    return { query: scoped, country, named, isSeparate };
  }
  return undefined;
}

/** The offset at which the last `count` tokens of a text begin. */
function endOfRest(text: string, tokens: readonly string[], count: number): number {
  let at = text.length;
  for (const token of tokens.slice(-count).reverse()) at = text.lastIndexOf(token, at - 1);
  return at;
}

/**
 * Hits whose street name directly precedes or follows the number and whose settlement or postal code is among the other
 * words: for texts that also name a building, a company, a district or a county. Where the data do not name the
 * settlement, streets near the places that the text names. Where the text names a country, only hits there, or hits
 * with the country's name.
 */
export function streetNearNumber(finder: AddressFinder, query: Query, places: Gazetteer, claims: Claims): Hit[] {
  const numbered = query.interpretations
    .filter(({ houseNumber, isSpelledOut }) => houseNumber !== undefined && !isSpelledOut)
    .slice(0, maxInterpretations);
  const chosen = numbered.length > 0 ? numbered : query.interpretations;
  for (const isAroundPlaces of [false, true]) {
    const hits: Hit[] = [];
    const spans = chosen.flatMap((interpretation) =>
      streetSpansOf(interpretation, query.text).map((span) => ({ interpretation, span })),
    );
    inTurn(spans, ({ interpretation, span }) => {
      const around = isAroundPlaces ? placesNamed(span.others, query.filter.country, places) : [];
      if (isAroundPlaces && around.length === 0) return false;
      hits.push(...claims.admitted(hitsOfSpan(finder, query, interpretation, span, around), { around }));
      return hits.some(({ matchType }) => matchType === 'exact');
    });
    if (hits.length > 0) return hits;
  }
  return [];
}

/** `next`: the words of the same part that follow the name, on the far side from the number. */
type StreetSpan = { words: readonly Word[]; others: readonly Word[]; next: readonly Word[] };

/**
 * Spans that may be the street's name: words next to the number, the longest first; without a number, parts between
 * commas.
 */
function streetSpansOf({ houseNumber, words, before, part }: Interpretation, text: string): StreetSpan[] {
  if (houseNumber === undefined) {
    const parts = text.split(',').map(queryWords);
    return parts.length < 2
      ? []
      : parts
          .filter((part) => part.length > 0 && part.some((word) => !isGeneric(word)))
          .map((part) => ({ words: part, others: parts.filter((other) => other !== part).flat(), next: [] }));
  }
  const spans: StreetSpan[] = [];
  for (let count = Math.min(maxNameWords, words.length); count > 0; count--) {
    for (const from of [before, before - count]) {
      const to = from + count;
      if (from < 0 || to > words.length) continue;
      const next = from === before ? words.slice(to, part[1]) : words.slice(part[0], from).reverse();
      spans.push({ words: words.slice(from, to), others: words.toSpliced(from, count), next });
    }
  }
  return spans;
}

function hitsOfSpan(
  finder: AddressFinder,
  { text, filter }: Query,
  interpretation: Interpretation,
  { words, others, next }: StreetSpan,
  around: readonly Place[],
): Hit[] {
  const isComplete = words.some(isGeneric);
  const context: Clause = around.length > 0 ? { around, km: placeReachKm } : others.flat();
  const groups = around.length + others.length > 0 ? [...filter.groups, context] : filter.groups;
  const found = together(namedCandidates(finder.parts, words, { ...filter, groups }), ({ part, street }) => {
    const area = finder.parts[part].area(street.area);
    const isMatched = (word: Word) => finder.isMatched(street, area, word);
    // `12 Maple Hollow Avenue` is not on `Maple`.
    const after = next.slice(0, next.findIndex(isMatched) < 0 ? next.length : next.findIndex(isMatched));
    if (!isComplete && after.some((word) => word[0].length > 1 && isGeneric(word))) return [];
    const left = others.filter((word) => !isMatched(word));
    const isLocated =
      around.length > 0 || namesSettlement(finder, street, area.city, others) || 2 * left.length <= others.length;
    if (!isLocated) return [];
    const hits = finder.hitsNamed(part, street, text, interpretation, words, filter);
    return hits.map((hit) => penalised({ ...hit, left }, unexplained(left.length)));
  });
  return found.flat();
}

function namesSettlement(finder: AddressFinder, street: Street, city: string | null, others: readonly Word[]): boolean {
  const isNamed =
    city !== null && finder.matcher.words(city).every((word) => others.some((other) => sharesVariant(word, other)));
  return isNamed || others.some((word) => /\d/.test(word[0]) && word[0].length > 3 && finder.isPostcode(street, word));
}

/** Places named by runs of up to three words, the longest runs first. */
function placesNamed(words: readonly Word[], country: string | undefined, places: Gazetteer): Place[] {
  const found = new Map<number, Place>();
  for (let count = Math.min(3, words.length); count > 0; count--) {
    for (let from = words.length - count; from >= 0 && found.size < maxPlaces; from--) {
      const run = words.slice(from, from + count);
      if (run.some(([word]) => /^\d/.test(word)) || run.every(([word]) => word.length < 3)) continue;
      const place = places.resolve(run.map(([first]) => first).join(' '), country);
      if (place) found.set(place.id, place);
    }
  }
  return [...found.values()];
}

/** Caches the places of one search: each name is looked up once, and at most `maxLookUps` names. */
export function cachedPlaces(places: Gazetteer): Gazetteer {
  const known = new Map<string, Place | undefined>();
  return {
    countriesNamed: (name) => places.countriesNamed(name),
    regionsNamed: (name) => places.regionsNamed(name),
    resolve(city, country) {
      const key = `${country} ${city}`;
      if (!known.has(key) && known.size < maxLookUps) known.set(key, places.resolve(city, country));
      return known.get(key);
    },
  };
}

/** Hits near a place of the gazetteer that one or two words of the text, or the requested city, name. */
export function searchNearPlaces(
  finder: AddressFinder,
  { text, interpretations, filter }: Query,
  { city, country }: AddressQuery,
  places: Gazetteer,
  claims: Claims,
): Hit[] {
  const hits: Hit[] = [];
  const near = (name: string, rest: readonly Interpretation[], without: Filter) => {
    const place = places.resolve(name, country);
    if (!place) return;
    const groups = [...without.groups, { around: [place], km: placeReachKm }];
    const found = finder.collect({ text, interpretations: rest, filter: { ...without, groups } });
    const admitted = claims.admitted(found, { around: [place] });
    // A requested city is a filter: what speaks against the house excludes it.
    hits.push(...(city === undefined ? admitted : admitted.filter((hit) => !hit.isDoubtful)));
  };
  if (city !== undefined) {
    const { city: _, ...without } = filter;
    near(city, interpretations, {
      ...without,
      groups: filter.groups.filter((group) => !filter.city?.some((word) => word === group)),
    });
    return hits;
  }
  const names = interpretations.slice(0, 2).flatMap((interpretation) => namesIn(interpretation));
  inTurn(names, ({ interpretation, from, count }) => {
    const { words } = interpretation;
    const name = words.slice(from, from + count).map(([first]) => first);
    near(name.join(' '), [{ ...interpretation, words: words.toSpliced(from, count) }], filter);
    return isAnswered(hits);
  });
  return hits;
}

/** Runs of one or two words of an interpretation that may name a place: the longer and later ones first. */
function namesIn(interpretation: Interpretation) {
  const { length } = interpretation.words;
  return [2, 1]
    .filter((count) => count < length)
    .flatMap((count) => {
      const last = Math.min(maxDroppedWords, length - count);
      return Array.from({ length: last + 1 }, (_, at) => ({ interpretation, count, from: last - at }));
    });
}

/** Interpretations without one word, for words that are mistyped beyond correction or belong to no name. */
export function dropToken(finder: AddressFinder, { text, interpretations, filter }: Query, claims: Claims): Hit[] {
  const hits: Hit[] = [];
  // A long number without a word beside it is rather a postal code: `Avenida 18 de Julio 1234, 1000`.
  const likely = interpretations.filter((each) => !isLong(each) || isBesideWord(each));
  const shortened = [...likely, ...interpretations.filter((each) => !likely.includes(each))]
    .slice(0, 2)
    .filter(({ words }) => words.length > 1)
    .flatMap((interpretation) =>
      interpretation.words.slice(0, maxDroppedWords).map((_, at) => ({ interpretation, at })),
    );
  inTurn(shortened, ({ interpretation, at }) => {
    const words = interpretation.words.filter((_, other) => other !== at);
    const [left] = interpretation.words[at];
    // Of `14th aAve` and `West T` the rest says enough, where the street is called so; of `Qqqqzz 12` it does not, nor
    // has a street that has no more in common with the text than `Street` anything to do with it.
    const isBare = words.every((word) => isNumber(word) || isStreetTypeToken(word));
    if (isBare && left.length > maxAbbreviationLength) return false;
    const found = finder.collect({ text, interpretations: [{ ...interpretation, words }], filter });
    const [from, to] = interpretation.part;
    const isInPart = at >= from && at < to;
    const beside = isInPart ? interpretation.words.slice(from, to).filter((_, other) => other !== at - from) : words;
    for (const hit of claims.admitted(found.map((hit) => ({ ...hit, left: [interpretation.words[at]] })))) {
      if (isBare ? !isNamedBare(hit, words) : !hasOwnWord(hit, beside)) continue;
      if (!isInPart || !isDirection(left, at === interpretation.before)) hits.push(hit);
      // `128 East Kentucky Street` is not a house of `West Kentucky Street`; `Kentucky Street` may be what is meant.
      else if (!hit.words.some((word) => isDirection(word[0], true))) hits.push(finder.asStreet(hit));
    }
    return false;
  });
  return hits.map((hit) => penalised(hit, droppedWord));
}

const isLong = ({ houseNumber }: Interpretation) => houseNumber !== undefined && /^\d{4,}$/.test(houseNumber);
/** Whether a house number has a word that is no number right before or after it in its part between commas. */
const isBesideWord = ({ words, before, part: [from, to] }: Interpretation) =>
  (before > from && !isNumber(words[before - 1])) || (before < to && !isNumber(words[before]));

const isStreetTypeToken = ([word]: Word) => isStreetTypeOrDirection(word);

/** Whether a hit's name consists of words of the query (numbers and street types) and a street type. */
function isNamedBare(hit: Hit, query: readonly Word[]): boolean {
  return hit.words.every((word) => isStreetTypeToken(word) || query.some((other) => sharesVariant(word, other)));
}

const isNumber = ([word]: Word) => /^\d+$/.test(word);

/**
 * Whether at least half of a hit's name matched, including a word that is not a street type. `Baltimore Street` is not
 * an answer to `7 Zobel Street, Baltimore`: there the word is the settlement's.
 */
function hasOwnWord(hit: Hit, query: readonly Word[]): boolean {
  return (
    hit.coverage >= 0.5 &&
    hit.words.some((word) => !isStreetTypeToken(word) && query.some((other) => sharesVariant(word, other)))
  );
}
