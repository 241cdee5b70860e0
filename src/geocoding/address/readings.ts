/** Other readings of a query: with a place of its text as a condition, with the street's name beside the number, with one word less. */

import type { Budget } from '../../store/address-contract.ts';
import type { CityNames, Place } from '../../store/store.ts';
import {
  isDirection,
  isGeneric,
  isNumeric as isNumber,
  isOmissible,
  queryWords,
  sharesVariant,
  type Word,
} from '../../text/words.ts';
import { isStreetTypeOrDirection } from './corrections.ts';
import { type AddressFinder, type Query, withoutHouse } from './finder.ts';
import { type Interpretation, interpretation as interpreted, type StreetSpan, type Token } from './interpret.ts';
import type { Hit } from './score.ts';
import { reachKm } from './support.ts';

/** Maximum number of words in the name of a place. */
const maxPlaceWords = 3;
/** Maximum number of letters of words that are one abbreviation. */
const maxSign = 3;
/** Maximum number of places around which a street is searched, and of interpretations. */
const maxPlaces = 3;
const maxInterpretations = 2;

/** Maximum number of words of a text that are dropped, one at a time, when nothing else matches. */
const maxDroppedWords = 6;
/** Maximum length of an abbreviated street type (`St`), allowing for a typing mistake. */
const maxAbbreviationLength = 3;
/**
 * Maximum number of interpretations whose house number is tried with the street next to it, and of tokens in that
 * street's name.
 */
const maxNumbered = 4;
const maxNameTokens = 6;
/** Maximum number of parts between commas that are tried as a street where the text has no number. */
const maxParts = 6;

/**
 * For each place that the requested city or one to three words of the text name, the query for the streets around it, the
 * longer and later names first. The rest of the text must say more than a kind of street.
 */
export function placeReadings(query: Query, city: string | undefined, places: CityNames): Query[] {
  const { filter } = query;
  const near = (place: Place, interpretations: readonly Interpretation[], groups = filter.groups): Query => ({
    ...query,
    interpretations,
    filter: { ...filter, city: undefined, groups: [...groups, { around: [place], km: reachKm(place) }] },
    around: [place],
  });
  if (filter.city) {
    const place = places.resolve(city!, filter.country);
    const others = filter.groups.filter((group) => !filter.city!.some((word) => word === group));
    return place ? [near(place, query.interpretations, others)] : [];
  }
  const found = new Map<number, { place: Place; interpretations: Interpretation[] }>();
  const named = (name: string) => places.resolve(name, filter.country);
  const add = (place: Place | undefined, { houseNumber, tokens }: Interpretation, from: number, to: number) => {
    const known = place && found.get(place.id);
    if (!place || (!known && found.size >= maxPlaces)) return;
    const others = tokens.map((token, at) => (at >= from && at < to ? { ...token, role: 'place' as const } : token));
    const rest = interpreted(houseNumber, others);
    if (known) known.interpretations.push(rest);
    else found.set(place.id, { place, interpretations: [rest] });
  };
  for (const interpretation of query.interpretations.slice(0, maxInterpretations)) {
    const { tokens } = interpretation;
    for (const [from, { part }] of tokens.entries()) {
      const ending = tokens.slice(from);
      if (from > 0 && part > tokens[from - 1].part && !ending.some(isNumeric))
        add(named(textOf(ending)), interpretation, from, tokens.length);
    }
    for (const { from, to } of runsIn(tokens)) {
      const run = tokens.slice(from, to);
      const words = wordsOf(run).map(([first]) => first);
      // `TP.HCM`
      const isShort = words.length > 1 && words.every((word) => word.length <= maxSign);
      add(named(textOf(run)) ?? (isShort ? named(words.join('')) : undefined), interpretation, from, to);
    }
  }
  return [...found.values()].map(({ place, interpretations }) => near(place, interpretations));
}

