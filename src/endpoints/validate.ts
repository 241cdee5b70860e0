import { distanceKm } from '../core/geo.ts';
import { reachKm } from '../core/place-kinds.ts';
import { readPostalCode } from '../core/postal/code.ts';
import { WhereaboutsError } from '../errors.ts';
import { Nullable, oneOf, Type } from '../schema.ts';
import type { Place, PostalCode, Store } from '../store/store.ts';
import { fold } from '../text/fold.ts';
import { placeWordSpellings } from '../text/words.ts';
import { coverageField, coverageRecord } from './coverage.ts';
import { defineEndpoint } from './endpoint.ts';
import { country, languageParameter, optional, queryMs, text } from './parameters.ts';
import { maxCodes } from './place.ts';
import { regionName } from './place-fields.ts';
import { recordsOf } from './postal.ts';

// Whether a city and a postal code belong together, as far as the data show.

const validities = ['valid', 'mismatch', 'unknown'] as const;
type Validity = (typeof validities)[number];

/** A code farther than this beyond a city's reach is not one of its codes; closer ones are undecided. */
const farKm = 30;
/** Hamlets have namesakes that the data lack; the name of a town of at least this population means that town. */
const townPopulation = 15_000;

/** Whether one of the places with a city's name is a town and all of them are far from a code, by its records, or in other regions. */
function isElsewhere(store: Store, cities: readonly Place[], records: readonly PostalCode[]): boolean {
  const isFar = (place: Place) => (record: PostalCode) => {
    const km = distanceTo(place, record);
    return (km !== undefined && km > reachKm(place.population) + farKm) || isInOtherRegion(store, place, record);
  };
  const isTown = ({ population }: Place) => population >= townPopulation;
  return records.length > 0 && cities.some(isTown) && cities.every((place) => records.every(isFar(place)));
}

/** Whether a code's place is one of the gazetteer's in another region than a city: Hoboken, New Jersey, has no code of New York's. */
function isInOtherRegion(
  { places, regions }: Store,
  { admin1 }: Place,
  { country, place, admin1: name }: PostalCode,
): boolean {
  if (name === null || admin1 < 0) return false;
  const own = regions.matching(country, name);
  return !own.includes(admin1) && places.named(place, country).some((index) => own.includes(places.get(index).admin1));
}

/**
 * Returns a test whether the name of a code's place is the city's, in any spelling: `Saint Louis`, `Paris 01`, `Wien,
 * Innere Stadt`, `APO AE`.
 */
