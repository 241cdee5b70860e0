import { type Gazetteer, isCountryArea } from '../store/gazetteer.ts';
import { type CityNames, layerOfKind, type Places } from '../store/store.ts';
import { fold } from '../text/fold.ts';
import { tokensOf } from '../text/query-text.ts';
import { traitsOfArea } from './area-traits.ts';
import { placePoints } from './candidates.ts';
import { areasCalled } from './lattice.ts';
import { placesOnly } from './layers.ts';
import { Namesakes } from './namesakes.ts';
import { aliasWorth, explained, nameMatch } from './score.ts';
import { prices } from './search-limits.ts';
import { PlaceSearch } from './search-places.ts';
import weights from './weights.json' with { type: 'json' };

/** Of a cost that rounds to what names a place. */
const options = { layers: placesOnly, isFuzzy: false, limit: 1, maxCost: 100.5 - weights.named };

/** Makes the look-up of city and country names over a dataset's places. */
export function cityNames({ gazetteer, places }: { gazetteer: Gazetteer; places: Pick<Places, 'get'> }): CityNames {
  const { placeNames, areaNames } = gazetteer;
  const namesakes = new Namesakes(gazetteer, false);
  /** The countries of the areas of a kind that have a name. */
  const countriesOf = (name: string, isOfKind: (area: number) => boolean) => {
    const areas = areasCalled(gazetteer, areaNames.exact(fold(name))).whole.filter(isOfKind);
    return [...new Set(areas.map((area) => gazetteer.countryCode(gazetteer.areaFacts(area).country)))];
  };
  return {
    resolve(city, country, budget) {
      const number = country === undefined ? undefined : gazetteer.countryNumber(country);
      if ((country !== undefined && number === undefined) || (budget && budget.left <= 0)) return undefined;
      let best = -1;
      let bestScore = Number.NEGATIVE_INFINITY;
      const name = fold(city);
      gazetteer.visitPlaces(placeNames.exact(name), number, (index, kind) => {
        if (budget) budget.left -= prices.lookUp;
        if (layerOfKind(gazetteer.facts.type(index)) !== 'place') return true;
        const alias = aliasWorth(kind, false);
        const worth = alias < 0 ? alias - namesakes.costOfPlace(name, index) : alias;
        const score = nameMatch(kind) + worth + placePoints(gazetteer.facts, index);
        if (score > bestScore) [best, bestScore] = [index, score];
        return true;
      });
      if (best >= 0) return places.get(best);
      // So many words name no city with what it lies in, and cost as much as a text may.
      if (tokensOf(city).omittedLetters > 0) return undefined;
      const [hit] = new PlaceSearch(gazetteer, city, { ...options, country: number, budget }).best(1);
      return hit && explained(hit.parts) >= weights.named ? places.get(hit.ref) : undefined;
    },
    countriesNamed: (name) => countriesOf(name, isCountryArea),
    regionsNamed: (name) => countriesOf(name, (area) => traitsOfArea(gazetteer, area).layer === 'region'),
  };
}