/** Runs of tokens of one part that may be the name of a place: those of more words first, then the later ones. */
function runsIn(tokens: readonly Token[]): { from: number; to: number }[] {
  const runs: { from: number; to: number; words: number }[] = [];
  for (let from = tokens.length - 1; from >= 0; from--) {
    let words = 0;
    for (let to = from + 1; to <= tokens.length; to++) {
      const last = tokens[to - 1];
      words += last.words.length;
      if (isNumeric(last) || last.part !== tokens[from].part || words > maxPlaceWords) break;
      if (last.words.length > 0) runs.push({ from, to, words });
    }
  }
  return runs.sort((one, other) => other.words - one.words);
}

const isNumeric = ({ text, role }: Token) => role === 'number' || /\d/.test(text);
const textOf = (tokens: readonly Token[]) =>
  tokens.map(({ text, part }, at) => (at > 0 && part > tokens[at - 1].part ? `, ${text}` : text)).join(' ');
const wordsOf = (tokens: readonly Token[]): Word[] => tokens.flatMap(({ words }) => words);

/**
 * The query with the words that directly precede or follow the number as the whole name of the street: for texts that also name a
 * building, a company, a district or a county. The other words need not be of its settlement, but one must be, or the query's place.
 */
export function streetNearNumber(query: Query): Query {
  const numbered = query.interpretations.filter(({ houseNumber }) => houseNumber !== undefined).slice(0, maxNumbered);
  const chosen = numbered.length > 0 ? numbered : query.interpretations;
  const withSpans = chosen.flatMap((one) => streetSpansOf(one).map((span) => ({ ...one, span })));
  return { ...query, interpretations: withSpans };
}

/**
 * Spans that may be the street's name: words next to the number, the longest first; without a number, parts between
 * commas.
 */
function streetSpansOf({ tokens }: Interpretation): StreetSpan[] {
  const number = tokens.find(({ role }) => role === 'number');
  const named = tokens.filter(({ words }) => words.length > 0);
  if (!number) {
    const parts = [...Map.groupBy(named, ({ part }) => part).values()].map(wordsOf);
    const telling = parts.length < 2 ? [] : parts.filter((part) => part.some((word) => !isGeneric(word)));
    const othersOf = (part: readonly Word[]) => parts.filter((other) => other !== part).flat();
    return telling.slice(0, maxParts).map((part) => ({ words: part, others: othersOf(part), next: [] }));
  }
  const left = named.filter(({ role }) => role !== 'place');
  const before = left.filter((token) => tokens.indexOf(token) < tokens.indexOf(number)).length;
  const spans: StreetSpan[] = [];
  for (let count = Math.min(maxNameTokens, left.length); count > 0; count--) {
    for (const from of [before, before - count]) {
      const to = from + count;
      if (from < 0 || to > left.length) continue;
      const next = from === before ? left.slice(to) : left.slice(0, from).reverse();
      spans.push({
        words: wordsOf(left.slice(from, to)),
        others: wordsOf(left.toSpliced(from, count)),
        next: wordsOf(next.filter(({ part }) => part === number.part)),
      });
    }
  }
  return spans;
}

/** The query without what names and addresses often lack: kinds, titles, initials, codes. None where that is nothing. */
export function withoutLightWords(query: Query): Query[] {
  const codes = queryWords(query.fields?.postalCode ?? '').map(([code]) => code);
  const isLight = ([word]: Word) => isOmissible(word) || /^\d{5,6}$/.test(word) || codes.includes(word);
  const interpretations = query.interpretations.flatMap((interpretation) => {
    const at = interpretation.tokens.find(({ role }) => role === 'number')?.part ?? 0;
    const behind = wordsOf(interpretation.tokens.filter(({ part }) => part > at));
    const isCode = (word: Word) => /^\d{4}$/.test(word[0]) && behind.includes(word);
    const words = interpretation.words.filter((word) => !isLight(word) && !isCode(word));
    // `calle 25 de ma`, `m berlin`: what is left of a beginning may be anything.
    const isEnough = interpretation.houseNumber !== undefined && words.some(([word]) => word.length > 2);
    return isEnough && words.length < interpretation.words.length ? [{ ...interpretation, words }] : [];
  });
  return interpretations.length > 0 ? [{ ...query, interpretations }] : [];
}

