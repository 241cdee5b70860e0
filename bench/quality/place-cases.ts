/** Queries for places, countries and regions, made from a dataset, each with what is right as its first answer. */

import { distanceKm } from '../../src/core/geo.ts';
import type { Place, Region, Store } from '../../src/store/store.ts';
import { fold } from '../../src/text/fold.ts';
import { randomNumbers } from './samples.ts';

/** An answer as `/search` returns it in its `default` profile. */
export type Answer = {
  id: number;
  name: string;
  layer?: string;
  country: string;
  admin1: string | null;
  lat: number;
  lng: number;
};

/** A query, and whether an answer that comes first is the right one; `wanted` says in words what is. */
export type Case = { query: string; wanted: string; isRight(first: Answer): boolean };

/** A namesake as near as this is the same place under another record. */
const nearKm = 15;
const perTable = 2_000;
const minPopulation = 15_000;

/** A table of cases by name; equal datasets produce equal tables. */
export function placeCases(store: Store): Record<string, Case[]> {
  const { places } = store;
  const towns: Place[] = [];
  for (let index = 0; index < places.size; index++) {
    const place = places.get(index);
    if (place.population >= minPopulation && place.type !== 'suburb') towns.push(place);
  }
  const random = randomNumbers(9);
  const some = (list: readonly Place[], isFit: (place: Place) => boolean = () => true) =>
    [...list]
      .map((place) => ({ place, at: random() }))
      .sort((left, right) => left.at - right.at)
      .map(({ place }) => place)
      .filter(isFit)
      .slice(0, perTable);
  const country = (place: Place) => store.countries.get(place.country)!.name;
  const region = (place: Place) => (place.admin1 < 0 ? '' : store.regions.get(place.admin1).name);
  const here = (query: string, place: Place): Case => ({
    query,
    wanted: `${place.name}, ${region(place)}, ${place.country}`,
    isRight: (first) => isSame(first, place),
  });
  /** The place, or a namesake that the context also admits. */
  const within = (query: string, place: Place, hasRegion: boolean): Case => ({
    query,
    wanted: `${place.name}, ${region(place)}, ${place.country}`,
    isRight: (first) =>
      isSame(first, place) ||
      (fold(first.name) === fold(place.name) &&
        first.country === place.country &&
        (!hasRegion || first.admin1 === region(place))),
  });
  const called = (query: string, name: string): Case => ({
    query,
    wanted: name,
    isRight: (first) => fold(first.name) === fold(name),
  });
  const hasLetters = (place: Place) => /^[a-z ]{5,}$/.test(fold(place.name)) && place.admin1 >= 0;
  const isUnknown = (text: string) => places.named(text, 'US').length === 0;
  const typo = (place: Place) => mistyped(fold(place.name), random);
  const typoFit = some(towns, hasLetters);
  const words = () => unknownWords[Math.floor(random() * unknownWords.length)];
  const twoWords = some(towns, hasLetters);
  return {
    'typo and country': typoFit.map((place) => within(`${typo(place)} ${country(place)}`, place, false)),
    'typo and region': typoFit.map((place) => within(`${typo(place)} ${region(place)}`, place, true)),
    'typo alone': typoFit.map((place) => called(typo(place), place.name)).filter(({ query }) => isUnknown(query)),
    'mistyped region': some(towns, (place) => hasLetters(place) && /^[a-z ]{5,}$/.test(fold(region(place)))).map(
      (place) => within(`${place.name}, ${mistyped(fold(region(place)), random)}`, place, true),
    ),
    'mistyped country': some(towns, (place) => /^[a-z ]{5,}$/.test(fold(country(place)))).map((place) =>
      within(`${place.name} ${mistyped(fold(country(place)), random)}`, place, false),
    ),
    'name in region': twoWords.map((place) => within(`${place.name} in ${region(place)}`, place, true)),
    'country, name, region': twoWords.map((place) =>
      within(`${country(place)} ${place.name} ${region(place)}`.toLowerCase(), place, true),
    ),
    'unknown word and country': some(towns).map((place) =>
      within(`${place.name}, ${words()}, ${country(place)}`, place, false),
    ),
    'unknown word and region': some(towns, ({ admin1 }) => admin1 >= 0).map((place) =>
      within(`${place.name} ${words()} ${region(place)}`, place, true),
    ),
    'name and region': some(towns, ({ admin1 }) => admin1 >= 0).map((place) =>
      within(`${place.name}, ${region(place)}`, place, true),
    ),
    'name and country': some(towns).map((place) => within(`${place.name} ${country(place)}`, place, false)),
    'own name': towns.map((place) => called(place.name, place.name)),
    countries: store.countries.assigned.flatMap(({ iso2 }) =>
      countryForms(store, iso2).map((query) => ({
        query,
        wanted: `the country ${iso2}`,
        isRight: (first: Answer) => first.layer === 'country' && first.country === iso2,
      })),
    ),
    'regions alone': store.countries.assigned
      .flatMap(({ iso2 }) => store.regions.list(iso2, 1))
      .map((wanted) => ({
        query: wanted.name,
        wanted: `${wanted.name}, ${wanted.country}`,
        isRight: (first: Answer) => isRegionOr(first, wanted),
      })),
    'large towns': towns.filter(({ population }) => population >= 100_000).map((place) => here(place.name, place)),
  };
}

