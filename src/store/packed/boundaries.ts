import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { LatLng } from '../../core/geo.ts';
import type { RegionIndexColumns, RegionIndexMeta } from '../../core/region-index/region-index.ts';
import { areaOfCountry, areaOfRegion, type Gazetteer } from '../gazetteer.ts';
import type { Boundaries, Municipality, PlaceNear, Places, Regions, Store } from '../store.ts';
import { areaShapesFile, openAreaShapes } from './area-shapes.ts';
import { openRegionIndex, type Pack, packedColumns, readPack, writePack } from './pack-file.ts';
import type { PlaceColumns } from './place-columns.ts';

/** The layer's file in a dataset. */
export const boundariesFile = 'boundaries.pack';

type Index = { meta: RegionIndexMeta; columns: RegionIndexColumns };

type BoundariesData = {
  /** Alpha-2 codes; values of `land` and `waters` and layers of `admin1` are positions here. */
  countries: readonly string[];
  /**
   * Country and gazetteer code of level-1 regions; values of `admin1` are positions here. An empty code stands for a
   * country's land whose region is that of the nearest place.
   */
  regions: readonly (readonly [country: string, sourceCode: string])[];
  /** Exact land borders, reaching a few kilometres over water. */
  land: Index;
  /** Coarse borders, including large lakes and territorial waters, for positions outside `land`. */
  waters: Index;
  /** Level-1 regions, one layer a country. */
  admin1: Index;
};

type Meta = Pick<BoundariesData, 'countries' | 'regions'> & Record<'land' | 'waters' | 'admin1', RegionIndexMeta>;

/** Writes the layer. */
export function writeBoundaries(path: string, { countries, regions, land, waters, admin1 }: BoundariesData): void {
  const meta: Meta = { countries, regions, land: land.meta, waters: waters.meta, admin1: admin1.meta };
  writePack(path, meta, {
    ...packedColumns('land', land.columns),
    ...packedColumns('waters', waters.columns),
    ...packedColumns('admin1', admin1.columns),
  });
}

/** Maximum distance of a place that determines a position's region. */
const maxPlaceDistanceKm = 100;

/** The position at a fraction of the way between two close ones. */
const between = (from: LatLng, to: LatLng, share: number): LatLng => ({
  lat: from.lat + (to.lat - from.lat) * share,
  lng: from.lng + (to.lng - from.lng) * share,
});

/** Maximum number of places around a position that are used as witnesses of its region. */
const maxWitnesses = 8;

/** Within this distance of a place on unmapped land, its country is returned. */
const maxIslandDistanceKm = 5;

/**
 * Opens the layer of a dataset over the dataset's regions and places. Without a polygon the region is that of the
 * nearest place in the country, and also where that place's region has no polygon at all. Where nearby places show that
 * the polygons are wrong, they decide (`regionByWitnesses`). Throws when the file is absent or not a pack.
 */
