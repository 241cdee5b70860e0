import type { TObject } from 'typebox';
import { csvRecord, withoutFormula } from '../core/csv.ts';
import { columnsOf, type Endpoint, recordsOf } from '../endpoints/endpoint.ts';
import { optional } from '../endpoints/parameters.ts';
import { oneOf, Type } from '../schema.ts';

// The body of a JSON answer: fields for callers in this process, text for sending.

/** Copies an answer: exactly the fields of its schema, in the schema's order. */
type Shape = (answer: object) => Record<string, unknown>;

type Schema = {
  type?: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
  required?: readonly string[];
};
type Row = Record<string, unknown>;
type Project = (value: unknown) => unknown;

/**
 * Makes the shape of a response schema, `query_ms` left out, which is added when an answer is sent. It throws when a field
 * that the schema requires is missing; null is not missing.
 *
 * The copy is given to JSON.stringify, which is native: 50 µs for the 29 KB of /countries/all where fast-json-stringify 7,
 * which concatenates strings, takes 161 (Node 26).
 */
export function compileShape(schema: TObject): Shape {
  const { query_ms: _, ...properties } = schema.properties as Record<string, Schema>;
  return projectionOf({ ...(schema as Schema), type: 'object', properties }) as Shape;
}

/** The function that copies the schema's fields of a value; undefined if the value is used as it is. */
function projectionOf({ properties, items, required = [] }: Schema): Project | undefined {
  if (items) {
    const project = projectionOf(items);
    return project && ((list) => (list === null ? null : (list as unknown[]).map(project)));
  }
  if (!properties) return undefined;
  const projects = Object.values(properties).map(projectionOf);
  const fields = Object.keys(properties).map((name, position) => {
    const key = JSON.stringify(name);
    const copied = projects[position] ? `(field => field === undefined ? field : projects[${position}](field))` : '';
    const field = `${copied}(value[${key}]${required.includes(name) ? ` ?? orNull(value, ${key})` : ''})`;
    return `${key}: ${field}`;
  });
  // An object literal made for the schema: V8 gives it one shape and fast fields. A loop over names took twice as long:
  // 2.6 µs more for 20 records of /nearby, 7% of the request, and 22 µs more for /countries/all (Node 26).
  return new Function('projects', 'orNull', `return (value) => value === null ? null : { ${fields.join(', ')} };`)(
    projects,
    orNull,
  );
}

/** A required field that is null; throws when it is not there at all. */
function orNull(value: Row, name: string): null {
  if (value[name] === null) return null;
  throw new Error(`an answer lacks ${name}, which its schema requires`);
}

/** JSON of which the text is made when `query_ms`, its last field, is known. */
export interface JsonText {
  /**
   * The text in UTF-8, in a string a character for each byte: what is put together from such texts is sent as it lies. Bytes are those of
   * an outline, which who keeps them copies at once: another is written over it.
   */
  bytes(queryMs: number): string | Buffer;
}

/** What an endpoint answered. */
export class JsonBody implements JsonText {
  readonly #answer: object;
  readonly #shape: Shape;
  /** The answer's own JSON, in its schema's order, with an end in place of the last brace. */
  readonly written?: (end: string) => Buffer;

  constructor(answer: { written?: (end: string) => Buffer }, shape: Shape) {
    this.#answer = answer;
    this.#shape = shape;
    this.written = answer.written;
  }

  /** Its fields without `query_ms`. */
  fields(): Record<string, unknown> {
    return this.#shape(this.#answer);
  }

  bytes(queryMs: number): string | Buffer {
    if (this.written) return this.written(`,"query_ms":${queryMs}}`);
    const fields = this.fields();
    fields.query_ms = queryMs;
    return bytesOf(JSON.stringify(fields));
  }
}

/** A text in UTF-8, a character for each byte. */
export const bytesOf = (text: string) =>
  Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1');

// The other forms of a list: GeoJSON (RFC 7946) and CSV (RFC 4180), where `format` asks for one of them.

export type Format = 'json' | 'geojson' | 'csv';

/** The `Content-Type` of each form. */
const formatTypes = {
  json: 'application/json; charset=utf-8',
  geojson: 'application/geo+json; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
} as const satisfies Record<Format, string>;

/** The `Content-Type` of an endpoint's answer: an outline is GeoJSON as it is. */
export const typeOf = ({ response }: Pick<Endpoint, 'response'>, format: Format) =>
  formatTypes['geometry' in response.default.properties ? 'geojson' : format];

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
