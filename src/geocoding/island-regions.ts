/** Islands that are a region: Bali and Crete are one answer, not two. */
import { areaOfRegion, type Gazetteer } from '../store/gazetteer.ts';
import { layerOfKind } from '../store/store.ts';
import { fold } from '../text/fold.ts';

/**
 * The match that a match stands for: an island that has the name of its region stands for the region. A match is a place
 * by its index, or an area by its number plus the number of places.
 */
export function withoutIsland({ facts, nameOf, nameOfArea }: Gazetteer, ref: number): number {
  if (ref >= facts.size || layerOfKind(facts.type(ref)) !== 'island' || facts.admin1(ref) < 0) return ref;
  const region = areaOfRegion(facts.admin1(ref));
  return fold(nameOf(ref)) === fold(nameOfArea(region)) ? facts.size + region : ref;
}
