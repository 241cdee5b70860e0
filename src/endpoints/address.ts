import type { TProperties } from 'typebox';
import { roundCoordinate } from '../core/geo.ts';
import { Type } from '../schema.ts';
import { always, defineEndpoint } from './endpoint.ts';
import { country, limit, nullable, oneOf, optional, queryMs, text } from './parameters.ts';

const q = text('House number and street in the order people write them; city and postal code may follow.', {
  examples: ['10 Downing Street', 'Avenida 18 de Julio 1200'],
});
const city = optional(text('City name; only addresses of this city.', { examples: ['Montevideo'] }));
const most = limit({ maximum: 50, default: 10 });
const code = optional(text('Postal code; only addresses that bear it.', { examples: ['10115'] }));

const place = {
  street: Type.String(),
  city: nullable(Type.String()),
  admin1: nullable(Type.String({ description: 'State or province.' })),
  postal_code: nullable(Type.String()),
  country: Type.String({ description: 'ISO 3166-1 alpha-2 code.' }),
  lat: Type.Number({ description: 'Latitude in degrees, WGS84.' }),
  lng: Type.Number({ description: 'Longitude in degrees, WGS84.' }),
};
const number = nullable(Type.String({ description: 'House number; null where only the street was found.' }));
const integerId = Type.Integer({ description: 'Identifier of the address in this dataset.' });
const list = <T extends TProperties>(fields: T) =>
  Type.Object({ results: Type.Array(Type.Object(fields)), count: Type.Integer(), ...queryMs });

/** Addresses that a text names. */
export const address = defineEndpoint({
  path: '/address',
  summary: 'Addresses by house number and street',
  description:
    'Addresses that a text names, in the order people write them in their country: the number before or after the ' +
    'street, abbreviated or not, with or without city and postal code. Where the data lacks the number, its position ' +
    'between the neighbours (`match_type` `interpolated`), else the street (`street`). Mistyped words are understood ' +
    'when nothing is found as written.',
  parameters: {
    default: Type.Object({
      q,
      country: optional(country('Only addresses of this country.')),
      city,
      postal_code: code,
      limit: most,
    }),
    a: Type.Object({ q, country: country('Only addresses of this country.'), city, postal_code: code, limit: most }),
    b: Type.Object({ q, country: optional(country('Only addresses of this country.')), city, limit: most }),
  },
  response: {
    default: list({
      // An integer here; in profile b, which has texts, its digits.
      id: Type.Unsafe<number | string>(integerId),
      house_number: number,
      number,
      ...place,
      match_type: oneOf(
        ['exact', 'interpolated', 'street'],
        'The house itself, its position between neighbours, or the street.',
      ),
      source: Type.String({ description: 'Short name of the data source; /status tells more.' }),
    }),
    a: list({ id: integerId, house_number: number, ...place }),
    b: list({ id: Type.String({ description: 'Identifier of the address in this dataset.' }), number, ...place }),
  },
  layers: ['world', 'addresses'],
  isCacheable: always,
  handle({ q, country, city, postal_code, limit }, { store, profile }) {
    const found = store.addresses!.search({ text: q, country, city, postalCode: postal_code, limit });
    const results = found.map((address) => ({
      id: profile === 'b' ? String(address.id) : address.id,
      house_number: address.houseNumber,
      number: address.houseNumber,
      street: address.street,
      city: address.city,
      admin1: address.admin1,
      postal_code: address.postalCode,
      country: address.country,
      lat: roundCoordinate(address.lat),
      lng: roundCoordinate(address.lng),
      match_type: address.matchType,
      source: address.source,
    }));
    return { results, count: results.length };
  },
});
