import type { PlaceToFind, RegionCodes } from '../../../sources/city-lists.ts';
import type { GeonamesPlace } from '../../../sources/geonames-places.ts';

type Codes = PlaceToFind & Pick<GeonamesPlace, 'admin1Code' | 'admin2Code'>;
type Counts = Map<string, number>;

/** Minimum share of an old code's places that must have the same new code for that to be its successor. */
const minAgreement = 0.95;
/** With fewer places of a code than this, the majority of the country's places decides. */
const minPlaces = 3;
/** GeoNames' code of what is in no region, or in one that nobody has entered yet. */
const isNone = (code: string) => code === '' || code === '00';

/**
 * Places with the region codes of a newer table. GeoNames reassigns codes when a country changes its regions, and the
 * same code may then mean another region (Vietnam's 44 was Hanoi and became Quang Tri), so an older table of places
 * must not be read with a newer table of regions. A place that the newer table has takes its codes. Any other keeps its
 * own where most places of its code did; takes the new code that nearly all of them got; and else has none.
 */
export function withNewerCodes<P extends Codes>(
  places: readonly P[],
  newer: (place: PlaceToFind) => RegionCodes | undefined,
): P[] {
  const codesOf = (place: Codes) => {
    const codes = newer(place);
    return codes && !isNone(codes.admin1) ? codes : undefined;
  };
  const moves = new Map<string, Counts>();
  const kept = new Map<string, Counts>();
  for (const place of places) {
    const codes = codesOf(place);
    if (!codes) continue;
    count(moves, `${place.country}.${place.admin1Code}`, codes.admin1);
    count(kept, place.country, String(codes.admin1 === place.admin1Code));
  }
  return places.map((place) => {
    const { country, admin1Code } = place;
    const codes = codesOf(place);
    if (codes) {
      const isSame = codes.admin1 === admin1Code && codes.admin2 === '';
      return { ...place, admin1Code: codes.admin1, admin2Code: isSame ? place.admin2Code : codes.admin2 };
    }
    const successor = successorOf(admin1Code, moves.get(`${country}.${admin1Code}`), kept.get(country));
    return successor === admin1Code ? place : { ...place, admin1Code: successor, admin2Code: '' };
  });
}

function count(of: Map<string, Counts>, key: string, value: string): void {
  let counts = of.get(key);
  if (!counts) of.set(key, (counts = new Map()));
  counts.set(value, (counts.get(value) ?? 0) + 1);
}

/** The code that replaced another; `''` where no single one did. */
function successorOf(code: string, moves: Counts = new Map(), ofCountry: Counts = new Map()): string {
  const all = [...moves.values()].reduce((sum, places) => sum + places, 0);
  if (all < minPlaces) return (ofCountry.get('true') ?? 0) >= (ofCountry.get('false') ?? 0) ? code : '';
  const [[commonest, most]] = [...moves].sort(([, left], [, right]) => right - left);
  if (commonest === code) return code;
  return most >= minAgreement * all ? commonest : '';
}
