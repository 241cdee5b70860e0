/** The outlines of countries, regions and cities, as GeoJSON. */
import type { TProperties } from 'typebox';
import { WhereaboutsError } from '../errors.ts';
import { oneOf, Type } from '../schema.ts';
import { areaOfId, regionOfArea } from '../store/gazetteer.ts';
import type { AreaShape, Store } from '../store/store.ts';
import { countryOf } from './countries.ts';
import { defineEndpoint } from './endpoint.ts';
import { countryInPath, optional, queryMs } from './parameters.ts';
import { idInPath, recordById } from './place.ts';

const tolerance = Type.Integer({
  minimum: 500,
  maximum: 100_000,
  default: 1_000,
  description:
    'Size of the smallest details in metres. Outlines exist at 500, 1,000, 2,000 … 64,000; the step at or below this ' +
    'tolerance is returned. At 500 the largest, of Canada, has 5 MB.',
});
const featureOf = <P extends TProperties>(identity: P) =>
  Type.Object({
    type: oneOf(['Feature'], 'Type of the GeoJSON object.'),
    properties: Type.Object({
      ...identity,
      name: Type.String(),
      country: Type.String('ISO 3166-1 alpha-2 code.'),
      tolerance: Type.Integer('Tolerance of this outline in metres.'),
    }),
    geometry: Type.Object({
      type: oneOf(['MultiPolygon'], 'Type of the GeoJSON object.'),
      coordinates: Type.Array(Type.Array(Type.Array(Type.Array(Type.Number()))), {
        description:
          'Polygons of rings of [longitude, latitude] in WGS84; the first ring of each polygon is the outer one, counterclockwise, ' +
          'holes are clockwise (RFC 7946).',
      }),
    }),
    ...queryMs,
  });
const response = featureOf({
  code: Type.String('ISO 3166-1 alpha-2 code of a country, ISO 3166-2 code of a region.'),
});
const profiles = { default: response, a: response, b: response };

/** The land of a country. */
const ofCountry = Type.Object({ code: countryInPath, tolerance });
export const countryArea = defineEndpoint({
  path: '/country/{code}/area',
  summary: 'Outline of a country',
  description:
    'The land and inland waters of a country as a GeoJSON feature, for maps. Islands smaller than the tolerance are left out.',
  parameters: { default: ofCountry, a: ofCountry, b: ofCountry },
  response: profiles,
  layers: ['world', 'boundaries'],
  handle({ code, tolerance }, { store }) {
    // Kosovo has an outline, but no code of ISO's.
    const { iso2, name } = countryOf(code, store.countries, true);
    return feature(store.boundaries!.shapeOf(iso2, tolerance), { code: iso2, name, country: iso2 });
  },
});

const ofRegion = Type.Object({
  iso_code: Type.String({
    format: 'text',
    description: 'ISO 3166-2 code of a level-1 region, any case.',
    examples: ['US-CA'],
  }),
  tolerance,
});
export const adminArea = defineEndpoint({
  path: '/admin/{iso_code}/area',
  summary: 'Outline of a region',
  description:
    'The area of a first-level region as a GeoJSON feature, for maps. The default dataset has generalised borders.',
  parameters: { default: ofRegion, a: ofRegion, b: ofRegion },
  response: profiles,
  layers: ['world', 'boundaries'],
  handle({ iso_code, tolerance }, { store }) {
    const code = iso_code.toUpperCase();
    const region = regionOf(store, code);
    if (region < 0) {
      const detail = `${JSON.stringify(iso_code.slice(0, 60))} is not the code of a level-1 region; /v1/admin lists those of a country`;
      throw new WhereaboutsError('place_not_found', detail);
    }
    const { name, country } = store.regions.get(region);
    return feature(store.boundaries!.shapeOf(region, tolerance), { code, name, country });
  },
});

const ofPlace = Type.Object({
  id: idInPath(1_000_000_057),
  tolerance: optional(
    Type.Integer({
      minimum: 25,
      maximum: 100_000,
      description:
        'Size of the smallest details in metres; by default 50 for a city, 1,000 for others. Outlines of cities exist at ' +
        '25, 50, 100 … 3,200, those of countries and regions as their own endpoints have them.',
    }),
  ),
});
const placeResponse = featureOf({ id: Type.Integer('Identifier of the record.') });
export const placeArea = defineEndpoint({
  path: '/place/{id}/area',
  summary: 'Outline of a record',
  description:
    'The area of a country, first-level region or city as a GeoJSON feature, for maps. A city has the outline of the ' +
    'municipality of its name, where an imported source has one.',
  parameters: { default: ofPlace, a: ofPlace, b: ofPlace },
  response: { default: placeResponse, a: placeResponse, b: placeResponse },
  layers: ['world', 'boundaries'],
  handle({ id, tolerance }, { store }) {
    const { layer, name, country } = recordById(store, id);
    const { places, boundaries } = store;
    const area = layer === 'country' ? country! : layer === 'region' ? regionOfArea(areaOfId(id)!) : undefined;
    const shape =
      area === undefined
        ? layer === 'place' && boundaries!.shapeOfPlace(places.byId(id), tolerance ?? 50)
        : boundaries!.shapeOf(area, tolerance ?? 1_000);
    return feature(shape || undefined, { id, name: name ?? '', country: country ?? '' });
  },
});

/** A region by its ISO code, or by the codes of the source (`PR.021`) where it has none; -1 when there is no such region. */
function regionOf({ regions }: Store, code: string): number {
  const byIso = regions.byIsoCode(code);
  const [country, sourceCode] = code.split('.');
  return byIso >= 0 || sourceCode === undefined ? byIso : regions.find(country, sourceCode);
}

function feature<P extends { code?: string; id?: number; name: string; country: string }>(
  shape: AreaShape | undefined,
  properties: P,
) {
  const { name, code, id } = properties;
  if (!shape) throw new WhereaboutsError('place_not_found', `this dataset has no outline of ${name} (${code ?? id})`);
  const type = 'Feature' as const;
  const shown = { ...properties, tolerance: shape.toleranceM };
  return {
    type,
    properties: shown,
    get geometry() {
      return { type: 'MultiPolygon' as const, coordinates: shape.coordinates() };
    },
    written(end: string) {
      const start = JSON.stringify({ type, properties: shown, geometry: { type: 'MultiPolygon' } }).slice(0, -2);
      return shape.json(`${start},"coordinates":`, `}${end}`);
    },
  };
}
