import type { Logger } from 'pino';
import { datasetTag } from '../api/etag.ts';
import { WhereaboutsError } from '../errors.ts';
import type { KeyStore } from '../keys/key-store.ts';
import type { Store } from '../store/store.ts';
import type { Call } from './call.ts';
import type { Lanes } from './fairness.ts';
import type { Held } from './held.ts';
import type { JobRunner } from './jobs/runner.ts';
import type { Limits } from './limits.ts';

/**
 * The served dataset, changed at run time by its owner: `current` is set when a dataset is open, and swapped for
 * another. Each request, and each entry of a batch, examines it once and uses it synchronously, so that the store
 * before may be closed as soon as another has taken its place.
 */
export type StoreHolder = {
  current: Store | undefined;
  /** Set when the process is about to stop: `/health/ready` answers 503, everything else still answers. */
  isStopping?: boolean;
};

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error' | 'level'>;

/** The context that all handlers share. */
export type Service = {
  store: StoreHolder;
  keys: KeyStore;
  limits: Limits;
  /** Shares time among callers, and the memory of bodies and of answers. */
  lanes: Lanes;
  bodies: Held;
  answers: Held;
  /** Version of the program. */
  version: string;
  /** Base URL to which an error's code is appended as its `type`. */
  problemTypes: string;
  /** `Cache-Control` of an answer that depends on the data only. */
  cacheControl: string;
  now: () => number;
  clientAddress: (peer: string | undefined, forwardedFor: string | undefined) => string | undefined;
  /** Whether a peer is a trusted proxy. */
  isProxy: (peer: string | undefined) => boolean;
  /** Makes the id of a request that has none of its own. */
  nextRequestId: () => string;
  log: Log;
  /** Undefined where none are kept. */
  jobs: JobRunner | undefined;
  /** Called for each answer as it is sent, with the time it took. */
  record: ((call: Call, status: number, ms: number) => void) | undefined;
  /** The same for what never became a request. */
  recordBroken: ((status: number, requestId: string, address: string | undefined) => void) | undefined;
  /** Requests since the last report, and how many of them were refused because too much waited. */
  arrived: number;
  refused: number;
  /** Connections that are open; 0 where the server is not ours. */
  connections: number;
  /** Whether "100 Continue" is ours to send. */
  sendsContinue: boolean;
  /** Set when the server is closing: connections end with the answers that are still in progress. */
  isClosing: boolean;
};

/** The store that is served. Throws `unavailable` while none is open. */
export function currentStore({ store }: Service): Store {
  if (store.current) return store.current;
  throw new WhereaboutsError('unavailable', 'the service is starting: no dataset is open yet', {
    retryAfterSeconds: 1,
  });
}

/** A growing dataset is another one with each layer that arrives. */
const stateOf = ({ version, coming = [] }: Store['manifest']) => [version, ...coming].join(' ');

const tags = new WeakMap<Store['manifest'], string>();

/** The part of entity tags that identifies a store, cached. */
export function tagOf({ manifest }: Store, version: string): string {
  let tag = tags.get(manifest);
  if (tag === undefined) tags.set(manifest, (tag = datasetTag(stateOf(manifest), version)));
  return tag;
}
