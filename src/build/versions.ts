/** The dataset versions of a data directory: which is current, which served before, and which may go. */
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../errors.ts';
import { replaceDurably } from '../store/durable.ts';
import { checkFiles, currentVersion, type Manifest, readManifest } from '../store/manifest.ts';
import { withBuildLock, withListLock } from './locks.ts';
import { readSources, restoreSources, type Source } from './source-list.ts';

/** The entry of a version in `history.json`. A version without an entry was current and is trusted. */
type Past = {
  /** When it last became current, ISO 8601; null while it never was. */
  currentAt: string | null;
  /** Why it is not trusted: it was rolled back from, or a build's guards refused it. */
  distrusted?: 'rolled back from' | 'refused';
};
type History = Record<string, Past>;

/** A version, as `whereabouts versions` shows it. */
export type Version = Past & { version: string; isCurrent: boolean };

const historyPath = (dataDirectory: string) => join(dataDirectory, 'history.json');

/**
 * Lists the sources of a version again, with those added to its list since, and points `current` at it, durably and at once. Whoever makes a version current
 * trusts it from then on. The list comes first: an update after a kill between the two reads what the version has once more,
 * and otherwise would take it away.
 */
export async function makeCurrent(
  dataDirectory: string,
  version: string,
  added: readonly Source[] = [],
): Promise<void> {
  await restoreSources(dataDirectory, version, added);
  await replaceDurably(join(dataDirectory, 'current'), `${version}\n`);
  await recordPast(dataDirectory, version, { currentAt: new Date().toISOString() });
}

/**
 * Records that a version was built but refused by the guards. Earlier ones that were refused are deleted: an update that
 * is repeated would otherwise fill the disk.
 */
export async function refuse(dataDirectory: string, version: string): Promise<void> {
  const earlier = (await datasetVersions(dataDirectory)).filter((other) => other.distrusted === 'refused');
  for (const other of earlier) {
    if (other.version !== version && !other.isCurrent)
      await rm(join(dataDirectory, other.version), { recursive: true, force: true });
  }
  await recordPast(dataDirectory, version, { currentAt: null, distrusted: 'refused' });
}

/** The current dataset's manifest; undefined where there is none, or one of another schema. */
export function currentManifest(dataDirectory: string): Manifest | undefined {
  const version = currentVersion(dataDirectory);
  if (version === undefined) return undefined;
  try {
    return readManifest(join(dataDirectory, version));
  } catch {
    return undefined;
  }
}

/** Versions in a data directory, oldest first. */
export async function datasetVersions(dataDirectory: string): Promise<Version[]> {
  const current = currentVersion(dataDirectory);
  const history = await readHistory(dataDirectory);
  const names = (await readdir(dataDirectory)).filter((name) => /^\d{8}T\d{6}Z$/.test(name)).sort();
  return names.map((version) => ({
    version,
    isCurrent: version === current,
    ...(history[version] ?? { currentAt: builtAt(version) }),
  }));
}

/**
 * Makes another version current: the named one, else the trusted one that served last. A newer version that was current
 * is recorded as rolled back from. Throws UsageError when there is no such version, and while a build runs, which would
 * undo it; DatasetError when the version cannot be read.
 */
export function rollBack(dataDirectory: string, wanted?: string): Promise<{ from: string; to: string }> {
  return withBuildLock(dataDirectory, () => withListLock(dataDirectory, () => rollBackLocked(dataDirectory, wanted)));
}