/**
 * Interpretations without one word, for words that are mistyped beyond correction or belong to no name, or, beside a part with the
 * number, without all of another part: `Acme Ltd, 18 de Julio 1234, Montevideo`.
 */
export function dropToken(finder: AddressFinder, query: Query, admitted: (hits: readonly Hit[]) => Hit[]): Hit[] {
  return query.interpretations.slice(0, 2).flatMap((interpretation) => {
    const { tokens, words } = interpretation;
    const number = tokens.findIndex(({ role }) => role === 'number');
    const parts = [...Map.groupBy(tokens, ({ part }) => part)].map(([part, of]) => ({ part, words: wordsOf(of) }));
    const own = parts.find(({ part }) => part === tokens[number]?.part)?.words ?? words;
    // `c/o Pérez 18 de Julio 1234`: a street's name may begin with a number, and nothing else does.
    const before = own.slice(0, own.findIndex((word) => word.some(isNumber)) + 1).slice(0, -1);
    const others = [before, ...parts.flatMap((part) => (part.words === own ? [] : [part.words]))].filter(
      (part) => number >= 0 && part.length > 1 && !part.some((word) => word.some(isNumber)),
    );
    const single = words.length > 1 ? words.slice(0, maxDroppedWords).map((word) => [word]) : [];
    return [...single, ...others].flatMap((dropped) => {
      const rest = words.filter((word) => !dropped.includes(word));
      const [[left]] = dropped;
      // Of `14th aSt` and `West T` the rest says enough, of `Qqqqzz 12` it does not.
      const isBare = rest.every((word) => isStreetTypeToken(word) || word.some(isNumber));
      if (isBare && left.length > maxAbbreviationLength) return [];
      const isOwn = own.includes(dropped[0]);
      const beside = isOwn ? own.filter((word) => !dropped.includes(word)) : rest;
      const isDirected = isOwn && isDirection(left, tokens[number + 1]?.words[0] === dropped[0]);
      const found = finder.collect({ ...query, interpretations: [{ ...interpretation, words: rest }] });
      return admitted(found).flatMap((hit) => {
        if (!hasOwnWord(hit, beside) || (dropped.length > 1 && hit.matchType === 'street')) return [];
        // `128 East Kentucky Street` is not a house of `West Kentucky Street`; `Kentucky Street` may be what is meant.
        if (isDirected) return hit.words.some((word) => isDirection(word[0], true)) ? [] : [withoutHouse(hit)];
        return [hit];
      });
    });
  });
}

const isStreetTypeToken = ([word]: Word) => isStreetTypeOrDirection(word);

/**
 * Whether at least half of a hit's name matched, including a word that is not a street type. `Baltimore Street` is not
 * an answer to `7 Zobel Street, Baltimore`: there the word is the settlement's. A number says enough only where the name has
 * no other word: `14th` of `14th Street`, not the 12 of `12 de Octubre`.
 */
function hasOwnWord(hit: Hit, query: readonly Word[]): boolean {
  const own = hit.words.filter((word) => !isStreetTypeToken(word));
  const matched = own.filter((word) => query.some((other) => sharesVariant(word, other)));
  const isNamed = matched.some(([word]) => !/^\d+$/.test(word));
  return hit.coverage >= 0.5 && (isNamed || (matched.length > 0 && matched.length === own.length));
}

/** Caches what names name in one search, as long as that may cost anything. */
export function cachedPlaces(places: CityNames, budget: Budget): CityNames {
  const cached = <T>(find: (name: string, country?: string, budget?: Budget) => T) => {
    const known = new Map<string, T>();
    return (name: string, country?: string): T =>
      known.getOrInsertComputed(`${country} ${name}`, () => find(name, country, budget));
  };
  return {
    countriesNamed: cached(places.countriesNamed),
    regionsNamed: cached(places.regionsNamed),
    resolve: cached(places.resolve),
  };
}
