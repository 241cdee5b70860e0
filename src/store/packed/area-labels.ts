/** The positions of the labels of countries and regions on a map, those with most room first. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AreaLabel } from '../map-contract.ts';
import type { Regions } from '../store.ts';
import { readPack, writePack } from './pack-file.ts';

export const areaLabelsFile = 'area-labels.pack';

export type WrittenLabel = {
  /** The alpha-2 code of a country, `US.CA` for a region by the gazetteer's codes. */
  key: string;
  lng: number;
  lat: number;
  /** Of the largest circle in the area, in degrees of latitude. */
  radius: number;
};

/** Writes labels, those with most room first. */
export function writeAreaLabels(path: string, labels: readonly WrittenLabel[]): void {
  const sorted = labels.toSorted((one, other) => other.radius - one.radius || (one.key < other.key ? -1 : 1));
  const degrees = (name: 'lng' | 'lat' | 'radius') => Float32Array.from(sorted, (label) => label[name]);
  writePack(
    path,
    { keys: sorted.map(({ key }) => key) },
    { lng: degrees('lng'), lat: degrees('lat'), radius: degrees('radius') },
  );
}

/** The labels of a dataset, those with most room first; undefined where it has none, as those of older programs. */
export function openAreaLabels(directory: string, regions: Regions): readonly AreaLabel[] | undefined {
  const path = join(directory, areaLabelsFile);
  if (!existsSync(path)) return undefined;
  const pack = readPack(path);
  const lng = pack.column('lng', 'f32');
  const lat = pack.column('lat', 'f32');
  const radius = pack.column('radius', 'f32');
  return (pack.meta as { keys: string[] }).keys.map((key, at) => {
    const [country, code] = key.split('.');
    const region = code === undefined ? -1 : regions.find(country, code);
    return { country, region, lng: lng[at], lat: lat[at], radius: radius[at] };
  });
}
