/** Keys, quotas and sign-ups on a Valkey or Redis server or cluster that several machines share: the engine for `redis://` and `valkey://`. */
import { randomInt, randomUUID } from 'node:crypto';
import {
  countedMs,
  type EndpointUse,
  type EngineHooks,
  type KeyEngine,
  keptDays,
  keptNotes,
  type QuotaLevel,
  type QuotaState,
  type Report,
  storeUnavailable,
} from '../../../src/keys/engine.ts';
import type { AuditEntry, KeyRecord } from '../../../src/keys/key-record.ts';
import { type ConnectionOptions, connect, type Reply, scriptOf } from './connection.ts';
import { faultOf } from './fault.ts';
import { admitScript, exchangeScript, replaceScript } from './scripts.ts';

/** Names of what is kept on the server. Those of one key share a hash tag, so that a cluster keeps them together. */
const prefix = 'whereabouts';

export const names = {
  /** Id of the key whose text has this hash (SHA-256 in hex), or had until it ends. */
  text: (hash: string) => `${prefix}:text:${hash}`,
  /** The last id. */
  lastId: `${prefix}:last-id`,
  /** Another number with each change of a key, so that every process notices it. */
  generation: `${prefix}:generation`,
  /** List: the log of changes as JSON, newest first. */
  audit: `${prefix}:audit`,
  /** A KeyRecord as JSON. */
  key: (id: number) => `${prefix}:{${id}}:key`,
  /** Hash: day → calls. */
  use: (id: number) => `${prefix}:{${id}}:use`,
  /** Hash: endpoint → calls of a day. */
  endpoints: (id: number, day: number) => `${prefix}:{${id}}:endpoints:${day}`,
  /** Hash: leases of a day; see scripts.ts. */
  day: (id: number, day: number) => `${prefix}:{${id}}:day:${day}`,
  /** The secret of the hashes of sign-ups. */
  signUpSecret: `${prefix}:{sign-ups}:secret`,
  /** Sorted set: tries to sign up, by time. */
  tries: (subject: string) => `${prefix}:{sign-ups}:tries:${subject}`,
};

const exchange = scriptOf(exchangeScript);
const replacement = scriptOf(replaceScript);
const admission = scriptOf(admitScript);
/** How long leases of a day are kept, and calls by endpoint, s. */
const leaseSeconds = 3 * 86_400;
const endpointSeconds = keptDays * 86_400;
/** Keys that are read together. */
const lotSize = 500;

/**
 * Opens the keys on the server at `url` (`redis://`, `rediss://`, or `valkey` in their place; several, separated by commas:
 * nodes of a cluster), whether it answers yet or not.
 */
