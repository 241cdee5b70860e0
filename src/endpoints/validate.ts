import { distanceKm } from '../core/geo.ts';
import { reachKm } from '../core/reach.ts';
import { WhereaboutsError } from '../errors.ts';
import { Type } from '../schema.ts';
import type { Place, PostalCode, Store } from '../store/store.ts';
import { always, defineEndpoint } from './endpoint.ts';
import { country, nullable, optional, queryMs, text } from './parameters.ts';

const parameters = Type.Object({
  city: text('City name, in any language.', { examples: ['Berlin'] }),
  postal_code: optional(text('Postal code in any spacing, case and dash.', { examples: ['10115'] })),
  country: country(),
});

const response = Type.Object({
  valid: Type.Boolean({
    description:
      'Whether the country has a city of that name and, when a postal code is given, the code is one of its codes.',
  }),
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
  ...queryMs,
});

/** Whether a city and a postal code go together. */
export const validate = defineEndpoint({
  path: '/validate',
  summary: 'Does this city, and this postal code, exist here?',
  description:
    'Valid when the country has a city of that name and, when a postal code is given, the code is one of its codes: ' +
    "a place of the code bears the city's name in any language, or lies within the city's reach (the radius of a circle " +
    'that holds its people at 3,000 per km², from 3 to 40 km). Without a code the most prominent city of the name is meant, ' +
    'with one the city that it belongs to.',
  parameters: { default: parameters, a: parameters, b: parameters },
  response: { default: response, a: response, b: response },
  layers: ['world'],
  isCacheable: always,
  handle({ city, postal_code, country }, { store }) {
    const { places, regions } = store;
    const named = places.named(city, country);
    const records = postal_code === undefined ? [] : postalLayer(store).find(country, postal_code);
    const match = named.find((index) => isOneOf(index, records, store));
    const isValid = postal_code === undefined ? named.length > 0 : match !== undefined;
    const meant = match ?? named[0];
    const place = meant === undefined ? undefined : places.get(meant);
    return {
      valid: isValid,
      normalized: {
        city: place?.name ?? null,
        postal_code: records[0]?.postalCode ?? null,
        admin1: place && place.admin1 >= 0 ? regions.get(place.admin1).name : (records[0]?.admin1 ?? null),
        country,
      },
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
