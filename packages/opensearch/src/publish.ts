/** Fills an index with the street-level data of a dataset, and points the alias at it once it is complete. */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { UsageError } from '../../../src/errors.ts';
import type { StreetPublishing } from '../../../src/store/street-engine.ts';
import type { Connection } from './connection.ts';
import { type IndexFacts, indexMapping, indexSettings } from './documents.ts';
import { servedIndex } from './engine.ts';
import { Refused } from './request.ts';
import { type ExportedPart, writeDocuments } from './write-documents.ts';

const pollMs = 500;
/** A publication that began longer ago and is incomplete was killed. */
const abandonedMs = 86_400_000;

const indexOf = ({ name }: Connection, version: string): string => `${name}-${version.toLowerCase()}`;

/** Publishes a version. An incomplete index of an earlier run is rebuilt. Throws when the version is already served. */
export async function publishStreets(
  connection: Connection,
  facts: IndexFacts,
  parts: readonly ExportedPart[],
  { shards, replicas, keepVersions, progress = () => {} }: StreetPublishing,
): Promise<{ documents: number; bytes: number }> {
  const index = indexOf(connection, facts.version);
  if ((await servedIndex(connection))?.index === index)
    throw new UsageError(`${facts.version} is already published in this cluster`);
  await connection.write({ method: 'DELETE', path: `/${index}?ignore_unavailable=true` });
  // An alias of this very index: one of its name that another publication makes anew lacks it, and refuses what is sent there.
  const own = `${index}.${randomUUID()}`;
  const put = (path: string, body: object) => connection.write({ method: 'PUT', path, body });
  const settings = indexSettings({ shards, replicas: 0 });
  await put(`/${index}`, { settings, mappings: indexMapping(facts), aliases: { [own]: {} } });
  try {
    const documents = await writeDocuments(connection, own, parts, (done) => progress('documents', done));
    await merge(connection, own, () => progress('merging', documents));
    await put(`/${own}/_settings`, { index: { number_of_replicas: replicas, refresh_interval: '1s' } });
    await waitForReplicas(connection, own, () => progress('copying', documents));
    const bytes = await sizeOf(connection, own);
    await put(`/${own}/_mapping`, { _meta: { ...facts, isWhole: true } });
    await serve(connection, index, own);
    await removeOld(connection, keepVersions);
    return { documents, bytes };
  } catch (error) {
    const isGone = (reason: unknown) => reason instanceof Refused && reason.status === 404;
    const isOvertaken = await connection.read({ method: 'GET', path: `/_alias/${own}` }).then(() => false, isGone);
    throw isOvertaken
      ? new UsageError(`another publication of ${facts.version} began in this cluster; wait for it, or publish again`)
      : error;
  }
}

/** Merges all segments into one, so that a search scans one list. */
async function merge(connection: Connection, index: string, progress: () => void): Promise<void> {
  await connection.write({ method: 'POST', path: `/${index}/_refresh` });
  const { task } = await connection.write<{ task: string }>({
    method: 'POST',
    path: `/${index}/_forcemerge?max_num_segments=1&wait_for_completion=false`,
  });
  type Task = { completed: boolean; error?: object };
  await untilDone(connection, `/_tasks/${task}`, progress, ({ completed, error }: Task) => {
    if (error) throw new Error(`the index could not be merged: ${JSON.stringify(error)}`);
    return completed;
  });
  await connection.write({ method: 'POST', path: `/${index}/_flush` });
}

/** Waits until all replicas are allocated, as far as there are nodes for them. */
async function waitForReplicas(connection: Connection, index: string, progress: () => void): Promise<void> {
  type Health = {
    status: string;
    active_shards: number;
    active_primary_shards: number;
    number_of_data_nodes: number;
  };
  // A node has a place for one copy of each shard. An index that is gone has none.
  const isDone = ({ status, active_shards, active_primary_shards, number_of_data_nodes }: Health) =>
    status === 'green' || active_shards === active_primary_shards * number_of_data_nodes;
  await untilDone(connection, `/_cluster/health/${index}?timeout=1s`, progress, isDone);
}

/** Asks again until an answer says that it is done. */
async function untilDone<T>(
  { read }: Connection,
  path: string,
  progress: () => void,
  isDone: (answer: T) => boolean,
): Promise<void> {
  while (!isDone(await read<T>({ method: 'GET', path }))) {
    progress();
    await wait(pollMs);
  }
}

async function sizeOf(connection: Connection, index: string): Promise<number> {
  type Stats = { _all: { primaries: { store: { size_in_bytes: number } } } };
  const stats = await connection.read<Stats>({ method: 'GET', path: `/${index}/_stats/store` });
  return stats._all.primaries.store.size_in_bytes;
}

/** Points the alias at an index alone, atomically, and only while it has the alias `own` where one is passed. */
async function serve({ name, write }: Connection, index: string, own?: string): Promise<void> {
  const actions = [
    // Added again for a request that is repeated.
    ...(own ? [{ remove: { index, alias: own, must_exist: true } }, { add: { index, alias: own } }] : []),
    { remove: { index: `${name}-*`, alias: name } },
    { add: { index, alias: name } },
  ];
  await write({ method: 'POST', path: '/_aliases', body: { actions } });
}

export type PublishedVersion = { version: string; index: string; isServed: boolean };

/** The complete versions of a name, oldest first. */
export async function publishedVersions(connection: Connection): Promise<PublishedVersion[]> {
  return (await indicesOf(connection)).filter(({ isWhole }) => isWhole);
}

/** The indices of a name by their versions: `streets-*` also finds those of `streets-eu`. */
async function indicesOf(connection: Connection) {
  type Settings = { index: { creation_date: string } };
  type Indices = Record<string, { aliases: object; mappings: { _meta?: IndexFacts }; settings: Settings }>;
  const { name } = connection;
  const found = await connection.read<Indices>({ method: 'GET', path: `/${name}-*` });
  return Object.entries(found)
    .flatMap(([index, { aliases, mappings, settings }]) => {
      const { version, isWhole = false } = mappings._meta ?? {};
      if (version === undefined || index !== indexOf(connection, version)) return [];
      return [{ index, version, isServed: name in aliases, isWhole, createdAt: Number(settings.index.creation_date) }];
    })
    .sort((one, other) => (one.version < other.version ? -1 : 1));
}

/** Serves a version that was published before. */
export async function servePublished(connection: Connection, version: string): Promise<void> {
  const versions = await publishedVersions(connection);
  const found = versions.find((one) => one.version === version);
  if (!found) {
    const names = versions.map((one) => one.version).join(', ') || 'none';
    throw new UsageError(`${version} is not published in this cluster; it has ${names}`);
  }
  if (!found.isServed) await serve(connection, found.index);
}

/** Deletes the oldest versions, never the one that is served, and what killed publications left. */
async function removeOld(connection: Connection, keepVersions: number): Promise<void> {
  const indices = await indicesOf(connection);
  const versions = indices.filter(({ isWhole }) => isWhole);
  const old = versions.filter(({ isServed }) => !isServed).slice(0, Math.max(0, versions.length - keepVersions));
  const left = indices.filter(({ isWhole, createdAt }) => !isWhole && Date.now() - createdAt > abandonedMs);
  for (const { index } of [...old, ...left])
    await connection.write({ method: 'DELETE', path: `/${index}?ignore_unavailable=true` });
}
