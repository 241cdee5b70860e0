import type { TProperties } from 'typebox';
import { type LatLng, roundKm } from '../core/geo.ts';
import { Type } from '../schema.ts';
import type { Place, PlaceNear, Store, UnnamedPlace } from '../store/store.ts';
import { always, defineEndpoint } from './endpoint.ts';
import { hierarchyField, hierarchyOf } from './hierarchy.ts';
import { latitude, limit, longitude, nullable, optional, queryMs, text } from './parameters.ts';
import { countryName, distanceField, placeFacts, placeFields, placeRecord, regionName } from './place-fields.ts';
import { surroundings } from './surroundings.ts';

const point = Type.Object({ lat: latitude(), lng: longitude() });
const list = <T extends TProperties>(fields: T) =>
  Type.Object({ results: Type.Array(Type.Object(fields)), count: Type.Integer(), ...queryMs });
const response = list({ ...placeFields, ...distanceField });
const detailFields = {
  ...placeFacts,
  country_name: Type.String(),
  admin2: nullable(Type.String({ description: 'Second-level region; null when unknown.' })),
  suburb: nullable(
    Type.String({
      description: 'Part of the city that the point is in; null where none is known, and after the first result.',
    }),
  ),
  postal_code: nullable(
    Type.String({
      description:
        'Of the first result: the code at the point, null where only the many codes of the city are known; of others: the main code of the place.',
    }),
  ),
  timezone: nullable(
    Type.String({ description: 'IANA time zone: of the point in the first result, else of the place.' }),
  ),
  street: nullable(
    Type.String({
      description: 'Street of the nearest address within 50 m; null where there is none, and after the first result.',
    }),
  ),
  house_number: nullable(Type.String({ description: 'House number of that address.' })),
  ...hierarchyField,
};
const addressReachKm = 0.05;

/** The country, region and city of a point. */
export const reverse = defineEndpoint({
  path: '/reverse',
  summary: 'Country, region and city of a point',
  description:
    'First the city that the point is in: of the places of its country and region the one whose centre is nearest in ' +
    'relation to how far its people live from it, never a suburb. Then the nearest places. The first result carries the ' +
    'region, postal code and time zone of the point itself. At sea: the nearest place, with its own region. Variants a and b ' +
    'answer with the nearest place that is no suburb.',
  parameters: {
    default: Type.Object({
      ...point.properties,
      limit: limit({ maximum: 10, default: 1 }),
      lang: optional(text('Language of names, BCP 47; main names where the data has none.', { examples: ['de'] })),
    }),
    a: point,
    b: point,
  },
  response: { default: list({ ...placeFields, ...distanceField, ...detailFields }), a: response, b: response },
  layers: ['world'],
  isCacheable: always,
  handle({ lat, lng, limit = 1, lang }, { store, profile }) {
    const from = { lat, lng };
    const { country, region, city, suburb: suburbAt, near } = surroundings(store, from, limit);
    const [address] = store.addresses?.nearest(from, { maxKm: addressReachKm, limit: 1 }) ?? [];
    const first = profile === 'default' ? city : nearestTown(near);
    const suburb = suburbAt && store.places.get(suburbAt.index);
    const others = near.filter(({ index }) => index !== first?.index);
    const results = [...(first ? [first] : []), ...others].slice(0, limit).map(({ index, distanceKm }, at) => {
      const place = store.places.get(index);
      const isFirst = at === 0;
      const admin1 = isFirst && region >= 0 && place.country === country ? region : place.admin1;
      const { street, houseNumber } = (isFirst && address) || {};
      return {
        ...placeRecord(store, { ...place, admin1 }, lang),
        distance_km: roundKm(distanceKm),
        country_name: countryName(store, place.country, lang),
        admin2: regionName(store, admin1 === place.admin1 ? place.admin2 : -1, lang),
        suburb: isFirst && suburb ? nameOf(store, suburb, lang) : null,
        postal_code: (isFirst ? codeAt(store, from, place, suburb) : store.postal?.mainOfPlace(index)) ?? null,
        timezone: (isFirst ? store.zones?.at(from) : undefined) ?? place.timezone,
        street: street || null,
        house_number: houseNumber || null,
        hierarchy: hierarchyOf(store, { ...place, admin1 }, isFirst && suburb ? [place, suburb] : [place], lang),
      };
    });
    return { results, count: results.length };
  },
});

/** Codes whose position was measured farther away than this say nothing about a point. */
const farthestCodeKm = 10;

/**
 * The postal code at a point in a city: the one measured nearest to it, else the suburb's, else the city's where it has
 * only one.
 */
function codeAt({ postal }: Store, from: LatLng, city: Place, suburb: Place | undefined): string | null | undefined {
  const measured = postal?.nearest(from, city.country, farthestCodeKm)?.postalCode;
  if (measured !== undefined || !postal) return measured;
  const ofSuburb = suburb && postal.mainOfPlace(suburb.index);
  if (ofSuburb) return ofSuburb;
  const [code, another] = postal.ofPlace(city.index, 2);
  return another === undefined ? code : undefined;
}

const nearestTown = (near: readonly (PlaceNear & { place: UnnamedPlace })[]) =>
  near.find(({ place }) => place.type !== 'suburb') ?? near[0];

const nameOf = ({ places }: Store, { index, name }: Place, lang: string | undefined) =>
  lang === undefined ? name : places.nameIn(index, lang);
