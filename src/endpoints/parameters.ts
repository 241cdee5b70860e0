/** The kinds of parameters that endpoints share. Formats are checked by read-parameters.ts. */
import type { TProperties } from 'typebox';
import type { BoundingBox, LatLng } from '../core/geo.ts';
import { invalidParameter } from '../errors.ts';
import { layers as allLayers, type Layer } from '../geocoding/layers.ts';
import { Type } from '../schema.ts';
import { wellFormed } from '../text/language-tags.ts';

export const latitude = (description = 'Latitude in degrees, WGS84.') =>
  Type.Number({ minimum: -90, maximum: 90, description });

export const longitude = (description = 'Longitude in degrees, WGS84.') =>
  Type.Number({ minimum: -180, maximum: 180, description });

/** ISO 3166-1 alpha-2, any case; the handler gets upper case. */
export const country = (description = 'ISO 3166-1 alpha-2 code, any case.') =>
  Type.String({ format: 'country', description, examples: ['DE'] });

/** Free text: trimmed, NFC, 1 to 200 characters. */
export const text = (
  description: string,
  more: { minLength?: number; examples?: string[]; pattern?: string; format?: 'start' | 'ip' } = {},
) => Type.String({ format: 'text', minLength: 1, maxLength: 200, description, ...more });

export const limit = (range: { maximum: number; default: number; minimum?: number }) =>
  Type.Integer({ minimum: 1, description: 'Maximum number of results.', ...range });

/** For lists whose order is total. */
export const offsetParameter = Type.Integer({
  minimum: 0,
  maximum: 1000,
  default: 0,
  description: 'Number of results to skip.',
});

/** A box; the handler reads it with bboxOf. */
export const bboxParameter = Type.Optional(
  text('Only results in this box: west,south,east,north in degrees; west > east crosses the antimeridian.', {
    examples: ['5.8,47.2,15.1,55.1'],
    pattern: String.raw`^\s*[+-]?\d{1,3}(\.\d+)?\s*(,\s*[+-]?\d{1,3}(\.\d+)?\s*){3}$`,
  }),
);

export const optional = Type.Optional;

/** A country in a path, which the handler looks up. */
export const countryInPath = Type.String({
  format: 'text',
  pattern: '^[A-Za-z]{2}$',
  description: 'ISO 3166-1 alpha-2 code, any case.',
  examples: ['DE'],
});

/** The language of names. */
export const languageParameter = Type.Optional(
  Type.String({
    format: 'language',
    pattern: wellFormed.source,
    description: 'Language of names, BCP 47, by default that of `Accept-Language`; the main name where there is none.',
    examples: ['de'],
  }),
);

/** What lists of records of a place or area have. */
export const listParameters = { bbox: bboxParameter, lang: languageParameter, offset: offsetParameter };

export const explainParameter = Type.Boolean({
  default: false,
  description: 'Also explain how each result was found and ranked. Costs two calls.',
});

/** The field that every answer has. */
export const queryMs = { query_ms: Type.Integer('Processing time of the request on the server, ms.') };

/** The answer of a list: its records, their number, and what else it has. */
export const listOf = <T extends TProperties, M extends TProperties>(fields: T, more: M) =>
  Type.Object({ results: Type.Array(Type.Object(fields)), count: Type.Integer(), ...more, ...queryMs });

// Parameters of the endpoints that answer to a text, besides the text: layers, bounding box, bias.

export const biasParameters = {
  lat: optional(latitude('Prefer results near this point; requires lng.')),
  lng: optional(longitude('Prefer results near this point; requires lat.')),
};

export const layersParameter = optional(
  text(`Layers to answer from, separated by commas: ${allLayers.join(', ')}.`, {
    examples: ['place,region'],
    pattern: `^(${allLayers.join('|')})(,(${allLayers.join('|')}))*$`,
  }),
);

/** How they depend on each other, as an endpoint declares it. */
export const biasDependencies = ['AllOrNone(lat, lng);'];

/** The point of `lat` and `lng`; undefined where neither is given. */
export const biasOf = (lat: number | undefined, lng: number | undefined): LatLng | undefined =>
  lat === undefined || lng === undefined ? undefined : { lat, lng };

/** The layers of a list; the fallback when there is none. Throws `invalid_parameter` naming the ones there are. */
export function layersOf(list: string | undefined, fallback: ReadonlySet<Layer>): ReadonlySet<Layer> {
  if (list === undefined) return fallback;
  const names = list
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  const unknown = names.find((name) => !allLayers.includes(name as Layer));
  if (unknown !== undefined) {
    throw invalidParameter(
      'layers',
      `layers has ${JSON.stringify(unknown)}, expected one or more of ${allLayers.join(', ')}`,
    );
  }
  return new Set(names as Layer[]);
}

// The parameter `bbox`.

const number = /^[+-]?\d{1,3}(\.\d+)?$/;

/** The box of `west,south,east,north`; undefined when there is none. Throws `invalid_parameter` where it is not a box. */
export function bboxOf(list: string | undefined): BoundingBox | undefined {
  if (list === undefined) return undefined;
  const parts = list.split(',').map((part) => part.trim());
  const [west, south, east, north] = parts.map(Number);
  const isBox =
    parts.length === 4 &&
    parts.every((part) => number.test(part)) &&
    Math.abs(west) <= 180 &&
    Math.abs(east) <= 180 &&
    south >= -90 &&
    north <= 90 &&
    south <= north;
  if (!isBox) {
    throw invalidParameter(
      'bbox',
      `bbox is ${JSON.stringify(list)}, expected west,south,east,north in degrees, south <= north`,
    );
  }
  return [west, south, east, north];
}
