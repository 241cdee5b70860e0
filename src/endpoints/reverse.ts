import type { TProperties } from 'typebox';
import type { LatLng } from '../core/geo.ts';
import { Type } from '../schema.ts';
import type { PlaceNear, Store } from '../store/store.ts';
import { always, defineEndpoint } from './endpoint.ts';
import { latitude, limit, longitude, nullable, optional, queryMs, text } from './parameters.ts';
import { distanceField, nearPlace, placeFields, regionName } from './place-fields.ts';

const point = Type.Object({ lat: latitude(), lng: longitude() });
const list = <T extends TProperties>(fields: T) =>
  Type.Object({ results: Type.Array(Type.Object(fields)), count: Type.Integer(), ...queryMs });
const response = list({ ...placeFields, ...distanceField });
const addressFields = {
  street: nullable(
    Type.String({
      description: 'Street of the nearest address within 50 m; null where there is none, and after the first result.',
    }),
  ),
  house_number: nullable(Type.String({ description: 'House number of that address.' })),
};
const addressReachKm = 0.05;

/** The country, region and nearest place of a point. */
export const reverse = defineEndpoint({
  path: '/reverse',
  summary: 'Country, region and nearest place of a point',
  description:
    'The nearest place of the country whose area holds the point. The first result carries the region whose area holds ' +
    'the point, which near a border may not be the region of the place. At sea: the nearest place, with its own region.',
  parameters: {
    default: Type.Object({
      ...point.properties,
      limit: limit({ maximum: 10, default: 1 }),
      lang: optional(text('Language of names, BCP 47; main names where the data has none.', { examples: ['de'] })),
    }),
    a: point,
    b: point,
  },
  response: { default: list({ ...placeFields, ...distanceField, ...addressFields }), a: response, b: response },
  layers: ['world'],
  isCacheable: always,
  handle({ lat, lng, limit = 1, lang }, { store }) {
    const from = { lat, lng };
    const country = store.boundaries?.countryAt(from);
    const near = nearestInCountry(store, from, country, limit);
    const [address] = store.addresses?.nearest(from, { maxKm: addressReachKm, limit: 1 }) ?? [];
    const results = near.map((place, at) => {
      const { street, houseNumber } = (at === 0 && address) || {};
      return { ...nearPlace(store, place, lang), street: street || null, house_number: houseNumber || null };
    });
    const region = store.boundaries?.admin1At(from) ?? -1;
    if (region >= 0 && results.length > 0 && store.regions.get(region).country === results[0].country) {
      results[0].admin1 = regionName(store, region, lang);
    }
    return { results, count: results.length };
  },
});

/** The nearest places of a country; of any country where it is unknown or has no place. */
function nearestInCountry(store: Store, from: LatLng, country: string | undefined, limit: number): PlaceNear[] {
  const { places } = store;
  if (country !== undefined && places.ofCountry(country, { limit: 1 }).length > 0) {
    return places.nearest(from, { limit, accept: (index) => places.countryOf(index) === country });
  }
  return places.nearest(from, { limit });
}