function namesakeTest(city: string): (place: string) => boolean {
  const wanted = fold(city);
  let forms: Set<string> | undefined;
  const isForm = (name: string): boolean => {
    const folded = fold(name);
    if (folded === wanted) return wanted !== '';
    const others = (forms ??= new Set(formsOf(wanted)));
    return formsOf(folded).some((form) => others.has(form));
  };
  return (place) => {
    if (isForm(place)) return true;
    const [first] = place.split(/\s*[,(/]|\s+-\s+|\s+\d|\s+A[AEP]$/);
    return first !== place && isForm(first);
  };
}

/** A folded name, also with each of its words written in its other ways. */
function formsOf(folded: string): string[] {
  const words = folded.split(' ');
  const others = words.flatMap((word, at) => placeWordSpellings(word).map((other) => words.with(at, other).join(' ')));
  return folded === '' ? [] : [folded, ...others];
}

const parameters = Type.Object({
  city: text('City name, in any language.', { examples: ['Berlin'] }),
  postal_code: optional(
    text('Postal code with any spacing, case and dashes, also without its leading zeros.', { examples: ['10115'] }),
  ),
  country: country(),
});

const fields = {
  valid: Type.Boolean('Whether the city and the code belong together; true only if `status` is `valid`.'),
  normalized: Type.Object({
    city: Nullable.String('The name of the city in the dataset; null if the country has no such city.'),
    postal_code: Nullable.String('The code in its official spelling; null if it is unknown.'),
    admin1: Nullable.String('First-level region of the city, or else of the code; null when unknown.'),
    country: Type.String('ISO 3166-1 alpha-2 code.'),
  }),
};
const variant = Type.Object({ ...fields, ...queryMs });

/** Whether a city and a postal code go together. */
export const validate = defineEndpoint({
  path: '/validate',
  summary: 'Check a city and its postal code',
  description:
    '`valid`: the country has a city of that name and, if a postal code is sent, the code belongs to it. That is so if a ' +
    "place of the code has the city's name, or lies within the city's radius and not in another region. The radius is that of a circle with the city's " +
    'population at 3,000 per km², from 3 to 40 km; or 30 km if the name is in another language. `mismatch`: the code is not in ' +
    "the country's format, or the name is that of a town (15,000 inhabitants) and the code lies more than 30 km beyond the " +
    'radius of every place of that name. `unknown`: the data do not allow an answer. Without a code the most prominent ' +
    'city of that name is used, with a code the city that it belongs to.',
  parameters: {
    default: Type.Object({ ...parameters.properties, lang: languageParameter }),
    a: parameters,
    b: parameters,
  },
  response: {
    default: Type.Object({
      ...fields,
      status: oneOf(validities, '`valid`, `mismatch`, or `unknown` if the data do not allow an answer.'),
      ...coverageField('postal'),
      ...queryMs,
    }),
    a: variant,
    b: variant,
  },
  layers: ['world'],
  handle({ city, postal_code, country, lang }, { store }) {
    const { places } = store;
    const exact = places.named(city, country);
    // With what it lies in, or a part of it: `Beverly Hills, CA`, `Praha 1`.
    const resolved = exact.length > 0 ? undefined : store.cities.resolve(city, country);
    const named = resolved ? [resolved.index] : exact;
    const records = postal_code === undefined ? [] : recordsOf(postalLayer(store), country, postal_code);
    const { own, match } = matchOf(store, city, named, records);
    const isNamed = own !== undefined || match !== undefined || (postal_code === undefined && named.length > 0);
    const isShaped =
      records.length > 0 || postal_code === undefined || readPostalCode(country, postal_code) !== undefined;
    const isMismatch = () => !isShaped || isElsewhere(store, named.map(places.get), records);
    // A code that nothing is known of may be one that the dataset lacks, however it is shaped.
    const lacksCode = !isNamed && records.length === 0;
    const status: Validity = isNamed ? 'valid' : isMismatch() ? 'mismatch' : 'unknown';
    // A namesake far away is not the city of a code that has its own row of that name.
    const matched = match ?? (own ? undefined : named[0]);
    const place = matched === undefined ? undefined : places.get(matched);
    return {
      valid: status === 'valid',
      status,
      normalized: {
        city: place ? places.nameIn(place.index, lang) : (own?.place ?? null),
        postal_code: records[0]?.postalCode ?? null,
        admin1: (place && regionName(store, place.admin1, lang)) ?? (own ?? records[0])?.admin1 ?? null,
        country,
      },
      coverage: (status === 'unknown' || lacksCode) && store.postal ? coverageRecord(store, country, 'postal') : null,
    };
  },
});

/** Of a code's records the one that a city has the name of, and of cities the first one that one of them is for. */
export function matchOf(store: Store, city: string, named: readonly number[], records: readonly PostalCode[]) {
  const isNamesake = namesakeTest(city);
  return {
    own: records.find(({ place }) => isNamesake(place)),
    match: named.find((index) => isOneOf(index, records, store)),
  };
}

function postalLayer({ postal }: Store): NonNullable<Store['postal']> {
  if (!postal) {
    throw new WhereaboutsError(
      'dataset_missing',
      'this dataset has no postal codes; leave postal_code out, or build the dataset with the layer "postal"',
    );
  }
  return postal;
}

/**
 * Whether one of a code's records is for a place: by name where they are not far apart, by distance, or because it is one of
 * the codes that `/place` lists.
 */
function isOneOf(index: number, records: readonly PostalCode[], store: Store): boolean {
  if (records.length === 0) return false;
  const place = store.places.get(index);
  const reach = reachKm(place.population);
  const isNear = records.some((record) => {
    if (isInOtherRegion(store, place, record)) return false;
    const km = distanceTo(place, record);
    return km === undefined
      ? hasName(index, record, store)
      : km <= reach || (km <= 30 && hasName(index, record, store));
  });
  if (isNear) return true;
  const listed = store.postal!.ofPlace(index, maxCodes);
  return records.some(({ postalCode }) => listed.includes(postalCode));
}

function distanceTo(place: Place, { lat, lng }: PostalCode): number | undefined {
  return lat === null || lng === null ? undefined : distanceKm(place, { lat, lng });
}

function hasName(index: number, record: PostalCode, { places }: Store): boolean {
  return places.named(record.place, record.country).includes(index);
}
