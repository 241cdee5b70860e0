/**
 * API keys: a small database of its own, and the accounts of the keys in use. A change made here takes effect at once;
 * one made by another process (the command line) within `refreshMs`.
 */
import type { DatabaseSync } from 'node:sqlite';
import { UsageError } from '../errors.ts';
import { displayLength, generateKey, hashKey, isWellFormedKey } from './key-format.ts';
import type { KeyOptions, KeyRecord } from './key-record.ts';
import { createLeasedMeter, reportMs } from './lease.ts';
import { createLeaseLog } from './lease-log.ts';
import { type Account, createMeter, dayOf, type Meter } from './meter.ts';
import { parseNetwork } from './networks.ts';
import { fallbackPlan, type Plans } from './plans.ts';
import { createRotation, type Rotation } from './rotation.ts';
import { openKeyDatabase } from './schema.ts';
import { createUsageLog } from './usage-log.ts';

/** Why a text is no valid key. */
export type Refusal = 'malformed' | 'unknown' | 'revoked' | 'expired';

export type OpenKeysOptions = {
  plans: Plans;
  /** Epoch milliseconds; the clock of expiry, days and rates. */
  now?: () => number;
  /** Whether other processes spend from the same quotas: then calls are leased, so that they are exact in sum. */
  isShared?: boolean;
  /** How often usage is written to disk, ms; the most that a killed process forgets. 0: only at `flush` and `close`. */
  flushMs?: number;
  /** How old the view on changes by other processes may be, ms. */
  refreshMs?: number;
  /** Told when usage could not be written; it is kept and tried again. */
  onError?: (error: unknown) => void;
};

/** What may be at hand at once, or come from another machine. */
type Awaitably<T> = {
  [K in keyof T]: T[K] extends (...given: infer A) => infer R ? (...given: A) => R | Promise<R> : T[K];
};

/** Keys wherever they are kept: what a request needs is at hand, the rest may take a while. */
export type Keys = Pick<LocalKeys, 'plans' | 'meter' | 'authenticate' | 'usageSince'> &
  Awaitably<Pick<LocalKeys, 'create' | 'list' | 'find' | 'revoke' | 'change' | 'flush' | 'close'>> & {
    readonly rotation: Awaitably<Omit<Rotation, 'former'>>;
    /**
     * Gets what a request needs that is not at hand: the account of a key's text, so many calls of its quota (0: how
     * much was used), before it is answered. Gives true when all is at hand; else calls `then` later, with an error
     * when it cannot be had, and what was got is to be used before `then` returns. Absent where all is always at hand.
     */
    prepare?(text: string, calls: number, now: number, then: (error?: unknown) => void): boolean;
    /** Whether the store of keys answers. */
    isHealthy?(): boolean;
  };

/** Keys in a database of this machine. */
export type LocalKeys = {
  readonly plans: Plans;
  readonly meter: Meter;
  /** The account of a key's text, or why there is none. A malformed key never reaches the database. */
  authenticate(text: string, now: number): Account | Refusal;
  /** Makes a key and gives its text, which nothing can show again. Throws UsageError for a wrong plan or network. */
  create(options?: KeyOptions): { key: string; record: KeyRecord };
  /** All keys, oldest first, revoked ones included. */
  list(): KeyRecord[];
  /** The one key with this id, start of at least 8 characters, or full text. Throws UsageError when none or several. */
  find(reference: string): KeyRecord;
  revoke(id: number): void;
  /** Changes what a key may do. */
  change(id: number, options: KeyOptions): void;
  /** Rotation of keys, and their owner's codes. */
  readonly rotation: Rotation;
  /** Calls by day number from a day on, those not yet on disk included; days without calls are left out, but today. */
  usageSince(account: Account, day: number, now: number): Map<number, number>;
  flush(): void;
  close(): void;
};

/** Accounts and key texts kept in memory; past it, those that were idle are read again when they come back. */
const mostAccounts = 50_000;
const columns = `id, display, name, plan, profile, created_at AS createdAt, expires_at AS expiresAt,
  revoked_at AS revokedAt, origins, networks, endpoints`;

