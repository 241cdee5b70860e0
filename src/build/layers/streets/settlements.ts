/** Assigns records of street-level data to settlements: that of the source, completed from the gazetteer. */

import { isNear, type LatLng, nearestTo } from '../../../core/geo.ts';
import { RecentCache } from '../../../core/recent-cache.ts';
import { countryCode, type Settlement, type StreetRecord } from '../../../core/source-records.ts';
import type { AreaTable } from '../../../store/sqlite/street-groups.ts';
import type { Boundaries, Countries, Place, Places, Regions } from '../../../store/store.ts';
import type { StreetArea } from '../../../store/street-parts.ts';
import { searchTerms } from '../../../text/words.ts';
import { namesakeFinder } from '../namesakes.ts';

/** A record without a city is assigned to the nearest place within this distance. */
const nearestPlaceKm = 25;
/** Maximum distance to a place with the city's name. */
const sameCityKm = 60;
/** Maximum distance between two centres of one settlement. */
const sameSettlementKm = 5;
const cellDegrees = 0.01;
/** Regions have names in up to 25 languages. */
const maxRegionNames = 30;
const keysInMemory = 50_000;

export type Gazetteer = { countries: Countries; regions: Regions; places: Places; boundaries: Boundaries };

export type Settlements = ReturnType<typeof settlementsOf>;

export function settlementsOf({ countries, regions, places, boundaries }: Gazetteer, areas: AreaTable) {
  const known = new RecentCache<string, { area: number | undefined }>(keysInMemory);
  const named = namesakeFinder(places);

  const placeOf = (record: Settlement & LatLng, country: string | undefined): Place | undefined => {
    if (record.city !== undefined) {
      if (country === undefined) return undefined;
      return nearestTo(record, named(record.city, country), sameCityKm);
    }
    const accept = country === undefined ? undefined : (index: number) => places.get(index).country === country;
    const [nearest] = places.nearest(record, { maxKm: nearestPlaceKm, accept });
    return nearest && places.get(nearest.index);
  };

  /** The region that the source names, else that of the place, else the one that holds the position. */
  const regionOf = (record: Settlement & LatLng, country: string, place: Place | undefined): number | undefined => {
    if (record.admin1 !== undefined) return regions.matching(country, record.admin1)[0];
    if (place && place.admin1 >= 0) return place.admin1;
    const region = boundaries.admin1At(record);
    return region >= 0 && regions.get(region).country === country ? region : undefined;
  };

  const find = (record: Settlement & LatLng, of: string | undefined): number | undefined => {
    const place = placeOf(record, of);
    const country = of ?? place?.country;
    if (country === undefined) return undefined;
    const city = record.city ?? place?.name ?? null;
    const region = regionOf(record, country, place);
    const admin1 = region === undefined ? (record.admin1 ?? null) : regions.get(region).name;
    return areas.add(city, country, admin1 ?? '', (): StreetArea => {
      const isoCode = region === undefined ? undefined : regions.get(region).isoCode;
      const regionNames = region === undefined ? [] : regions.foldedNames(region).slice(0, maxRegionNames);
      const countryName = countries.get(country)?.name;
      const names = [city, place?.name, admin1, isoCode?.slice(3), countryName, country, ...regionNames];
      const terms = new Set(names.flatMap((name) => searchTerms(name ?? '')));
      return { city, admin1, country, terms: [...terms] };
    });
  };

  /** What a source writes for a country counts where it is one: `uk` and `Liechtenstein` are found by position; a code of its own at sea stays. */
  const countryOf = (record: Settlement & LatLng): string | undefined => {
    const { country = '' } = record;
    const ownCode = () => (/^[A-Z]{2}$/.test(country) ? country : undefined);
    return countryCode(country) ?? boundaries.countryAt(record) ?? ownCode();
  };

  return {
    countryOf,

    /** Number of a record's area; undefined when neither the source nor its position determines the country. */
    areaOf(record: Settlement & LatLng): number | undefined {
      const { city, admin1, lat, lng } = record;
      const country = countryOf(record);
      // Records of one small cell share the answer of its centre, so that it does not depend on the order of records.
      const [row, column] = [Math.floor(lat / cellDegrees), Math.floor(lng / cellDegrees)];
      const key = `${country}\t${admin1}\t${city}\t${row} ${column}`;
      const middle = { lat: (row + 0.5) * cellDegrees, lng: (column + 0.5) * cellDegrees };
      return known.getOrInsertComputed(key, () => ({ area: find({ ...record, ...middle }, country) })).area;
    },

    /** Whether the gazetteer has a settlement of a name at a position. */
    knows({ name, ...at }: StreetRecord): boolean {
      const country = countryOf(at);
      return country !== undefined && named(name, country).some((place) => isNear(place, at, sameSettlementKm));
    },
  };
}
