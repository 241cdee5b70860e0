/** Street-level data in an OpenSearch cluster: which index is served, and what it holds. */

import { RecentCache } from '../../../src/core/recent-cache.ts';
import { DatasetError } from '../../../src/store/manifest.ts';
import { StreetsUnavailable } from '../../../src/store/store.ts';
import type { StreetEngine } from '../../../src/store/street-engine.ts';
import { boundedPois, boundedStreets } from '../../../src/store/street-parts.ts';
import { type Connection, type ConnectionLimits, connect } from './connection.ts';
import { type IndexFacts, indexSchema } from './documents.ts';
import { IndexLookUps, type SearchedIndex } from './look-ups.ts';
import { poiDocuments } from './poi-part.ts';
import { Refused } from './request.ts';
import { streetDocuments } from './street-part.ts';

/** Interval at which the alias is checked, and so the delay until a newly published version is served. */
const refreshMs = 2000;
const areasInMemory = 50_000;

/**
 * Opens the cluster at an address. While it is unavailable, searches throw `StreetsUnavailable`. `onChange` is called when the
 * check which index is served fails, and when it succeeds again.
 */
export async function openSearchEngine(
  address: string,
  { onChange = () => {}, ...limits }: ConnectionLimits = {},
): Promise<StreetEngine> {
  const connection = await connect(address, limits);
  const { endpoint } = connection;
  let state: IndexState | undefined;
  /** Why the last check found nothing to search. */
  let trouble: string | undefined;
  let pendingRefresh: Promise<void> | undefined;

  async function refresh(): Promise<void> {
    try {
      const found = await servedIndex(connection);
      if (!found) {
        state = undefined;
        throw new StreetsUnavailable(nothingPublished, 2);
      }
      if (trouble !== undefined) onChange({ state: 'back', endpoint });
      trouble = undefined;
      if (!isSame(state, found)) state = indexState(connection, found, { lost: onIndexGone, before: state });
    } catch (error) {
      const reason = error instanceof StreetsUnavailable ? error.reason : (error as Error).message;
      onChange({ state: trouble === undefined ? 'away' : 'still away', endpoint, reason });
      trouble = reason;
    }
  }
  /** One check at a time. */
  const refreshOnce = () => (pendingRefresh ??= refresh().finally(() => (pendingRefresh = undefined)));

  async function onIndexGone(gone: SearchedIndex): Promise<void> {
    if (state === gone) await refreshOnce();
    if (state === gone) throw new StreetsUnavailable('the index no longer exists', Math.ceil(refreshMs / 1000));
  }

  await refreshOnce();
  const timer = setInterval(refreshOnce, refreshMs);
  timer.unref();

  return {
    get facts() {
      return state?.facts;
    },
    get isUnavailable() {
      return trouble !== undefined || !connection.isUp;
    },
    get isRefusing() {
      return connection.isRefusing;
    },
    parts() {
      if (state) return state;
      // Clients are not told the addresses that other reasons name.
      throw new StreetsUnavailable(trouble === nothingPublished ? trouble : 'the search cluster does not answer', 2);
    },
    refresh: refreshOnce,
    async close() {
      clearInterval(timer);
      await connection.close();
    },
  };
}

const nothingPublished = 'nothing is published there';

const isSame = (state: IndexState | undefined, { index, facts }: { index: string; facts: IndexFacts }) =>
  state?.index === index && state.facts.changes === facts.changes;

/** The index that the alias names, with its facts; undefined where nothing is published. */
export async function servedIndex(connection: Connection): Promise<{ index: string; facts: IndexFacts } | undefined> {
  type Mappings = Record<string, { mappings: { _meta?: IndexFacts } }>;
  let mappings: Mappings;
  try {
    // As the asked node knows it: the one that manages the cluster may be out of reach.
    mappings = await connection.read<Mappings>({ method: 'GET', path: `/${connection.name}/_mapping?local=true` });
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return undefined;
    throw error;
  }
  const [[index, { mappings: { _meta: facts } = {} }]] = Object.entries(mappings);
  if (facts?.schema !== indexSchema) {
    throw new DatasetError(
      `the index ${index} has schema ${facts?.schema}, but this program reads ${indexSchema}; publish the dataset again`,
    );
  }
  return { index, facts };
}

type IndexState = ReturnType<typeof indexState>;

/**
 * A snapshot of an index: its name, its metadata, and its parts. `lost` is called when the index no longer exists; `before` is
 * the previous state.
 */
function indexState(
  connection: Connection,
  { index, facts }: { index: string; facts: IndexFacts },
  { lost, before }: { lost: (gone: SearchedIndex) => Promise<void>; before: SearchedIndex | undefined },
) {
  /** The look-ups of a search that has not been repeated yet. */
  let first: IndexLookUps | undefined;
  const searched: SearchedIndex = {
    connection,
    index,
    areas: before?.index === index ? before.areas : new RecentCache(areasInMemory / 2),
    current: undefined,
    onGone: () => lost(searched),
    lookUps: () => searched.current ?? (first ??= new IndexLookUps(searched)),
    settle() {
      const lookUps = searched.current ?? first;
      first = undefined;
      lookUps?.settle();
    },
  };
  const streets = facts.parts.filter((part) => part.streets !== undefined);
  const pois = facts.parts.filter((part) => part.pois !== undefined);
  return Object.assign(searched, {
    facts,
    streets: streets.map((part) => boundedStreets(streetDocuments(searched, part), part.bounds)),
    pois: pois.map((part) => boundedPois(poiDocuments(searched, part), part.bounds)),
  });
}
