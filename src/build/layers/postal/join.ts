/**
 * Joins postal codes with places of the gazetteer by country and name. Where several places bear a name, the codes
 * around decide: codes that begin alike lie close together, so the right place is the one nearest to the places of
 * codes whose name is unambiguous.
 */

import { fold } from '../../../core/fold.ts';
import { distanceKm, type LatLng } from '../../../core/geo.ts';
import { readPostalCode } from '../../../core/postal/code.ts';
import { type DroppedRows, drop, type NamedPostalRow } from '../../../core/postal/row.ts';
import { reachKm } from '../../../core/reach.ts';
import type { Place, Places, Regions } from '../../../store/store.ts';

export type Gazetteer = { places: Pick<Places, 'named' | 'get'>; regions: Pick<Regions, 'get' | 'matching'> };

/** A code with the place it was joined with; `place` is undefined when the gazetteer has none. */
export type JoinedCode = { code: string; row: NamedPostalRow; place: Place | undefined };

/** Candidates closer together than this are one town under two entries; the most prominent is taken. */
const sameTownKm = 12;
/** A place this many times as populous as the others of its name is the one that is meant, unless codes say otherwise. */
const dominance = 30;
/** A unique name this far from its neighbours' centre, and four times as far as they are, is another town's. */
const strayKm = 120;
const fewestNeighbours = 4;

/** Joins the rows of one country. Rows whose code has not the country's shape are counted in `dropped`. */
export function joinCountry(
  rows: readonly NamedPostalRow[],
  { places, regions }: Gazetteer,
  dropped: DroppedRows,
): JoinedCode[] {
  const named = new Map<string, readonly Place[]>();
  const placesNamed = (name: string, country: string) => {
    let found = named.get(name);
    if (!found) {
      found = places.named(name, country).map((index) => places.get(index));
      named.set(name, found);
    }
    return found;
  };
  const admin1Named = new Map<string, number[]>();
  const isWithin = (row: NamedPostalRow, place: Place) => {
    if (row.admin2Code !== undefined)
      return place.admin2 >= 0 && regions.get(place.admin2).sourceCode === row.admin2Code;
    if (row.admin1Name === undefined) return true;
    let admin1 = admin1Named.get(row.admin1Name);
    if (!admin1) {
      admin1 = regions.matching(row.country, row.admin1Name);
      admin1Named.set(row.admin1Name, admin1);
    }
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
    if (code === undefined) drop(dropped, "code without the country's shape");
    else codes.push({ code, row, candidates: candidatesOf(row) });
  }
  const neighbourhoods = new Neighbourhoods(
    codes.filter(({ candidates }) => isClear(candidates)).map(({ code, candidates }) => ({ code, at: candidates[0] })),
  );
  return codes.map(({ code, row, candidates }) => ({ code, row, place: choose(code, candidates, neighbourhoods) }));
}

/** The places whose main name it is, if the most prominent is among them: others bear it as one of many names. */
function preferred(found: readonly Place[], name: string): readonly Place[] {
  const folded = fold(name);
  const own = found.filter((place) => fold(place.name) === folded);
  return own[0] === found[0] ? own : found;
}

/** Whether there is no doubt about the first candidate: the others are the same town, or far smaller. */
function isClear(candidates: readonly Place[]): boolean {
  const [first, ...others] = candidates;
  return (
    first !== undefined &&
    others.every((place) => place.population * dominance < first.population || distanceKm(first, place) <= sameTownKm)
  );
}

function isOneTown(candidates: readonly Place[]): boolean {
  return candidates.length > 0 && candidates.every((place) => distanceKm(candidates[0], place) <= sameTownKm);
}

function choose(code: string, candidates: readonly Place[], neighbourhoods: Neighbourhoods): Place | undefined {
  if (candidates.length === 0) return undefined;
  const around = neighbourhoods.of(code);
  if (!around) return candidates[0];
  // Inside its reach a city is no distance away; of equally near candidates the most prominent comes first.
  const kmTo = (place: Place) => Math.max(0, distanceKm(place, around.centre) - reachKm(place.population));
  let best = candidates[0];
  let bestKm = kmTo(best);
  if (!isOneTown(candidates)) {
    for (const candidate of candidates) {
      const km = kmTo(candidate);
      if (km < bestKm) [best, bestKm] = [candidate, km];
    }
  }
  return bestKm > Math.max(strayKm, 4 * around.spreadKm) ? undefined : best;
}

type Neighbourhood = { centre: LatLng; spreadKm: number };

/** Where codes that begin alike lie: the medians of their positions, and the median distance from there. */
class Neighbourhoods {
  readonly #byPrefix = new Map<string, LatLng[]>();
  readonly #known = new Map<string, Neighbourhood>();

  constructor(anchors: readonly { code: string; at: LatLng }[]) {
    for (const { code, at } of anchors) {
      for (let length = 1; length < code.length; length++) {
        const prefix = code.slice(0, length);
        const positions = this.#byPrefix.get(prefix);
        if (positions) positions.push(at);
        else this.#byPrefix.set(prefix, [at]);
      }
    }
  }

  /** The neighbourhood of the longest beginning that enough codes share; undefined when there is none. */
  of(code: string): Neighbourhood | undefined {
    for (let length = code.length - 1; length >= 1; length--) {
      const prefix = code.slice(0, length);
      const positions = this.#byPrefix.get(prefix);
      if (!positions || positions.length < fewestNeighbours) continue;
      let known = this.#known.get(prefix);
      if (!known) {
        const centre = { lat: median(positions.map(({ lat }) => lat)), lng: median(positions.map(({ lng }) => lng)) };
        known = { centre, spreadKm: median(positions.map((at) => distanceKm(centre, at))) };
        this.#known.set(prefix, known);
      }
      return known;
    }
    return undefined;
  }
}

function median(values: number[]): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[sorted.length >> 1];
}
