import { roundCoordinate, roundKm } from '../core/geo.ts';
import { osmReference } from '../core/osm-object.ts';
import { streetsAlone } from '../geocoding/search-limits.ts';
import { streetsNamed } from '../geocoding/street-hits.ts';
import { Nullable, Type } from '../schema.ts';
import { coverageField, coverageForText } from './coverage.ts';
import { defineEndpoint } from './endpoint.ts';
import { osmFields } from './extent.ts';
import { localityOf } from './geocoded-record.ts';
import {
  bboxOf,
  biasDependencies,
  biasOf,
  country,
  latitude,
  limit,
  listOf,
  listParameters,
  longitude,
  optional,
  text,
} from './parameters.ts';

const shared = {
  q: text('Street name.', { examples: ['18 de Julio'] }),
  lat: optional(
    latitude('Latitude of a centre. With lat and lng, only streets around it are returned, the nearest first.'),
  ),
  lng: optional(longitude('Longitude of the centre.')),
  radius: Type.Number({
    minimum: 0,
    maximum: 100,
    default: 5,
    description: 'Maximum distance from the centre in km; without a centre it has no effect.',
  }),
  limit: limit({ maximum: 50, default: 10 }),
};
const filters = {
  city: optional(text('Only streets of this city.', { examples: ['Montevideo'] })),
  country: optional(country('Only streets of this country.')),
};
const name = { name: Type.String() };
const kind = {
  highway_type: Nullable.String('Value of the OpenStreetMap tag `highway`, such as primary, secondary, residential.'),
  lat: Type.Number('Latitude in degrees, WGS84: a point on the street.'),
  lng: Type.Number('Longitude in degrees, WGS84: a point on the street.'),
};
const distance = {
  distance_km: Nullable.Number('Great-circle distance to the nearest vertex of the street; null without lat and lng.'),
};
const settlement = {
  city: Nullable.String(),
  admin1: Nullable.String(),
  country: Type.String('ISO 3166-1 alpha-2 code.'),
};
const id = { id: Type.String('Identifier of the street in this dataset.') };
const query = { query: Type.String('The text of the query.') };

/** Streets by name. */
export const streets = defineEndpoint({
  path: '/streets',
  summary: 'Streets by name',
  description:
    'Streets whose name contains every word of the query, one result per street and city. If there are none, one typo per ' +
    'word and an unfinished last word are tolerated, and then the name of their city before or behind theirs. With lat and ' +
    'lng, only streets within the radius are returned, the nearest first; otherwise the best match first, then the most ' +
    'prominent.',
  parameters: {
    default: Type.Object({ ...shared, ...filters, ...listParameters }),
    a: Type.Object(shared),
    b: Type.Object({ ...shared, ...filters }),
  },
  response: {
    default: listOf(
      { ...id, ...name, ...kind, ...distance, ...settlement, ...osmFields },
      { ...query, ...coverageField('streets') },
    ),
    a: listOf({ ...name, ...kind, ...distance }, query),
    b: listOf({ ...id, ...name, ...kind, ...settlement }, {}),
  },
  dependencies: biasDependencies,
  layers: ['world', 'streets'],
  handle({ q, lat, lng, radius, city, country, bbox, lang, limit, offset = 0 }, { store }) {
    const near = biasOf(lat, lng);
    const where = { near, radiusKm: radius, city, country, bbox: bboxOf(bbox) };
    // The text is cut in many ways, all for what one search may cost.
    const query = { text: q, ...where, limit: limit + offset, budget: streetsAlone() };
    const found = streetsNamed(store.streets!, query);
    const results = found.slice(offset).map((street) => ({
      id: String(street.id),
      name: street.name,
      highway_type: street.highwayType,
      lat: roundCoordinate(street.lat),
      lng: roundCoordinate(street.lng),
      distance_km: street.distanceKm === null ? null : roundKm(street.distanceKm),
      ...localityOf(store, street, lang),
      country: street.country,
      ...osmReference(street.object),
    }));
    const countryAsked = () =>
      country ?? (near ? store.boundaries?.countryAt(near) : city && store.cities.resolve(city)?.country);
    const coverage = found.length > 0 ? null : coverageForText(store, countryAsked() || undefined, 'streets');
    return { query: q, results, count: results.length, coverage };
  },
});
