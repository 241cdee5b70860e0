/** Opens the street-level files of a dataset. Data under a share-alike licence is in files of its own. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Addresses, Pois, Streets } from '../address-contract.ts';
import type { Gazetteer } from './address-fallbacks.ts';
import { openAddresses } from './addresses.ts';
import { openPois, PoiFile } from './pois.ts';
import { StreetFile } from './street-file.ts';
import { openStreets } from './streets.ts';

/** Licence groups: `open` asks for attribution at most, `odbl` is the Open Database License with its share-alike duty. */
export const licenceGroups = ['open', 'odbl'] as const;
export type LicenceGroup = (typeof licenceGroups)[number];

export const streetFileName = (group: LicenceGroup) => `streets-${group}.sqlite`;
export const poiFileName = (group: LicenceGroup) => `pois-${group}.sqlite`;

export type StreetLevel = { addresses: Addresses; streets: Streets; pois: Pois; close(): void };

/** Opens every file that is there. Throws with the remedy when one is broken. */
export function openStreetLevel(directory: string, places: Gazetteer): StreetLevel {
  const present = (names: string[]) => names.map((name) => join(directory, name)).filter((path) => existsSync(path));
  const streetFiles = present(licenceGroups.map(streetFileName)).map((path) => new StreetFile(path));
  const poiFiles = present(licenceGroups.map(poiFileName)).map((path) => new PoiFile(path));
  return {
    addresses: openAddresses(streetFiles, places),
    streets: openStreets(streetFiles),
    pois: openPois(poiFiles),
    close() {
      for (const file of [...streetFiles, ...poiFiles]) file.close();
    },
  };
}