export function openBoundaries(
  directory: string,
  { regions, places, gazetteer: { facts } }: Pick<Store, 'regions' | 'places' | 'gazetteer'>,
): Boundaries {
  const pack = readPack(join(directory, boundariesFile));
  const meta = pack.meta as Meta;
  const land = openRegionIndex(pack, 'land', meta.land);
  const waters = openRegionIndex(pack, 'waters', meta.waters);
  const admin1 = openRegionIndex(pack, 'admin1', meta.admin1);
  const positions = Int32Array.from(meta.regions, ([country, code]) =>
    code === '' ? -1 : regions.find(country, code),
  );

  // Regions that are too new or too small for the map (Sejong; the atolls of Malé, Majuro, Funafuti) are known only by
  // their places.
  const mapped = new Set(positions);
  const hasUnmapped = meta.countries.map((code) => regions.list(code, 1).some(({ index }) => !mapped.has(index)));

  const numbers = new Map(meta.countries.map((code, number) => [code, number]));

  /** A request asks for the country of its point three times. */
  const last = { lat: Number.NaN, lng: Number.NaN, country: -1 };
  function countryNumber(position: LatLng): number {
    const { lat, lng } = position;
    if (lat !== last.lat || lng !== last.lng) Object.assign(last, { lat, lng, country: findCountry(position) });
    return last.country;
  }

  function findCountry(position: LatLng): number {
    const { lat, lng } = position;
    const onLand = land.find(lng, lat, 0);
    if (onLand >= 0) return onLand;
    // An unmapped island may still have a village, and so may a shore that is misplaced on the map.
    const [nearest] = places.nearest(position, { maxKm: maxIslandDistanceKm });
    const settled = nearest && numbers.get(places.countryOf(nearest.index));
    return settled ?? waters.find(lng, lat, 0);
  }

  const mappedRegion = ({ lat, lng }: LatLng, country: number): number => {
    const value = admin1.find(lng, lat, country);
    return value < 0 ? -1 : positions[value];
  };

  /** The mapped region of each place, cached, as every point around it needs it; -2 where it is not known yet. */
  const mappedOfPlaces = new Int16Array(places.size).fill(-2);
  const positionOf = (index: number): LatLng => ({ lat: facts.lat(index) / 1e6, lng: facts.lng(index) / 1e6 });
  const mappedOfPlace = (index: number, country: number): number => {
    if (mappedOfPlaces[index] === -2) mappedOfPlaces[index] = mappedRegion(positionOf(index), country);
    return mappedOfPlaces[index];
  };

  /** Places of a country around a position, nearest first, as witnesses of the regions there. */
  function witnessesAround(from: LatLng, country: number, known?: readonly PlaceNear[]): RegionWitness[] {
    const near =
      known && known.length >= maxWitnesses
        ? known.slice(0, maxWitnesses).filter(({ distanceKm }) => distanceKm <= maxPlaceDistanceKm)
        : places.nearest(from, { limit: maxWitnesses, maxKm: maxPlaceDistanceKm, country: meta.countries[country] });
    return near.map(({ index, distanceKm }) => {
      const region = facts.admin1(index);
      const share = Math.min(1, mapErrorKm / distanceKm);
      const isBehindBorder = () =>
        distanceKm > 0 && mappedRegion(between(from, positionOf(index), share), country) === region;
      const population = facts.population(index);
      return { region, mapped: mappedOfPlace(index, country), isBehindBorder, distanceKm, population };
    });
  }

  const userAreas = openUserAreas(directory, regions, places);
  const shapes = openAreaShapes(join(directory, areaShapesFile));
  const keyOf = (area: string | number): string => {
    if (typeof area === 'string') return area;
    const { country, sourceCode, parent } = regions.get(area);
    // There are no outlines of the second level, whose codes repeat those of the first.
    return parent < 0 ? `${country}.${sourceCode}` : '';
  };
  return {
    cityOfFeature: openLandmarkCities(directory, facts, places.size),
    shapeOf: (area, toleranceM) => shapes.shapeOf(keyOf(area), toleranceM),
    hasShape: (area) => shapes.has(keyOf(area)),
    boxOf: (area) => shapes.boxOf(keyOf(area)),
    shapeOfPlace: (place, toleranceM) => userAreas?.outlines?.shapeOf(String(facts.id(place)), toleranceM),
    boxOfPlace: (place) => userAreas?.outlines?.boxOf(String(facts.id(place))),
    countryAt(position) {
      const country = countryNumber(position);
      return country < 0 ? undefined : meta.countries[country];
    },
    admin2At: (position) => userAreas?.regionAt(position, 2) ?? -1,
    municipalityAt(position) {
      const found = userAreas?.municipalityAt(position);
      return found && found.country === meta.countries[countryNumber(position)] ? found : undefined;
    },
    admin1At(position, near) {
      const country = countryNumber(position);
      if (country < 0) return -1;
      const outlined = userAreas?.regionAt(position, 1) ?? -1;
      if (outlined >= 0 && regions.get(outlined).country === meta.countries[country]) return outlined;
      const region = mappedRegion(position, country);
      const witnesses = witnessesAround(position, country, near);
      const nearest = witnesses.find((witness) => witness.region >= 0);
      if (region < 0 || !nearest) return nearest?.region ?? region;
      // Only where the map has that place itself in the wrong region, not across the border of an unmapped region.
      const isLeftOut = hasUnmapped[country] && !mapped.has(nearest.region) && nearest.mapped === region;
      return isLeftOut ? nearest.region : regionByWitnesses(region, witnesses);
    },
  };
}

// Corrects the map of regions by nearby places. Its borders are generalised: in a few cities a border river or a city's
// limits lie a kilometre or more off, so that the city's centre is in its neighbour.

/** A place near a position. */
type RegionWitness = {
  /** Its region according to the gazetteer; -1 for none. */
  region: number;
  /** Its region according to the map. */
  mapped: number;
  /** Whether the map has its region within `mapErrorKm` of the position, towards it; called for few. */
  isBehindBorder(): boolean;
  distanceKm: number;
  population: number;
};

/** Closer than this to a border, the map is unreliable. */
const mapErrorKm = 1;
/** Factor on the distance of a correctly mapped place across the border. */
const acrossBorder = 2;

/**
 * A place is evidence within the circle that holds its population at 3,000 per km², but at least within this distance.
 */
const minReachKm = 1;
const peoplePerKm2 = 3000;

/**
 * The region of a position that the map has in `mapped`. A place is evidence where the position is within its reach and
 * the map has both on the same side, or the border between them is close to the position; of several, the one nearest
 * in relation to its reach decides. Without such a place the map is right: a place that the map has where the gazetteer
 * does says nothing about land well across the border.
 */
