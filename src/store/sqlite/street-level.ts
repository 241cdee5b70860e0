/** The street-level files of a dataset. Data under a share-alike licence is in files of its own. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PoiFile } from './poi-file.ts';
import { StreetFile } from './street-file.ts';

/** Licence groups: `open` asks for attribution at most, `odbl` is the Open Database License with its share-alike duty. */
export const licenceGroups = ['open', 'odbl'] as const;
export type LicenceGroup = (typeof licenceGroups)[number];

export const streetFileName = (group: LicenceGroup) => `streets-${group}.sqlite`;
export const poiFileName = (group: LicenceGroup) => `pois-${group}.sqlite`;

/** Opens every file that is there. Throws with the remedy when one is broken. */
export function openStreetFiles(directory: string): { streets: StreetFile[]; pois: PoiFile[]; close(): void } {
  const present = (names: string[]) => names.map((name) => join(directory, name)).filter((path) => existsSync(path));
  const streets = present(licenceGroups.map(streetFileName)).map((path) => new StreetFile(path));
  const pois = present(licenceGroups.map(poiFileName)).map((path) => new PoiFile(path));
  return {
    streets,
    pois,
    close() {
      for (const file of [...streets, ...pois]) file.close();
    },
  };
}
