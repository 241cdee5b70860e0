/**
 * Overture Maps addresses and places as GeoParquet, by the schema of August 2026 (docs.overturemaps.org/schema).
 *
 * Which of the service's categories an Overture place is of. Since December 2025 a place carries its path in Overture's
 * taxonomy (about 2,350 categories under 13 roots, docs.overturemaps.org/guides/places); the nearest entry of this
 * table above it decides.
 */

import { type LatLng, lengthKm, pointAlong } from '../core/geo.ts';
import type { PoiCategory } from '../core/place-kinds.ts';
import {
  type AddressRecord,
  type AdminAreaRecord,
  countryCode,
  emptyBatch,
  type PoiRecord,
  type ReadOptions,
  recordsOf,
  SourceError,
  type StreetBatch,
  type StreetRecord,
} from '../core/source-records.ts';
import table from './overture-categories.json' with { type: 'json' };
import { openParquet, type ParquetFile, type Shape } from './parquet-rows.ts';

/**
 * Places that Overture is less sure of are dropped: its score is the chance that the place exists at all. Its own guide
 * reports a high share of junk, and recommends filtering by the score. A place without a score is kept.
 */
const minConfidence = 0.5;

/** What a row may hold. A file states its own types, so no value is known to have the type of the schema. */
type Row = {
  id?: unknown;
  geometry?: LatLng;
  // addresses
  country?: unknown;
  postcode?: unknown;
  street?: unknown;
  number?: unknown;
  postal_city?: unknown;
  address_levels?: unknown;
  // places
  names?: OvertureNames;
  taxonomy?: { primary?: unknown; hierarchy?: unknown } | null;
  basic_category?: unknown;
  confidence?: unknown;
  brand?: { names?: OvertureNames } | null;
  addresses?: unknown;
  operating_status?: unknown;
};

// No identifier: Overture's are not stable for addresses, and there are hundreds of millions.
const columnsOfAddresses = ['geometry', 'country', 'postcode', 'street', 'number', 'postal_city', 'address_levels'];
const columnsOfPlaces = [
  'id',
  'geometry',
  'names',
  'taxonomy',
  'basic_category',
  'confidence',
  'brand',
  'addresses',
  'operating_status',
];

/** What an Overture file contains. */
type OvertureTheme = 'addresses' | 'places' | 'divisions' | 'transportation';

/** The theme of an Overture file. Throws SourceError for a file of another theme or none. */
export async function overtureTheme(path: string): Promise<OvertureTheme> {
  return themeOf(path, await openParquet(path));
}

/**
 * Street-level records of an Overture file of the themes addresses, places or transportation; none of a file of
 * divisions. Throws SourceError for any other file.
 */
export async function* readOverture(path: string, options: ReadOptions = {}): AsyncGenerator<StreetBatch> {
  const file = await openParquet(path);
  const theme = themeOf(path, file);
  if (theme === 'addresses') {
    const rows = file.batches<Row>(columnsOfAddresses);
    for await (const addresses of recordsIn(rows, addressOf, options)) yield { ...emptyBatch(), addresses };
  } else if (theme === 'places') {
    for await (const pois of recordsIn(file.batches<Row>(columnsOfPlaces), poiOf, options))
      yield { ...emptyBatch(), pois };
  } else if (theme === 'transportation') {
    for await (const streets of recordsIn(file.shapes<SegmentRow>(columnsOfSegments), streetOf, options))
      yield { ...emptyBatch(), streets };
  }
}

/** The records of batches of rows, a list for each; `recordOf` says why a row is dropped. */
async function* recordsIn<R, T extends object>(
  batches: AsyncIterable<{ rows: R[]; share: number }>,
  recordOf: (row: R) => T | string,
  { progress = () => {}, dropped = () => {} }: ReadOptions,
): AsyncGenerator<T[]> {
  for await (const { rows, share } of batches) {
    yield recordsOf(rows, recordOf, dropped);
    progress(share, 'reading Overture records');
  }
}

