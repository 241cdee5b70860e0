/** Resolves the arguments of `--source` (files, folders, patterns, URLs) to files of known kinds. */
import { glob, realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { SourceError } from '../core/source-records.ts';
import { Failure, UsageError } from '../errors.ts';
import { isLandmarksHeader } from '../sources/landmarks.ts';
import { textLines, zipMembers } from '../sources/open-bytes.ts';
import { isOtherLayer } from '../sources/openaddresses.ts';
import { kindOf, type SourceKind, sourceKinds } from '../sources/source-kinds.ts';
import { type LayerName, streetLayerNames } from '../store/manifest.ts';
import type { UserFiles } from './layer.ts';

/** Receives what is left out, and why. */
export type Ignored = (path: string, why: string) => void;

/** The layers that are built from files of a kind: its readers say so; those of tables have none. */
export function layersOfKind(kind: SourceKind): readonly LayerName[] {
  const { streets, areas } = kindOf(kind);
  if (!streets && !areas) return [kind === 'mmdb' ? 'ip' : kind === 'geonames-postal' ? 'postal' : 'world'];
  return [...(streets ? streetLayerNames : []), ...(areas ? (['boundaries'] as const) : [])];
}

/**
 * The files of each kind that the sources name, each file once. A source is a file, a folder (every file in it and
 * below whose kind is recognised) or a pattern, each with or without `kind=` before it. `ignored` receives what is left
 * out of a folder, and why. Throws UsageError for a source that does not exist or has no known kind.
 */
export async function findUserFiles(sources: readonly string[], ignored: Ignored = () => {}): Promise<UserFiles> {
  const userFiles: UserFiles = {};
  const seen = new Set<string>();
  for (const source of sources) {
    const { kind: namedKind, path } = withKind(source);
    const found = await filesOf(path, ignored);
    let known = 0;
    for (const file of found.files) {
      const kind = namedKind ?? (await detectSource(file).catch((error) => ignoreUndetected(error, found.isFolder)));
      if (kind === undefined) {
        ignored(file, 'its kind is not recognised');
        continue;
      }
      known++;
      const real = `${kind}=${await realpath(file)}`;
      if (!seen.has(real)) (userFiles[kind] ??= []).push(file);
      seen.add(real);
    }
    if (known === 0) {
      throw new UsageError(
        `${path} has no file of a recognised kind; pass the files as kind=file with one of the kinds ${kinds}`,
      );
    }
  }
  return userFiles;
}

const kinds = sourceKinds.join(', ');

/** A file of unknown kind in a folder is ignored; any other failure is reported to the user. */
function ignoreUndetected(error: unknown, isInFolder: boolean): undefined {
  if (error instanceof SourceError) throw new Failure(error.message);
  if (!(isInFolder && error instanceof UsageError)) throw error;
}

/** A source as it is written, `kind=path` or `path`. Throws UsageError for another kind than ours. */
export function withKind(source: string): { kind: SourceKind | undefined; path: string } {
  const [, prefix, path] = /^(?:([a-z0-9-]+)=)?(.*)$/s.exec(source)!;
  if (prefix === undefined) return { kind: undefined, path };
  const kind = sourceKinds.find((name) => name === prefix);
  if (!kind) throw new UsageError(`"${prefix}" is not a kind of source; expected one of ${kinds}`);
  return { kind, path };
}

async function filesOf(path: string, ignored: Ignored): Promise<{ files: string[]; isFolder: boolean }> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile()) return { files: [path], isFolder: false };
  if (found?.isDirectory()) return { files: await filesBelow(path, ignored), isFolder: true };
  if (/[*?{[]/.test(path)) {
    const matching = await Array.fromAsync(glob(path));
    const files: string[] = [];
    for (const match of matching.sort()) if ((await stat(match)).isFile()) files.push(match);
    if (files.length > 0) return { files, isFolder: false };
    throw new UsageError(`no file matches ${path}`);
  }
  if (path === '-') {
    throw new UsageError(
      'a source cannot be read from standard input, because it is read several times; write it to a file first',
    );
  }
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(path)) {
    throw new UsageError(
      `${path} cannot be fetched, only http and https addresses can; download it yourself and pass the file`,
    );
  }
  throw new UsageError(
    `there is no file ${path}; a source is a file, a folder, a pattern such as 'data/*.csv', or an http(s) address`,
  );
}

/**
 * Files of a folder and the folders in it, and those that links in it lead to, sorted; hidden ones and notes on licences
 * are not sources. Links to folders are not followed: they may lead round in circles.
 */
async function filesBelow(folder: string, ignored: Ignored): Promise<string[]> {
  const files: string[] = [];
  for await (const entry of glob('**/*', { cwd: folder, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (/^\.|\.meta$|\.part(\.json)?$/.test(entry.name)) continue;
    const target = entry.isSymbolicLink() ? await stat(path).catch(() => undefined) : entry;
    if (target?.isFile()) files.push(path);
    else if (target?.isDirectory() && target !== entry)
      ignored(path, 'it is a link to a folder; name that folder as a source');
    else if (!target?.isDirectory()) ignored(path, 'it is no file');
  }
  if (files.length === 0) throw new UsageError(`${folder} has no files; give the folder that the sources lie in`);
  return files.sort();
}

// Detects what kind of source a file is, by its name, the names inside a zip, and its first line.

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
  if ([path, ...(members ?? [])].some((name) => /\.gml(\.gz)?$/i.test(name))) {
    throw new UsageError(
      `${path} is GML, which no reader takes: Poland's register (PRG) has had another structure since September 2026; ` +
        'OpenAddresses has its addresses as GeoJSON',
    );
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
