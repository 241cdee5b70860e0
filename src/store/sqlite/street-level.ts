/** The street-level files of a dataset. Data under a share-alike licence is in separate files. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { maxFiles } from '../identifiers.ts';
import type { Part } from '../manifest.ts';
import { boundedPois, boundedStreets, type PoiPart, type StreetPart } from '../street-parts.ts';
import { openPoiFile } from './poi-file.ts';
import { openStreetFile } from './street-file.ts';
import { CommonWords } from './vocabulary.ts';

/** The properties of a part that are needed to open it. */
export type OpenedPart = Pick<Part, 'name' | 'number' | 'bounds'>;

type Closable = { close(): void };

/** The single part of a dataset without parts. */
const whole: readonly OpenedPart[] = [{ name: '', number: 0 }];

/**
 * Opens every existing file of these parts, in the order of their numbers; a part may lack those of a licence group.
 * Throws with the remedy when one is broken.
 */
export function openStreetFiles(
  directory: string,
  parts = whole,
): { streets: (StreetPart & Closable)[]; pois: (PoiPart & Closable)[]; close(): void } {
  const files = parts.flatMap(({ name, number, bounds }) =>
    licenceGroups.map((group) => ({ name, group, bounds, number: fileNumber(number, group) })),
  );
  files.sort((a, b) => a.number - b.number);
  const open = <T>(
    nameOf: typeof streetFileName,
    openOne: (path: string, number: number, bounds: Part['bounds']) => T,
  ): T[] =>
    files.flatMap(({ name, group, number, bounds }) => {
      const path = join(directory, nameOf(group, name));
      return existsSync(path) ? [openOne(path, number, bounds)] : [];
    });
  const common = new CommonWords();
  const streets = open(streetFileName, (path, number, bounds) =>
    boundedStreets(openStreetFile(path, number, common), bounds),
  );
  const pois = open(poiFileName, (path, number, bounds) => boundedPois(openPoiFile(path, number), bounds));
  return {
    streets,
    pois,
    close() {
      for (const file of [...streets, ...pois]) file.close();
    },
  };
}

// The files of street-level data: of each part those under an open licence and those under a share-alike licence.

/** Licence groups: `open` asks for attribution at most, `odbl` is the Open Database License with its share-alike duty. */
export const licenceGroups = ['open', 'odbl'] as const;
export type LicenceGroup = (typeof licenceGroups)[number];

/** Maximum number of parts of a dataset. */
export const maxParts = maxFiles / licenceGroups.length;

/** Number of a part's file of one licence group in identifiers. */
export const fileNumber = (part: number, group: LicenceGroup) =>
  part * licenceGroups.length + licenceGroups.indexOf(group);

const suffix = (part: string) => (part === '' ? '' : `-${part}`);
/** Names of the files of a part and licence group. */
export const streetFileName = (group: LicenceGroup, part = '') => `streets-${group}${suffix(part)}.sqlite`;
export const poiFileName = (group: LicenceGroup, part = '') => `pois-${group}${suffix(part)}.sqlite`;
/** Name of the OpenStreetMap extract that is kept of a part, so that its publisher's changes can be applied to it. */
export const extractName = (part: string) => `extract${suffix(part)}.osm.pbf`;
