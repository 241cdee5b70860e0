/** Reads sources/names/airports.tsv: airports with an IATA code, derived from OpenTravelData by scripts/derive-opentraveldata.ts. */
import { readFileSync } from 'node:fs';
import { distanceKm } from '../core/geo.ts';
import type { Airport } from './airports.ts';

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
