/**
 * Matches the areas of a user's sources with regions of the gazetteer and with municipalities. The meaning of a level
 * differs between sources and countries, so the places inside decide: an area is a region if it has its ISO code, or
 * contains the region's places and hardly any others.
 */
import { basename, join } from 'node:path';
import { openIndex, worldIndex } from '../../../core/region-index/region-index-builder.ts';
import { type Area, areaOfPolygons } from '../../../core/region-index/ring.ts';
import { type AdminAreaRecord, type Drop, dropCounter } from '../../../core/source-records.ts';
import { extractStateOf } from '../../../sources/osm/change-file.ts';
import { overtureTheme } from '../../../sources/overture.ts';
import { areaKinds, kindOf, readAreas } from '../../../sources/source-kinds.ts';
import type { SourceInfo } from '../../../store/manifest.ts';
import { writeAreaShapes } from '../../../store/packed/area-shapes.ts';
import {
  areaRoles,
  placeOutlineScale,
  placeOutlinesFile,
  type UserArea,
  userAreasFile,
  writeUserAreas,
} from '../../../store/packed/boundaries.ts';
import type { Places, Regions } from '../../../store/store.ts';
import { fold } from '../../../text/fold.ts';
import { distinctSources, type Inputs, type LayerJob, type LayerReport, sourceInfo } from '../../layer.ts';
import { openGeos, outlinesOf } from './outlines.ts';

type World = { places: Places; regions: Regions };

/** Minimum share of an area's places that belong to one region, and of that region's places that are in the area. */
const minShare = 0.95;
/**
 * Municipalities have one of these levels, the finer one first; a larger area is one if a place inside has its name.
 */
const municipalityLevels = [8, 7];
const minMunicipalityLevel = 4;
/** Values of an index are below 65,535. */
const maxAreas = 65_000;

type UserAreaReport = Pick<LayerReport, 'files' | 'records' | 'dropped' | 'sources'>;

/** Writes the areas of all user sources; nothing if there are none. */
export async function buildUserAreas(job: LayerJob, world: World): Promise<UserAreaReport> {
  const { dropped, drop } = dropCounter();
  const read = await areasOf(job, drop);
  if (read.length === 0) return { files: [], records: {}, dropped, sources: [] };
  const found = rolesOf(read, world, drop);
  const index = indexOf(
    found.map(({ record }, value) => areaOf(record, value)),
    found.map(({ area }) => areaRoles.indexOf(area.role)),
  );
  const areas = found.map(({ area }) => area);
  writeUserAreas(join(job.directory, userAreasFile), areas, index);
  const outlines = await outlinesOfPlaces(found);
  writeAreaShapes(join(job.directory, placeOutlinesFile), outlines);
  const count = (role: UserArea['role']) => areas.filter((area) => area.role === role).length;
  return {
    files: [userAreasFile, placeOutlinesFile],
    records: {
      givenRegions: count('region'),
      givenSubregions: count('subregion'),
      municipalities: count('municipality'),
      outlinedPlaces: outlines.length,
    },
    dropped,
    sources: await sourcesOf(job.inputs),
  };
}

/** The sources of a user's areas; the date of an extract is that of its header. */
async function sourcesOf(inputs: Inputs): Promise<SourceInfo[]> {
  const sources: SourceInfo[] = [];
  for (const kind of areaKinds) {
    for (const path of inputs.userFiles(kind)) {
      const timestamp = kind === 'osm-pbf' ? (await extractStateOf(path)).timestamp : undefined;
      const known = { version: basename(path), vintage: timestamp?.slice(0, 10) ?? null };
      sources.push(sourceInfo(kindOf(kind).areaSource!, inputs, known));
    }
  }
  return distinctSources(sources);
}

async function areasOf({ inputs, memoryMb, directory }: LayerJob, drop: Drop): Promise<AdminAreaRecord[]> {
  const areas: AdminAreaRecord[] = [];
  for (const kind of areaKinds) {
    for (const path of inputs.userFiles(kind)) {
      if (kind === 'overture' && (await overtureTheme(path)) !== 'divisions') continue;
      const options = { memoryMb, temporaryDirectory: directory, dropped: drop };
      for await (const area of readAreas(kind, path, options)) {
        if (area.level > municipalityLevels[0]) drop('boundary inside a municipality');
        else if (areas.length >= maxAreas) drop(`boundary beyond the maximum of ${maxAreas}`);
        else areas.push(area);
      }
    }
  }
  return areas;
}

const areaOf = ({ polygons }: AdminAreaRecord, value: number): Area => areaOfPolygons(value, polygons);

/** The outlines of places with the name of their municipality, by identifier; of two municipalities the finer one, which comes first. */
async function outlinesOfPlaces(found: readonly Found[]) {
  const ofPlaces = new Map<number, Found>();
  for (const each of found) if (each.namesake && !ofPlaces.has(each.namesake)) ofPlaces.set(each.namesake, each);
  // Those of one level and country share borders and do not overlap.
  const groups = Map.groupBy(ofPlaces, ([, { record, area }]) => `${area.country} ${record.level}`);
  const geos = await openGeos();
  return [...groups.values()].flatMap((group) => {
    const areas = group.map(([, { record }], value) => areaOf(record, value));
    const outlines = outlinesOf(geos, areas, placeOutlineScale);
    return group.map(([id], at) => [String(id), outlines[at]] as const);
  });
}

