/** Keys on a Valkey or Redis server: where they stand there, and how they are read and changed. */
import { UsageError } from '../../errors.ts';
import { displayLength, generateKey, hashKey, isWellFormedKey } from '../key-format.ts';
import type { KeyOptions, KeyRecord } from '../key-record.ts';
import type { Keys } from '../keys.ts';
import { fallbackPlan } from '../plans.ts';
import { type Connection, type Reply, scriptOf } from './connection.ts';
import { rotateScript } from './scripts.ts';

const prefix = 'whereabouts';
/** Names of what is kept. Those of one key share a hash tag, so that a cluster keeps them together. */
export const names = {
  /** Hash: SHA-256 of a key's text → its id, or `id:until` for a former text. */
  hashes: `${prefix}:hashes`,
  /** Set of all ids. */
  ids: `${prefix}:ids`,
  /** The last id. */
  lastId: `${prefix}:last-id`,
  /** Counts changes of keys, so that every process notices them. */
  generation: `${prefix}:generation`,
  /** Hash: fields of a KeyRecord as JSON, and `hash` and `owner` in hex. */
  key: (id: number) => `${prefix}:{${id}}:key`,
  /** Hash: SHA-256 of a former text → its display and end. */
  former: (id: number) => `${prefix}:{${id}}:former`,
  /** Hash: day → calls. */
  use: (id: number) => `${prefix}:{${id}}:use`,
  /** Hash: leases of a day; see scripts.ts. */
  day: (id: number, day: number) => `${prefix}:{${id}}:day:${day}`,
  /** What hashes of who signs up are made with. */
  signUpSecret: `${prefix}:{sign-ups}:secret`,
  /** Sorted set: tries to sign up, by time. */
  tries: (subject: string) => `${prefix}:{sign-ups}:tries:${subject}`,
  /** A link sent by mail. */
  link: (subject: string) => `${prefix}:{sign-ups}:link:${subject}`,
};

const rotate = scriptOf(rotateScript);
const hex = (text: string) => hashKey(text).toString('hex');

/** Fields and values of a hash, as the server lists them. */
export function pairs(reply: Reply): Map<string, string> {
  const list = reply as string[];
  return new Map(Array.from({ length: list.length / 2 }, (_, index) => [list[2 * index], list[2 * index + 1]]));
}

/** A key as it is stored; undefined when there is none. */
export function recordOf(id: number, reply: Reply): KeyRecord | undefined {
  const fields = pairs(reply);
  if (fields.size === 0) return undefined;
  const read = (name: string) => JSON.parse(fields.get(name) ?? 'null');
  return {
    id,
    display: read('display'),
    name: read('name'),
    plan: read('plan'),
    profile: read('profile'),
    createdAt: read('createdAt'),
    expiresAt: read('expiresAt'),
    revokedAt: read('revokedAt'),
    origins: read('origins'),
    networks: read('networks'),
    endpoints: read('endpoints'),
  };
}

export type Records = Pick<Keys, 'create' | 'list' | 'find' | 'revoke' | 'change' | 'rotation'>;

/** Reads and changes keys; `onChange` is told of each change, `check` throws for what a key cannot be given. */
export function createRecords(
  connection: Connection,
  { now, check, onChange }: { now: () => number; check: (given: KeyOptions) => void; onChange: () => void },
): Records {
  const written = (given: object) => Object.entries(given).flatMap(([name, value]) => [name, JSON.stringify(value)]);

  async function byId(id: number): Promise<KeyRecord | undefined> {
    return recordOf(id, await connection.send('HGETALL', names.key(id)));
  }

  async function change(id: number, given: object): Promise<void> {
    await connection.sendTogether([
      ['HSET', names.key(id), ...written(given)],
      ['INCR', names.generation],
    ]);
    onChange();
  }

  async function list(): Promise<KeyRecord[]> {
    const ids = ((await connection.send('SMEMBERS', names.ids)) as string[]).map(Number).sort((a, b) => a - b);
    const records = await Promise.all(ids.map(byId));
    return records.filter((record) => record !== undefined);
  }

  async function found(reference: string): Promise<KeyRecord[]> {
    if (isWellFormedKey(reference)) {
      const id = (await connection.send('HGET', names.hashes, hex(reference))) as string | null;
      const record = id === null || id.includes(':') ? undefined : await byId(Number(id));
      return record ? [record] : [];
    }
    if (/^\d+$/.test(reference)) {
      const record = await byId(Number(reference));
      return record ? [record] : [];
    }
    if (reference.length < 8) return [];
    const start = reference.slice(0, displayLength);
    return (await list()).filter(({ display }) => display.startsWith(start));
  }

  return {
    async create(given = {}) {
      check(given);
      const key = generateKey();
      const id = (await connection.send('INCR', names.lastId)) as number;
      const record: KeyRecord = {
        id,
        display: key.slice(0, displayLength),
        name: null,
        plan: fallbackPlan,
        profile: null,
        createdAt: now(),
        expiresAt: null,
        revokedAt: null,
        origins: null,
        networks: null,
        endpoints: null,
        ...given,
      };
      const { id: _, ...fields } = record;
      await connection.sendTogether([
        ['HSET', names.key(id), ...written(fields), 'hash', hex(key)],
        ['HSET', names.hashes, hex(key), id],
        ['SADD', names.ids, id],
      ]);
      return { key, record };
    },
    list,
    async find(reference) {
      const records = await found(reference);
      if (records.length === 1) return records[0];
      const shown = JSON.stringify(reference.slice(0, displayLength));
      throw new UsageError(
        `${records.length === 0 ? 'no key' : `${records.length} keys`} for ${shown}; give the id or the first 12 characters as \`keys list\` shows them`,
      );
    },
    async revoke(id) {
      const record = await byId(id);
      if (record && record.revokedAt === null) await change(id, { revokedAt: now() });
    },
    async change(id, given) {
      check(given);
      if (!(await byId(id))) throw new UsageError(`no key has the id ${id}; \`keys list\` shows them`);
      await change(id, given);
    },
    rotation: {
      async rotate(id, graceMs) {
        const key = generateKey();
        const touched = [names.key(id), names.hashes, names.former(id), names.generation];
        const until = now() + graceMs;
        await connection.run(rotate, touched, [hex(key), JSON.stringify(key.slice(0, displayLength)), until]);
        onChange();
        return key;
      },
      async formerTexts(id) {
        const all = [...pairs(await connection.send('HGETALL', names.former(id))).values()];
        return all
          .map((text) => JSON.parse(text) as { display: string; expiresAt: number })
          .filter(({ expiresAt }) => expiresAt > now())
          .sort((a, b) => a.expiresAt - b.expiresAt);
      },
      async isProtected(id) {
        return (await connection.send('HEXISTS', names.key(id), 'owner')) === 1;
      },
      async protect(id) {
        const code = generateKey().replace(/^wab_/, 'own_');
        await connection.send('HSET', names.key(id), 'owner', hex(code));
        return code;
      },
      async unprotect(id) {
        await connection.send('HDEL', names.key(id), 'owner');
      },
      async isOwner(id, code) {
        // Hashes are compared: how long that takes tells nothing of a code that would fit.
        return (await connection.send('HGET', names.key(id), 'owner')) === hex(code);
      },
    },
  };
}
