import { bearingDegrees, distanceKm, kmPerMile, roundKm } from '../core/geo.ts';
import { Nullable, oneOf, Type } from '../schema.ts';
import type { Store } from '../store/store.ts';
import { defineEndpoint } from './endpoint.ts';
import { type Location, locate, locationDependencies } from './location.ts';
import { country, languageParameter, latitude, longitude, optional, queryMs, text } from './parameters.ts';

/** How far a place may be from coordinates to lend them its name. */
const nameWithinKm = 100;

const coordinates = {
  from_lat: latitude('Latitude of the origin in degrees, WGS84.'),
  from_lng: longitude('Longitude of the origin in degrees, WGS84.'),
  to_lat: latitude('Latitude of the destination in degrees, WGS84.'),
  to_lng: longitude('Longitude of the destination in degrees, WGS84.'),
};

const eitherWay = Type.Object({
  from_lat: optional(coordinates.from_lat),
  from_lng: optional(coordinates.from_lng),
  to_lat: optional(coordinates.to_lat),
  to_lng: optional(coordinates.to_lng),
  from_city: optional(text('City of the origin, in any language, instead of coordinates.', { examples: ['Paris'] })),
  from_country: optional(country('Country of the origin city, ISO 3166-1 alpha-2, any case.')),
  to_city: optional(text('City of the destination, in any language, instead of coordinates.', { examples: ['Rome'] })),
  to_country: optional(country('Country of the destination city, ISO 3166-1 alpha-2, any case.')),
  unit: optional(oneOf(['km', 'miles'], 'Unit of `distance` in the default profile.', { default: 'km' })),
});

const end = (which: string) =>
  Type.Object(
    {
      name: Nullable.String(`The city, or for coordinates the nearest place; null if none within 100 km.`),
      country: Nullable.String('ISO 3166-1 alpha-2 code of that place.'),
    },
    { description: which },
  );

const fields = {
  from: end('The origin.'),
  to: end('The destination.'),
  distance_km: Type.Number('Great-circle distance in km, 3 decimals, on a sphere of 6371.0088 km.'),
  distance_miles: Type.Number('The same in international miles, 3 decimals.'),
  distance_mi: Type.Number('The same in international miles, 3 decimals.'),
  bearing: Type.Number(
    'Initial bearing in degrees from north, clockwise, in [0, 360), 2 decimals; 0 for equal points and antipodes.',
  ),
  distance: Type.Number('The distance in `unit`, 3 decimals.'),
  unit: oneOf(['km', 'miles'], 'Unit of `distance`.'),
};
const { from, to, distance_km, distance_miles, distance_mi, bearing } = fields;

/** Great-circle distance between two locations, each a city or coordinates. */
export const distance = defineEndpoint({
  path: '/distance',
  summary: 'Distance between two places',
  description:
    'Great-circle distance and initial bearing between two locations. Each is given by coordinates or by a city ' +
    '(the most prominent place of that name); the two may be mixed.',
  parameters: {
    default: Type.Object({ ...eitherWay.properties, lang: languageParameter }),
    a: eitherWay,
    b: Type.Object(coordinates),
  },
  response: {
    default: Type.Object({ ...fields, ...queryMs }),
    a: Type.Object({ from, to, distance_km, distance_miles, ...queryMs }),
    b: Type.Object({ distance_km, distance_mi, bearing, ...queryMs }),
  },
  dependencies: ['from_', 'to_'].flatMap(locationDependencies),
  layers: ['world'],
  handle(parameters, { store, profile }) {
    const { from_lat, from_lng, from_city, from_country, to_lat, to_lng, to_city, to_country, lang } = parameters;
    const from = { lat: from_lat, lng: from_lng, city: from_city, country: from_country };
    const origin = locate(from, store, 'from_');
    const destination = locate({ lat: to_lat, lng: to_lng, city: to_city, country: to_country }, store, 'to_');
    const km = distanceKm(origin, destination);
    const unit = parameters.unit ?? 'km';
    const miles = roundKm(km / kmPerMile);
    return {
      // Variant B names neither end, so the search for a name is spared there.
      from: profile === 'b' ? nameless : nameOf(origin, store, lang),
      to: profile === 'b' ? nameless : nameOf(destination, store, lang),
      distance_km: roundKm(km),
      distance_miles: miles,
      distance_mi: miles,
      bearing: (Math.round(bearingDegrees(origin, destination) * 100) / 100) % 360,
      distance: unit === 'km' ? roundKm(km) : miles,
      unit,
    };
  },
});

const nameless = { name: null, country: null };

function nameOf(location: Location, { places }: Store, lang: string | undefined) {
  const index = location.place?.index ?? places.nearest(location, { maxKm: nameWithinKm })[0]?.index;
  return index === undefined ? nameless : { name: places.nameIn(index, lang), country: places.countryOf(index) };
}
