/** The files of street-level data: of each part those under an open licence and those under a share-alike licence. */

import { maxFiles } from '../identifiers.ts';

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
