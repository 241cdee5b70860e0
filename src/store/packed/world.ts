import type { Countries, Places, Regions } from '../store.ts';
import { openCountries } from './countries.ts';
import { openPlaces } from './places.ts';
import { openRegions } from './regions.ts';

/** Opens the world layer of a dataset. Throws when one of its files is absent or not a pack. */
export function openWorld(directory: string): { countries: Countries; regions: Regions; places: Places } {
  const regions = openRegions(directory);
  return { countries: openCountries(directory), regions, places: openPlaces(directory, regions) };
}
