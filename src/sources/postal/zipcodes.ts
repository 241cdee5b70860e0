/**
 * Canada's forward sortation areas (`K1A`) and ZIP codes of the United States with a position each, from the npm package
 * `zipcodes` (lib/codesCanada.js, lib/codes.js). The package is BSD licensed and names aggdata.com's free sample as where
 * the rows come from.
 */
import { readFileSync } from 'node:fs';
import type { MeasuredPostalRow } from '../../core/postal/code.ts';

type Entry = { zip: string; latitude: number | null; longitude: number | null; city: string; state: string };

/**
 * All rows of a country's file. It is a script that assigns an object; that is read as JSON, not run. Throws when it is
 * not of that form.
 */
export function zipcodesPostal(path: string, country: 'CA' | 'US'): MeasuredPostalRow[] {
  const script = readFileSync(path, 'utf8');
  const from = script.indexOf('{');
  const to = script.indexOf('}};', from);
  if (from < 0 || to < 0) throw new Error(`${path} has no object of codes; expected the format of zipcodes 8`);
  const entries: Record<string, Entry> = JSON.parse(script.slice(from, to + 2));
  return Object.values(entries).map(({ zip, latitude, longitude, city, state }) => ({
    country,
    code: zip,
    place: withCapitals(city),
    admin1: state,
    admin2: null,
    ...positionOf(latitude, longitude),
  }));
}

/** Military post offices have no position, or 0, 0. */
const positionOf = (lat: number | null, lng: number | null) =>
  lat && lng ? { lat, lng, accuracy: 'point' as const } : { lat: null, lng: null, accuracy: null };

/** The source writes what is in brackets in small letters: `Eastern Alberta (st. Paul)`. */
function withCapitals(city: string): string {
  return city.replace(/\((\p{Ll})/gu, (bracket) => bracket.toUpperCase());
}
