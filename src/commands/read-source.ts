import { createHash } from 'node:crypto';
import { stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import cliProgress from 'cli-progress';
import type { UserFiles } from '../build/layer.ts';
import type { ReadSource } from '../build/plan.ts';
import type { Source } from '../build/source-list.ts';
import { findUserFiles, type Ignored } from '../build/user-files.ts';
import type { Config } from '../config.ts';
import { download } from '../download/download.ts';
import { readList, under } from '../download/extracts.ts';
import { type RemoteFile, remoteFile } from '../download/remote-file.ts';
import { UsageError } from '../errors.ts';
import { fileHash } from '../store/dataset-files.ts';

type Settings = Pick<Config, 'dataDirectory' | 'openaddressesMirror' | 'openaddressesToken'>;

/** Directory of downloads until the build is done. */
export const downloadsDirectory = (dataDirectory: string) => join(dataDirectory, 'downloads');

export const isAddress = (from: string) => /^https?:\/\//i.test(from);

/**
 * Downloads a source's files where needed, and determines their kind, hash and date. `onIgnored` receives what is
 * left out of a folder. Throws UsageError naming what is unavailable or unreadable.
 */
export async function readSource(
  source: Source,
  settings: Settings,
  onIgnored: Ignored = () => {},
): Promise<ReadSource> {
  const { path, ...facts } = isAddress(source.from) ? await fetchSource(source, settings) : { path: source.from };
  const files = await findUserFiles([source.kind ? `${source.kind}=${path}` : path], onIgnored);
  const paths = Object.values(files).flat().sort();
  const [kind, ...otherKinds] = Object.keys(files) as (keyof UserFiles)[];
  return {
    source: {
      ...source,
      ...(otherKinds.length === 0 && { kind }),
      date: await newest(paths),
      ...facts,
      hash: await hashOf(paths, path),
    },
    files,
  };
}

/** Headers that a publisher requires. */
export function headersFor(url: string, { openaddressesMirror, openaddressesToken }: Settings): Record<string, string> {
  const isClosed = openaddressesToken !== '' && url.startsWith(under(openaddressesMirror, ''));
  return isClosed ? { Authorization: `Bearer ${openaddressesToken}` } : {};
}

/** Downloads the file of an address below the data directory. Returns its path, and what the server says of it. */
export async function fetchSource(
  { from, file, note }: Source,
  settings: Settings,
): Promise<{ path: string; etag?: string; date?: string }> {
  if (!URL.canParse(from)) throw new UsageError(`${from} is not a complete address; expected https://host/path/file`);
  const fileName = file ?? fileNameOf(new URL(from));
  if (!/[\p{L}\p{N}]/u.test(fileName))
    throw new UsageError(`${from} does not end in a file name; download it yourself and pass the file`);
  const headers = headersFor(from, settings);
  const remote = await remoteFile(from, headers);
  const { etag, lastModified }: RemoteFile = typeof remote === 'string' ? {} : remote;
  // Publishers use one name for different files, and an interrupted download may be of an older edition.
  const edition = createHash('sha256')
    .update(`${from} ${etag ?? lastModified}`)
    .digest('hex')
    .slice(0, 12);
  const bar = new cliProgress.SingleBar(
    { stream: process.stderr, format: `  ${fileName} [{bar}] {percentage}% {eta_formatted} left`, noTTYOutput: false },
    cliProgress.Presets.shades_classic,
  );
  bar.start(1, 0);
  try {
    const path = await download(from, localPath(join(downloadsDirectory(settings.dataDirectory), edition), fileName), {
      headers,
      progress(bytes, total) {
        bar.setTotal(total ?? bytes);
        bar.update(bytes);
      },
    });
    if (note) await writeFile(`${path.replace(/\.gz$/, '')}.meta`, await readList(note));
    return { path, ...(etag && { etag }), ...(lastModified && { date: lastModified }) };
  } finally {
    bar.stop();
  }
}

/** The last part of an address, with what file systems may not have in names replaced. */
function fileNameOf({ pathname }: URL): string {
  const last = pathname.split('/').at(-1) ?? '';
  try {
    return safeName(decodeURIComponent(last));
  } catch {
    // Percent signs that encode nothing are part of the name.
    return safeName(last);
  }
}

async function newest(paths: readonly string[]): Promise<string> {
  const times = await Promise.all(paths.map(async (path) => (await stat(path)).mtimeMs));
  return new Date(Math.floor(Math.max(...times))).toISOString();
}

/** `sha256:` of a file, or of the list of several files' hashes and names below their folder. */
async function hashOf(paths: readonly string[], folder: string): Promise<string> {
  const hashes: string[] = [];
  for (const path of paths) {
    hashes.push(await fileHash(path));
  }
  if (hashes.length === 1) return `sha256:${hashes[0]}`;
  const list = paths.map((path, at) => `${hashes[at]}  ${relative(folder, path)}\n`).join('');
  return `sha256:${createHash('sha256').update(list).digest('hex')}`;
}

/** Of the 255 bytes of most file systems; the rest is for endings such as `.part.json`. */
const maxNameBytes = 240;

/** A name with what file systems may not have in names replaced. */
const safeName = (name: string): string => name.replace(/[^\p{L}\p{N}._-]/gu, '_');

/**
 * The path below a directory for a file that a publisher names, folders separated by `/`. Throws UsageError for a name
 * that leads elsewhere (`li/../../x`), begins at the root, has an empty part or one that is too long: what comes from
 * the network decides nothing outside the directory.
 */
export function localPath(directory: string, name: string): string {
  const parts = name.split('/');
  if (parts.some((part) => /^\.*$/.test(part))) {
    throw new UsageError(
      `${JSON.stringify(name)} is not a valid name for a download: it leads out of its folder; check the mirror's address in the configuration`,
    );
  }
  const long = parts.find((part) => Buffer.byteLength(part) > maxNameBytes);
  if (long !== undefined) {
    throw new UsageError(
      `${JSON.stringify(long.slice(0, 40))}… is not a valid name for a download: it has ${Buffer.byteLength(long)} bytes, expected at most ${maxNameBytes}; check the mirror's address in the configuration`,
    );
  }
  return join(directory, ...parts.map(safeName));
}
