/** Text tables with a header row and a delimiter (CSV), as objects of readers that know the columns. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { emptyBatch, type ReadOptions, SourceError, type StreetBatch } from '../core/street-records.ts';
import { openBytes } from './open-bytes.ts';

const rowsPerBatch = 2000;

/** A row's value by column position; positions come from `columns`. */
export type Row = readonly string[];

export type TableLayout = {
  /** What the table is called in messages. */
  title: string;
  delimiter: string;
  /** Groups of column names of which one must be in the header: `[['LON'], ['code_postal', 'code_post']]`. */
  required: readonly (readonly string[])[];
  /** Which members of a zip are tables of this layout. */
  isWanted: (name: string) => boolean;
};

/**
 * Fills batches row by row. `start` is called once for each table with its name and the position of a column (-1 where
 * the header has none of the names), and gives the function that adds one row to a batch. Rows with another number of
 * fields than the header are dropped. Throws SourceError when a required column is missing or a table is cut short.
 */
export async function* readTable(
  path: string,
  layout: TableLayout,
  options: ReadOptions,
  start: (name: string, column: (...names: string[]) => number) => (row: Row, batch: StreetBatch) => void,
): AsyncGenerator<StreetBatch> {
  const { progress = () => {}, dropped = () => {} } = options;
  const { isWanted } = layout;
  for await (const file of openBytes(path, { isWanted, progress: (share) => progress(share, 'reading addresses') })) {
    const ending = { byte: 0x0a };
    const parser = parse({ delimiter: layout.delimiter, bom: true, relax_column_count: true, skip_empty_lines: true });
    const fed = pipeline(Readable.from(watched(file.chunks, ending)), parser);
    // The failure is thrown by the loop below; this only keeps it from being unhandled.
    fed.catch(() => {});
    let header: string[] | undefined;
    let add: ((row: Row, batch: StreetBatch) => void) | undefined;
    let batch = emptyBatch();
    let rows = 0;
    let lastIsShort = false;
    try {
      for await (const row of parser as AsyncIterable<string[]>) {
        if (!header || !add) {
          header = row.map((name) => name.trim());
          add = start(file.name, columnsOf(file.name, layout, header));
          continue;
        }
        lastIsShort = row.length < header.length;
        if (row.length === header.length) add(row, batch);
        else dropped(`row with another number of fields than the header's ${header.length}`, 1);
        if (++rows % rowsPerBatch === 0) {
          yield batch;
          batch = emptyBatch();
        }
      }
    } catch (error) {
      if (error instanceof SourceError || !(error instanceof Error) || !('code' in error)) throw error;
      if (!String(error.code).startsWith('CSV_')) throw error;
      throw new SourceError(`${file.name} is no ${layout.title} or is broken: ${error.message}; download it again`);
    }
    if (!header) throw new SourceError(`${file.name} is empty, expected ${layout.title}; download it again`);
    if (lastIsShort && ending.byte !== 0x0a) {
      throw new SourceError(
        `${file.name} is cut short: its last row, ${rows + 1}, ends in the middle; download it again`,
      );
    }
    yield batch;
  }
}

function columnsOf(name: string, layout: TableLayout, header: string[]): (...names: string[]) => number {
  const positions = new Map(header.map((column, position) => [column.toLowerCase(), position]));
  const column = (...names: string[]) => {
    for (const each of names) {
      const position = positions.get(each.toLowerCase());
      if (position !== undefined) return position;
    }
    return -1;
  };
  for (const names of layout.required) {
    if (column(...names) < 0) {
      throw new SourceError(
        `${name}: the header is '${header.join(layout.delimiter).slice(0, 200)}', expected ${layout.title} with a column '${names[0]}'`,
      );
    }
  }
  return column;
}

/** Passes bytes on and remembers the last one. */
async function* watched(chunks: AsyncIterable<Buffer>, ending: { byte: number }): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    if (chunk.length > 0) ending.byte = chunk[chunk.length - 1];
    yield chunk;
  }
}

/** A trimmed value; `undefined` when it is empty or there is no such column. */
export function valueAt(row: Row, position: number): string | undefined {
  if (position < 0) return undefined;
  const value = row[position].trim();
  return value === '' ? undefined : value;
}

/** A position on Earth from two texts in degrees, `undefined` when they are none or are both zero. */
export function positionOf(lat: string | undefined, lng: string | undefined): { lat: number; lng: number } | undefined {
  if (lat === undefined || lng === undefined) return undefined;
  const position = { lat: Number(lat), lng: Number(lng) };
  const isOnEarth = Math.abs(position.lat) <= 90 && Math.abs(position.lng) <= 180;
  // Publishers write 0, 0 for an unknown position; that point is open sea.
  return isOnEarth && (position.lat !== 0 || position.lng !== 0) ? position : undefined;
}
