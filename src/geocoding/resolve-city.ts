import { type Gazetteer, isCountryArea } from '../store/gazetteer.ts';
import type { CityNames, Places } from '../store/store.ts';
import { fold } from '../text/fold.ts';
import { tokensOf } from '../text/query-text.ts';
import { areasCalled, traitsOfArea } from './area-traits.ts';
import { placesOnly } from './layers.ts';
import { isSpent } from './search-limits.ts';
import { PlaceSearch } from './search-places.ts';
import weights from './weights.json' with { type: 'json' };

/** Of a cost that rounds to what names a place. */
const options = { layers: placesOnly, isFuzzy: false, limit: 1, maxCost: 100.5 - weights.named };

/** Makes the look-up of city and country names over a dataset's places. */
export function cityNames({ gazetteer, places }: { gazetteer: Gazetteer; places: Pick<Places, 'get'> }): CityNames {
  const { areaNames } = gazetteer;
  /** The countries of the areas of a kind that have a name. */
  const countriesOf = (name: string, isOfKind: (area: number) => boolean) => {
    const areas = areasCalled(gazetteer, areaNames.exact(fold(name))).whole.filter(isOfKind);
    return [...new Set(areas.map((area) => gazetteer.countryCode(gazetteer.areaFacts(area).country)))];
  };
  return {
    resolve(city, country, budget) {
      const number = country === undefined ? undefined : gazetteer.countryNumber(country);
      if ((country !== undefined && number === undefined) || (budget && isSpent(budget))) return undefined;
      // So many words name no city with what it lies in, and cost as much as a text may.
      if (tokensOf(city).omittedLetters > 0) return undefined;
      const [hit] = new PlaceSearch(gazetteer, city, { ...options, country: number, budget }).found.best(1);
      return hit && places.get(hit.ref);
    },
    countriesNamed: (name) => countriesOf(name, isCountryArea),
    regionsNamed: (name) => countriesOf(name, (area) => traitsOfArea(gazetteer, area).layer === 'region'),
  };
}
