/** Where the records of the output go: CSV, plain or packed, GeoJSON, an Excel workbook, or Parquet. */
import { createWriteStream, readFileSync } from 'node:fs';
import { rename, rm, truncate } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Cell, csvRecord, withoutFormula } from '../core/csv.ts';
import { namingPath, optionalPackages, UsageError } from '../errors.ts';
import { replaceDurably } from '../store/durable.ts';
import type { Store } from '../store/store.ts';
import type { Outcome } from './answer-rows.ts';
import { columnsByParameter } from './columns.ts';

const minBytes = 65_536;
/** Rows that a sheet of Excel has. */
const maxSheetRows = 1_048_576;

/**
 * Takes records, the header first. `close` keeps a CSV that is not whole, which a later run continues; a file of another
 * form gets its name only when it is whole.
 */
export type Output = {
  write(records: readonly (readonly Cell[])[]): Promise<void> | undefined;
  close(isWhole: boolean): Promise<void>;
};

const forms = ['csv.gz', 'geojson', 'xlsx', 'parquet'] as const;
type OutputForm = (typeof forms)[number] | 'csv';

/** The form that a file's name asks for: CSV unless it ends in `.gz`, `.geojson`, `.xlsx` or `.parquet`. */
export function outputForm(path: string): OutputForm {
  const end = /[^.]*$/.exec(path.toLowerCase())![0];
  return end === 'gz' ? 'csv.gz' : (forms.find((form) => form === end) ?? 'csv');
}

/**
 * CSV into a stream that stays open, such as standard output, in large pieces and waiting for a slow reader. Texts of the
 * added columns that a spreadsheet would run as formulas are quoted; `ownColumns` are the input's, which stay as they are.
 */
export function streamOutput(stream: NodeJS.WritableStream, ownColumns: number): Output {
  return textOutput(stream, (record) =>
    csvRecord(record.map((cell, at) => (at < ownColumns ? cell : withoutFormula(cell)))),
  );
}

/** Records as text in large pieces, and `end` after the last one. */
function textOutput(stream: NodeJS.WritableStream, textOf: (record: readonly Cell[]) => string, end = ''): Output {
  let pending = '';
  const flush = () =>
    new Promise<void>((resolve, reject) => {
      stream.write(pending, (error) => (error ? reject(error) : resolve()));
      pending = '';
    });
  return {
    write(records) {
      for (const record of records) pending += textOf(record);
      return pending.length < minBytes ? undefined : flush();
    },
    close() {
      pending += end;
      return flush();
    },
  };
}

/** Reads [lng, lat] of a record: of its result, else of the row's own columns; undefined where it has none. */
function positionReader(header: readonly string[], ownColumns: number) {
  const ofResult = (field: string) => header.findIndex((name, at) => at >= ownColumns && name.endsWith(field));
  const own = columnsByParameter(header.slice(0, ownColumns));
  const columns = [
    { lat: ofResult('lat'), lng: ofResult('lng') },
    { lat: own.get('lat') ?? -1, lng: own.get('lng') ?? -1 },
  ].filter(({ lat, lng }) => lat >= 0 && lng >= 0);
  return (record: readonly Cell[]) =>
    columns
      .map(({ lng, lat }) => [record[lng], record[lat]])
      .filter((pair) => pair.every((cell) => cell !== null && cell !== undefined && cell !== ''))
      .map((pair) => pair.map(Number))
      .find(([lng, lat]) => Math.abs(lng) <= 180 && Math.abs(lat) <= 90);
}

/**
 * A feature collection (RFC 7946): each row a feature with its cells as properties, at the position of the result, else at
 * the one the row had; without either its geometry is null.
 */
function geojsonOutput(stream: NodeJS.WritableStream, ownColumns: number): Output {
  let header: string[] | undefined;
  let isFirst = true;
  let positionOf: ReturnType<typeof positionReader>;
  const textOf = (record: readonly Cell[]) => {
    if (header === undefined) {
      header = record.map(String);
      positionOf = positionReader(header, ownColumns);
      return '{"type":"FeatureCollection","features":[';
    }
    const at = positionOf(record);
    const geometry = at === undefined ? null : { type: 'Point', coordinates: at };
    const properties = Object.fromEntries(header.map((name, column) => [name, record[column] ?? null]));
    const text = `${isFirst ? '' : ','}\n${JSON.stringify({ type: 'Feature', geometry, properties })}`;
    isFirst = false;
    return text;
  };
  return textOutput(stream, textOf, '\n]}\n');
}

/** Writes a file in the form of its name, from a position on; what it had there before is cut off first. */
export async function fileOutput(path: string, keptBytes: number, ownColumns: number): Promise<Output> {
  const form = outputForm(path);
  if (form === 'xlsx') return tableOutput(path, sheetOf);
  if (form === 'parquet') return tableOutput(path, parquetOf);
  if (keptBytes > 0) await truncate(path, keptBytes);
  const target = form === 'csv' ? path : `${path}.part`;
  const stream = form === 'csv.gz' ? createGzip() : new PassThrough();
  const file = createWriteStream(target, keptBytes > 0 ? { flags: 'r+', start: keptBytes } : {});
  const written = pipeline(stream, file).catch(namingPath(target));
  let fail = (_error: unknown) => {};
  written.catch((error) => fail(error));
  // The fault is that of the file: the stream before it only says that it was ended, or nothing.
  const orFault = (writing: Promise<void>) =>
    new Promise<void>((resolve, reject) => {
      fail = reject;
      writing.then(resolve, () => written.catch(reject));
    });
  const output = (form === 'geojson' ? geojsonOutput : streamOutput)(stream, ownColumns);
  return {
    write(records) {
      const writing = output.write(records);
      return writing && orFault(writing);
    },
    async close(isWhole) {
      try {
        await orFault(output.close(isWhole));
        stream.end();
        await written;
        if (isWhole && target !== path) await rename(target, path);
      } finally {
        if (target !== path) await rm(target, { force: true });
      }
    },
  };
}