async function rollBackLocked(dataDirectory: string, wanted?: string): Promise<{ from: string; to: string }> {
  const versions = await datasetVersions(dataDirectory);
  const from = versions.find(({ isCurrent }) => isCurrent);
  if (!from)
    throw new UsageError(`there is no current dataset in ${dataDirectory}; build one with "whereabouts build"`);
  const others = versions.filter(({ isCurrent }) => !isCurrent);
  const to =
    wanted === undefined
      ? others.filter(isTrusted).sort(byLastService).at(-1)
      : others.find(({ version }) => version === wanted);
  if (!to) {
    const kept = others.map(({ version }) => version).join(', ');
    const existing = `the directory has ${from.version} (current)${kept === '' ? ' only' : `, ${kept}`}`;
    if (wanted === from.version) throw new UsageError(`${wanted} is the current dataset already; ${existing}`);
    throw new UsageError(
      wanted === undefined
        ? `no other dataset in ${dataDirectory} has been served before; ${existing}`
        : `there is no dataset ${wanted} to return to in ${dataDirectory}; ${existing}`,
    );
  }
  const directory = join(dataDirectory, to.version);
  checkFiles(directory, readManifest(directory));
  // What was listed since and waits for the next update stays listed.
  const listed = await readSources(dataDirectory).catch((): Source[] => []);
  const built = await readSources(join(dataDirectory, from.version)).catch(() => listed);
  const added = listed.filter((one) => !built.some((other) => other.name === one.name && other.from === one.from));
  await makeCurrent(dataDirectory, to.version, added);
  if (to.version < from.version) {
    await recordPast(dataDirectory, from.version, { currentAt: from.currentAt, distrusted: 'rolled back from' });
  }
  return { from: from.version, to: to.version };
}

/** Sources as versions have them that were rolled back from: the version by the source's name and hash. */
export async function rolledBackSources(dataDirectory: string): Promise<Map<string, string>> {
  const versions = (await datasetVersions(dataDirectory)).filter(({ distrusted }) => distrusted === 'rolled back from');
  const lists = versions.map(async ({ version }) => {
    const sources = await readSources(join(dataDirectory, version)).catch((): Source[] => []);
    return sources.map(({ name, hash }) => [`${name} ${hash}`, version] as const);
  });
  return new Map((await Promise.all(lists)).flat());
}

/**
 * Deletes versions until `keep` are left, the current one among them: first those that are not trusted, then those that
 * served longest ago.
 */
export function prune(dataDirectory: string, keep: number): Promise<void> {
  // None is made current meanwhile.
  return withListLock(dataDirectory, async () => {
    const versions = await datasetVersions(dataDirectory);
    const others = versions.filter(({ isCurrent }) => !isCurrent);
    others.sort((a, b) => Number(isTrusted(a)) - Number(isTrusted(b)) || byLastService(a, b));
    for (const { version } of others.slice(0, Math.max(0, versions.length - keep)))
      await rm(join(dataDirectory, version), { recursive: true, force: true });
  });
}

/** A name for a version that is built now: its second, or the first one after every other version's. */
export async function newVersion(dataDirectory: string, now: Date): Promise<string> {
  const last = (await datasetVersions(dataDirectory)).at(-1);
  const next = last ? Date.parse(builtAt(last.version)) + 1000 : 0;
  return new Date(Math.max(now.getTime(), next)).toISOString().replace(/[-:]|\.\d+/g, '');
}

const isTrusted = ({ distrusted }: Past) => distrusted === undefined;
const byLastService = (a: Version, b: Version) =>
  (a.currentAt ?? '').localeCompare(b.currentAt ?? '') || a.version.localeCompare(b.version);

/** A version's name as a date, ISO 8601. */
const builtAt = (version: string) =>
  version.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6.000Z');

async function recordPast(dataDirectory: string, version: string, past: Past): Promise<void> {
  const history = await readHistory(dataDirectory);
  const existing = new Set([...(await readdir(dataDirectory)), version]);
  const kept = Object.entries({ ...history, [version]: past }).filter(([name]) => existing.has(name));
  await replaceDurably(historyPath(dataDirectory), `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
}

async function readHistory(dataDirectory: string): Promise<History> {
  try {
    return JSON.parse(await readFile(historyPath(dataDirectory), 'utf8'));
  } catch {
    // Without a readable history every version is trusted.
    return {};
  }
}
