/** The table of landmarks (sources/landmarks/*.csv): its rows, and what is wrong with them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { csvRecord } from '../../src/core/csv.ts';
import { type BoundingBox, distanceKm } from '../../src/core/geo.ts';
import { fold } from '../../src/text/fold.ts';

/** The files of the table and the ranges of ids that each may give: first and last. */
export const tableFiles: Readonly<Record<string, readonly (readonly [first: number, last: number])[]>> = {
  sights: [
    [1, 9_999],
    [40_000, 44_999],
  ],
  heritage: [[10_000, 14_999]],
  parks: [[15_000, 19_999]],
  nature: [
    [20_000, 24_999],
    [35_000, 39_999],
  ],
  water: [[25_000, 29_999]],
  regions: [[30_000, 34_999]],
};

export const columns = [
  'id',
  'name',
  'other_names',
  'kind',
  'country',
  'lat',
  'lng',
  'bbox',
  'accuracy_m',
  'rank',
  'checked_against',
] as const;
export type Cells = Record<(typeof columns)[number], string>;

/** A row as it stands in its file, and what the checks need of it. */
export type Landmark = {
  file: string;
  cells: Cells;
  /** All its names without their languages, the one in English context first. */
  names: readonly string[];
  countries: readonly string[];
  lat: number;
  lng: number;
  bbox: BoundingBox | undefined;
  /** How far the position may be off, in km. */
  accuracyKm: number;
};

/** The rows of one file of the table; none where the file does not exist. Throws where a row has too few or many cells. */
export function readTable(folder: string, file: string): Landmark[] {
  let text: string;
  try {
    text = readFileSync(join(folder, `${file}.csv`), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  return (parse(text, { columns: true }) as Cells[]).map((cells) => landmarkOf(file, cells));
}

/** The row of a file that these cells make. */
export function landmarkOf(file: string, cells: Cells): Landmark {
  const others = cells.other_names.split('|').filter(Boolean);
  return {
    file,
    cells,
    names: [cells.name, ...others.map((name) => name.replace(languageTag, ''))],
    countries: cells.country.split('|').filter(Boolean),
    lat: Number(cells.lat),
    lng: Number(cells.lng),
    bbox: cells.bbox === '' ? undefined : (cells.bbox.split(' ').map(Number) as unknown as BoundingBox),
    accuracyKm: Number(cells.accuracy_m) / 1000,
  };
}

/** The text of a file of the table. */
export function tableText(rows: readonly Landmark[]): string {
  const records = rows.map(({ cells }) => csvRecord(columns.map((column) => cells[column])));
  return [csvRecord(columns), ...records].join('').replaceAll('\r\n', '\n');
}

/** `de:` of `de:Eiffelturm`: a language, perhaps with its script or region (BCP 47). */
const languageTag = /^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-[A-Z]{2})?:/;
const tagLike = /^[A-Za-z-]{1,12}:/;
/** Two rows of one name are one thing when they lie nearer than this. */
const sameThingKm = 2;

/** What is wrong with the rows, a sentence each, that begins with the file and the id. */
export function faults(rows: readonly Landmark[], kinds: ReadonlySet<string>): string[] {
  const found: string[] = [];
  const seen = new Map<string, Landmark>();
  const byName = new Map<string, Landmark[]>();
  let previous: Landmark | undefined;
  for (const row of rows) {
    const complain = (fault: string) => found.push(`${row.file} ${row.cells.id} ${row.cells.name}: ${fault}`);
    if (previous?.file === row.file && Number(previous.cells.id) >= Number(row.cells.id)) complain('not sorted by id');
    previous = row;
    if (seen.has(row.cells.id)) complain(`the id is also that of ${seen.get(row.cells.id)!.cells.name}`);
    seen.set(row.cells.id, row);
    for (const fault of rowFaults(row, kinds)) complain(fault);
    const sameName = byName.get(fold(row.cells.name));
    if (!sameName) byName.set(fold(row.cells.name), [row]);
    else {
      const twin = sameName.find((other) => distanceKm(other, row) < sameThingKm);
      if (twin) complain(`also in ${twin.file} as ${twin.cells.id}`);
      sameName.push(row);
    }
  }
  return found;
}

function* rowFaults({ file, cells, bbox, lat, lng, accuracyKm }: Landmark, kinds: ReadonlySet<string>) {
  const ranges = tableFiles[file];
  const id = /^\d+$/.test(cells.id) ? Number(cells.id) : Number.NaN;
  if (!ranges.some(([first, last]) => id >= first && id <= last))
    yield `the id is not a number from ${ranges.map((range) => range.join(' to ')).join(' or ')}`;
  if (cells.name.trim() !== cells.name || fold(cells.name) === '') yield 'the name is empty or has blanks around it';
  const others = cells.other_names.split('|');
  for (const name of cells.other_names === '' ? [] : others) {
    if (name.trim() !== name || fold(name.replace(languageTag, '')) === '') yield `an empty other name: '${name}'`;
    else if (tagLike.test(name) && !languageTag.test(name)) yield `not a language of BCP 47: '${name}'`;
  }
  if (new Set(others).size < others.length) yield 'an other name twice';
  if (!kinds.has(cells.kind)) yield `the kind ${cells.kind} is not in kinds.json`;
  if (!/^(?:[A-Z]{2}(?:\|[A-Z]{2})*)?$/.test(cells.country))
    yield `the country is not of two capital letters: ${cells.country}`;
  if (cells.lat === '' || !(Math.abs(lat) <= 90)) yield `lat is not within -90 and 90: '${cells.lat}'`;
  if (cells.lng === '' || !(Math.abs(lng) <= 180)) yield `lng is not within -180 and 180: '${cells.lng}'`;
  if (bbox && !isBox(bbox)) yield `bbox is not west, south, east, north with blanks between: ${cells.bbox}`;
  if (!(accuracyKm > 0)) yield `accuracy_m is not a positive number: '${cells.accuracy_m}'`;
  if (!/^[1-5]$/.test(cells.rank)) yield `rank is not 1 to 5: '${cells.rank}'`;
}

const isBox = (box: BoundingBox) =>
  box.length === 4 &&
  Math.abs(box[0]) <= 180 &&
  Math.abs(box[2]) <= 180 &&
  box[1] >= -90 &&
  box[1] <= box[3] &&
  box[3] <= 90;
