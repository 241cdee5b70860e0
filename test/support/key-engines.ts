/** The engines that keep keys, each as several processes or machines use it, for tests of what they have in common. */
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { defaultPlans } from '../../src/keys/key-record.ts';
import type { KeyStore, KeyStoreOptions, Reservation } from '../../src/keys/key-store.ts';
import { openKeys } from '../../src/keys/sqlite/sqlite-keys.ts';
import { temporaryDirectory } from './temporary.ts';

export const dayMs = 86_400_000;
/** Number of the UTC day of a time. */
export const dayOf = (at: number): number => Math.floor(at / dayMs);

const plan = (callsPerDay: number, callsPerSecond = 1e6, burst = 1e6) => ({
  callsPerDay,
  callsPerSecond,
  burst,
  batchSize: 100,
});

const startedAt = (dayOf(Date.now()) + 0.5) * dayMs;
/** A clock that goes, from noon UTC: no test runs into the next day, whose quota is a new one. */
export const clockFromNoon = (): number => startedAt + Math.floor(performance.now());

export const keyPlans = {
  ...defaultPlans,
  hundred: plan(100),
  thousand: plan(1000),
  large: plan(1_000_000),
  slow: plan(5000, 0.001, 10),
};

/** Two processes or machines with one store and one clock. */
export type Nodes = {
  one: KeyStore;
  two: KeyStore;
  /** Set to the present where it matters to the store. */
  clock: { now: number };
  /** Both report and learn of each other, twice, so that idle calls are returned too. */
  settle(): Promise<void>;
  /** Another node. */
  open(options?: Partial<KeyStoreOptions>): Promise<KeyStore>;
};

export type KeyEngineCase = {
  name: string;
  skip: string | false;
  nodes(t: TestContext, options?: Partial<KeyStoreOptions>): Promise<Nodes>;
};

/** Where an engine keeps what it is given. */
export type Place = {
  keys(options: KeyStoreOptions): Promise<KeyStore>;
};

const sqlite = async (t: TestContext): Promise<Place> => {
  const directory = temporaryDirectory(t);
  return {
    keys: async (options) => openKeys(join(directory, 'keys.db'), options),
  };
};

/** A case of an engine by how it is opened. */
export const engineCase = (
  name: string,
  skip: string | false,
  place: (t: TestContext) => Promise<Place>,
): KeyEngineCase => ({
  name,
  skip,
  async nodes(t, options = {}) {
    const { keys } = await place(t);
    const clock = { now: (dayOf(Date.now()) + 0.5) * dayMs };
    const open = async (more: Partial<KeyStoreOptions> = {}) => {
      const usual = { plans: keyPlans, whenUnavailable: 'deny' as const, now: () => clock.now, flushMs: 0 };
      const opened = await keys({ ...usual, ...options, ...more });
      t.after(() => opened.close());
      return opened;
    };
    const [one, two] = [await open(), await open()];
    const settle = async () => {
      for (let round = 0; round < 2; round++) for (const node of [one, two]) await node.flush();
      clock.now += 1000;
    };
    return { one, two, clock, settle, open };
  },
});

export const localEngine = engineCase('SQLite', false, sqlite);
/** What a request would use. Throws an Error with the reason when the key is not valid. */
export async function reserve(keys: KeyStore, key: string, calls: number, now: number): Promise<Reservation> {
  const reserved = await keys.reserve(key, calls, now);
  if (typeof reserved === 'string') throw new Error(reserved);
  return reserved;
}