/** An output that is written whole at the end, of all records in memory. */
function tableOutput(path: string, bytesOf: (records: (readonly Cell[])[]) => Promise<Uint8Array>): Output {
  const all: (readonly Cell[])[] = [];
  return {
    write(records) {
      for (const record of records) all.push(record);
      return undefined;
    },
    async close(isWhole) {
      if (isWhole) await replaceDurably(path, await bytesOf(all));
    },
  };
}

async function sheetOf(records: (readonly Cell[])[]): Promise<Uint8Array> {
  if (records.length > maxSheetRows) {
    throw new UsageError(`an Excel sheet has room for ${maxSheetRows} rows, got ${records.length}; write CSV`);
  }
  const { default: writeXlsxFile } = await optionalPackages(
    'writing Excel files',
    ['write-excel-file'],
    () => import('write-excel-file/node'),
  );
  // Excel takes neither undefined nor other absences.
  return writeXlsxFile(records.map((record) => record.map((cell) => cell ?? null))).toBuffer();
}

async function parquetOf([header = [], ...records]: (readonly Cell[])[]): Promise<Uint8Array> {
  const writer = await optionalPackages('writing Parquet', ['hyparquet-writer'], () => import('hyparquet-writer'));
  const columnData = header.map((name, at) => {
    const values = records.map((record) => record[at] ?? null);
    return { name: String(name), ...typed(values) };
  });
  return new Uint8Array(writer.parquetWriteBuffer({ columnData }));
}

/** Numbers and truth values where a column has nothing else, else texts. */
function typed(values: Cell[]): { data: unknown[]; type: 'DOUBLE' | 'BOOLEAN' | 'STRING'; nullable: true } {
  const isAll = (type: string) =>
    values.some((value) => value !== null) && values.every((v) => v === null || typeof v === type);
  if (isAll('number')) return { data: values, type: 'DOUBLE', nullable: true };
  if (isAll('boolean')) return { data: values, type: 'BOOLEAN', nullable: true };
  return { data: values.map((value) => (value === null ? null : String(value))), type: 'STRING', nullable: true };
}

// A page with a map of the results, complete in itself: their countries, the places around, and a pin for each result.

/** Pins of a page; of more results the first ones. A browser draws these in a tenth of a second. */
const maxPins = 20_000;
/** Places that are named, of all countries together. */
const maxPlaces = 1500;

/** Streets are drawn where the results lie within this, degrees; how many, the most prominent first. */
const maxDegreesOfStreets = 0.5;
const maxStreets = 3000;

type Pin = { at: number[]; quality: string; cells: Cell[] };

/** Makes the page; `columns` are those of the records, the first `ownColumns` of them the input's. */
export function mapPage(store: Store, columns: readonly string[], ownColumns: number) {
  const positionOf = positionReader(columns, ownColumns);
  const pins: Pin[] = [];
  let results = 0;
  return {
    add(records: readonly Cell[][], outcome: Outcome): void {
      for (const cells of records) {
        const at = positionOf(cells);
        if (at && ++results <= maxPins)
          pins.push({ at, quality: outcome.kind === 'found' ? outcome.quality : 'none', cells });
      }
    },

    async write(path: string, summary: object): Promise<void> {
      const { places, boundaries } = store;
      const countryOf = ([lng, lat]: number[]) => boundaries?.countryAt({ lat, lng });
      const present = [...new Set(pins.flatMap(({ at }) => countryOf(at) ?? []))];
      const bounds = boundsOf(pins.length > 0 ? pins.map(({ at }) => at) : [[0, 0]]);
      const degrees = Math.max(bounds.east - bounds.west, bounds.north - bounds.south);
      // About two pixels of the page as it opens; the whole world where the results are far apart.
      const toleranceM = Math.min(20_000, Math.max(100, degrees * 200));
      const shown = degrees > 60 ? store.countries.assigned.map(({ iso2 }) => iso2) : present;
      // Close by, the outlines are too coarse to lie under streets.
      const isNear = degrees < maxDegreesOfStreets;
      const shapes = (isNear ? [] : shown).flatMap(
        (country) => boundaries?.shapeOf(country, toleranceM)?.coordinates() ?? [],
      );
      const streets = isNear ? [...(store.map?.streets(bounds, maxStreets) ?? [])] : [];
      const limit = Math.ceil(maxPlaces / present.length);
      const named = present
        .flatMap((country) => places.ofCountry(country, { limit }))
        .sort((one, other) => one - other);
      const data = {
        summary,
        results,
        columns,
        pins,
        land: shapes.flatMap((rings) => rings.map((ring) => ring.flat().map(rounded))),
        streets: streets.flatMap((street) => street.lines().map((line) => Array.from(line, rounded))),
        places: named.map((index) => {
          const { name, lng, lat } = places.get(index);
          return [name, lng, lat];
        }),
      };
      const template = readFileSync(new URL('../../src/web/results-map.html', import.meta.url), 'utf8');
      // In a script no text may close it.
      const json = JSON.stringify(data).replaceAll('<', '\\u003c');
      await replaceDurably(
        path,
        template.replace('"{{data}}"', () => json),
      );
    },
  };
}

/** About 10 m. */
const rounded = (degrees: number) => Number(degrees.toFixed(4));

function boundsOf(positions: readonly number[][]) {
  const [lngs, lats] = [0, 1].map((axis) => positions.map((at) => at[axis]));
  return { west: Math.min(...lngs), east: Math.max(...lngs), south: Math.min(...lats), north: Math.max(...lats) };
}