function themeOf(path: string, { columns }: ParquetFile): OvertureTheme {
  if (columns.has('geometry') && columns.has('street') && columns.has('number')) return 'addresses';
  if (columns.has('geometry') && columns.has('division_id') && columns.has('subtype')) return 'divisions';
  if (columns.has('geometry') && columns.has('connectors') && columns.has('class')) return 'transportation';
  const isPlaces = columns.has('geometry') && columns.has('names');
  if (isPlaces && (columns.has('taxonomy') || columns.has('basic_category'))) return 'places';
  if (isPlaces && columns.has('categories')) {
    throw new SourceError(
      `${path} has categories and no taxonomy, as Overture's places before December 2025; download a current release`,
    );
  }
  throw new SourceError(
    `${path} has the columns ${[...columns].slice(0, 8).join(', ')}, expected those of Overture's themes addresses ` +
      '(street, number, geometry), places (names, taxonomy, geometry), divisions (type division_area: division_id, ' +
      'subtype, geometry) or transportation (type segment: connectors, class, geometry)',
  );
}

function addressOf(row: Row): AddressRecord | string {
  const position = row.geometry;
  const number = textOf(row.number);
  const street = textOf(row.street);
  if (!position) return 'address without a position';
  if (number === undefined) return 'address without a house number';
  if (street === undefined) return 'address without a street';
  // Levels go from the largest to the smallest, the town last; a country with one level has only towns.
  const levels = listOf<{ value?: unknown }>(row.address_levels).map((level) => textOf(level?.value));
  return {
    houseNumber: number,
    street,
    city: textOf(row.postal_city) ?? levels.at(-1),
    admin1: levels.length > 1 ? levels[0] : undefined,
    postalCode: textOf(row.postcode),
    country: textOf(row.country),
    ...position,
  };
}

function poiOf(row: Row): PoiRecord | string {
  const position = row.geometry;
  const { name, otherNames } = namesOf(row.names);
  const { category, kind } = categoryOf(row);
  if (!position) return 'place without a position';
  if (row.operating_status === 'permanently_closed' || row.confidence === 0) return 'place that is permanently closed';
  if (name === undefined) return 'place without a name';
  if (category === undefined) return 'place of none of the 11 categories';
  if (typeof row.confidence === 'number' && row.confidence < minConfidence) {
    return `place with a confidence below ${minConfidence}`;
  }
  const [address] = listOf<{ locality?: unknown; region?: unknown; country?: unknown }>(row.addresses);
  const cuisine = kind === undefined ? undefined : overtureCuisine(kind);
  return {
    name,
    ...(otherNames.length > 0 && { otherNames }),
    category,
    ...(cuisine !== undefined && { cuisine }),
    brand: textOf(row.brand?.names?.primary),
    city: textOf(address?.locality),
    // Regions are ISO 3166-2 codes (`US-NY`); what stands after the country is what people write.
    admin1: textOf(address?.region)?.replace(/^[A-Z]{2}-/, ''),
    country: textOf(address?.country),
    ...position,
    sourceId: textOf(row.id),
  };
}

/** The service's category of a place, and Overture's most specific name for what it is. */
function categoryOf({ taxonomy, basic_category }: Row): { category?: PoiCategory; kind?: string } {
  const isDefined = (name: string | undefined) => name !== undefined;
  const kind = textOf(taxonomy?.primary);
  const path = listOf(taxonomy?.hierarchy).map(textOf).filter(isDefined);
  return {
    category: overtureCategory(path.length > 0 ? path : [textOf(basic_category), kind].filter(isDefined)),
    kind,
  };
}

// Values of Overture's files, whose types a file states itself: what is not of the schema's type is taken as absent.

/** Names of a place or a road (docs.overturemaps.org/schema/concepts/by-theme/shared-concepts/names). */
type OvertureNames = { primary?: unknown; common?: unknown; rules?: unknown } | null | undefined;

/** A text without blanks around it. A number is its digits: house numbers are numbers in files that were converted. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  return typeof value === 'string' ? value.trim() || undefined : undefined;
}

const listOf = <T>(value: unknown): (T | null | undefined)[] => (Array.isArray(value) ? value : []);

/** Names by language. */
function commonNames(names: OvertureNames): [language: string, name: string][] {
  return Object.entries(names?.common ?? {}).flatMap(([language, value]) => {
    const name = textOf(value);
    return name === undefined ? [] : [[language, name]];
  });
}

/** The main name, and the others, each once. */
function namesOf(names: OvertureNames): { name: string | undefined; otherNames: string[] } {
  const name = textOf(names?.primary);
  const rules = listOf<{ value?: unknown }>(names?.rules).map((rule) => textOf(rule?.value));
  const others = new Set([...commonNames(names).map(([, common]) => common), ...rules]);
  return { name, otherNames: [...others].filter((other) => other !== undefined && other !== name) as string[] };
}

// Streets of Overture's theme transportation: named segments of the subtype road, a record each.