export async function openKeyEngine(url: string, options: ConnectionOptions): Promise<KeyEngine> {
  /** Events from before the listeners were set. */
  let early: unknown;
  let hooks: EngineHooks = { onUp: () => {}, onDown: (error) => (early = error) };
  const connection = await connect(url, { onUp: () => hooks.onUp(), onDown: (error) => hooks.onDown(error) }, options);
  const { read, write, run } = connection;

  const recordOf = async (id: number) => (await read('GET', names.key(id))) as string | null;
  const byId = async (id: number): Promise<KeyRecord | undefined> => {
    const record = await recordOf(id);
    return record === null ? undefined : JSON.parse(record);
  };
  const noted = async (entry: AuditEntry) => {
    await write('LPUSH', names.audit, JSON.stringify(entry));
    await write('LTRIM', names.audit, 0, keptNotes - 1);
  };
  // One that counts comes to a number that nodes have seen, where a failover loses its last steps.
  const changed = () => write('SET', names.generation, randomInt(2 ** 48 - 1));

  async function exchangeOne(report: Report): Promise<QuotaState> {
    const { keyId, day, holder, spent, held, requests, wanted, limit, endpoints } = report;
    const sums = endpoints ? JSON.stringify(endpoints) : '';
    const values = [holder, spent, held, requests, wanted, limit, day, sums, leaseSeconds, endpointSeconds];
    const kept = [names.day(keyId, day), names.use(keyId), names.endpoints(keyId, day)];
    const reply = (await run(exchange, kept, values)) as number[];
    const isWhole =
      Array.isArray(reply) && reply.length === 4 && reply.every((one) => Number.isInteger(one) && one >= 0);
    if (!isWhole)
      throw storeUnavailable(new Error('the server of keys answers a report with something else than four numbers'));
    const [granted, calls, others, reached] = reply;
    return { granted, calls, others, reached: (reached || undefined) as QuotaLevel | undefined };
  }

  return {
    async byHash(hash) {
      const id = (await read('GET', names.text(hash))) as string | null;
      if (id === null) return undefined;
      const key = await byId(Number(id));
      if (!key) throw storeUnavailable(new Error(`the key ${id} has a text and no record`));
      return key;
    },
    byId,
    async page(after, count) {
      const last = Number((await read('GET', names.lastId)) ?? 0);
      const found: KeyRecord[] = [];
      for (let from = after + 1; from <= last && found.length < count; from += lotSize) {
        const ids = Array.from({ length: Math.min(lotSize, last - from + 1) }, (_, index) => from + index);
        found.push(...(await Promise.all(ids.map(byId))).filter((key) => key !== undefined));
      }
      return found.slice(0, count);
    },
    async add(key, entry) {
      // An emptied server is another one: it begins with another number, so that nodes notice.
      await write('SET', names.generation, Date.now(), 'NX');
      for (;;) {
        const id = (await write('INCR', names.lastId)) as number;
        const note = { ...entry, keyId: id };
        // The log first, so that no change is unlogged. The text last, so that it never refers to a missing record.
        await noted(note);
        if ((await write('SET', names.key(id), JSON.stringify({ id, ...key }), 'NX')) !== null) {
          await write('SET', names.text(key.hash), id);
          return id;
        }
        // A failover of the counter may lose the last numbers, which keys on other masters have.
        await write('LREM', names.audit, 1, JSON.stringify(note));
      }
    },
    async replace(key, entry, formerUntil) {
      const record = await recordOf(key.id);
      const before: KeyRecord | undefined = record === null ? undefined : JSON.parse(record);
      if (before?.revision !== key.revision - 1) return false;
      // Before it too: where the last command fails, nodes would go on with what they know for ever.
      await changed();
      await noted(entry);
      // A text counts when its key's record says so: until then the new one is nobody's.
      if (formerUntil !== undefined) await write('SET', names.text(key.hash), key.id);
      const isDone = await run(replacement, [names.key(key.id)], [record!, JSON.stringify(key)]);
      if (isDone === 0) {
        await write('LREM', names.audit, 1, JSON.stringify(entry));
        return false;
      }
      await changed();
      if (formerUntil !== undefined) await write('PEXPIREAT', names.text(before.hash), formerUntil);
      return true;
    },
    generation: async () => String(await read('GET', names.generation)),
    exchange: (reports) => Promise.all(reports.map((report) => exchangeOne(report).catch((error: Error) => error))),
    async history(keyId, from) {
      const days = pairs(await read('HGETALL', names.use(keyId)));
      return new Map(days.map(([day, calls]) => [Number(day), Number(calls)] as const).filter(([day]) => day >= from));
    },
    async endpointUse(keyId, from, to) {
      const days = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
      const found = await Promise.all(days.map((day) => read('HGETALL', names.endpoints(keyId, day))));
      return found.flatMap((reply, index) => useOf(days[index], reply));
    },
    async audit(offset, count) {
      const lines = await read('LRANGE', names.audit, offset, offset + count - 1);
      return (lines as string[]).map((line) => JSON.parse(line));
    },
    async signUpSecret(offered) {
      await write('SET', names.signUpSecret, offered, 'NX');
      return (await read('GET', names.signUpSecret)) as string;
    },
    async admit(subjects, now) {
      const keys = subjects.map(({ subject }) => names.tries(subject));
      const maxTries = subjects.map((subject) => subject.maxTries);
      return (await run(admission, keys, [now, countedMs, randomUUID(), ...maxTries])) as number;
    },
    isUp: () => connection.isUp,
    faultOf: (error) => faultOf(url, error),
    watch(options) {
      hooks = options;
      if (early !== undefined && !connection.isUp) hooks.onDown(early);
    },
    close: () => connection.close(),
  };
}

/** Fields and values of a hash, as the server lists them. */
const pairs = (reply: Reply): [string, string][] => {
  const list = reply as string[];
  return Array.from({ length: list.length / 2 }, (_, index) => [list[2 * index], list[2 * index + 1]]);
};

const useOf = (day: number, reply: Reply): EndpointUse[] =>
  pairs(reply)
    .map(([endpoint, calls]) => ({ day, endpoint, calls: Number(calls) }))
    .filter(({ calls }) => calls > 0)
    .sort((a, b) => (a.endpoint < b.endpoint ? -1 : 1));
