/**
 * Joins postal codes with places of the gazetteer by country and name. Where several places have a name, nearby codes
 * decide: codes with a common prefix are close together, so the right place is the one nearest to the places of codes
 * with an unambiguous name.
 */
import { firstPast } from '../../../core/columns.ts';
import { distanceKm, isNear, type LatLng } from '../../../core/geo.ts';
import { reachKm } from '../../../core/place-kinds.ts';
import { type NamedPostalRow, readPostalCode } from '../../../core/postal/code.ts';
import type { Drop } from '../../../core/source-records.ts';
import type { Place, Places, Regions } from '../../../store/store.ts';
import { fold } from '../../../text/fold.ts';
import { namesakeFinder } from '../namesakes.ts';

type Gazetteer = { places: Pick<Places, 'named' | 'get'>; regions: Pick<Regions, 'get' | 'matching'> };

/**
 * A code with the place it was joined with; `place` is undefined when the gazetteer has none. Then `around` may have
 * the position of codes with a common prefix.
 */
export type JoinedCode = { code: string; row: NamedPostalRow; place: Place | undefined; around: Area | undefined };

/**
 * The estimated position of a code: the median of the codes with a common prefix, and the region of the place there.
 */
type Area = LatLng & { admin1: number; radiusKm: number };

/** Candidates closer together than this are one town with two entries; the most prominent one is used. */
const sameTownKm = 12;
/** A place this many times as populous as its namesakes is preferred, unless codes indicate another. */
const dominance = 30;
/** Assumed population of a place of unknown population. */
const unknownPopulation = 500;
/** A place this far from its neighbours' centre, and four times as far as they are, is another town of that name. */
const strayKm = 40;
const minNeighbours = 5;
const maxNeighbours = 25;
/**
 * Neighbours determine where a code lies if they share this part of it and are in at least `minPlaces` places, four of
 * five of which are within `areaSpreadKm` of their centre and all within `areaReachKm`: the codes of a group of islands
 * have a common prefix too.
 */
const areaShare = 0.5;
const minPlaces = 2;
const areaSpreadKm = 20;
const areaReachKm = 60;
/** Factor on the radius: places that the gazetteer lacks may be farther out than those that it has. */
const radiusMargin = 1.25;
const minRadiusKm = 5;

/** Joins the rows of one country. Rows whose code has not the country's shape are reported to `drop`. */
export function joinCountry(rows: readonly NamedPostalRow[], { places, regions }: Gazetteer, drop: Drop): JoinedCode[] {
  const placesNamed = namesakeFinder(places);
  const admin1Named = new Map<string, number[]>();
  const isWithin = (row: NamedPostalRow, place: Place) => {
    if (row.admin2Code !== undefined)
      return place.admin2 >= 0 && regions.get(place.admin2).sourceCode === row.admin2Code;
    if (row.admin1Name === undefined) return true;
    const admin1 = admin1Named.getOrInsertComputed(row.admin1Name, (name) => regions.matching(row.country, name));
    return admin1.length === 0 || admin1.includes(place.admin1);
  };
  const candidatesOf = (row: NamedPostalRow): readonly Place[] => {
    for (const name of row.names) {
      const found = placesNamed(name, row.country).filter((place) => isWithin(row, place));
      if (found.length > 0) return preferred(found, name);
    }
    return [];
  };

  const codes: { code: string; row: NamedPostalRow; candidates: readonly Place[] }[] = [];
  for (const row of rows) {
    const code = readPostalCode(row.country, row.code);
    if (code === undefined) drop("code without the country's shape");
    else codes.push({ code, row, candidates: candidatesOf(row) });
  }
  const anchors = codes
    .filter(({ candidates }) => isClear(candidates))
    .map(({ code, candidates }) => ({ code, place: candidates[0] }));
  // An unambiguous name may still belong to another town; a wider neighbourhood, with many codes, reveals those.
  const wide = neighbourhoods(anchors, maxNeighbours);
  const near = neighbourhoods(
    anchors.filter(({ code, place }) => !isStray(place, wide(code))),
    minNeighbours,
  );
  return codes.map(({ code, row, candidates }) => {
    const around = near(code);
    const place = choose(candidates, around);
    const area = place || !around || around.length < areaShare * code.length ? undefined : around.area;
    return { code, row, place, around: area && reachingTo(candidates, area) };
  });
}

/** The places with this main name, if the most prominent is among them: for others it is one alias of many. */
function preferred(found: readonly Place[], name: string): readonly Place[] {
  const folded = fold(name);
  const own = found.filter((place) => fold(place.name) === folded);
  return own[0] === found[0] ? own : found;
}

/** Whether the first candidate is unambiguous: the others are the same town, or far smaller. */
function isClear(candidates: readonly Place[]): boolean {
  const [first, ...others] = candidates;
  return (
    first !== undefined &&
    others.every(
      (place) =>
        Math.max(place.population, unknownPopulation) * dominance < first.population ||
        isNear(first, place, sameTownKm),
    )
  );
}

