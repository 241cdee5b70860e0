/**
 * The city that each landmark is in, found when the boundaries are built: a search shows it for most landmarks, and to find it
 * takes as long as all else.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Gazetteer } from '../gazetteer.ts';
import { readPack, writePack } from './pack-file.ts';

export const landmarkCitiesFile = 'landmark-cities.pack';

/** Numbers of a row: the identifier of the feature, and position and identifier of its city. */
const width = 3;
const noCity = 0xffff_ffff;

type Facts = Pick<Gazetteer['facts'], 'size' | 'id'>;

/** Writes the cities of the features from `first` on; `cityOf` returns the position of a feature's city, -1 for none. */
export function writeLandmarkCities(path: string, facts: Facts, first: number, cityOf: (index: number) => number) {
  const rows = new Uint32Array((facts.size - first) * width);
  for (let at = 0; at < rows.length; at += width) {
    const index = first + at / width;
    const city = cityOf(index);
    rows.set([facts.id(index), ...(city < 0 ? [noCity, 0] : [city, facts.id(city)])], at);
  }
  writePack(path, {}, { rows });
}

/**
 * The position of a feature's city, -1 where it is in none. Undefined where it is unknown: where the places were built again
 * without the boundaries.
 */
export function openLandmarkCities(directory: string, facts: Facts, first: number) {
  const path = join(directory, landmarkCitiesFile);
  // The boundaries are opened to be asked for the cities before these are written.
  if (!existsSync(path)) return () => undefined;
  const rows = readPack(path).column('rows', 'u32');
  return (index: number): number | undefined => {
    const at = (index - first) * width;
    const [id, city, cityId] = [rows[at], rows[at + 1], rows[at + 2]];
    if (id !== facts.id(index)) return undefined;
    if (city === noCity) return -1;
    return city < facts.size && facts.id(city) === cityId ? city : undefined;
  };
}
