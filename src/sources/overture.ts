/**
 * Overture Maps addresses and places as GeoParquet (docs.overturemaps.org/schema). The Parquet packages are optional
 * dependencies, loaded only here. Row groups are read one at a time, so memory follows their size, not the file's.
 */
import {
  type AddressRecord,
  emptyBatch,
  type PoiRecord,
  type ReadOptions,
  SourceError,
  type StreetBatch,
} from '../core/street-records.ts';
import { overtureCategory, overtureCuisine } from './overture-categories.ts';

const rowsPerBatch = 2000;

type Value = string | null | undefined;
type Row = {
  id?: Value;
  geometry?: unknown;
  // addresses
  country?: Value;
  postcode?: Value;
  street?: Value;
  number?: Value;
  postal_city?: Value;
  address_levels?: { value?: Value }[] | null;
  // places
  names?: { primary?: Value; common?: Record<string, string> | null } | null;
  categories?: { primary?: Value } | null;
  brand?: { names?: { primary?: Value } | null } | null;
  addresses?: { locality?: Value; region?: Value; country?: Value }[] | null;
  operating_status?: Value;
};

const columnsOfAddresses = [
  'id',
  'geometry',
  'country',
  'postcode',
  'street',
  'number',
  'postal_city',
  'address_levels',
];
const columnsOfPlaces = ['id', 'geometry', 'names', 'categories', 'brand', 'addresses', 'operating_status'];

/** Records of an Overture file of the theme addresses or places. Throws SourceError for any other file. */
export async function* readOverture(path: string, options: ReadOptions = {}): AsyncGenerator<StreetBatch> {
  const { progress = () => {}, dropped = () => {} } = options;
  const { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, compressors } = await parquet();
  const file = await asyncBufferFromFile(path).catch((error: Error) => {
    throw new SourceError(`${path} cannot be opened: ${error.message}`);
  });
  if (file.byteLength === 0) throw new SourceError(`${path} is empty; download it again`);
  const metadata = await parquetMetadataAsync(file).catch((error: Error) => {
    throw new SourceError(`${path} is no Parquet file or is cut short: ${error.message}; download it again`);
  });
  const present = new Set(metadata.schema.map(({ name }) => name));
  const isAddresses = present.has('street') && present.has('number');
  if (!present.has('geometry') || (!isAddresses && !(present.has('names') && present.has('categories')))) {
    throw new SourceError(
      `${path} has no columns of Overture addresses or places, but ${[...present].slice(1, 9).join(', ')}`,
    );
  }
  const columns = (isAddresses ? columnsOfAddresses : columnsOfPlaces).filter((name) => present.has(name));
  const total = Number(metadata.num_rows);
  let rowStart = 0;
  for (const [index, group] of metadata.row_groups.entries()) {
    const rowEnd = rowStart + Number(group.num_rows);
    const rows = (await parquetReadObjects({
      file,
      metadata,
      columns,
      rowStart,
      rowEnd,
      compressors,
      utf8: false,
    }).catch((error: Error) => {
      throw new SourceError(`${path} is broken in row group ${index}: ${error.message}; download it again`);
    })) as Row[];
    for (let start = 0; start < rows.length; start += rowsPerBatch) {
      const batch = emptyBatch();
      for (const row of rows.slice(start, start + rowsPerBatch)) {
        const record = isAddresses ? addressOf(row) : poiOf(row);
        if (typeof record === 'string') dropped(record, 1);
        else if ('street' in record) batch.addresses.push(record);
        else batch.pois.push(record);
      }
      yield batch;
    }
    progress((rowStart = rowEnd) / total, 'reading Overture records');
  }
}

/** The optional packages, or how to get them. */
async function parquet() {
  try {
    const [reader, { compressors }] = await Promise.all([import('hyparquet'), import('hyparquet-compressors')]);
    return { ...reader, compressors };
  } catch {
    throw new SourceError('reading Parquet needs two optional packages: npm install hyparquet hyparquet-compressors');
  }
}

function addressOf(row: Row): AddressRecord | string {
  const position = pointOf(row.geometry);
  const number = textOf(row.number);
  const street = textOf(row.street);
  if (!position) return 'address without a position';
  if (number === undefined) return 'address without a house number';
  if (street === undefined) return 'address without a street';
  // Levels go from the largest to the smallest: state first, town last.
  const levels = (row.address_levels ?? []).map(({ value }) => textOf(value));
  return {
    houseNumber: number,
    street,
    city: textOf(row.postal_city) ?? (levels.length > 1 ? levels.at(-1) : undefined),
    admin1: levels[0],
    postalCode: textOf(row.postcode),
    country: textOf(row.country),
    ...position,
    sourceId: textOf(row.id),
  };
}

function poiOf(row: Row): PoiRecord | string {
  const position = pointOf(row.geometry);
  const name = textOf(row.names?.primary);
  const kind = textOf(row.categories?.primary);
  const category = kind === undefined ? undefined : overtureCategory(kind);
  if (!position) return 'place without a position';
  if (row.operating_status === 'permanently_closed') return 'place that is closed for good';
  if (name === undefined) return 'place without a name';
  if (kind === undefined || category === undefined) return 'place of none of the 11 categories';
  const others = new Set(Object.values(row.names?.common ?? {}));
  others.delete(name);
  const [address] = row.addresses ?? [];
  const cuisine = overtureCuisine(kind);
  return {
    name,
    ...(others.size > 0 && { otherNames: [...others] }),
    category,
    ...(cuisine !== undefined && { cuisine }),
    brand: textOf(row.brand?.names?.primary),
    city: textOf(address?.locality),
    admin1: textOf(address?.region),
    country: textOf(address?.country),
    ...position,
    sourceId: textOf(row.id),
  };
}

function textOf(value: Value): string | undefined {
  return value?.trim() || undefined;
}

/** A point as the reader gives it: GeoJSON where the file says GeoParquet, else well-known binary. */
function pointOf(geometry: unknown): { lat: number; lng: number } | undefined {
  let lng: unknown;
  let lat: unknown;
  if (geometry instanceof Uint8Array) {
    if (geometry.length < 21) return undefined;
    const view = new DataView(geometry.buffer, geometry.byteOffset, geometry.byteLength);
    const isLittle = view.getUint8(0) === 1;
    if (view.getUint32(1, isLittle) % 1000 !== 1) return undefined;
    [lng, lat] = [view.getFloat64(5, isLittle), view.getFloat64(13, isLittle)];
  } else [lng, lat] = (geometry as { coordinates?: unknown[] } | null | undefined)?.coordinates ?? [];
  if (typeof lat !== 'number' || typeof lng !== 'number') return undefined;
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? { lat, lng } : undefined;
}
