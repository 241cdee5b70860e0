/** Input records of `whereabouts upsert`, and how they are read; `id` is the source's own. */
import type { Static } from 'typebox';
import { type PoiCategory, poiCategories } from '../../../src/core/place-kinds.ts';
import { countryCode } from '../../../src/core/source-records.ts';
import { UsageError } from '../../../src/errors.ts';
import { schemaFaults, Type } from '../../../src/schema.ts';
import type { SourceInfo } from '../../../src/store/manifest.ts';

/** The source of records without one. */
export const unnamedSource: SourceInfo = {
  id: 'live',
  title: 'Live data',
  version: 'live data',
  vintage: null,
  licence: 'as agreed with its publisher',
  attribution: 'Live data of the operator of this service',
  url: '',
};

const id = Type.String({ minLength: 1, maxLength: 200 });
const text = Type.String({ minLength: 1, maxLength: 200 });
const position = { lat: Type.Number({ minimum: -90, maximum: 90 }), lng: Type.Number({ minimum: -180, maximum: 180 }) };
const address = Type.Object({
  id,
  street: text,
  house_number: text,
  city: text,
  country: Type.String(),
  postal_code: Type.Optional(text),
  ...position,
});
const poi = Type.Object({
  id,
  name: text,
  category: Type.Unsafe<PoiCategory>({ type: 'string', enum: [...poiCategories] }),
  cuisine: Type.Optional(text),
  ...position,
});
const source = Type.Object({ source: text }, { additionalProperties: false });
const describedSource = Type.Object(
  {
    source: text,
    title: text,
    licence: text,
    attribution: text,
    url: Type.Optional(text),
    vintage: Type.Optional(text),
  },
  { additionalProperties: false },
);
const deletion = Type.Object({ id, deleted: Type.Unsafe<true>({ type: 'boolean', enum: [true] }) });

export type LiveAddress = Static<typeof address>;
export type LivePoi = Static<typeof poi>;
/** The source of the records after it: its name alone where it is known already. */
export type LiveSource = Static<typeof source> & { facts?: Omit<SourceInfo, 'id'> };
export type LiveRecord = LiveAddress | LivePoi | LiveSource | Static<typeof deletion>;

/** The record of a line. Throws UsageError that names the line. */
export function recordOf(line: string, number: number): LiveRecord {
  let parsed: Record<string, unknown>;
  try {
    parsed = JSON.parse(line);
  } catch (error) {
    throw new UsageError(`line ${number} is not JSON: ${(error as Error).message}`);
  }
  const schema = schemaOf(parsed);
  const [fault] = schemaFaults(schema, parsed);
  if (fault) throw new UsageError(`line ${number}: ${fault.instancePath.slice(1) || 'the record'} ${fault.message}`);
  for (const [name, value] of Object.entries(parsed)) {
    const reason = name in schema.properties && name !== 'id' && typeof value === 'string' && faultOf(name, value);
    if (reason) throw new UsageError(`line ${number}: ${name} ${reason}`);
  }
  if (schema === describedSource) {
    const { source, title, licence, attribution, url = '', vintage = null } = parsed as Static<typeof describedSource>;
    return { source, facts: { title, version: 'live data', vintage, licence, attribution, url } };
  }
  const own = Object.entries(parsed).filter(([name]) => name in schema.properties);
  return Object.fromEntries(own) as LiveRecord;
}

function schemaOf(parsed: Record<string, unknown> | null) {
  if (parsed?.source !== undefined) return parsed.title === undefined ? source : describedSource;
  if (parsed?.deleted !== undefined) return deletion;
  return parsed?.category !== undefined ? poi : address;
}

/** Why a text of a record is none; lists of names and codes are kept with line ends between them. */
function faultOf(name: string, text: string): string | undefined {
  if (/\p{Cc}/u.test(text)) return 'must not contain control characters';
  if (name === 'country') {
    return countryCode(text) === text ? undefined : 'must be an alpha-2 country code in capital letters, such as DE';
  }
  if (name === 'url') return /^https?:\/\/./.test(text) ? undefined : 'must be an address of the form https://…';
  return /[\p{L}\p{N}]/u.test(text) ? undefined : 'must contain a letter or digit';
}
