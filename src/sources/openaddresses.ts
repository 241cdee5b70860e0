/**
 * OpenAddresses output, github.com/openaddresses/openaddresses: CSV (`LON,LAT,NUMBER,STREET,UNIT,CITY,…`) or one
 * GeoJSON feature a line with the same names in small letters; plain, packed, or many in a zip.
 */
import { readFile } from 'node:fs/promises';
import {
  type AddressRecord,
  batchSize,
  countryCode,
  emptyBatch,
  type ReadOptions,
  SourceError,
  type StreetBatch,
} from '../core/source-records.ts';
import { numberedHouse, readAddressTable, type Values } from './delimited.ts';
import { linesOf, openBytes, zipMembers } from './open-bytes.ts';

const recordsPerBatch = 2000;

const isTable = (name: string) => /\.csv$/i.test(name) && !/(^|\/)summary\//.test(name);
const isGeoJson = (name: string) => /\.(geo)?jsonl?$/i.test(name) && !isOtherLayer(name);

/** Whether a name is that of OpenAddresses' other layers, which are next to the addresses in the collections. */
export const isOtherLayer = (name: string) => /-(buildings|centerlines|parcels)-[^/]*\.geojson(\.gz)?$/.test(name);

const columns = {
  lng: 'LON',
  lat: 'LAT',
  number: 'NUMBER',
  street: 'STREET',
  city: 'CITY',
  region: 'REGION',
  postcode: 'POSTCODE',
  hash: ['HASH', 'ID'],
};
type Column = keyof typeof columns;

/** Addresses of OpenAddresses files; units are not kept. Country and state come from the path `…/us/ca/….csv`. */
export async function* readOpenAddresses(path: string, options: ReadOptions = {}): AsyncGenerator<StreetBatch> {
  if (await isLineGeoJson(path)) yield* readLines(path, options);
  else yield* readCsv(path, options);
}

function readCsv(path: string, options: ReadOptions): AsyncGenerator<StreetBatch> {
  const layout = {
    title: 'OpenAddresses CSV',
    delimiter: ',',
    columns,
    required: ['lng', 'lat', 'number', 'street'] as const,
    isWanted: isTable,
  };
  const places = new Map<string, PathPlace>();
  return readAddressTable<Column>(path, layout, options, (value, table) =>
    addressOf(
      value,
      places.getOrInsertComputed(table, () => placeOfPath(table, options.country)),
    ),
  );
}

async function* readLines(path: string, options: ReadOptions): AsyncGenerator<StreetBatch> {
  const { progress = () => {}, dropped = () => {} } = options;
  const opened = openBytes(path, { isWanted: isGeoJson, progress: (share) => progress(share, 'reading addresses') });
  for await (const file of opened) {
    const place = placeOfPath(file.name, options.country);
    let batch = emptyBatch();
    let line = 0;
    for await (const lines of linesOf(file)) {
      for (const text of lines) {
        line++;
        if (text === '') continue;
        const record = addressOf(valuesOf(file.name, line, text), place);
        if (typeof record === 'string') dropped(record);
        else batch.addresses.push(record);
      }
      if (batchSize(batch) < recordsPerBatch) continue;
      yield batch;
      batch = emptyBatch();
    }
    yield batch;
  }
}

type PathPlace = { country?: string; admin1?: string };

function addressOf(value: Values<Column>, place: PathPlace): AddressRecord | string {
  const house = numberedHouse(value('lat'), value('lng'), value('number'), value('street'));
  if (typeof house === 'string') return house;
  return {
    ...house,
    city: value('city'),
    admin1: value('region') ?? place.admin1,
    postalCode: value('postcode'),
    country: place.country,
    sourceId: value('hash'),
  };
}

/**
 * OpenAddresses' files lie in folders: country, then state for the countries that are collected by state. Inside a zip
 * the folders are OpenAddresses' own; of a file on its own only where the file's name is one of theirs too, because any
 * folder may have two letters. Elsewhere the country follows from the positions.
 */
