import { readFileSync } from 'node:fs';
import { distanceKm } from '../../src/core/geo.ts';
import type { PostalCodes } from '../../src/store/store.ts';

/** How well a dataset's postal codes agree with a country's GeoNames dump. */
export type Agreement = {
  /** Distinct codes of the dump, those the dataset answers, and those it has a position for. */
  codes: number;
  found: number;
  positioned: number;
  /** The distance in km that a share of the positioned codes do not exceed. */
  km(share: number): number;
};

/** Compares each code of a dump: distance from the nearest answer to the nearest of the dump's rows of the code. */
export function agreementWith(dump: string, country: string, postal: PostalCodes): Agreement {
  const positions = new Map<string, { lat: number; lng: number }[]>();
  for (const line of readFileSync(dump, 'utf8').trim().split('\n')) {
    const fields = line.split('\t');
    const at = { lat: Number(fields[9]), lng: Number(fields[10]) };
    positions.set(fields[1], [...(positions.get(fields[1]) ?? []), at]);
  }
  let found = 0;
  const distances: number[] = [];
  for (const [code, dumped] of positions) {
    const records = postal.find(country, code);
    if (records.length > 0) found++;
    let nearest = Number.POSITIVE_INFINITY;
    for (const { lat, lng } of records) {
      if (lat === null || lng === null) continue;
      for (const at of dumped) nearest = Math.min(nearest, distanceKm({ lat, lng }, at));
    }
    if (Number.isFinite(nearest)) distances.push(nearest);
  }
  distances.sort((a, b) => a - b);
  return {
    codes: positions.size,
    found,
    positioned: distances.length,
    km: (share) => distances[Math.min(distances.length - 1, Math.floor(distances.length * share))],
  };
}
