/** Input records of `whereabouts upsert`, and how they are read; `id` is the source's own. */
import type { Static } from 'typebox';
import type { LatLng } from '../../../src/core/geo.ts';
import { type PoiCategory, poiCategories } from '../../../src/core/place-kinds.ts';
import { UsageError } from '../../../src/errors.ts';
import { schemaFaults, Type } from '../../../src/schema.ts';
import type { SourceInfo } from '../../../src/store/manifest.ts';

export type LiveAddress = LatLng & {
  id: string;
  street: string;
  houseNumber: string;
  city: string;
  country: string;
  postalCode?: string;
};
export type LivePoi = LatLng & { id: string; name: string; category: PoiCategory; cuisine?: string };
/** The source of the records after it: its name alone where it is known already. */
export type LiveSource = { source: string; facts?: Omit<SourceInfo, 'id'> };
export type LiveRecord = LiveAddress | LivePoi | LiveSource | { id: string; isDeleted: true };

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
  category: Type.Unsafe<string>({ type: 'string', enum: [...poiCategories] }),
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

const countryNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

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
  if (schema === source) return { source: parsed.source as string };
  if (schema === describedSource) {
    const { source, title, licence, attribution, url = '', vintage = null } = parsed as Static<typeof describedSource>;
    return { source, facts: { title, version: 'live data', vintage, licence, attribution, url } };
  }
  if (schema === deletion) return { id: parsed.id as string, isDeleted: true };
  const { id, lat, lng, name, category, cuisine } = parsed as LivePoi;
  if (schema === poi) return { id, name, category, ...(cuisine !== undefined && { cuisine }), lat, lng };
  const {
    street,
    house_number: houseNumber,
    city,
    country,
    postal_code: postalCode,
  } = parsed as Static<typeof address>;
  return { id, street, houseNumber, city, country, ...(postalCode !== undefined && { postalCode }), lat, lng };
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
    const isKnown = /^[A-Z]{2}$/.test(text) && countryNames.of(text) !== undefined;
    return isKnown ? undefined : 'must be an alpha-2 country code in capital letters, such as DE';
  }
  if (name === 'url') return /^https?:\/\/./.test(text) ? undefined : 'must be an address of the form https://…';
  return /[\p{L}\p{N}]/u.test(text) ? undefined : 'must contain a letter or digit';
}
