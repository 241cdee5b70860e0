/** Other readings of a query: with a place of its text as a condition. */

import type { CityNames, Place } from '../../store/store.ts';
import { queryWords } from '../../text/words.ts';
import { isStreetTypeOrDirection } from './corrections.ts';
import type { Query } from './finder.ts';
import type { Interpretation } from './interpret.ts';
import { reachKm } from './support.ts';

/** Maximum number of places looked up for one text. */
const maxLookUps = 24;
/** Maximum number of words in the name of a place. */
const maxPlaceWords = 3;
/** Maximum number of letters of words that are one abbreviation. */
const maxSign = 3;
/** Maximum number of places around which a street is searched, and of interpretations. */
const maxPlaces = 3;
/** Maximum number of interpretations for each of these: a text may name a place again and again. */
const maxOfPlace = 4;
const maxInterpretations = 2;

/** A query whose streets lie around places instead of having their names; `around` is empty for one without them. */
export type Reading = Query & { around: readonly Place[] };

/**
 * For each place that the requested city or one to three words of the text name, the query for the streets around it, the
 * longer and later names first. The rest of the text must say more than a kind of street.
 */
export function placeReadings(query: Query, city: string | undefined, places: CityNames): Reading[] {
  const { filter } = query;
  const near = (place: Place, interpretations: readonly Interpretation[], groups = filter.groups): Reading => ({
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

/** Caches the places of one search: each name is looked up once, and at most `maxLookUps` names. */
export function cachedPlaces(places: CityNames): CityNames {
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