const indexOf = (areas: readonly Area[], layers: readonly number[]) =>
  worldIndex(areas, {
    layerOf: Uint16Array.from(layers),
    slackDegrees: 2e-5,
    maxVertices: 64,
    minDepth: 10,
    maxDepth: 17,
  });

/** `namesake` is the identifier of the place with a municipality's name. */
type Found = { record: AdminAreaRecord; area: UserArea; namesake?: number };

/**
 * The roles of the areas, finer municipalities before those that contain them; an area may be both a region and a
 * municipality.
 */
function rolesOf(records: readonly AdminAreaRecord[], world: World, drop: Drop): Found[] {
  const members = placesInside(records, world.places);
  const regions = [...regionAreas(records, members, 1, world), ...regionAreas(records, members, 2, world)];
  const ordered = [...records.keys()].sort((one, other) => records[other].level - records[one].level);
  const municipalities = ordered.flatMap((at) => municipalityOf(records[at], members[at], world) ?? []);
  const used = new Set([...regions, ...municipalities].map(({ record }) => record));
  drop('boundary of neither a region nor a municipality', records.length - used.size);
  return [...regions, ...municipalities];
}

/** Positions of the places inside each area; areas of one level do not overlap. */
function placesInside(records: readonly AdminAreaRecord[], places: Places): number[][] {
  const index = openIndex(
    indexOf(
      records.map(areaOf),
      records.map(({ level }) => level),
    ),
  );
  const levels = [...new Set(records.map(({ level }) => level))];
  const inside = records.map((): number[] => []);
  for (let place = 0; place < places.size; place++) {
    const { lat, lng } = places.unnamed(place);
    for (const level of levels) inside[index.find(lng, lat, level)]?.push(place);
  }
  return inside;
}

/** The areas that are regions of a level, each region once: by its ISO code, else the area whose places match best. */
function regionAreas(
  records: readonly AdminAreaRecord[],
  members: readonly (readonly number[])[],
  level: 1 | 2,
  { places, regions }: World,
): Found[] {
  const regionOf = (place: number) => places.unnamed(place)[level === 1 ? 'admin1' : 'admin2'];
  const sizes = Map.groupBy(Array(places.size).keys(), regionOf);
  const best = new Map<number, { fit: number; found: Found }>();
  for (const [at, record] of records.entries()) {
    const { isoCode } = record;
    const named = level === 1 && isoCode?.includes('-') ? regions.byIsoCode(isoCode) : -1;
    const [region, fit] = named >= 0 ? [named, 2] : bestFit(members[at], regionOf, sizes);
    if (region < 0 || fit < minShare || (best.get(region)?.fit ?? 0) >= fit) continue;
    const { country, sourceCode, parent } = regions.get(region);
    const area: UserArea =
      parent < 0
        ? { role: 'region', country, admin1: sourceCode }
        : { role: 'subregion', country, admin1: regions.get(parent).sourceCode, admin2: sourceCode };
    best.set(region, { fit, found: { record, area } });
  }
  return [...best.values()].map(({ found }) => found);
}

/** The region of most of the places, and the smaller of two shares: of these places, and of the region's places. */
function bestFit(
  members: readonly number[],
  regionOf: (place: number) => number,
  sizes: ReadonlyMap<number, readonly number[]>,
): [region: number, fit: number] {
  const [winner, votes] = majority(members.map(regionOf));
  return winner < 0 ? [-1, 0] : [winner, Math.min(votes / members.length, votes / sizes.get(winner)!.length)];
}

/** The region that is there most often, the first of equally frequent ones, and how often; -1 where there is none. */
function majority(regions: readonly number[]): [region: number, votes: number] {
  const counts = [...Map.groupBy(regions, (region) => region)].map(([region, { length }]) => [region, length] as const);
  const ordered = counts.filter(([region]) => region >= 0).sort(([one], [other]) => one - other);
  return ordered.reduce<[number, number]>(
    (best, [region, votes]) => (votes > best[1] ? [region, votes] : best),
    [-1, 0],
  );
}

/**
 * An area as a municipality, with its place: the one with its name, else the most prominent one; undefined if it is not
 * a municipality.
 */
function municipalityOf(record: AdminAreaRecord, members: readonly number[], { places }: World): Found | undefined {
  const names = new Set([record.name, ...Object.values(record.names ?? {})].map(fold));
  const isTown = (place: number) => places.unnamed(place).type !== 'suburb';
  const isLevel = municipalityLevels.includes(record.level);
  // A larger area often has a name of its town in another language (the province of Milano around Milan).
  const namesOf = (place: number) => [places.get(place).name, ...(isLevel ? Object.values(places.namesOf(place)) : [])];
  const namesake = members.find((place) => isTown(place) && namesOf(place).some((name) => names.has(fold(name))));
  if (!isLevel && (namesake === undefined || record.level < minMunicipalityLevel)) return undefined;
  const place = namesake ?? members.find(isTown);
  const country = place === undefined ? record.country : places.countryOf(place);
  if (country === undefined) return undefined;
  const id = place === undefined ? 0 : places.get(place).id;
  const area: UserArea = { role: 'municipality', country, name: record.name, place: id };
  return { record, area, ...(namesake !== undefined && { namesake: id }) };
}
