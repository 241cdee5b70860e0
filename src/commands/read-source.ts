import { createHash } from 'node:crypto';
import { rm, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline/promises';
import cliProgress from 'cli-progress';
import type { UserFiles } from '../build/layer.ts';
import type { ReadSource } from '../build/plan.ts';
import { nameOf, type Source } from '../build/source-list.ts';
import { findUserFiles, type Ignored } from '../build/user-files.ts';
import type { Config } from '../config.ts';
import { countryCode, SourceError } from '../core/source-records.ts';
import { download, type RemoteFile, remoteFile } from '../download/download.ts';
import {
  type Extract,
  findExtracts,
  officialFiles,
  type Publisher,
  publishers,
  readList as readExtracts,
  remoteSize,
  under,
} from '../download/extracts.ts';
import { UsageError } from '../errors.ts';
import { extractStateOf } from '../sources/osm/change-file.ts';
import type { SourceKind } from '../sources/source-kinds.ts';
import { fileHash } from '../store/manifest.ts';

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
  const [kind] = Object.keys(files) as (keyof UserFiles)[];
  // Not of a folder: what is put there later may be of another.
  const isFile = paths.length === 1 && paths[0] === path;
  return {
    source: {
      ...source,
      ...(isFile && { kind }),
      date: (await dateOfExtract(files)) ?? (await newest(paths)),
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
  const { etag, lastModified, bytes: maxBytes }: RemoteFile = typeof remote === 'string' ? {} : remote;
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
    const target = localPath(join(downloadsDirectory(settings.dataDirectory), edition), fileName);
    // It may be of an older edition.
    if (!(etag ?? lastModified)) await rm(target, { force: true });
    const path = await download(from, target, {
      headers,
      // Some state none in place of an unknown size.
      maxBytes: maxBytes || undefined,
      progress(bytes, total) {
        bar.setTotal(total ?? bytes);
        bar.update(bytes);
      },
    });
    if (note) await writeFile(`${path.replace(/\.gz$/, '')}.meta`, await readExtracts(note));
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

/** The date of the data where all are extracts that say it: the time of a copy on this disk is none. */
async function dateOfExtract(files: UserFiles): Promise<string | undefined> {
  const { 'osm-pbf': extracts = [], ...others } = files;
  if (Object.keys(others).length > 0) return undefined;
  return (await extractStates(extracts))
    .map(({ timestamp }) => timestamp)
    .sort()
    .at(-1);
}

/** What extracts say of their states: nothing where one is damaged, which is refused when it is read. */
export function extractStates(paths: readonly string[]): Promise<Awaited<ReturnType<typeof extractStateOf>>[]> {
  return Promise.all(paths.map(extractStateOf)).catch((error) => {
    if (error instanceof SourceError) return [];
    throw error;
  });
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

const megabytes = (bytes: number | undefined) =>
  bytes === undefined ? 'size unknown' : `${(bytes / 1e6).toFixed(1)} MB`;

/** Downloads larger than this need a confirmation. */
const askAboveBytes = 100e6;

type DownloadOptions = {
  isAgreed: boolean;
  /** Which kinds the layers to be built are made of; files of others are not fetched. */
  isRead?: (kind: SourceKind) => boolean;
};

/**
 * What `--region ten` stands for: small countries whose addresses OpenStreetMap has nearly all, in nine extracts of some
 * 140 MB together.
 */
const tenCountries = 'AD,FO,GG,IM,IS,JE,LI,LU,MC,MT';

/**
 * The world's official files of the day as sources of a build. Shows what there is to download and how large; large
 * downloads need a yes, from the terminal or `isAgreed`.
 */
export async function officialSources(config: Config, { isAgreed, isRead }: DownloadOptions): Promise<Source[]> {
  const mirrors = { geonames: config.geonamesMirror, dbip: config.dbipMirror };
  const files = await officialFiles(mirrors, new Date());
  return agreedSources(files, { isAgreed, isRead }, 'the official publishers', 'the world');
}

/**
 * The public extracts of some countries as sources of a build. Shows what there is to download and how large; large
 * downloads need a yes, from the terminal or `isAgreed`.
 */
export async function regionSources(
  config: Config,
  { region, from, isAgreed, isRead }: DownloadOptions & { region: string; from: string },
): Promise<Source[]> {
  const codes = region.trim().toLowerCase() === 'ten' ? tenCountries : region;
  const countries = readList(codes, /^[A-Z]{2}$/i, '--region', 'alpha-2 codes such as LI,MC,AT, or ten').map((code) =>
    code.toUpperCase(),
  );
  const unknown = countries.find((code) => !countryCode(code));
  if (unknown)
    throw new UsageError(
      `--region has ${unknown}, which is no country; expected alpha-2 codes such as LI,MC,AT, or ten`,
    );
  const wanted = readList(from, /^[a-z]+$/, '--from', publishers.join(', ')) as Publisher[];
  for (const name of wanted) {
    if (!publishers.includes(name))
      throw new UsageError(`--from has "${name}", expected one or more of ${publishers.join(', ')}`);
  }
  const extracts = await findExtracts(countries, wanted, {
    geofabrik: config.geofabrikMirror,
    geonames: config.geonamesMirror,
    openaddresses: config.openaddressesMirror,
  });
  const isClosed =
    config.openaddressesToken === '' && extracts.some(({ needsToken, kind }) => needsToken && (isRead?.(kind) ?? true));
  if (isClosed && new URL(config.openaddressesMirror).hostname.endsWith('openaddresses.io')) {
    throw new UsageError(
      'OpenAddresses requires an account for downloads: create a token in your profile at ' +
        'https://batch.openaddresses.io and set openaddressesToken (WHEREABOUTS_OPENADDRESSES_TOKEN), or leave openaddresses out of --from',
    );
  }
  return agreedSources(extracts, { isAgreed, isRead }, wanted.join(', '), countries.join(', '));
}

/** The files of some publishers as sources, once they are shown and agreed to. */
async function agreedSources(
  extracts: readonly Extract[],
  { isAgreed, isRead = () => true }: DownloadOptions,
  from: string,
  region: string,
): Promise<Source[]> {
  const read = extracts.filter(({ kind }) => isRead(kind));
  if (extracts.length > 0 && read.length === 0) {
    throw new UsageError(`${from} have no data for the layers to build; add their --layer, or change --from`);
  }
  const distinct = [...new Map(read.map((extract) => [extract.url, extract])).values()];
  const sizes = await Promise.all(
    distinct.map(async (extract) => ({ ...extract, bytes: extract.bytes ?? (await remoteSize(extract.url)) })),
  );
  // Not every country has postal codes at GeoNames; whatever else is missing is reported when it is fetched.
  const isLeftOut = ({ kind, bytes }: (typeof sizes)[number]) => bytes === 'missing' && kind === 'geonames-postal';
  for (const { country, url } of sizes.filter(isLeftOut)) console.error(`  ${country}  left out: there is no ${url}`);
  const sized = sizes
    .filter((extract) => !isLeftOut(extract))
    .map((extract): Sized => ({ ...extract, bytes: extract.bytes === 'missing' ? undefined : extract.bytes }));
  if (sized.length === 0) throw new UsageError(`${from} have nothing for ${region}`);
  await agree(sized, isAgreed);
  return sized.map(({ url, kind, fileName, note }) => ({
    name: nameOf(fileName.replaceAll('/', '-')),
    kind,
    from: url,
    file: fileName,
    ...(note && { note }),
  }));
}

type Sized = Omit<Extract, 'bytes'> & { bytes: number | undefined };

async function agree(extracts: readonly Sized[], isAgreed: boolean): Promise<void> {
  for (const { country, kind, url, bytes } of extracts)
    console.error(`  ${country}  ${kind.padEnd(24)} ${megabytes(bytes).padStart(12)}  ${url}`);
  const total = extracts.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
  const isLarge = total > askAboveBytes || extracts.some(({ bytes }) => bytes === undefined);
  console.error(`  total ${megabytes(total)}`);
  if (!isLarge || isAgreed) return;
  if (!process.stdin.isTTY) throw new UsageError(`this would download ${megabytes(total)}; confirm with --yes`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question('Download? [y/N] ');
  terminal.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new UsageError('nothing was downloaded');
}

function readList(written: string, pattern: RegExp, option: string, expected: string): string[] {
  const items = written.split(',').map((item) => item.trim());
  for (const item of items) {
    if (!pattern.test(item)) throw new UsageError(`${option} has ${JSON.stringify(item)}, expected ${expected}`);
  }
  return items;
}
