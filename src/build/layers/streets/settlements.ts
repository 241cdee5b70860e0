/** Assigns records of street-level data to settlements: that of the source, completed from the gazetteer. */

import { isNear, type LatLng, nearestTo } from '../../../core/geo.ts';
import { RecentCache } from '../../../core/recent-cache.ts';
import type { Settlement, StreetRecord } from '../../../core/source-records.ts';
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

export class Settlements {
  readonly #gazetteer: Gazetteer;
  readonly #areas: AreaTable;
  readonly #known = new RecentCache<string, { area: number | undefined }>(keysInMemory);
  readonly #named: ReturnType<typeof namesakeFinder>;

  constructor(gazetteer: Gazetteer, areas: AreaTable) {
    this.#gazetteer = gazetteer;
    this.#named = namesakeFinder(gazetteer.places);
    this.#areas = areas;
  }

  /** Number of a record's area; undefined when neither the source nor its position determines the country. */
  areaOf(record: Settlement & LatLng): number | undefined {
    const { city, admin1, lat, lng } = record;
    const country = record.country ?? this.#gazetteer.boundaries.countryAt(record);
    // Records of one small cell share the answer of its centre, so that it does not depend on the order of records.
    const [row, column] = [Math.floor(lat / cellDegrees), Math.floor(lng / cellDegrees)];
    const key = `${country}\t${admin1}\t${city}\t${row} ${column}`;
    const middle = { lat: (row + 0.5) * cellDegrees, lng: (column + 0.5) * cellDegrees };
    return this.#known.getOrInsertComputed(key, () => ({ area: this.#find({ ...record, ...middle }, country) })).area;
  }

  /** Whether the gazetteer has a settlement of a name at a position. */
  knows({ name, ...at }: StreetRecord): boolean {
    const country = at.country ?? this.#gazetteer.boundaries.countryAt(at);
    return country !== undefined && this.#named(name, country).some((place) => isNear(place, at, sameSettlementKm));
  }

  #find(record: Settlement & LatLng, country: string | undefined): number | undefined {
    const place = this.#place(record, country);
    const code = country ?? place?.country;
    if (code === undefined) return undefined;
    const city = record.city ?? place?.name ?? null;
    const region = this.#region(record, code, place);
    const admin1 = region === undefined ? (record.admin1 ?? null) : this.#gazetteer.regions.get(region).name;
    return this.#areas.add(city, code, admin1 ?? '', () => this.#describe(city, admin1, code, place, region));
  }

  #place(record: Settlement & LatLng, country: string | undefined): Place | undefined {
    const { places } = this.#gazetteer;
    if (record.city !== undefined) {
      if (country === undefined) return undefined;
      return nearestTo(record, this.#named(record.city, country), sameCityKm);
    }
    const accept = country === undefined ? undefined : (index: number) => places.get(index).country === country;
    const [nearest] = places.nearest(record, { maxKm: nearestPlaceKm, accept });
    return nearest && places.get(nearest.index);
  }

  /** The region that the source names, else that of the place, else the one that holds the position. */
  #region(record: Settlement & LatLng, country: string, place: Place | undefined): number | undefined {
    const { regions, boundaries } = this.#gazetteer;
    if (record.admin1 !== undefined) return regions.matching(country, record.admin1)[0];
    if (place && place.admin1 >= 0) return place.admin1;
    const region = boundaries.admin1At(record);
    return region >= 0 && regions.get(region).country === country ? region : undefined;
  }

  #describe(
    city: string | null,
    admin1: string | null,
    country: string,
    place: Place | undefined,
    region: number | undefined,
  ): StreetArea {
    const { regions, countries } = this.#gazetteer;
    const isoCode = region === undefined ? undefined : regions.get(region).isoCode;
    const regionNames = region === undefined ? [] : regions.foldedNames(region).slice(0, maxRegionNames);
    const names = [city, place?.name, admin1, isoCode?.slice(3), countries.get(country)?.name, country, ...regionNames];
    const terms = new Set(names.flatMap((name) => searchTerms(name ?? '')));
    return { city, admin1, country, terms: [...terms] };
  }
}
