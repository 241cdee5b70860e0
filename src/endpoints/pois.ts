import { roundCoordinate, roundKm } from '../core/geo.ts';
import { osmReference } from '../core/osm-object.ts';
import { poiCategories } from '../core/place-kinds.ts';
import { isSamePoint } from '../geocoding/street-hits.ts';
import { Nullable, oneOf, Type } from '../schema.ts';
import { coverageField, coverageForText } from './coverage.ts';
import { defineEndpoint } from './endpoint.ts';
import { extentFields, osmFields } from './extent.ts';
import { pointFeatures } from './features-at.ts';
import { bboxOf, latitude, limit, listOf, listParameters, longitude, optional, text } from './parameters.ts';

const around = (radiusKm: number) => ({
  lat: latitude(),
  lng: longitude(),
  radius: Type.Number({ minimum: 0, maximum: 50, default: radiusKm, description: 'Maximum distance in km.' }),
  category: optional(oneOf(poiCategories, 'Only points of this category.')),
  limit: limit({ maximum: 100, default: 20 }),
});
const id = { id: Type.String('Identifier of the point in this dataset.') };
const fields = {
  name: Nullable.String('Null for a point without a name, such as most car parks and pitches.'),
  category: oneOf(poiCategories, 'Kind of the point.'),
  lat: Type.Number('Latitude in degrees, WGS84.'),
  lng: Type.Number('Longitude in degrees, WGS84.'),
  distance_km: Type.Number('Great-circle distance from the query point.'),
  cuisine: Nullable.String('Kinds of food, separated by semicolons; null when unknown.'),
};

/** Points of interest around a point. */
export const pois = defineEndpoint({
  path: '/pois',
  summary: 'Points of interest around a point',
  description:
    'Points of interest within a distance of a point, the nearest first, well-known landmarks and parks included. Equal distances ' +
    'are ordered by identifier.',
  parameters: {
    default: Type.Object({
      ...around(1),
      q: optional(
        text(
          'Only points whose name contains every word of this text. If there are none, typos and unfinished words are tolerated.',
        ),
      ),
      cuisine: optional(text('Only places that serve one of these cuisines.', { examples: ['pizza'] })),
      ...listParameters,
    }),
    a: Type.Object(around(1)),
    b: Type.Object(around(5)),
  },
  response: {
    default: listOf({ ...id, ...fields, ...osmFields, osm_tag: extentFields.osm_tag }, coverageField('pois')),
    a: listOf(fields, {}),
    b: listOf({ ...id, ...fields }, {}),
  },
  layers: ['world', 'pois'],
  handle({ lat, lng, radius, category, q, cuisine, bbox, lang, limit, offset = 0 }, { store }) {
    const query = { radiusKm: radius, category, name: q, cuisine, bbox: bboxOf(bbox), limit: limit + offset };
    const points = store.pois!.nearest({ lat, lng }, query);
    const known = cuisine === undefined ? pointFeatures(store, { lat, lng }, query) : [];
    const others = known.filter((each) => !points.some((point) => isSamePoint(each, [each.name], point)));
    const namedIn = (index: number) => ({
      name: store.places.nameIn(index, lang),
      cuisine: null,
      object: null,
      tag: null,
    });
    const found = [...points, ...others.map(({ index, ...each }) => ({ ...each, ...namedIn(index) }))]
      .sort((left, right) => left.distanceKm - right.distanceKm || left.id - right.id)
      .slice(0, limit + offset);
    const results = found.slice(offset).map((poi) => ({
      id: String(poi.id),
      name: poi.name,
      category: poi.category,
      lat: roundCoordinate(poi.lat),
      lng: roundCoordinate(poi.lng),
      distance_km: roundKm(poi.distanceKm),
      cuisine: poi.cuisine,
      ...osmReference(poi.object),
      osm_tag: poi.tag ?? null,
    }));
    const country = store.boundaries?.countryAt({ lat, lng });
    const coverage = found.length > 0 ? null : coverageForText(store, country, 'pois');
    return { results, count: results.length, coverage };
  },
});
