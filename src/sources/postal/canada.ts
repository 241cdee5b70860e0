/**
 * Canada's forward sortation areas (`K1A`) with a position each, from the npm package `zipcodes`
 * (lib/codesCanada.js). The package is BSD licensed and names aggdata.com's free sample as where the rows come from.
 */
import { readFileSync } from 'node:fs';
import type { MeasuredPostalRow } from '../../core/postal/row.ts';

type Entry = { zip: string; latitude: number; longitude: number; city: string; state: string };

/**
 * All rows. The file is a script that assigns an object; that is read as JSON, not run. Throws when it is not of that
 * form.
 */
export function canadaPostal(path: string): MeasuredPostalRow[] {
  const script = readFileSync(path, 'utf8');
  const from = script.indexOf('{');
  const to = script.indexOf('}};', from);
  if (from < 0 || to < 0) throw new Error(`${path} has no object of codes; is it lib/codesCanada.js of zipcodes 8?`);
  const entries: Record<string, Entry> = JSON.parse(script.slice(from, to + 2));
  return Object.values(entries).map(({ zip, latitude, longitude, city, state }) => ({
    country: 'CA',
    code: zip,
    place: withCapitals(city),
    admin1: state,
    admin2: null,
    lat: latitude,
    lng: longitude,
    accuracy: 'point' as const,
  }));
}

/** The source writes what is in brackets in small letters: `Eastern Alberta (st. Paul)`. */
function withCapitals(city: string): string {
  return city.replace(/\((\p{Ll})/gu, (bracket) => bracket.toUpperCase());
}