function regionByWitnesses(mapped: number, witnesses: readonly RegionWitness[]): number {
  let region = mapped;
  let nearest = 1;
  for (const witness of witnesses) {
    const isAcross = witness.mapped !== mapped && witness.region !== mapped;
    if (witness.region < 0) continue;
    const reachKm = Math.max(minReachKm, Math.sqrt(witness.population / peoplePerKm2 / Math.PI));
    const share = ((isAcross ? acrossBorder : 1) * witness.distanceKm) / reachKm;
    if (share < nearest && (!isAcross || witness.isBehindBorder())) [nearest, region] = [share, witness.region];
  }
  return region;
}

// The city that each landmark is in, found when the boundaries are built: a search shows it for most landmarks, and to find it
// takes as long as all else.

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
function openLandmarkCities(directory: string, facts: Facts, first: number) {
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

// Areas of a user's sources, finer than the default maps: regions of both levels, and municipalities.

export const userAreasFile = 'given-areas.pack';
/** The outlines of municipalities whose place has their name, by its identifier. */
export const placeOutlinesFile = 'given-outlines.pack';
/** The part of a country's tolerances that those of a municipality are: 25 m to 3.2 km. */
export const placeOutlineScale = 1 / 20;

/** Roles of areas, by number: the layers of the index. */
export const areaRoles = ['region', 'subregion', 'municipality'] as const;

/** Codes are the gazetteer's; `place` is the identifier of the municipality's place, 0 where there is none. */
export type UserArea =
  | { role: 'region'; country: string; admin1: string }
  | { role: 'subregion'; country: string; admin1: string; admin2: string }
  | { role: 'municipality'; country: string; name: string; place: number };

type UserAreasMeta = { areas: UserArea[]; index: RegionIndexMeta };

/** Writes the areas; values of the index are positions in the list. */
export function writeUserAreas(
  path: string,
  areas: readonly UserArea[],
  { meta, columns }: { meta: RegionIndexMeta; columns: RegionIndexColumns },
): void {
  const described: UserAreasMeta = { areas: [...areas], index: meta };
  writePack(path, described, packedColumns('areas', columns));
}

/** Opens the areas of a dataset; undefined where it has none. */
function openUserAreas(directory: string, regions: Regions, places: Places) {
  const path = join(directory, userAreasFile);
  if (!existsSync(path)) return undefined;
  const pack = readPack(path);
  const { areas, index: meta } = pack.meta as UserAreasMeta;
  const index = openRegionIndex(pack, 'areas', meta);
  const positions = Int32Array.from(areas, (area) => {
    if (area.role === 'region') return regions.find(area.country, area.admin1);
    if (area.role === 'subregion') return regions.find(area.country, area.admin1, area.admin2);
    return area.place === 0 ? -1 : places.byId(area.place);
  });
  const valueAt = ({ lat, lng }: LatLng, role: (typeof areaRoles)[number]) =>
    index.find(lng, lat, areaRoles.indexOf(role));
  const outlines = join(directory, placeOutlinesFile);
  return {
    /** The outlines of municipalities by the identifier of their place; undefined where no source has one. */
    outlines: existsSync(outlines) ? openAreaShapes(outlines, placeOutlineScale) : undefined,
    /** Position of the region of a level that a source outlines around a position; -1 when none does. */
    regionAt(position: LatLng, level: 1 | 2): number {
      const value = valueAt(position, level === 1 ? 'region' : 'subregion');
      return value < 0 ? -1 : positions[value];
    },
    municipalityAt(position: LatLng): (Municipality & { country: string }) | undefined {
      const value = valueAt(position, 'municipality');
      const area = value < 0 ? undefined : areas[value];
      if (area?.role !== 'municipality') return undefined;
      return { name: area.name, place: positions[value], country: area.country };
    },
  };
}

/** Maximum number of places of an area. */
const maxPlaces = 30;

type Columns = Pick<PlaceColumns, 'table' | 'byCountry' | 'placeCount'>;

/** What is known of each area from the places in it. */
export type AreaPlaces = {
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
export function areaPlacesOf({ table, byCountry, placeCount }: Columns, areaCount: number): AreaPlaces {
  const areaPopulation = new Float64Array(areaCount);
  const lists = Array.from({ length: areaCount }, (): number[] => []);
  const areasOf = (index: number) => {
    const regions = [table.admin1(index), table.admin2(index)].filter((region) => region >= 0);
    return [areaOfCountry(table.country(index)), ...regions.map(areaOfRegion)];
  };
  // The largest of each country first.
  for (const index of byCountry) {
    for (const area of areasOf(index)) {
      areaPopulation[area] += table.population(index);
      if (lists[area].length < maxPlaces) lists[area].push(index);
    }
  }
  const hasPlaces = lists.map(({ length }) => length > 0);
  for (let index = placeCount; index < table.size; index++)
    for (const area of areasOf(index)) if (!hasPlaces[area] && lists[area].length < maxPlaces) lists[area].push(index);
  let end = 0;
  return {
    areaPopulation,
    areaPlaces: Uint32Array.from(lists.flat()),
    areaPlaceEnds: Uint32Array.from(lists, ({ length }) => (end += length)),
  };
}
