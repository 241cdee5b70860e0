/** Islands that are a region, and continents that are a country: Bali, Crete and Antarctica are one answer, not two. */
import { areaOfCountry, areaOfRegion, type Gazetteer } from '../store/gazetteer.ts';
import { layerOfKind } from '../store/store.ts';
import { fold } from '../text/fold.ts';

/**
 * The match that a match stands for: an island or a continent that has the name of its region or country stands for that. A match
 * is a place by its index, or an area by its number plus the number of places.
 */
export function withoutIsland({ facts, nameOf, nameOfArea }: Gazetteer, ref: number): number {
  if (ref >= facts.size || !isAreaToo.has(layerOfKind(facts.type(ref)))) return ref;
  const name = fold(nameOf(ref));
  const region = facts.admin1(ref) < 0 ? [] : [areaOfRegion(facts.admin1(ref))];
  const same = [...region, areaOfCountry(facts.country(ref))].find((area) => fold(nameOfArea(area)) === name);
  return same === undefined ? ref : facts.size + same;
}

const isAreaToo: ReadonlySet<string> = new Set(['island', 'continent']);