type SegmentRow = {
  id?: unknown;
  geometry?: Shape;
  subtype?: unknown;
  class?: unknown;
  subclass?: unknown;
  names?: OvertureNames;
};

const columnsOfSegments = ['id', 'geometry', 'subtype', 'class', 'subclass', 'names'];

/**
 * A named road. A street comes in many segments, which do not state their town: the consumer merges those with one name
 * and town.
 */
function streetOf({ id, geometry, subtype, class: roadClass, subclass, names }: SegmentRow): StreetRecord | string {
  if (subtype !== undefined && subtype !== 'road') return 'street that is a railway or a waterway';
  const { name, otherNames } = namesOf(names);
  if (name === undefined) return 'street without a name';
  const lines = geometry?.lines.filter((line) => line.length >= 4) ?? [];
  if (lines.length === 0) return 'street without a line';
  const longest = lines.reduce((best, line) => (lengthKm(line) > lengthKm(best) ? line : best));
  const kind = textOf(roadClass);
  const sourceId = textOf(id);
  return {
    name,
    ...(otherNames.length > 0 && { otherNames }),
    ...(kind && kind !== 'unknown' && { highwayType: subclass === 'link' ? `${kind}_link` : kind }),
    ...pointAlong(longest),
    lines,
    ...(sourceId && { sourceId }),
  };
}

type Entry = PoiCategory | 'none';
/** Entries of the taxonomy. `none` takes a branch out of the category above it. */
const byBranch = new Map(
  (Object.entries(table.taxonomy) as [Entry, string][]).flatMap(([category, names]) =>
    names.split(' ').map((name) => [name, category] as const),
  ),
);

/**
 * The category of a path in Overture's taxonomy, from the most general entry to the most specific; `undefined` when it
 * is none of the 11.
 */
function overtureCategory(path: readonly string[]): PoiCategory | undefined {
  for (const entry of path.toReversed()) {
    const category = byBranch.get(entry);
    if (category !== undefined) return category === 'none' ? undefined : category;
  }
  return undefined;
}

/** What a restaurant serves, from its category: `pizza` of `pizza_restaurant`. */
function overtureCuisine(name: string): string | undefined {
  const cuisine = /^(.+)_restaurant$/.exec(name)?.[1];
  return cuisine === 'fast_food' ? undefined : cuisine;
}

// Administrative areas of Overture's theme divisions, type `division_area` (docs.overturemaps.org/schema).

/** Levels of OpenStreetMap by Overture's kinds of areas. */
const levels: Readonly<Record<string, number>> = table.levels;

type AreaRow = {
  geometry?: Shape;
  subtype?: unknown;
  class?: unknown;
  is_land?: unknown;
  country?: unknown;
  region?: unknown;
  division_id?: unknown;
  names?: OvertureNames;
};

const areaColumns = ['geometry', 'subtype', 'class', 'is_land', 'country', 'region', 'division_id', 'names'];

/** The land areas of a file with a name. Throws SourceError for a file of another theme. */
export async function* readOvertureAreas(path: string, options: ReadOptions = {}): AsyncGenerator<AdminAreaRecord> {
  const file = await openParquet(path);
  if (!file.columns.has('division_id') || !file.columns.has('geometry')) {
    throw new SourceError(
      `${path} has the columns ${[...file.columns].slice(0, 8).join(', ')}, expected those of Overture's theme divisions, ` +
        'type division_area (division_id, subtype, geometry)',
    );
  }
  for await (const areas of recordsIn(file.shapes<AreaRow>(areaColumns), areaOf, options)) yield* areas;
}

function areaOf(row: AreaRow): AdminAreaRecord | string {
  const kind = textOf(row.subtype);
  const level = levels[kind ?? ''];
  const name = textOf(row.names?.primary);
  if (row.is_land === false || row.class === 'maritime') return 'boundary of the sea';
  if (level === undefined) return 'boundary of an unknown kind';
  if (name === undefined) return 'boundary without a name';
  const polygons = row.geometry?.polygons ?? [];
  if (polygons.length === 0) return 'boundary without a polygon';
  const country = countryCode(textOf(row.country) ?? '');
  const isoCode = level === 2 ? country : kind === 'region' ? textOf(row.region) : undefined;
  const names = commonNames(row.names);
  const sourceId = textOf(row.division_id);
  return {
    level,
    name,
    ...(names.length > 0 && { names: Object.fromEntries(names) }),
    ...(isoCode && { isoCode }),
    ...(country && { country }),
    polygons,
    ...(sourceId && { sourceId }),
  };
}