/** Half of the cases a query belongs to, by a hash of it: only misses of the first half guide fixes. */
export function isTraining({ query }: Pick<Case, 'query'>): boolean {
  let hash = 0x811c9dc5;
  for (let at = 0; at < query.length; at++) hash = Math.imul(hash ^ query.charCodeAt(at), 0x01000193);
  return ((hash ^ (hash >>> 15)) & 1) === 0;
}

function isSame(first: Answer, place: Place): boolean {
  return first.id === place.id || (fold(first.name) === fold(place.name) && distanceKm(first, place) <= nearKm);
}

/** The region, one of its name, or a place in one of its name. */
function isRegionOr(first: Answer, wanted: Region): boolean {
  return fold(first.name) === fold(wanted.name) || fold(first.admin1 ?? '') === fold(wanted.name);
}

/** The name in the dataset, those of CLDR in a few languages, and its short form. */
function countryForms(store: Store, iso2: string): string[] {
  const short = new Intl.DisplayNames('en', { type: 'region', style: 'short' }).of(iso2)!;
  const names = ['en', 'de', 'fr', 'es', 'ru', 'zh'].map((language) => store.countries.nameIn(iso2, language));
  return [...new Set([...names, short])];
}

/** Words that are no name of anything, as notes, districts and companies look to a gazetteer. */
const unknownWords =
  'Zentralbezirk Bordersville Upperwood Lakefronting Quartierchen Oldmarketside Hauptlager Sektorium Blockenau Riversidea Nordkreuzung Parkviewing Depotstelle Wijkcentrale Sectorial Kwartierhof Industriezone Headoffice Warehousing Westgateway'.split(
    ' ',
  );

/** A text with one letter left out, doubled, swapped with the next or replaced; its first letter stays. */
function mistyped(text: string, random: () => number): string {
  const letters = [...text];
  for (;;) {
    const at = 1 + Math.floor(random() * (letters.length - 1));
    if (letters[at] === ' ' || letters[at + 1] === ' ') continue;
    const kind = Math.floor(random() * 4);
    if (kind === 0) return letters.toSpliced(at, 1).join('');
    if (kind === 1) return letters.toSpliced(at, 0, letters[at]).join('');
    if (kind === 2 && at + 1 < letters.length && letters[at] !== letters[at + 1]) {
      return letters.toSpliced(at, 2, letters[at + 1], letters[at]).join('');
    }
    const other = 'abcdefghijklmnopqrstuvwxyz'[Math.floor(random() * 26)];
    if (kind === 3 && other !== letters[at]) return letters.with(at, other).join('');
  }
}
