import { placeKey, type RegionCodes } from '../../../sources/geonames-cities.ts';
import type { GeonamesPlace } from '../../../sources/geonames-places.ts';

type Codes = Pick<GeonamesPlace, 'country' | 'lat' | 'lng' | 'admin1Code' | 'admin2Code'>;

/** Below this share of its places, the commonest new code of an old one is not taken for its successor. */
const enoughAgreement = 0.95;

/**
 * Places with the region codes of a newer table. GeoNames gives codes anew when a country changes its regions, and the
 * same code may then mean another region (Vietnam's 44 was Hanoi and became Quang Tri), so an older table of places must
 * not be read with a newer table of regions. A place that the newer table has takes its codes. Any other keeps its own
 * where most places of its code did; takes the new code that nearly all of them got; and else has none.
 */
export function withNewerCodes<P extends Codes>(places: readonly P[], newer: ReadonlyMap<string, RegionCodes>): P[] {
  const codesOf = ({ country, lat, lng }: Codes) => newer.get(placeKey(country, lat, lng));
  const moves = new Map<string, Map<string, number>>();
  for (const place of places) {
    const codes = codesOf(place);
    if (!codes?.admin1) continue;
    const key = `${place.country}.${place.admin1Code}`;
    const counts = moves.get(key) ?? new Map<string, number>();
    counts.set(codes.admin1, (counts.get(codes.admin1) ?? 0) + 1);
    moves.set(key, counts);
  }
  return places.map((place) => {
    const codes = codesOf(place);
    if (codes?.admin1) {
      const isSame = codes.admin1 === place.admin1Code && codes.admin2 === '';
      return { ...place, admin1Code: codes.admin1, admin2Code: isSame ? place.admin2Code : codes.admin2 };
    }
    const successor = successorOf(place.admin1Code, moves.get(`${place.country}.${place.admin1Code}`));
    return successor === place.admin1Code ? place : { ...place, admin1Code: successor, admin2Code: '' };
  });
}

/** The code that took the place of another; `''` where no single one did. */
function successorOf(code: string, counts: ReadonlyMap<string, number> | undefined): string {
  if (!counts) return code;
  const [[commonest, most]] = [...counts].sort(([, left], [, right]) => right - left);
  if (commonest === code) return code;
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return most >= enoughAgreement * all ? commonest : '';
}
