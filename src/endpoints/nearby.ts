import { isWithin, roundKm } from '../core/geo.ts';
import { oneOf, Type } from '../schema.ts';
import { placeTypes } from '../store/store.ts';
import { defineEndpoint } from './endpoint.ts';
import { bboxOf, latitude, limit, listOf, listParameters, longitude, optional } from './parameters.ts';
import { distanceField, placeFacts, placeFields, placeRecord } from './place-fields.ts';

const point = { lat: latitude(), lng: longitude() };
const limitParameters = { limit: limit({ maximum: 100, default: 10 }) };
const radius = (range: { default: number; maximum: number }) =>
  Type.Number({ minimum: 0, description: 'Maximum distance in km.', ...range });

const { id, ...named } = placeFields;
const { population, type } = placeFacts;

/** Places around a point. */
export const nearby = defineEndpoint({
  path: '/nearby',
  summary: 'Places around a point',
  description: 'Places within a distance of a point, the nearest first. Equal distances are ordered by identifier.',
  parameters: {
    default: Type.Object({
      ...point,
      radius: radius({ default: 10, maximum: 500 }),
      min_population: optional(Type.Integer({ minimum: 0, description: 'Minimum population.' })),
      type: optional(oneOf(placeTypes, 'Only places of this type.')),
      ...limitParameters,
      ...listParameters,
    }),
    a: Type.Object({
      ...point,
      radius: Type.Integer({ minimum: 1, maximum: 100, default: 10, description: 'Maximum distance in km.' }),
      ...limitParameters,
    }),
    b: Type.Object({ ...point, radius: radius({ default: 50, maximum: 500 }), ...limitParameters }),
  },
  response: {
    default: listOf({ id, ...named, ...distanceField, population, type }, {}),
    a: listOf({ ...named, ...distanceField, population }, {}),
    b: listOf({ id, ...named, ...distanceField, population }, {}),
  },
  layers: ['world'],
  handle({ lat, lng, radius, min_population, type, bbox, lang, limit, offset = 0 }, { store }) {
    const box = bboxOf(bbox);
    const isFiltered = min_population !== undefined || type !== undefined || box !== undefined;
    const { facts } = store.gazetteer;
    const kind = type && placeTypes.indexOf(type);
    // Of columns alone: it may be asked about each place within 500 km.
    const accept = (index: number) =>
      facts.population(index) >= (min_population ?? 0) &&
      (kind === undefined || facts.type(index) === kind) &&
      (!box || isWithin(facts.lat(index) / 1e6, facts.lng(index) / 1e6, box));
    const results = store.places
      .nearest({ lat, lng }, { limit: limit + offset, maxKm: radius, accept: isFiltered ? accept : undefined })
      .slice(offset)
      .map(({ index, distanceKm }) => ({
        ...placeRecord(store, store.places.get(index), lang),
        distance_km: roundKm(distanceKm),
      }));
    return { results, count: results.length };
  },
});
