import { type Gazetteer, isCountryArea, regionOfArea } from '../store/gazetteer.ts';
import { fold } from '../text/fold.ts';
import { Located } from './located.ts';
import { type AreaLayer, areaProminence } from './score.ts';

/** The properties by which countries and regions are scored. */
export type AreaTraits = {
  layer: AreaLayer;
  prominence: number;
  /** The highest prominence of an area with this population, whatever its layer. */
  maxProminence: number;
  /** Folded main name. */
  name: string;
  /** As context sees it: it lies in itself. */
  located: Located;
};

const layers: readonly AreaLayer[] = ['country', 'region', 'subregion'];
const traits = new WeakMap<Gazetteer, (AreaTraits | undefined)[]>();

/**
 * The traits of an area, computed on first use and cached: a prefix of two letters has thirty areas to score, which
 * took a fifth of the time of its suggestions.
 */
export function traitsOfArea(gazetteer: Gazetteer, area: number): AreaTraits {
  let known = traits.get(gazetteer);
  if (known === undefined) traits.set(gazetteer, (known = new Array(gazetteer.areaCount)));
  return (known[area] ??= readTraits(gazetteer, area));
}

function readTraits(gazetteer: Gazetteer, area: number): AreaTraits {
  const { areaFacts, nameOfArea, facts } = gazetteer;
  const { country, admin1, admin2, population } = areaFacts(area);
  const located = new Located();
  located.setArea(facts, country, admin1, admin2);
  const layer = isCountryArea(area) ? 'country' : admin2 < 0 ? 'region' : 'subregion';
  const name = fold(nameOfArea(area));
  const isOwn = layer === 'subregion' && !hasTownOfName(gazetteer, area, name, country);
  return {
    layer,
    prominence: areaProminence(isOwn ? 'ownSubregion' : layer, population),
    maxProminence: Math.max(...layers.map((each) => areaProminence(each, population))),
    name,
    located,
  };
}

/**
 * Whether a town in a second-level region has its name. Most such regions are called by their seat; of others, the name means
 * the region: Cornwall, Kent, Devon.
 */
function hasTownOfName({ visitPlaces, placeNames, facts }: Gazetteer, area: number, name: string, country: number) {
  let hasTown = false;
  visitPlaces(placeNames.exact(name), country, (index) => {
    hasTown = facts.admin2(index) === regionOfArea(area);
    return !hasTown;
  });
  return hasTown;
}
