/**
 * OpenAddresses output, github.com/openaddresses/openaddresses: CSV (`LON,LAT,NUMBER,STREET,UNIT,CITY,…`) or one
 * GeoJSON feature a line with the same names in small letters; plain, packed, or many in a zip.
 */
import {
  type AddressRecord,
  batchSize,
  emptyBatch,
  type ReadOptions,
  SourceError,
  type StreetBatch,
} from '../core/street-records.ts';
import { positionOf, readTable, type TableLayout, valueAt } from './delimited.ts';
import { linesOf, openBytes, zipMembers } from './open-bytes.ts';

const recordsPerBatch = 2000;

const isTable = (name: string) => /\.csv$/i.test(name) && !/(^|\/)summary\//.test(name);
const isGeoJson = (name: string) => /\.(geo)?jsonl?$/i.test(name) && !/\.meta$/.test(name);

const layout: TableLayout = {
  title: 'OpenAddresses CSV',
  delimiter: ',',
  required: [['LON'], ['LAT'], ['NUMBER'], ['STREET']],
  isWanted: isTable,
};

/** Addresses of OpenAddresses files; units are not kept. Country and state come from the path `…/us/ca/….csv`. */
export async function* readOpenAddresses(path: string, options: ReadOptions = {}): AsyncGenerator<StreetBatch> {
  if (await isLineGeoJson(path)) yield* readLines(path, options);
  else yield* readCsv(path, options);
}

function readCsv(path: string, options: ReadOptions): AsyncGenerator<StreetBatch> {
  const { dropped = () => {} } = options;
  return readTable(path, layout, options, (name, column) => {
    const at = {
      lng: column('LON'),
      lat: column('LAT'),
      number: column('NUMBER'),
      street: column('STREET'),
      city: column('CITY'),
      region: column('REGION'),
      postcode: column('POSTCODE'),
      id: column('HASH', 'ID'),
    };
    const place = placeOfPath(name, options.country);
    return (row, batch) => {
      const record = addressOf(
        {
          lat: valueAt(row, at.lat),
          lon: valueAt(row, at.lng),
          number: valueAt(row, at.number),
          street: valueAt(row, at.street),
          city: valueAt(row, at.city),
          region: valueAt(row, at.region),
          postcode: valueAt(row, at.postcode),
          hash: valueAt(row, at.id),
        },
        place,
      );
      if (typeof record === 'string') dropped(record, 1);
      else batch.addresses.push(record);
    };
  });
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
        const record = addressOf(propertiesOf(file.name, line, text), place);
        if (typeof record === 'string') dropped(record, 1);
        else batch.addresses.push(record);
      }
      if (batchSize(batch) < recordsPerBatch) continue;
      yield batch;
      batch = emptyBatch();
    }
    yield batch;
  }
}

type Properties = Partial<
  Record<'lat' | 'lon' | 'number' | 'street' | 'city' | 'region' | 'postcode' | 'hash', string>
>;
type PathPlace = { country?: string; admin1?: string };

function addressOf(properties: Properties, place: PathPlace): AddressRecord | string {
  const { number, street } = properties;
  const position = positionOf(properties.lat, properties.lon);
  if (!position) return 'address without a position on Earth';
  // Publishers of several states write 0 where a house has no number.
  if (number === undefined || /^0+$/.test(number)) return 'address without a house number';
  if (street === undefined) return 'address without a street';
  return {
    houseNumber: number,
    street,
    city: properties.city,
    admin1: properties.region ?? place.admin1,
    postalCode: properties.postcode,
    country: place.country,
    ...position,
    sourceId: properties.hash,
  };
}

/** OpenAddresses files lie in folders: country, then state for the countries that are collected by state. */
function placeOfPath(name: string, country?: string): PathPlace {
  const path = /(?:^|[/!])(us|ca|au|mx|br)\/([a-z]{2,3})\/[^/]+$/.exec(name);
  if (path) return { country: path[1].toUpperCase(), admin1: path[2].toUpperCase() };
  const folder = /(?:^|[/!])([a-z]{2})\/[^/]+$/.exec(name);
  return { country: folder ? folder[1].toUpperCase() : country };
}

function propertiesOf(name: string, line: number, text: string): Properties {
  let feature: { properties?: Record<string, unknown>; geometry?: { type?: string; coordinates?: unknown[] } };
  try {
    feature = JSON.parse(text);
  } catch (error) {
    throw new SourceError(
      `${name}, line ${line}: expected one GeoJSON feature a line (${(error as Error).message}); if it is cut short, download it again`,
    );
  }
  const { properties, geometry } = feature;
  if (!properties) throw new SourceError(`${name}, line ${line}: expected a GeoJSON feature with properties`);
  const textOf = (key: string) => String(properties[key] ?? '').trim() || undefined;
  const [lng, lat] = geometry?.type === 'Point' ? (geometry.coordinates ?? []) : [];
  return {
    lat: lat === undefined ? undefined : String(lat),
    lon: lng === undefined ? undefined : String(lng),
    number: textOf('number'),
    street: textOf('street'),
    city: textOf('city'),
    region: textOf('region'),
    postcode: textOf('postcode'),
    hash: textOf('hash'),
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