/** Opens the key database at a path (`:memory:` for none on disk), and makes it when there is none. */
export function openKeys(path: string, options: OpenKeysOptions): LocalKeys {
  const { plans, isShared = false, now = Date.now, refreshMs = 500, onError = () => {} } = options;
  const { flushMs = isShared ? reportMs : 1000 } = options;
  const database = openKeyDatabase(path);
  const { usage, meter } = isShared ? leased(database, now, onError) : counted(database);
  const statements = prepare(database);
  const accounts = new Map<number, Account & { generation: number }>();
  /** Texts of keys seen, so that a key in use is hashed once and not per request. Never leaves this process. */
  const seen = new Map<string, { id: number; until: number; generation: number }>();
  let generation = 0;
  let dataVersion = statements.dataVersion.get()!.data_version;
  let checkedAt = -Infinity;

  const flush = (isLast = false) => {
    try {
      usage.flush(isLast);
    } catch (error) {
      onError(error);
    }
  };
  const timer = flushMs > 0 ? setInterval(() => flush(), flushMs).unref() : undefined;

  /** Notices changes by other processes. */
  function refresh(at: number): void {
    if (Math.abs(at - checkedAt) < refreshMs) return;
    checkedAt = at;
    const found = statements.dataVersion.get()!.data_version;
    if (found !== dataVersion) generation++;
    dataVersion = found;
  }

  function accountOf(id: number, at: number): (Account & { generation: number }) | undefined {
    const known = accounts.get(id);
    if (known?.generation === generation) return known;
    const row = statements.byId.get(id);
    if (!row) return undefined;
    const key = recordOf(row);
    const plan = plans[key.plan] ?? plans[fallbackPlan];
    if (known) {
      known.key = key;
      known.plan = plan;
      known.generation = generation;
      usage.reload(known);
      return known;
    }
    if (accounts.size >= mostAccounts) forget();
    const day = dayOf(at);
    const account = { key, plan, day, stored: 0, pending: 0, tokens: plan.burst, tokensAt: at, generation };
    usage.reload(account);
    accounts.set(id, account);
    return account;
  }

  /** Drops accounts whose bucket has had the time to fill up again, as a new account starts with a full one. */
  function forget(): void {
    flush();
    for (const [id, { pending, tokensAt, plan }] of accounts) {
      const isFull = now() - tokensAt > (plan.burst / plan.callsPerSecond) * 1000;
      if (pending === 0 && isFull) accounts.delete(id);
    }
    seen.clear();
  }

  const rotation = createRotation(database, now, () => generation++);

  /** The id of a key's text. After a change of any key it is looked up again, as it may have been rotated away. */
  function identify(text: string, at: number): number | Refusal {
    const known = seen.get(text);
    if (known && known.until > at && known.generation === generation) return known.id;
    if (!isWellFormedKey(text)) return 'malformed';
    const hash = hashKey(text);
    const row = statements.byHash.get(hash);
    const found = row ? { id: row.id as number, until: Infinity } : rotation.former(hash);
    if (!found) return 'unknown';
    if (found.until <= at) return 'expired';
    if (seen.size >= mostAccounts) seen.clear();
    seen.set(text, { ...found, generation });
    return found.id;
  }

  function check({ plan, networks }: KeyOptions): void {
    for (const network of networks ?? []) {
      try {
        parseNetwork(network);
      } catch (error) {
        throw new UsageError((error as Error).message);
      }
    }
    if (plan !== undefined && !Object.hasOwn(plans, plan)) {
      throw new UsageError(`there is no plan ${JSON.stringify(plan)}; the plans are ${Object.keys(plans).join(', ')}`);
    }
  }

  return {
    plans,
    meter,
    rotation,
    authenticate(text, at) {
      refresh(at);
      const id = identify(text, at);
      if (typeof id === 'string') return id;
      const account = accountOf(id, at);
      if (!account) return 'unknown';
      if (account.key.revokedAt !== null) return 'revoked';
      if (account.key.expiresAt !== null && account.key.expiresAt <= at) return 'expired';
      return account;
    },
    create(given = {}) {
      check(given);
      const key = generateKey();
      const created = { plan: fallbackPlan, ...given, createdAt: now() };
      statements.insert.run(hashKey(key), key.slice(0, displayLength), created.createdAt, ...values(created));
      return { key, record: recordOf(statements.byHash.get(hashKey(key))!) };
    },
    list: () => statements.all.all().map(recordOf),
    find(reference) {
      const rows = isWellFormedKey(reference)
        ? statements.byHash.all(hashKey(reference))
        : /^\d+$/.test(reference)
          ? statements.byId.all(Number(reference))
          : reference.length >= 8
            ? statements.byStart.all(reference.slice(0, displayLength))
            : [];
      if (rows.length === 1) return recordOf(rows[0]);
      const shown = JSON.stringify(reference.slice(0, displayLength));
      throw new UsageError(
        `${rows.length === 0 ? 'no key' : `${rows.length} keys`} for ${shown}; give the id or the first 12 characters as \`keys list\` shows them`,
      );
    },
    revoke(id) {
      statements.revoke.run(now(), id);
      generation++;
    },
    change(id, given) {
      check(given);
      const record = statements.byId.get(id);
      if (!record) throw new UsageError(`no key has the id ${id}; \`keys list\` shows them`);
      statements.update.run(...values({ ...recordOf(record), ...given }), id);
      generation++;
    },
    usageSince(account, day, at) {
      if (account.day !== dayOf(at)) usage.turnDay(account, at);
      return usage.since(account, day);
    },
    flush: () => flush(),
    close() {
      clearInterval(timer);
      flush(true);
      database.close();
    },
  };
}

