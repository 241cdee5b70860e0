/** Detects what kind of source a file is, by its name, the names inside a zip, and its first line. */
import { basename } from 'node:path';
import { UsageError } from '../errors.ts';
import { isLandmarksHeader } from './landmarks.ts';
import { textLines, zipMembers } from './open-bytes.ts';
import { isOtherLayer } from './openaddresses.ts';
import { kindOf, type SourceKind, sourceKinds } from './source-kinds.ts';

function kindOfName(path: string): SourceKind | undefined {
  if (isOtherLayer(path)) return undefined;
  const name = basename(path);
  const ofNames = (which: 'names' | 'otherNames') => sourceKinds.find((kind) => kindOf(kind)[which]?.test(name));
  return ofNames('names') ?? ofNames('otherNames');
}

/**
 * Kind of a source file. Throws UsageError when neither name nor content determines it, SourceError when it is broken.
 */
export async function detectSource(path: string): Promise<SourceKind> {
  const byItsName = kindOfName(path);
  // A table of landmarks has no name of its own; its header tells it from other files with commas.
  if (byItsName === 'openaddresses' && /\.csv$/i.test(path)) {
    // One that cannot be read is reported where it is read.
    const header = await firstLine(path, () => true).catch(() => undefined);
    if (header !== undefined && isLandmarksHeader(header)) return 'landmarks';
  }
  if (byItsName) return byItsName;
  const members = await zipMembers(path);
  const ofMember = members?.map(kindOfName).find((kind) => kind !== undefined);
  if (ofMember) return ofMember;
  // GeoNames' country and world files share their names (US.txt, allCountries.zip); their columns distinguish them.
  const isText = (name: string) => /\.txt$/i.test(name) && !/^readme/i.test(basename(name));
  if (isText(path) || members?.some(isText)) {
    const columns = (await firstLine(path, isText))?.split('\t').length;
    if (columns === 12) return 'geonames-postal';
    if (columns === 19) return 'geonames-places';
  }
  throw new UsageError(
    `the kind of the source ${path} cannot be detected${members ? `, a zip of ${shown(members)}` : ''}; pass it as ` +
      `kind=${path}, where kind is one of ${sourceKinds.join(', ')}`,
  );
}

const shown = (names: readonly string[]) =>
  names.length === 0 ? 'nothing' : names.slice(0, 3).join(', ') + (names.length > 3 ? ' …' : '');

async function firstLine(path: string, isWanted: (name: string) => boolean): Promise<string | undefined> {
  for await (const lines of textLines(path, { isWanted })) if (lines.length > 0) return lines[0];
  return undefined;
}
