import { areaOfCountry, areaOfRegion } from '../gazetteer.ts';
import type { Pack } from './pack-file.ts';
import type { PlaceColumns } from './place-columns.ts';

/** Maximum number of places of an area. */
const maxPlaces = 30;

type Columns = Pick<PlaceColumns, 'table' | 'byCountry' | 'placeCount'>;

/** What is known of each area from the places in it. */
type AreaPlaces = {
  /** The populations of its places, added up. */
  areaPopulation: Float64Array;
  /** Its most populous places, those of all areas one after the other; features where it has none, as for Wake Island. */
  areaPlaces: Uint32Array;
  /** Where those of each area end. */
  areaPlaceEnds: Uint32Array;
};

/** Reads the columns from the pack of places. */
export function openAreaPlaces(pack: Pack): AreaPlaces {
  const areaPlaces = pack.column('areaPlaces', 'u32');
  const areaPlaceEnds = pack.ends('areaPlaceEnds', areaPlaces.length);
  return { areaPopulation: pack.column('areaPopulation', 'f64'), areaPlaces, areaPlaceEnds };
}

/**
 * Makes the columns for a build, so that no search lists the places of an area: one for a region scanned its whole country, a
 * tenth of all searches' time.
 */
export function areaPlacesOf(columns: Columns, areaCount: number): AreaPlaces {
  const { places, ends } = listed(columns, areaCount);
  return { areaPopulation: countInhabitants(columns, areaCount), areaPlaces: places, areaPlaceEnds: ends };
}

function countInhabitants({ table, placeCount }: Columns, areaCount: number): Float64Array {
  const inhabitants = new Float64Array(areaCount);
  for (let index = 0; index < placeCount; index++) {
    const population = table.population(index);
    inhabitants[areaOfCountry(table.country(index))] += population;
    if (table.admin1(index) >= 0) inhabitants[areaOfRegion(table.admin1(index))] += population;
    if (table.admin2(index) >= 0) inhabitants[areaOfRegion(table.admin2(index))] += population;
  }
  return inhabitants;
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
