/** Street-level data of default packages, a reader for each. */
import { readFileSync } from 'node:fs';
import { emptyBatch, type ReadOptions, SourceError, type StreetBatch } from '../core/street-records.ts';

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
      dropped('station without a position', 1);
      continue;
    }
    const { latitude: lat, longitude: lng } = station.location;
    const city = station.address?.city?.trim() || undefined;
    batch.pois.push({ name: station.name, category: 'transport', city, country: 'DE', lat, lng, sourceId: station.id });
    const parts = streetAndNumber.exec(station.address?.street?.trim() ?? '');
    if (!parts) {
      dropped('station address without a house number', 1);
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
  const batch = emptyBatch();
  for (const [code, { name, city, coordinates }] of Object.entries(ports)) {
    if (!coordinates) {
      dropped('port without a position', 1);
      continue;
    }
    const [lng, lat] = coordinates;
    if (!(Math.abs(lat) <= 90 && Math.abs(lng) <= 180)) {
      dropped('port outside the world', 1);
      continue;
    }
    const isNamedPort = /\b(port|harbou?r|terminal)\b/i.test(name);
    batch.pois.push({
      name: isNamedPort ? name : `Port of ${name}`,
      otherNames: isNamedPort ? [code] : [name, code],
      category: 'transport',
      city: city || undefined,
      country: code.slice(0, 2),
      lat,
      lng,
      sourceId: code,
    });
  }
  yield batch;
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
  const batch = emptyBatch();
  for (const row of rows) {
    const parts = /^(\S*\d\S*)\s+(.+)$/.exec(row.address1.trim());
    if (!parts || !row.coordinates) {
      dropped(parts ? 'address without a position' : 'address without a house number', 1);
      continue;
    }
    batch.addresses.push({
      houseNumber: parts[1],
      street: parts[2],
      city: row.city || undefined,
      admin1: row.state,
      postalCode: row.postalCode || undefined,
      country: 'US',
      lat: row.coordinates.lat,
      lng: row.coordinates.lng,
    });
  }
  yield batch;
}

/** What a JSON file has. Throws SourceError with what was expected. */
export function readJson<T>(path: string, expected: string): T {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new SourceError(`${path}: expected ${expected} (${(error as Error).message})`);
  }
}