function placeOfPath(name: string, country?: string): PathPlace {
  const [outside, inside] = name.split('!');
  const byState = /(?:^|\/)(us|ca|au|mx|br)\/([a-z]{2,3})\/[^/]+$/.exec(inside ?? outside);
  if (byState) return { country: byState[1].toUpperCase(), admin1: byState[2].toUpperCase() };
  const byCountry =
    inside === undefined
      ? /(?:^|\/)([a-z]{2})\/(?:[^/]+\/)?[^/]*(?:-addresses-|countrywide|statewide)[^/]*$/.exec(outside)
      : /^([a-z]{2})\//.exec(inside);
  const code = byCountry?.[1].toUpperCase();
  return { country: code && countryCode(code) ? code : country };
}

/** The values of a feature, under the names of the CSV's columns. */
function valuesOf(name: string, line: number, text: string): Values<Column> {
  let feature: { properties?: Record<string, unknown>; geometry?: { type?: string; coordinates?: unknown[] } };
  try {
    feature = JSON.parse(text);
  } catch (error) {
    throw new SourceError(
      `${name}, line ${line}: expected one GeoJSON feature per line (${(error as Error).message}); if the file is truncated, download it again`,
    );
  }
  const { properties, geometry } = feature;
  if (!properties) {
    throw new SourceError(
      `${name}, line ${line}: expected one GeoJSON feature with properties per line; convert a FeatureCollection ` +
        'with ogr2ogr -f GeoJSONSeq lines.geojson collection.geojson',
    );
  }
  const [lng, lat] = geometry?.type === 'Point' ? (geometry.coordinates ?? []) : [];
  const values: Record<string, unknown> = { ...properties, lng, lat };
  return (column) => {
    const value = values[column];
    // Lists and objects are no value of a column; to write a deeply nested one as text would end the program.
    return typeof value === 'string' || typeof value === 'number' ? String(value).trim() || undefined : undefined;
  };
}

async function isLineGeoJson(path: string): Promise<boolean> {
  const members = await zipMembers(path);
  if (members) return isGeoJson(members.find((name) => isTable(name) || isGeoJson(name)) ?? '');
  for await (const { chunks } of openBytes(path)) {
    for await (const chunk of chunks) return chunk.toString('utf8').trimStart().startsWith('{');
  }
  return false;
}

// Under which licence each source of an OpenAddresses file stands. OpenAddresses does not relicense: what it knows of a
// publisher's terms is stored next to each file as `<name>.geojson.meta`, a JSON object with `source_name` and
// `license` (`url`, `text`, `attribution`, `attribution name`, `share-alike`), in a zip of many as on its own.

export type SourceLicence = {
  /** Such as `us/ca/alameda`. */
  source: string;
  /** Name or address of the licence; `undefined` where OpenAddresses does not know it. */
  licence: string | undefined;
  /** The required attribution; `undefined` if there is none. */
  attribution: string | undefined;
  isShareAlike: boolean;
};

const isMeta = (name: string) => name.endsWith('.meta');

/** A note has some ten lines. */
const maxLines = 10_000;

/** The licences of a file's sources, in the order of the file; empty where it names none. */
export async function openAddressesLicences(path: string): Promise<SourceLicence[]> {
  const members = await zipMembers(path);
  if (!members) {
    const metaText = await readFile(`${path.replace(/\.gz$/, '')}.meta`, 'utf8').catch(() => undefined);
    return metaText === undefined ? [] : licenceOf(metaText);
  }
  if (!members.some(isMeta)) return [];
  const licences: SourceLicence[] = [];
  for await (const file of openBytes(path, { isWanted: isMeta })) {
    const lines: string[] = [];
    for await (const batch of linesOf(file)) {
      lines.push(...batch);
      if (lines.length > maxLines) break;
    }
    licences.push(...licenceOf(lines.join('\n')));
  }
  return licences;
}

type Meta = { source_name?: unknown; license?: unknown };

function licenceOf(text: string): SourceLicence[] {
  let meta: Meta;
  try {
    meta = JSON.parse(text) as Meta;
  } catch {
    // A damaged note says nothing; the addresses themselves are not in it.
    return [];
  }
  const terms =
    meta.license !== null && typeof meta.license === 'object' ? (meta.license as Record<string, unknown>) : {};
  const written = (key: string) => (typeof terms[key] === 'string' && terms[key].trim()) || undefined;
  return [
    {
      source: String(meta.source_name ?? ''),
      licence: written('text') ?? written('url'),
      // Older notes have the name itself under `attribution`.
      attribution: written('attribution name') ?? written('attribution'),
      isShareAlike: terms['share-alike'] === true,
    },
  ];
}
