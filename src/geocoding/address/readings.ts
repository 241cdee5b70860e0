/** Other readings of a query: with a place of its text as a condition, with the street's name beside the number, with one word less. */

import type { CityNames, Place } from '../../store/store.ts';
import { isDirection, isGeneric, queryWords, sharesVariant, type Word } from '../../text/words.ts';
import { isStreetTypeOrDirection } from './corrections.ts';
import { type AddressFinder, type Query, withoutHouse } from './finder.ts';
import type { Interpretation, StreetSpan } from './interpret.ts';
import type { Hit } from './score.ts';
import { reachKm } from './support.ts';

/** Maximum number of places looked up for one text. */
const maxLookUps = 48;
/** Maximum number of words in the name of a place. */
const maxPlaceWords = 3;
/** Maximum number of letters of words that are one abbreviation. */
const maxSign = 3;
/** Maximum number of places around which a street is searched, and of interpretations. */
const maxPlaces = 3;
/** Maximum number of interpretations for each of these: a text may name a place again and again. */
const maxOfPlace = 4;
const maxInterpretations = 2;

/** Maximum number of words of a text that are dropped, one at a time, when nothing else matches. */
const maxDroppedWords = 6;
/** Maximum length of an abbreviated street type (`St`), allowing for a typing mistake. */
const maxAbbreviationLength = 3;
/**
 * Maximum number of interpretations whose house number is tried with the street next to it, and of words in that
 * street's name.
 */
const maxNumbered = 4;
const maxNameWords = 6;
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
  const add = (place: Place | undefined, interpretation: Interpretation, from: number, count: number) => {
    const known = place && found.get(place.id);
    if (!place || (known ? known.interpretations.length >= maxOfPlace : found.size >= maxPlaces)) return;
    const rest = without(interpretation, from, count);
    if (rest.words.every(([word]) => isStreetTypeOrDirection(word))) return;
    if (known) known.interpretations.push(rest);
    else found.set(place.id, { place, interpretations: [rest] });
  };
  for (const interpretation of query.interpretations.slice(0, maxInterpretations)) {
    const { words } = interpretation;
    for (let comma = query.text.indexOf(','); comma >= 0; comma = query.text.indexOf(',', comma + 1)) {
      const ending = query.text.slice(comma + 1);
      const count = queryWords(ending).length;
      if (count > 0 && !/\d/.test(ending)) add(named(ending), interpretation, words.length - count, count);
    }
    for (let count = Math.min(maxPlaceWords, words.length - 1); count > 0; count--) {
      for (let from = words.length - count; from >= 0; from--) {
        const run = words.slice(from, from + count).map(([first]) => first);
        if (run.some((word) => /^\d/.test(word)) || run.every((word) => word.length < 3)) continue;
        // `TP.HCM`
        const isShort = count > 1 && run.every((word) => word.length <= maxSign);
        add(named(run.join(' ')) ?? (isShort ? named(run.join('')) : undefined), interpretation, from, count);
      }
    }
  }
  return [...found.values()].map(({ place, interpretations }) => near(place, interpretations));
}

/** An interpretation without some of its words. */
function without(interpretation: Interpretation, from: number, count: number): Interpretation {
  const { words, before, part } = interpretation;
  const shifted = (at: number) => at - Math.max(0, Math.min(at, from + count) - from);
  return {
    ...interpretation,
    words: words.toSpliced(from, count),
    before: shifted(before),
    part: [shifted(part[0]), shifted(part[1])],
  };
}

/**
 * The query with the words that directly precede or follow the number as the whole name of the street: for texts that also name a
 * building, a company, a district or a county. The other words need not be of its settlement, but one must be, or the query's place.
 */
export function streetNearNumber(query: Query): Query {
  const numbered = query.interpretations.filter(({ houseNumber }) => houseNumber !== undefined).slice(0, maxNumbered);
  const chosen = numbered.length > 0 ? numbered : query.interpretations;
  const withSpans = chosen.flatMap((one) => streetSpansOf(one, query.text).map((span) => ({ ...one, span })));
  return { ...query, interpretations: withSpans };
}

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
          .slice(0, maxParts)
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

/** Interpretations without one word, for words that are mistyped beyond correction or belong to no name. */
export function dropToken(finder: AddressFinder, query: Query, admitted: (hits: readonly Hit[]) => Hit[]): Hit[] {
  const { interpretations } = query;
  const hits: Hit[] = [];
  const shortened = interpretations
    .slice(0, 2)
    .filter(({ words }) => words.length > 1)
    .flatMap((interpretation) =>
      interpretation.words.slice(0, maxDroppedWords).map((_, at) => ({ interpretation, at })),
    );
  for (const { interpretation, at } of shortened) {
    const words = interpretation.words.filter((_, other) => other !== at);
    const [left] = interpretation.words[at];
    // Of `14th aSt` and `West T` the rest says enough, of `Qqqqzz 12` it does not.
    const isBare = words.every((word) => isStreetTypeToken(word) || /^\d+$/.test(word[0]));
    if (isBare && left.length > maxAbbreviationLength) continue;
    const found = finder.collect({ ...query, interpretations: [{ ...interpretation, words }] });
    const [from, to] = interpretation.part;
    const isInPart = at >= from && at < to;
    const beside = isInPart ? interpretation.words.slice(from, to).filter((_, other) => other !== at - from) : words;
    for (const hit of admitted(found)) {
      if (!hasOwnWord(hit, beside)) continue;
      if (!isInPart || !isDirection(left, at === interpretation.before)) hits.push(hit);
      // `128 East Kentucky Street` is not a house of `West Kentucky Street`; `Kentucky Street` may be what is meant.
      else if (!hit.words.some((word) => isDirection(word[0], true))) hits.push(withoutHouse(hit));
    }
  }
  return hits;
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

/** Caches what names name in one search: each is looked up once, and at most `maxLookUps` cities. */
export function cachedPlaces(places: CityNames): CityNames {
  const cached = <T>(find: (name: string, country?: string) => T, most = Number.POSITIVE_INFINITY) => {
    const known = new Map<string, T>();
    return (name: string, country?: string): T | undefined => {
      const key = `${country} ${name}`;
      if (!known.has(key) && known.size < most) known.set(key, find(name, country));
      return known.get(key);
    };
  };
  const [countries, regions] = [cached(places.countriesNamed), cached(places.regionsNamed)];
  return {
    countriesNamed: (name) => countries(name)!,
    regionsNamed: (name) => regions(name)!,
    resolve: cached(places.resolve, maxLookUps),
  };
}
