/** A made-up city as dense as the densest: what the bounds of a tile are tried on. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataset, openStreetLevel } from '../../src/api/open.ts';
import { buildStreetLevel } from '../../src/build/layers/streets.ts';
import type { Store } from '../../src/store/store.ts';
import { poiCategories } from './poi-categories.ts';
import { buildSmallDataset } from './small-store.ts';
import { sourceOf } from './small-streets.ts';
import { type AddressRecord, emptyBatch, type PoiRecord, type StreetRecord } from './street-batches.ts';

/** The middle of the city, in Berlin. */
export const denseCity = { lat: 52.5, lng: 13.4 };

const highways = ['motorway', 'primary', 'secondary', 'tertiary', 'residential', 'service'];
/** Some 70 m. */
const step = 0.001;

/**
 * The small dataset with a city of `size` by `size` blocks in place of its streets: winding ones, `houses` in each block,
 * and three points of interest.
 */
export async function openDenseCity(options: Size): Promise<{ store: Store; remove(): void }> {
  const directory = mkdtempSync(join(tmpdir(), 'whereabouts-dense-'));
  await buildSmallDataset(directory);
  const small = openDataset(directory);
  await build(directory, options);
  const level = openStreetLevel(directory, small.cities, [{ name: part, number: 1 }]);
  return {
    store: { ...small, map: level.map },
    remove() {
      level.close();
      small.close();
      rmSync(directory, { recursive: true });
    },
  };
}

const part = 'dense';
type Size = { size: number; houses: number };

async function build(directory: string, { size, houses }: Size): Promise<void> {
  const south = denseCity.lat - (size * step) / 2;
  const west = denseCity.lng - (size * step) / 2;
  const there = { city: 'Berlin', country: 'DE' };
  const streets: StreetRecord[] = [];
  const addresses: AddressRecord[] = [];
  const pois: PoiRecord[] = [];
  for (let row = 0; row < size; row++) {
    const lat = south + row * step;
    for (let column = 0; column < size; column++) {
      const lng = west + column * step;
      const name = `Street ${row} ${column >> 3} ${column % 8}`;
      const winding = Array.from({ length: 40 }, (_, at) => [
        lng + (at * step) / 20,
        lat + (((at * 7) % 5) * step) / 20,
      ]).flat();
      const highwayType = highways[(row + column) % highways.length];
      streets.push({ ...there, name, highwayType, lat, lng, lines: [Float64Array.from(winding)] });
      for (let house = 1; house <= houses; house++) {
        const [x, y] = [(house * 0.37) % 1, (house * 0.61) % 1];
        addresses.push({ ...there, street: name, houseNumber: `${house}`, lat: lat + y * step, lng: lng + x * step });
      }
      for (let at = 0; at < 3; at++) {
        const category = poiCategories[(row * 3 + column + at) % poiCategories.length];
        pois.push({ ...there, name: `Point ${row} ${column} ${at}`, category, lat: lat + at * 1e-4, lng });
      }
    }
  }
  const records = { ...emptyBatch(), streets, addresses, pois };
  await buildStreetLevel({ directory, part, progress() {} }, [sourceOf(records)]);
}
