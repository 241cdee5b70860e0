import type { Logger } from 'pino';
import { datasetTag } from '../api/etag.ts';
import { WhereaboutsError } from '../errors.ts';
import type { KeyStore } from '../keys/key-store.ts';
import type { Store } from '../store/store.ts';
import type { BodyBudget } from './body-budget.ts';
import type { Call } from './call.ts';
import type { Compressor } from './compressor.ts';
import type { SendWhole } from './head.ts';
import type { Limits } from './limits.ts';
import type { Turns } from './turns.ts';

/**
 * What is served, changed at run time by its owner: `current` is set when a dataset is open, and swapped for another.
 * Each request, and each entry of a batch, looks at it once and uses it synchronously, so that the store before may be
 * closed as soon as another has taken its place.
 */
export type StoreHolder = {
  current: Store | undefined;
  /** Set when the process is about to stop: `/health/ready` answers 503, everything else still answers. */
  isStopping?: boolean;
};

export type Log = Pick<Logger, 'info' | 'warn' | 'error' | 'level'>;

/** What every handler shares. */
export type Service = {
  store: StoreHolder;
  keys: KeyStore;
  limits: Limits;
  bodies: BodyBudget;
  /** What the answers to batches hold. */
  answers: BodyBudget;
  /** Version of the program. */
  version: string;
  /** Address that an error's code is put behind to give its `type`. */
  problemTypes: string;
  /** `Cache-Control` of an answer that depends on the data only. */
  cacheControl: string;
  compress: Compressor;
  /** The quick way to send a whole answer. */
  sendWhole: SendWhole;
  now: () => number;
  clientAddress: (peer: string | undefined, forwardedFor: string | undefined) => string | undefined;
  /** Whether a peer is a trusted proxy. */
  isProxy: (peer: string | undefined) => boolean;
  /** Makes the id of a request that has none of its own. */
  nextRequestId: () => string;
  log: Log;
  /** Called for each answer as it is sent, with the time it took. */
  record: ((call: Call, status: number, ms: number) => void) | undefined;
  /** Says who works next. */
  turns: Turns;
  /** Set when the server is closing: connections end with the answers that are still under way. */
  isClosing: boolean;
};

/** The store that is served. Throws `unavailable` while none is open. */
export function currentStore({ store }: Service): Store {
  if (store.current) return store.current;
  throw new WhereaboutsError('unavailable', 'the service is starting: no dataset is open yet', {
    retryAfterSeconds: 1,
  });
}

const tags = new WeakMap<Store['manifest'], string>();

/** The entity tag part of a store, made once for what it holds. */
export function tagOf({ manifest }: Store, version: string): string {
  let tag = tags.get(manifest);
  if (tag === undefined) tags.set(manifest, (tag = datasetTag(manifest.version, version)));
  return tag;
}
