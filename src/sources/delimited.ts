/** Addresses from text tables with a header row and a delimiter (CSV), by readers that know the columns. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { peek } from '../core/chunks.ts';
import { delimiterOf } from '../core/csv.ts';
import {
  type AddressRecord,
  emptyBatch,
  type ReadOptions,
  SourceError,
  type StreetBatch,
} from '../core/source-records.ts';
import { openBytes, textChunks } from './open-bytes.ts';

const rowsPerBatch = 2000;
/** Characters of a row; a quote that never ends would otherwise make the rest of a file one field. */
const maxRowCharacters = 1 << 20;

/** A table's columns by what they are to the reader: one name, or those that the column has had. */
type Columns<Name extends string> = Record<Name, string | readonly string[]>;

export type TableLayout<Name extends string> = {
  /** Name of the table in messages. */
  title: string;
  /** Between fields; of several, the one that the header has most of. */
  delimiter: string | readonly string[];
  columns: Columns<Name>;
  /** Columns that the header must have; of the others any may be missing. */
  required: readonly NoInfer<Name>[];
  /** Which members of a zip are tables of this layout. */
  isWanted: (name: string) => boolean;
};

/** A row's trimmed value; `undefined` when it is empty or the table has no such column. */
export type Values<Name extends string> = (column: Name) => string | undefined;

/**
 * Addresses of a table, or of each table of a zip. `addressOf` makes the record of a row, or says why it is dropped; it
 * receives the table's name. Rows with another number of fields than the header are dropped. Throws SourceError when a
 * required column is missing or a table is cut short.
 */
export async function* readAddressTable<Name extends string>(
  path: string,
  layout: TableLayout<Name>,
  options: ReadOptions,
  addressOf: (value: Values<Name>, table: string) => AddressRecord | string,
): AsyncGenerator<StreetBatch> {
  const { progress = () => {}, dropped = () => {} } = options;
  const { isWanted } = layout;
  for await (const file of openBytes(path, { isWanted, progress: (share) => progress(share, 'reading addresses') })) {
    const ending = { byte: 0x0a };
    const { delimiter, chunks } = await withDelimiter(layout.delimiter, textChunks(file.name, file.chunks));
    const parser = parse({
      delimiter,
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: maxRowCharacters,
    });
    const fed = pipeline(Readable.from(watched(chunks, ending)), parser);
    // The failure is thrown by the loop below; this only keeps it from being unhandled.
    fed.catch(() => {});
    let header: string[] | undefined;
    let row: readonly string[] = [];
    let positions: Record<Name, number> | undefined;
    const value: Values<Name> = (column) => row[positions![column]]?.trim() || undefined;
    let batch = emptyBatch();
    let rows = 0;
    let lastIsShort = false;
    try {
      for await (row of parser as AsyncIterable<string[]>) {
        if (!header) {
          header = row.map((name) => name.trim());
          positions = positionsOf(file.name, layout, header, delimiter);
          continue;
        }
        lastIsShort = row.length < header.length;
        if (row.length === header.length) {
          const record = addressOf(value, file.name);
          if (typeof record === 'string') dropped(record);
          else batch.addresses.push(record);
        } else dropped(`row that does not have the header's ${header.length} fields`);
        if (++rows % rowsPerBatch === 0) {
          yield batch;
          batch = emptyBatch();
        }
      }
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      throw new SourceError(`${file.name}: expected ${layout.title}, found ${error.message}; download it again`);
    }
    if (!header) throw new SourceError(`${file.name} is empty, expected ${layout.title}; download it again`);
    if (lastIsShort && ending.byte !== 0x0a) {
      throw new SourceError(`${file.name} is truncated in its last row, ${rows + 1}; download it again`);
    }
    yield batch;
  }
}

/** Position of each column in the header, -1 where it is not there. */
function positionsOf<Name extends string>(
  table: string,
  { title, columns, required }: TableLayout<Name>,
  header: readonly string[],
  delimiter: string,
): Record<Name, number> {
  const lower = header.map((name) => name.toLowerCase());
  const positions = {} as Record<Name, number>;
  for (const [column, names] of Object.entries(columns) as [Name, string | readonly string[]][]) {
    const either = typeof names === 'string' ? [names] : names;
    positions[column] = either.map((name) => lower.indexOf(name.toLowerCase())).find((at) => at >= 0) ?? -1;
    if (positions[column] < 0 && required.includes(column)) {
      throw new SourceError(
        `${table}: the header is '${header.join(delimiter).slice(0, 200)}', expected ${title} with a column '${either[0]}'`,
      );
    }
  }
  return positions;
}

/** The delimiter that stands most often in the first line, which is read ahead. */
async function withDelimiter(
  delimiter: TableLayout<string>['delimiter'],
  chunks: AsyncIterable<Buffer>,
): Promise<{ delimiter: string; chunks: AsyncIterable<Buffer> }> {
  if (typeof delimiter === 'string') return { delimiter, chunks };
  const { head, chunks: whole } = await peek(chunks, 1);
  return { delimiter: delimiterOf(head.toString('utf8'), delimiter), chunks: whole };
}

/** Passes bytes on and remembers the last one. */
async function* watched(chunks: AsyncIterable<Buffer>, ending: { byte: number }): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    if (chunk.length > 0) ending.byte = chunk[chunk.length - 1];
    yield chunk;
  }
}

type House = Pick<AddressRecord, 'houseNumber' | 'street' | 'lat' | 'lng'>;

/** The required fields of an address: position in degrees, number and street; or the reason why a row is dropped. */
export function numberedHouse(
  lat: string | undefined,
  lng: string | undefined,
  number: string | undefined,
  street: string | undefined,
): House | string {
  const position = positionOf(lat, lng);
  if (!position) return 'address without a position on Earth';
  // Publishers of several states write 0 where a house has no number.
  if (number === undefined || /^0+$/.test(number)) return 'address without a house number';
  if (street === undefined) return 'address without a street';
  return { houseNumber: number, street, ...position };
}

/** A position on Earth from two texts in degrees, `undefined` when they are none or are both zero. */
function positionOf(lat: string | undefined, lng: string | undefined): { lat: number; lng: number } | undefined {
  if (lat === undefined || lng === undefined) return undefined;
  const position = { lat: Number(lat), lng: Number(lng) };
  const isOnEarth = Math.abs(position.lat) <= 90 && Math.abs(position.lng) <= 180;
  // Publishers write 0, 0 for an unknown position; that point is open sea.
  return isOnEarth && (position.lat !== 0 || position.lng !== 0) ? position : undefined;
}
