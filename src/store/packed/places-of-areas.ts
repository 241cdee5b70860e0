import { areaOfCountry, areaOfRegion } from '../gazetteer.ts';
import type { PlaceColumns } from './place-columns.ts';

/** Maximum number of places of an area. */
const maxPlaces = 30;

type Columns = Pick<PlaceColumns, 'table' | 'byCountry' | 'placeCount'>;

/**
 * The most populous places of each area; features where it has none, as for Wake Island. They are listed for all areas
 * on first use: before, a search for a region scanned its whole country, which took a tenth of all searches' time.
 */
export function placesOfAreas(columns: Columns, areaCount: number): (area: number) => Uint32Array {
  let lists: { places: Uint32Array; ends: Uint32Array } | undefined;
  return (area) => {
    lists ??= listed(columns, areaCount);
    return lists.places.subarray(area === 0 ? 0 : lists.ends[area - 1], lists.ends[area]);
  };
}

function listed({ table, byCountry, placeCount }: Columns, areaCount: number) {
  const counts = new Uint8Array(areaCount);
  const visitAreas = (index: number, visit: (area: number, index: number) => void) => {
    const admin1 = table.admin1(index);
    const admin2 = table.admin2(index);
    visit(areaOfCountry(table.country(index)), index);
    if (admin1 >= 0) visit(areaOfRegion(admin1), index);
    if (admin2 >= 0) visit(areaOfRegion(admin2), index);
  };
  const count = (area: number) => {
    if (counts[area] < maxPlaces) counts[area]++;
  };
  for (let index = 0; index < placeCount; index++) visitAreas(index, count);
  const hasPlaces = counts.slice();
  for (let index = placeCount; index < table.size; index++)
    visitAreas(index, (area) => hasPlaces[area] === 0 && count(area));
  const ends = new Uint32Array(areaCount);
  for (let area = 0, end = 0; area < areaCount; area++) ends[area] = end += counts[area];
  const places = new Uint32Array(ends[areaCount - 1]);
  const put = (area: number, index: number) => {
    if (counts[area] > 0) places[ends[area] - counts[area]--] = index;
  };
  for (let at = 0; at < byCountry.length; at++) visitAreas(byCountry[at], put);
  for (let index = placeCount; index < table.size; index++)
    visitAreas(index, (area) => hasPlaces[area] === 0 && put(area, index));
  return { places, ends };
}
