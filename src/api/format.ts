/** The other forms of a list: GeoJSON (RFC 7946) and CSV (RFC 4180), where `format` asks for one of them. */
import type { TObject } from 'typebox';
import { csvRecord, withoutFormula } from '../core/csv.ts';
import { columnsOf, type Endpoint, recordsOf } from '../endpoints/endpoint.ts';
import { oneOf, optional } from '../endpoints/parameters.ts';
import { Type } from '../schema.ts';
import { compileShape } from './json-body.ts';

export type Format = 'json' | 'geojson' | 'csv';

/** The `Content-Type` of each form. */
export const formatTypes = {
  json: 'application/json; charset=utf-8',
  geojson: 'application/geo+json; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
} as const satisfies Record<Format, string>;

/** The forms that an endpoint has: all lists have `csv`, those of points `geojson`; other answers only `json`. */
export function formatsOf(endpoint: Pick<Endpoint, 'response'>): Format[] {
  const { isList, schema } = recordsOf(endpoint);
  if (!isList) return ['json'];
  return 'lat' in schema.properties && 'lng' in schema.properties ? ['json', 'geojson', 'csv'] : ['json', 'csv'];
}

/**
 * The endpoint with the parameter `format` where it has more than one form. Only profile `default` has it: `a` and `b`
 * have exactly their variant's parameters, so that there it is one that is ignored.
 */
export function withFormat<E extends Endpoint>(endpoint: E): E {
  const formats = formatsOf(endpoint);
  if (formats.length === 1) return endpoint;
  const { default: usual } = endpoint.parameters;
  const format = optional(oneOf(formats, 'Format of the answer; `json` by default.'));
  return {
    ...endpoint,
    parameters: { ...endpoint.parameters, default: Type.Object({ ...usual.properties, format }) },
  };
}

/** Compiles the CSV of an endpoint's `default` answers. */
export function compileCsv(endpoint: Pick<Endpoint, 'response'>): (answer: object) => string {
  const records = recordsOf(endpoint);
  const columns = columnsOf(records.schema);
  const header = csvRecord(columns.map(({ name }) => name));
  return (answer) => {
    let text = header;
    for (const record of records.of(answer)) text += csvRecord(columns.map(({ read }) => withoutFormula(read(record))));
    return text;
  };
}

/** Schema of a FeatureCollection of an endpoint's records; the answer's other fields are next to `features`. */
export function geojsonSchema(endpoint: Pick<Endpoint, 'response'>): TObject {
  const { lat: _lat, lng: _lng, ...properties } = recordsOf(endpoint).schema.properties;
  const { results: _results, ...others } = endpoint.response.default.properties;
  const point = Type.Object({
    type: Type.Unsafe<'Point'>({ type: 'string', const: 'Point' }),
    coordinates: Type.Array(Type.Number(), { minItems: 2, maxItems: 2, description: 'Longitude and latitude.' }),
  });
  const feature = Type.Object({
    type: Type.Unsafe<'Feature'>({ type: 'string', const: 'Feature' }),
    ...('id' in properties ? { id: properties.id } : {}),
    geometry: Type.Unsafe<unknown>({ ...point, type: ['object', 'null'] }),
    properties: Type.Object(properties),
  });
  return Type.Object({
    type: Type.Unsafe<'FeatureCollection'>({ type: 'string', const: 'FeatureCollection' }),
    features: Type.Array(feature),
    ...others,
  });
}

/** Compiles the FeatureCollection of an endpoint's `default` answers. */
export function compileGeojson(endpoint: Pick<Endpoint, 'response'>): (answer: object) => Record<string, unknown> {
  const records = recordsOf(endpoint);
  const shape = compileShape(geojsonSchema(endpoint));
  return (answer) => {
    const features = records.of(answer).map((record) => {
      const { lat, lng } = record;
      const geometry = typeof lat === 'number' && typeof lng === 'number' ? pointAt(lat, lng) : null;
      return { type: 'Feature', id: record.id, geometry, properties: record };
    });
    return shape({ ...answer, type: 'FeatureCollection', features });
  };
}

const pointAt = (lat: number, lng: number) => ({ type: 'Point', coordinates: [lng, lat] });
