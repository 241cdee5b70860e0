import type { Gazetteer } from '../gazetteer.ts';
import type { Countries, Places, Regions } from '../store.ts';
import { openCountries, openRegions } from './countries.ts';
import { openPlaces } from './places.ts';

export type World = { countries: Countries; regions: Regions; places: Places; gazetteer: Gazetteer };

/** Opens the world layer of a dataset. Throws when one of its files is absent or not a pack. */
export function openWorld(directory: string): World {
  const regions = openRegions(directory);
  const countries = openCountries(directory);
  return { countries, regions, ...openPlaces(directory, regions, countries) };
}
