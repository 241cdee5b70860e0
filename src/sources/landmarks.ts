/** Reads tables of landmarks: those of sources/landmarks, and an operator's own. docs/sources.md has their columns. */
import { CsvError, parse } from 'csv-parse/sync';
import type { BoundingBox } from '../core/geo.ts';
import { countryCode } from '../core/source-records.ts';
import { UsageError } from '../errors.ts';

/** A row of a table. Texts and numbers that are not there are undefined. */
export type LandmarkRow = {
  id: number;
  name: string | undefined;
  /** Names by language (BCP 47, lower case), the first of each. */
  namesIn: Readonly<Record<string, string>>;
  /** Further names of a language, and those without one. */
  knownNames: readonly string[];
  kind: string | undefined;
  /** Alpha-2 codes. */
  countries: readonly string[];
  lat: number | undefined;
  lng: number | undefined;
  bbox: BoundingBox | undefined;
  /** Fame from 1 (all over the world) to 5 (in its region). */
  rank: number | undefined;
  /** Identifier of the record that the row corrects. */
  corrects: number | undefined;
};

/** The columns that tell such a table from other files with commas. */
const required = ['id', 'name', 'kind', 'lat', 'lng'];
const splitter = /[\t,;]/;

/** Whether a first line is that of a table of landmarks. */
export const isLandmarksHeader = (line: string): boolean => {
  const columns = line
    .replace(/^\ufeff/, '')
    .toLowerCase()
    .split(splitter);
  return required.every((column) => columns.some((each) => each.replaceAll('"', '').trim() === column));
};

/**
 * The rows of a table with a header. Throws UsageError with the line and what was expected for a wrong value, an identifier that is
 * there twice, and a table without the required columns.
 */
export function readLandmarks(text: string, path: string): LandmarkRow[] {
  const header = text.split(/\r?\n/, 1)[0];
  if (!isLandmarksHeader(header)) {
    throw new UsageError(
      `${path} begins with ${JSON.stringify(header.slice(0, 80))}, expected a header with the columns ${required.join(', ')}`,
    );
  }
  let rows: { record: Record<string, string>; info: { lines: number } }[];
  try {
    rows = parse(text, {
      bom: true,
      columns: (names: string[]) => names.map((name) => name.trim().toLowerCase()),
      delimiter: [',', ';', '\t'],
      skip_empty_lines: true,
      trim: true,
      info: true,
      relax_column_count_less: true,
    });
  } catch (error) {
    if (error instanceof CsvError) throw new UsageError(`${path} is no table: ${error.message}`);
    throw error;
  }
  const seen = new Set<number>();
  return rows.map(({ record, info }) => {
    const fault = (column: string, expected: string) =>
      new UsageError(
        `${path}, line ${info.lines}: ${column} is ${JSON.stringify(record[column] ?? '')}, expected ${expected}`,
      );
    const row = rowOf(record, fault);
    if (seen.has(row.id)) throw fault('id', 'an identifier of its own: an earlier row has it');
    seen.add(row.id);
    return row;
  });
}

/** Maximum identifier of a row, exclusive. */
const maxRowId = 50_000_000;

function rowOf(
  {
    id,
    name,
    other_names = '',
    kind,
    country = '',
    lat = '',
    lng = '',
    bbox = '',
    rank = '',
    corrects = '',
  }: Record<string, string>,
  fault: (column: string, expected: string) => UsageError,
): LandmarkRow {
  const numberOf = (column: string, text: string, minimum: number, maximum: number): number | undefined => {
    if (text === '') return undefined;
    const number = Number(text);
    if (!(number >= minimum && number <= maximum)) throw fault(column, `a number from ${minimum} to ${maximum}`);
    return number;
  };
  const integerOf = (column: string, text: string, maximum: number) => {
    const number = numberOf(column, text, 1, maximum);
    if (number !== undefined && !Number.isInteger(number)) throw fault(column, 'a whole number');
    return number;
  };
  const row: LandmarkRow = {
    id: integerOf('id', id, maxRowId - 1) ?? 0,
    name: name || undefined,
    ...namesOf(other_names, name),
    kind: kind || undefined,
    countries: country.split('|').filter(Boolean),
    lat: numberOf('lat', lat, -90, 90),
    lng: numberOf('lng', lng, -180, 180),
    bbox: boxOf(bbox, fault),
    rank: integerOf('rank', rank, 5),
    corrects: integerOf('corrects', corrects, Number.MAX_SAFE_INTEGER),
  };
  if (row.id === 0) throw fault('id', `a whole number from 1 to ${maxRowId - 1}`);
  if (row.countries.some((code) => countryCode(code) !== code))
    throw fault('country', 'ISO 3166-1 alpha-2 codes, separated by |');
  if ((row.lat === undefined) !== (row.lng === undefined)) throw fault('lat', 'lat and lng, or neither');
  if (row.corrects !== undefined) return row;
  if (row.name === undefined)
    throw fault('name', 'a name, or in "corrects" the identifier of the record that the row corrects');
  if (row.lat === undefined) throw fault('lat', 'the latitude in degrees');
  if (row.kind === undefined) throw fault('kind', 'a kind, such as castle');
  return row;
}

const tag = /^([a-z]{2,3}(?:-[a-z0-9]{2,8})*):(.+)$/i;

/** The names of a list `xx:name|name|…`, without the main one. */
export function namesOf(list: string, main: string | undefined): Pick<LandmarkRow, 'namesIn' | 'knownNames'> {
  const namesIn: Record<string, string> = {};
  const knownNames = new Set<string>();
  for (const each of list.split('|').map((part) => part.trim())) {
    const [, language, tagged] = tag.exec(each) ?? [];
    if (language === undefined) knownNames.add(each);
    else if (namesIn[language.toLowerCase()] === undefined) namesIn[language.toLowerCase()] = tagged.trim();
    else knownNames.add(tagged.trim());
  }
  return { namesIn, knownNames: [...knownNames].filter((name) => name !== '' && name !== main) };
}

/** The box of `west south east north`; undefined for none. */
function boxOf(text: string, fault: (column: string, expected: string) => UsageError): BoundingBox | undefined {
  if (text === '') return undefined;
  const [west, south, east, north, ...more] = text.split(/\s+/).map(Number);
  const isBox =
    more.length === 0 && Math.abs(west) <= 180 && Math.abs(east) <= 180 && south >= -90 && south < north && north <= 90;
  if (!isBox) throw fault('bbox', 'west south east north in degrees, separated by blanks, south < north');
  return [west, south, east, north];
}
