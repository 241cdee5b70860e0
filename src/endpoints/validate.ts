import { distanceKm } from '../core/geo.ts';
import { readPostalCode } from '../core/postal/code.ts';
import { type Evidence, namesakeTest, type Validity, validities, validityOf } from '../core/postal/validity.ts';
import { reachKm } from '../core/reach.ts';
import { WhereaboutsError } from '../errors.ts';
import { Type } from '../schema.ts';
import type { Place, PostalCode, Store } from '../store/store.ts';
import { coverageField, coverageRecord } from './coverage.ts';
import { always, defineEndpoint } from './endpoint.ts';
import { country, nullable, oneOf, optional, queryMs, text } from './parameters.ts';

const parameters = Type.Object({
  city: text('City name, in any language.', { examples: ['Berlin'] }),
  postal_code: optional(text('Postal code in any spacing, case and dash.', { examples: ['10115'] })),
  country: country(),
});

const fields = {
  valid: Type.Boolean({ description: 'Whether city and code are known to go together; true only for `status` valid.' }),
  normalized: Type.Object({
    city: nullable(Type.String({ description: "The city's own name; null when the country has none of that name." })),
    postal_code: nullable(
      Type.String({ description: 'The code in its official spelling; null when it is not known.' }),
    ),
    admin1: nullable(
      Type.String({ description: 'First-level region of the city, else of the code; null when unknown.' }),
    ),
    country: Type.String({ description: 'ISO 3166-1 alpha-2 code.' }),
  }),
};
const variant = Type.Object({ ...fields, ...queryMs });

/** Whether a city and a postal code go together. */
export const validate = defineEndpoint({
  path: '/validate',
  summary: 'Does this city, and this postal code, exist here?',
  description:
    'Valid when the country has a city of that name and, when a postal code is given, the code is one of its codes: ' +
    "a place of the code bears the city's name, or lies within the city's reach (the radius of a circle " +
    'that holds its people at 3,000 per km², from 3 to 40 km; 30 km where it bears the name in another language). A mismatch when ' +
    "the code has not the shape of the country's codes, or the name is a town's (15,000 inhabitants) and every place so called lies " +
    'more than 30 km beyond its reach. Else the data cannot tell. Without a code the most prominent city of the name is meant, with one the city that it belongs to.',
  parameters: { default: parameters, a: parameters, b: parameters },
  response: {
    default: Type.Object({
      ...fields,
      status: oneOf(validities, '`valid`, `mismatch`, or `unknown` where the data cannot tell.'),
      ...coverageField('postal'),
      ...queryMs,
    }),
    a: variant,
    b: variant,
  },
  layers: ['world'],
  isCacheable: always,
  handle({ city, postal_code, country }, { store }) {
    const { places, regions } = store;
    const named = places.named(city, country);
    const records = postal_code === undefined ? [] : postalLayer(store).find(country, postal_code);
    const isNamesake = namesakeTest(city);
    const own = records.find(({ place }) => isNamesake(place));
    const match = named.find((index) => isOneOf(index, records, store));
    const status: Validity =
      postal_code === undefined
        ? named.length > 0
          ? 'valid'
          : 'unknown'
        : validityOf(
            evidenceOf(store, named, records, {
              country,
              postal_code,
              isNamed: own !== undefined || match !== undefined,
            }),
          );
    // A namesake far away is not the city of a code that has its own row of that name.
    const matched = match ?? (own ? undefined : named[0]);
    const place = matched === undefined ? undefined : places.get(matched);
    return {
      valid: status === 'valid',
      status,
      normalized: {
        city: place?.name ?? own?.place ?? null,
        postal_code: records[0]?.postalCode ?? null,
        admin1: place && place.admin1 >= 0 ? regions.get(place.admin1).name : ((own ?? records[0])?.admin1 ?? null),
        country,
      },
      coverage: status === 'unknown' && store.postal ? coverageRecord(store, country, 'postal') : null,
    };
  },
});

function postalLayer({ postal }: Store): NonNullable<Store['postal']> {
  if (!postal) {
    throw new WhereaboutsError(
      'dataset_missing',
      'this dataset has no postal codes; leave postal_code out, or build the dataset with its postal layer',
    );
  }
  return postal;
}

function evidenceOf(
  store: Store,
  named: readonly number[],
  records: readonly PostalCode[],
  { country, postal_code, isNamed }: { country: string; postal_code: string; isNamed: boolean },
): Evidence {
  return {
    isShaped: records.length > 0 || readPostalCode(country, postal_code) !== undefined,
    isNamed,
    cities: (isNamed ? [] : named).map((index) => {
      const place = store.places.get(index);
      const distances = records.map((record) => distanceTo(place, record)).filter((km) => km !== undefined);
      const nearest = distances.length > 0 ? Math.min(...distances) : undefined;
      return { distanceKm: nearest, reachKm: reachKm(place.population), population: place.population };
    }),
  };
}

/** Whether one of a code's records is for a place: by name where they are not far apart, or by distance. */
function isOneOf(index: number, records: readonly PostalCode[], store: Store): boolean {
  if (records.length === 0) return false;
  const place = store.places.get(index);
  const reach = reachKm(place.population);
  return records.some((record) => {
    const km = distanceTo(place, record);
    return km === undefined
      ? bearsName(index, record, store)
      : km <= reach || (km <= 30 && bearsName(index, record, store));
  });
}

function distanceTo(place: Place, { lat, lng }: PostalCode): number | undefined {
  return lat === null || lng === null ? undefined : distanceKm(place, { lat, lng });
}

function bearsName(index: number, record: PostalCode, { places }: Store): boolean {
  return places.named(record.place, record.country).includes(index);
}
