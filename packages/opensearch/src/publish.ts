/** Fills an index with the street-level data of a dataset, and points the alias at it once it is complete. */
import { setTimeout as wait } from 'node:timers/promises';
import { UsageError } from '../../../src/errors.ts';
import type { StreetPublishing } from '../../../src/store/street-engine.ts';
import type { Connection } from './connection.ts';
import { type IndexFacts, indexMapping, indexSettings } from './documents.ts';
import { servedIndex } from './engine.ts';
import { type ExportedPart, writeDocuments } from './write-documents.ts';

const pollMs = 500;

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
  await connection.write({
    method: 'PUT',
    path: `/${index}`,
    body: { settings: indexSettings({ shards, replicas: 0 }), mappings: indexMapping(facts) },
  });
  const created = await uuidOf(connection, index);
  const documents = await writeDocuments(connection, index, parts, (done) => progress('documents', done));
  await merge(connection, index, () => progress('merging', documents));
  await connection.write({
    method: 'PUT',
    path: `/${index}/_settings`,
    body: { index: { number_of_replicas: replicas, refresh_interval: '1s' } },
  });
  if ((await uuidOf(connection, index)) !== created)
    throw new UsageError(
      `another publication of ${facts.version} began in this cluster; wait for it, or publish again`,
    );
  await connection.write({
    method: 'PUT',
    path: `/${index}/_mapping`,
    body: { _meta: { ...facts, isWhole: true } },
  });
  await waitForReplicas(connection, index, () => progress('copying', documents));
  const bytes = await sizeOf(connection, index);
  await serve(connection, index);
  await removeOld(connection, keepVersions);
  return { documents, bytes };
}

/** What tells an index from another of its name, as one that a publication beside this one made anew. */
async function uuidOf(connection: Connection, index: string): Promise<string> {
  type Settings = Record<string, { settings: { index: { uuid: string } } }>;
  const settings = await connection.read<Settings>({ method: 'GET', path: `/${index}/_settings` });
  return settings[index].settings.index.uuid;
}

/** Merges all segments into one, so that a search scans one list. */
async function merge(connection: Connection, index: string, progress: () => void): Promise<void> {
  await connection.write({ method: 'POST', path: `/${index}/_refresh` });
  const { task } = await connection.write<{ task: string }>({
    method: 'POST',
    path: `/${index}/_forcemerge?max_num_segments=1&wait_for_completion=false`,
  });
  for (;;) {
    const { completed, error } = await connection.read<{ completed: boolean; error?: object }>({
      method: 'GET',
      path: `/_tasks/${task}`,
    });
    if (error) throw new Error(`the index could not be merged: ${JSON.stringify(error)}`);
    if (completed) break;
    progress();
    await wait(pollMs);
  }
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
  for (;;) {
    const path = `/_cluster/health/${index}`;
    const health = await connection.read<Health>({ method: 'GET', path });
    if (health.status === 'green') return;
    // A node has a place for one copy of each shard.
    if (health.active_shards === health.active_primary_shards * health.number_of_data_nodes) return;
    progress();
    await wait(pollMs);
  }
}

async function sizeOf(connection: Connection, index: string): Promise<number> {
  type Stats = { _all: { primaries: { store: { size_in_bytes: number } } } };
  const stats = await connection.read<Stats>({ method: 'GET', path: `/${index}/_stats/store` });
  return stats._all.primaries.store.size_in_bytes;
}

/** Points the alias at an index, atomically. */
async function serve(connection: Connection, index: string): Promise<void> {
  const { name } = connection;
  const served = await servedIndex(connection);
  const actions = [
    ...(served ? [{ remove: { index: served.index, alias: name } }] : []),
    { add: { index, alias: name } },
  ];
  await connection.write({ method: 'POST', path: '/_aliases', body: { actions } });
}

export type PublishedVersion = { version: string; index: string; isServed: boolean };

/** The complete versions of a name, oldest first: `streets-*` also finds the indices of `streets-eu`. */
export async function publishedVersions(connection: Connection): Promise<PublishedVersion[]> {
  type Indices = Record<string, { aliases: object; mappings: { _meta?: IndexFacts } }>;
  const { name } = connection;
  const found = await connection.read<Indices>({ method: 'GET', path: `/${name}-*` });
  return Object.entries(found)
    .flatMap(
      ([
        index,
        {
          aliases,
          mappings: { _meta },
        },
      ]) =>
        _meta?.isWhole && index === indexOf(connection, _meta.version)
          ? [{ index, version: _meta.version, isServed: name in aliases }]
          : [],
    )
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

/** Deletes the oldest versions, never the one that is served. */
async function removeOld(connection: Connection, keepVersions: number): Promise<void> {
  const versions = await publishedVersions(connection);
  const old = versions.filter(({ isServed }) => !isServed).slice(0, Math.max(0, versions.length - keepVersions));
  for (const { index } of old) await connection.write({ method: 'DELETE', path: `/${index}` });
}
