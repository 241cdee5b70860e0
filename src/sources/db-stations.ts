/** Stations of Deutsche Bahn (package db-stations, data.ndjson): each a point of interest, most with their address. */
import { readFileSync } from 'node:fs';
import { emptyBatch, type ReadOptions, SourceError, type StreetBatch } from '../core/street-records.ts';

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
