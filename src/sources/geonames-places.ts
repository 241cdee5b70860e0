/**
 * GeoNames' main table: `cities500.txt`, `cities1000.txt`, `cities5000.txt`, `cities15000.txt`, `allCountries.txt` and
 * one country's `XX.txt`, plain or zipped. 19 tab-separated columns. Licence CC BY 4.0,
 * https://download.geonames.org/export/dump/readme.txt.
 */
import { basename } from 'node:path';
import { type DroppedRows, drop } from '../core/dropped-rows.ts';
import kinds from './geonames-kinds.json' with { type: 'json' };
import { textLines } from './open-bytes.ts';

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
  /** The main name of an older table, which ranks with the main name. */
  formerName?: string;
  /** Names by which atlases call it. */
  atlasNames?: readonly string[];
  /** People of the built-up area, where that is known; it makes the place more prominent and is shown nowhere. */
  urbanPopulation?: number;
};

const columns = 19;
const notARow = 'not a row of 19 columns with identifier, name and position';

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
 * passed over; rows that are not rows (column count, coordinates, identifier) are counted in `dropped` by reason.
 */
export function geonamesPlaces(
  path: string,
  dropped: DroppedRows = {},
  progress?: (share: number) => void,
): AsyncGenerator<GeonamesPlace[]> {
  const isPlace = (fields: string[]) => fields.length < 8 || fields[6] === 'P' || fields[6] === '';
  return rows(path, isPlace, dropped, progress);
}

/** The landmarks, parks and natural features of a file in batches, in the file's order. */
export async function* geonamesFeatures(path: string): AsyncGenerator<GeonamesFeature[]> {
  const isFeature = (fields: string[]) => fields[6] !== 'P' && kindOfCode.has(fields[7]);
  for await (const batch of rows(path, isFeature)) {
    const features = batch.map((row) => ({ ...row, kind: kindOf(row) }));
    yield features.filter(({ kind, alternateNames }) => kind !== 'river' || alternateNames.length >= minNamesOfRiver);
  }
}

function kindOf({ featureCode, name, alternateNames }: GeonamesPlace): string {
  const isNational = featureCode === 'PRK' && [name, ...alternateNames].some((each) => nationalPark.test(each));
  return isNational ? 'national_park' : kindOfCode.get(featureCode)!;
}

async function* rows(
  path: string,
  isWanted: (fields: string[]) => boolean,
  dropped: DroppedRows = {},
  progress?: (share: number) => void,
): AsyncGenerator<GeonamesPlace[]> {
  for await (const lines of textLines(path, { isWanted: isMainTable, progress })) {
    const places: GeonamesPlace[] = [];
    for (const line of lines) {
      const fields = line.split('\t');
      if (!isWanted(fields)) continue;
      const place = fields.length === columns ? placeOf(fields) : undefined;
      if (place) places.push(place);
      else drop(dropped, notARow);
    }
    yield places;
  }
}

/** A zip of one country also holds a readme.txt. */
function isMainTable(name: string): boolean {
  return name.endsWith('.txt') && !basename(name).toLowerCase().startsWith('readme');
}

function placeOf(fields: string[]): GeonamesPlace | undefined {
  const id = Number(fields[0]);
  const lat = Number(fields[4]);
  const lng = Number(fields[5]);
  const isPosition = fields[4] !== '' && fields[5] !== '' && Math.abs(lat) <= 90 && Math.abs(lng) <= 180;
  if (!Number.isInteger(id) || id <= 0 || !isPosition || fields[1] === '') return undefined;
  return {
    id,
    name: fields[1],
    asciiName: fields[2],
    alternateNames: fields[3] === '' ? [] : fields[3].split(','),
    lat,
    lng,
    featureCode: fields[7],
    country: fields[8],
    admin1Code: fields[10],
    admin2Code: fields[11],
    population: Math.max(0, Number(fields[14]) || 0),
    timezone: fields[17],
    modified: fields[18],
  };
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
const noNames = new Set([
  'link',
  'wkdt',
  'post',
  'iata',
  'icao',
  'faac',
  'tcid',
  'unlc',
  'abbr',
  'phon',
  'piny',
  'fr_1793',
]);
const languageTag = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i;

/** The names of a file in batches, in the file's order; rows that are not names are passed over. */
export async function* geonamesAlternateNames(
  path: string,
  progress?: (share: number) => void,
): AsyncGenerator<GeonamesAlternateName[]> {
  for await (const lines of textLines(path, { isWanted: isNameTable, progress })) {
    const names: GeonamesAlternateName[] = [];
    for (const line of lines) {
      const fields = line.split('\t');
      const placeId = Number(fields[1]);
      if (fields.length < 4 || fields[3] === '' || !Number.isInteger(placeId) || placeId <= 0) continue;
      const language = fields[2];
      if (noNames.has(language) || (language !== '' && !languageTag.test(language))) continue;
      names.push({
        placeId,
        language,
        name: fields[3],
        isPreferred: fields[4] === '1',
        isShort: fields[5] === '1',
        isColloquial: fields[6] === '1',
        isHistoric: fields[7] === '1',
      });
    }
    yield names;
  }
}

/** The archive also holds the list of languages. */
function isNameTable(name: string): boolean {
  return basename(name).toLowerCase().startsWith('alternatename');
}