function isOneTown(candidates: readonly Place[]): boolean {
  return candidates.length > 0 && candidates.every((place) => isNear(candidates[0], place, sameTownKm));
}

function choose(candidates: readonly Place[], around: Neighbourhood | undefined): Place | undefined {
  if (candidates.length === 0 || !around) return candidates[0];
  if (isClear(candidates) && !isStray(candidates[0], around)) return candidates[0];
  let best = candidates[0];
  let bestKm = kmTo(best, around);
  if (!isOneTown(candidates)) {
    for (const candidate of candidates) {
      const km = kmTo(candidate, around);
      if (km < bestKm) [best, bestKm] = [candidate, km];
    }
  }
  return isStray(best, around) ? undefined : best;
}

/**
 * An area that reaches to the places of the name in its region, though they are far off: in a third of such cases the code is
 * theirs (GeoNames' dumps of 12 countries), as where the codes of a prefix are mostly those of the region's capital.
 */
function reachingTo(candidates: readonly Place[], area: Area): Area {
  const kms = candidates.filter(({ admin1 }) => admin1 === area.admin1).map((place) => distanceKm(place, area));
  return { ...area, radiusKm: Math.max(area.radiusKm, radiusMargin * Math.max(0, ...kms)) };
}

/**
 * Distance to the neighbourhood, 0 inside a city's reach; of equally near candidates the most prominent comes first.
 */
function kmTo(place: Place, { centre }: Neighbourhood): number {
  return Math.max(0, distanceKm(place, centre) - reachKm(place.population));
}

function isStray(place: Place, around: Neighbourhood | undefined): boolean {
  return around !== undefined && kmTo(place, around) > Math.max(strayKm, 4 * around.spreadKm);
}

type Neighbourhood = {
  /** Length of the common prefix of its codes. */
  length: number;
  centre: LatLng;
  /** Half of the codes lie this close to the centre. */
  spreadKm: number;
  /** Where codes of unknown places lie; undefined where their places are too few or too far apart. */
  area: Area | undefined;
};

/** Of more places than this only every n-th is used; the median hardly changes. */
const sampleSize = 200;

/**
 * Positions of codes with a common prefix: the medians of their coordinates, and the median distance from there. Returns the
 * neighbourhood of a code by the longest prefix that enough codes share; undefined when there is none.
 */
function neighbourhoods(anchors: readonly { code: string; place: Place }[], minCount: number) {
  // Those with a common prefix are adjacent.
  const sorted = anchors.toSorted((a, b) => (a.code < b.code ? -1 : a.code > b.code ? 1 : 0));
  const known = new Map<string, Neighbourhood | undefined>();
  const firstFrom = (wanted: string) => firstPast(0, sorted.length, (at) => sorted[at].code >= wanted);
  const sample = (from: number, to: number) => {
    const step = Math.max(1, (to - from) / sampleSize);
    return Array.from(
      { length: Math.floor((to - from) / step) },
      (_, at) => sorted[from + Math.floor(at * step)].place,
    );
  };
  const sharing = (prefix: string): Neighbourhood | undefined => {
    if (prefix === '') return undefined;
    if (known.has(prefix)) return known.get(prefix);
    // `[` follows the last sign of codes.
    const [from, to] = [firstFrom(prefix), firstFrom(`${prefix}[`)];
    const shorter = () => sharing(prefix.slice(0, -1));
    const found = to - from < minCount ? shorter() : neighbourhoodOf(sample(from, to), prefix.length);
    known.set(prefix, found);
    return found;
  };
  return (code: string) => sharing(code.slice(0, -1));
}

function neighbourhoodOf(places: readonly Place[], length: number): Neighbourhood {
  const centre = centreOf(places);
  const kms = places.map((place) => distanceKm(centre, place));
  return { length, centre, spreadKm: quantile(kms, 0.5), area: areaOf(places) };
}

/**
 * Each place counts once, however many codes it has: a town's hundred codes say nothing about the island next to it.
 */
function areaOf(neighbours: readonly Place[]): Area | undefined {
  const places = [...new Set(neighbours)];
  if (places.length < minPlaces) return undefined;
  const centre = centreOf(places);
  const kms = places.map((place) => distanceKm(centre, place));
  const maxDistanceKm = Math.max(...kms);
  if (quantile(kms, 0.8) > areaSpreadKm || maxDistanceKm > areaReachKm) return undefined;
  const radiusKm = Math.max(minRadiusKm, radiusMargin * maxDistanceKm);
  const nearest = places[kms.indexOf(Math.min(...kms))];
  return { ...centre, admin1: nearest.admin1, radiusKm };
}

function centreOf(places: readonly Place[]): LatLng {
  const lats = places.map(({ lat }) => lat);
  const lngs = places.map(({ lng }) => lng);
  return { lat: quantile(lats, 0.5), lng: quantile(lngs, 0.5) };
}

function quantile(values: readonly number[], share: number): number {
  return Float64Array.from(values).sort()[Math.floor(values.length * share)];
}
