/** Real addresses of 16 states of the USA (package rrad, addresses-us-all.json), taken from OpenAddresses. */
import { readFileSync } from 'node:fs';
import { emptyBatch, type ReadOptions, SourceError, type StreetBatch } from '../core/street-records.ts';

type Row = {
  address1: string;
  city?: string;
  state: string;
  postalCode?: string;
  coordinates?: { lat: number; lng: number };
};

/** One batch with all addresses; the units in `address2` are not kept. */
export async function* readRrad(path: string, { dropped = () => {} }: ReadOptions = {}): AsyncGenerator<StreetBatch> {
  let rows: Row[];
  try {
    rows = JSON.parse(readFileSync(path, 'utf8')).addresses;
  } catch (error) {
    throw new SourceError(`${path}: expected a JSON object with addresses (${(error as Error).message})`);
  }
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