function counted(database: DatabaseSync) {
  const usage = createUsageLog(database);
  return { usage, meter: createMeter(usage.mark, usage.turnDay) };
}

function leased(database: DatabaseSync, now: () => number, onError: (error: unknown) => void) {
  const usage = createLeaseLog(database, { now, onError });
  const { refill, mark, turnDay } = usage;
  return { usage, meter: createLeasedMeter({ refill, onActive: mark, onNewDay: turnDay }) };
}

function prepare(database: DatabaseSync) {
  return {
    dataVersion: database.prepare('PRAGMA data_version'),
    byHash: database.prepare(`SELECT ${columns} FROM keys WHERE hash = ?`),
    byId: database.prepare(`SELECT ${columns} FROM keys WHERE id = ?`),
    byStart: database.prepare(`SELECT ${columns} FROM keys WHERE substr(display, 1, length(?1)) = ?1`),
    all: database.prepare(`SELECT ${columns} FROM keys ORDER BY id`),
    insert: database.prepare(
      `INSERT INTO keys (hash, display, created_at, name, plan, profile, expires_at, origins, networks, endpoints)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    update: database.prepare(
      `UPDATE keys SET name = ?, plan = ?, profile = ?, expires_at = ?, origins = ?, networks = ?, endpoints = ?
       WHERE id = ?`,
    ),
    revoke: database.prepare('UPDATE keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL'),
  };
}

const listed = (list: string[] | null | undefined) => (list ? JSON.stringify(list) : null);

/** What a key may be given, in the order of the columns. */
function values(key: KeyOptions & { plan: string }) {
  const { name = null, plan, profile = null, expiresAt = null, origins, networks, endpoints } = key;
  return [name, plan, profile, expiresAt, listed(origins), listed(networks), listed(endpoints)];
}

function recordOf(row: Record<string, unknown>): KeyRecord {
  const list = (value: unknown) => (typeof value === 'string' ? JSON.parse(value) : null);
  return {
    ...(row as KeyRecord),
    origins: list(row.origins),
    networks: list(row.networks),
    endpoints: list(row.endpoints),
  };
}
