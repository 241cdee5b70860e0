/** Street-level search over the files of a dataset: the engine's candidates, and the judgement of geocoding/address. */
import { searchableAddresses } from '../geocoding/address/address-search.ts';
import type { Gazetteer } from '../geocoding/address/fallbacks.ts';
import { searchablePois } from '../geocoding/address/poi-search.ts';
import { searchableStreets } from '../geocoding/address/street-search.ts';
import type { Addresses, Pois, Streets } from './address-contract.ts';
import { openStreetFiles } from './sqlite/street-level.ts';

export type StreetLevel = { addresses: Addresses; streets: Streets; pois: Pois; close(): void };

/** Opens every street-level file of a directory. Throws with the remedy when one is broken. */
export function openStreetLevel(directory: string, gazetteer: Gazetteer): StreetLevel {
  const { streets, pois, close } = openStreetFiles(directory);
  return {
    addresses: searchableAddresses(streets, gazetteer),
    streets: searchableStreets(streets),
    pois: searchablePois(pois),
    close,
  };
}
