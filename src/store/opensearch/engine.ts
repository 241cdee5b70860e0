/** Street-level data in an OpenSearch cluster: which index is served, and what it holds. */
import { DatasetError } from '../dataset-error.ts';
import type { StreetEngine } from '../street-engine.ts';
import { StreetsAway } from '../streets-away.ts';
import { type Connection, type ConnectionLimits, connect } from './connection.ts';
import { type IndexFacts, indexSchema } from './documents.ts';
import { IndexState } from './index-state.ts';
import { Refused } from './request.ts';

/** How often the alias is looked at: so long after a new version was published it is served. */
const lookEveryMs = 2000;

export type EngineOptions = ConnectionLimits & {
  /** Told of what goes wrong while it is looked which index is served. */
  onError?: (error: unknown) => void;
};

/** Opens the cluster at an address. It may be away; then searches throw `StreetsAway` until it is there. */
export async function openSearchEngine(
  address: string,
  { onError = () => {}, ...limits }: EngineOptions = {},
): Promise<StreetEngine> {
  const connection = await connect(address, limits);
  let state: IndexState | undefined;
  let isAway = false;
  let looking: Promise<void> | undefined;

  async function look(): Promise<void> {
    try {
      const found = await servedIndex(connection);
      isAway = false;
      if (found && !isSame(state, found)) state = new IndexState(connection, found, { lost, before: state });
      if (!found) state = undefined;
    } catch (error) {
      if (!isAway || !state) onError(error);
      isAway = true;
    }
  }
  /** One look at a time. */
  const lookOnce = () => (looking ??= look().finally(() => (looking = undefined)));

  async function lost(gone: IndexState): Promise<void> {
    if (state === gone) await lookOnce();
    if (state === gone) throw new StreetsAway('the index is gone', Math.ceil(lookEveryMs / 1000));
  }

  await lookOnce();
  const timer = setInterval(lookOnce, lookEveryMs);
  timer.unref();

  return {
    get facts() {
      return state?.facts;
    },
    get isAway() {
      return isAway || state === undefined || !connection.isUp;
    },
    parts() {
      if (state) return state;
      throw new StreetsAway(isAway ? 'the search cluster does not answer' : 'nothing is published there', 2);
    },
    look: lookOnce,
    async close() {
      clearInterval(timer);
      await connection.close();
    },
  };
}

const isSame = (state: IndexState | undefined, { index, facts }: { index: string; facts: IndexFacts }) =>
  state?.index === index && state.facts.changes === facts.changes;

/** The index that the alias names, with its facts; undefined where nothing is published. */
export async function servedIndex(connection: Connection): Promise<{ index: string; facts: IndexFacts } | undefined> {
  type Mappings = Record<string, { mappings: { _meta?: IndexFacts } }>;
  let mappings: Mappings;
  try {
    mappings = await connection.read<Mappings>({ method: 'GET', path: `/${connection.name}/_mapping` });
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return undefined;
    throw error;
  }
  const [[index, { mappings: { _meta: facts } = {} }]] = Object.entries(mappings);
  if (facts?.schema !== indexSchema) {
    throw new DatasetError(
      `the index ${index} has schema ${facts?.schema}, this program reads ${indexSchema}; publish the dataset again`,
    );
  }
  return { index, facts };
}
