/**
 * Keys, wherever they are kept: the one contract, and its rules over an engine. What a request needs is held in memory:
 * accounts of the keys in use, and leases of their quotas. A change made here takes effect at once, one made by another
 * process within `reportMs`.
 */
import { UsageError, type WhereaboutsError } from '../errors.ts';
import type { EndpointUse, KeyEngine } from './engine.ts';
import { displayLength, generateKey, isWellFormedKey } from './key-format.ts';
import type { AuditEntry, KeyOptions, KeyRecord } from './key-record.ts';
import { checkOptions, formerKnownMs, hashText, newKey, rotated, validUntil } from './key-rules.ts';
import { newShare, type QuotaLevel, reportMs } from './lease.ts';
import { createLeases } from './leases.ts';
import { type Account, dayOf, type Meter } from './meter.ts';
import { fallbackPlan, type Plans } from './plans.ts';
import type { Soon } from './soon.ts';
import { storeAway } from './store-away.ts';

/** Why a text is no valid key. */
export type Refusal = 'malformed' | 'unknown' | 'revoked' | 'expired';

/** What a request may use. */
export type Reservation = {
  account: Account;
  /** Whether the text was rotated away and lives on for its grace: it may read, and change nothing. */
  isFormer: boolean;
  /** Calls taken from the day's quota; fewer than asked for, or 0, when there are no more. */
  granted: number;
};

export type KeyStore = {
  readonly plans: Plans;
  readonly meter: Meter;
  /**
   * The account of a key's text with so many calls taken from its quota, or why there is none: at once where all of
   * that is at hand. With 0 calls, what was used is up to date. Throws or rejects `unavailable` when it cannot be had.
   */
  reserve(text: string, calls: number, now: number): Soon<Reservation | Refusal>;
  /** Makes a key and gives its text, which nothing can show again. Throws UsageError for a wrong plan or network. */
  create(options: KeyOptions, by: string): Promise<{ key: string; record: KeyRecord }>;
  /** Keys with ids above `after`, oldest first, revoked ones included. */
  list(after?: number, count?: number): Promise<KeyRecord[]>;
  /** The one key with this id, start of at least 8 characters, or full text. Throws UsageError when none or several. */
  find(reference: string): Promise<KeyRecord>;
  /** Ends a key and its former texts. These five give the key as it is then. Throw UsageError when there is no such key. */
  revoke(id: number, by: string): Promise<KeyRecord>;
  /** Changes what a key may do. Throws UsageError for a wrong plan or network. */
  change(id: number, options: KeyOptions, by: string): Promise<KeyRecord>;
  /** Gives a key a new text, shown once; the one before stays valid for `graceMs`. Throws `rate_limited`. */
  rotate(id: number, graceMs: number, by: string): Promise<{ text: string; key: KeyRecord }>;
  /** Makes an owner's code, shown once; from now on changes to the key need it. */
  protect(id: number, by: string): Promise<{ code: string; key: KeyRecord }>;
  unprotect(id: number, by: string): Promise<KeyRecord>;
  /** Calls by day number from a day on, those not yet reported included; days without calls are left out, but today. */
  usageSince(account: Account, day: number, now: number): Map<number, number>;
  /** Calls of a key by day and endpoint, both days included, as far as they are reported. */
  endpointUse(id: number, from: number, to: number): Promise<EndpointUse[]>;
  /** The log of changes, newest first. */
  audit(offset: number, count: number): Promise<AuditEntry[]>;
  /** Whether the store answers. */
  isHealthy(): boolean;
  /** Reports what was used, and looks for changes by others. */
  flush(): Promise<void>;
  close(): Promise<void>;
};

export type KeyStoreOptions = {
  plans: Plans;
  /** While the engine is away: refuse (503), or serve keys that are known and count here. */
  whenAway: 'deny' | 'allow';
  /** Epoch milliseconds; the clock of expiry, days and rates. */
  now?: () => number;
  /** How often use is reported and changes are looked for, ms; the most that a killed process forgets. 0: at `flush`. */
  flushMs?: number;
  /** Told when the engine goes away, once each time. */
  onError?: (error: unknown) => void;
  /** Told when a key has spent 80 or 100% of its day's calls. */
  onReached?: (key: KeyRecord, limit: number, level: QuotaLevel) => void;
};

type KnownText = { account: Account; until: number; version: number };

/** Accounts and texts kept in memory; past it, those that were idle are read again when they come back. */
const maxKnown = 50_000;
/** How long a text is believed to be no key, ms. */
const unknownMs = 1000;
const historyDays = 30;

export function createKeyStore(engine: KeyEngine, options: KeyStoreOptions): KeyStore {
  const { plans, whenAway, now = Date.now, flushMs = reportMs, onError = () => {}, onReached = () => {} } = options;
  const accounts = new Map<number, Account>();
  /** Texts of keys seen, so that a key in use is hashed once and not per request. Never leaves this process. */
  const texts = new Map<string, KnownText>();
  const unknown = new Map<string, number>();
  const loading = new Map<string, Promise<KnownText | undefined>>();
  /** Grows whenever what is known of keys may be out of date. */
  let version = 0;
  let generation: string | undefined;
  /** What does not work at present: reading keys, or leasing calls. */
  const failing = new Set<'keys' | 'leases'>();
  const onFailure = (what: 'keys' | 'leases', error: unknown) => {
    if (failing.size === 0) onError((error as Error).cause ?? error);
    failing.add(what);
  };
  const leases = createLeases(engine, {
    mayServeAway: whenAway === 'allow',
    now,
    onAnswer: () => failing.delete('leases'),
    onFailure: (error) => onFailure('leases', error),
    onReached,
  });
  engine.watch({
    onUp() {
      version++;
      for (const account of accounts.values()) leases.tellAgain(account);
    },
    onDown: onError,
  });

  const tick = async () => {
    if (!engine.isUp()) return;
    try {
      const found = await engine.generation();
      failing.delete('keys');
      if (found !== generation) version++;
      generation = found;
    } catch (error) {
      onFailure('keys', error);
    }
    await leases.report();
  };
  let ticking: Promise<void> | undefined;
  /** Twice at once would help nobody. */
  const flush = () => (ticking ??= tick().finally(() => (ticking = undefined)));
  const timer = flushMs > 0 ? setInterval(flush, flushMs).unref() : undefined;

  /** Reads the key of a text. */
  async function load(text: string, at: number): Promise<KnownText | undefined> {
    const loadedVersion = version;
    const hash = hashText(text);
    const key = await engine.byHash(hash);
    if (!key) {
      if (unknown.size >= maxKnown) unknown.clear();
      unknown.set(text, at);
      texts.delete(text);
      return undefined;
    }
    const plan = plans[key.plan] ?? plans[fallbackPlan];
    const history = await engine.history(key.id, dayOf(at) - historyDays);
    let account = accounts.get(key.id);
    if (account) Object.assign(account, { key, plan, history, version: loadedVersion, dryAt: -Infinity });
    else {
      if (accounts.size >= maxKnown) forget();
      accounts.set(key.id, (account = newAccount(key, plan, history, at)));
      account.version = loadedVersion;
    }
    if (texts.size >= maxKnown) texts.clear();
    const known = { account, until: validUntil(key, hash), version: loadedVersion };
    texts.set(text, known);
    unknown.delete(text);
    return known;
  }

  /** Drops accounts with nothing to report whose bucket has had the time to fill up, as a new one starts full. */
  function forget(): void {
    for (const [id, account] of accounts) {
      const { tokensAt, plan } = account;
      const isFull = now() - tokensAt > (plan.burst / plan.callsPerSecond) * 1000;
      if (isFull && leases.isSettled(account)) accounts.delete(id);
    }
    texts.clear();
  }

  function use({ account, until }: KnownText, calls: number, at: number): Soon<Reservation | Refusal> {
    const { revokedAt, expiresAt } = account.key;
    if (revokedAt !== null) return 'revoked';
    if (until <= at || (expiresAt !== null && expiresAt <= at)) return 'expired';
    const isFormer = until !== Infinity;
    const granted = leases.take(account, calls, at);
    return typeof granted === 'number'
      ? { account, isFormer, granted }
      : granted.then((taken) => ({ account, isFormer, granted: taken }));
  }

  /** Changes a key as it is now, whoever changes it at the same time. */
  async function update(
    id: number,
    entry: Omit<AuditEntry, 'keyId' | 'at'>,
    next: (key: KeyRecord) => KeyRecord,
    formerUntil?: number,
  ): Promise<KeyRecord> {
    for (;;) {
      const key = await engine.byId(id);
      if (!key) throw new UsageError(`no key has the id ${id}; \`keys list\` shows them`);
      const changed = { ...next(key), revision: key.revision + 1 };
      if (await engine.replace(changed, { at: now(), keyId: id, ...entry }, formerUntil)) {
        version++;
        return changed;
      }
    }
  }

  async function list(after = 0, count = Infinity): Promise<KeyRecord[]> {
    const found: KeyRecord[] = [];
    for (;;) {
      const page = await engine.page(found.at(-1)?.id ?? after, Math.min(1000, count - found.length));
      found.push(...page);
      if (page.length === 0 || found.length >= count) return found;
    }
  }

  async function candidates(reference: string): Promise<(KeyRecord | undefined)[]> {
    if (isWellFormedKey(reference)) {
      const key = await engine.byHash(hashText(reference));
      return key?.hash === hashText(reference) ? [key] : [];
    }
    if (/^\d{1,15}$/.test(reference)) return [await engine.byId(Number(reference))];
    if (reference.length < 8) return [];
    return (await list()).filter(({ display }) => display.startsWith(reference.slice(0, displayLength)));
  }

  let closed: Promise<void> | undefined;
  async function close(): Promise<void> {
    clearInterval(timer);
    await ticking;
    if (engine.isUp()) await leases.report(true);
    await engine.close();
  }

  return {
    plans,
    meter: leases,
    reserve(text, calls, at) {
      const known = texts.get(text);
      if (known && known.version === version && known.account.version === version) return use(known, calls, at);
      if (!known && !isWellFormedKey(text)) return 'malformed';
      if (!known && Math.abs(at - (unknown.get(text) ?? -Infinity)) < unknownMs) return 'unknown';
      const mayUseKnown = whenAway === 'allow' && known;
      if (!engine.isUp() || loading.size >= maxKnown) {
        if (mayUseKnown) return use(known, calls, at);
        throw storeAway();
      }
      let found = loading.get(text);
      if (!found) loading.set(text, (found = load(text, at).finally(() => loading.delete(text))));
      return found.then(
        (loaded) => (loaded ? use(loaded, calls, at) : 'unknown'),
        (error: WhereaboutsError) => {
          onFailure('keys', error);
          if (mayUseKnown) return use(known, calls, at);
          throw storeAway(error);
        },
      );
    },
    async create(given, by) {
      const { key, record } = newKey(given, plans, now());
      const { name, plan, isAdmin } = record;
      const entry = {
        at: now(),
        by,
        action: 'create' as const,
        detail: { name, plan, ...(isAdmin ? { isAdmin } : {}) },
      };
      return { key, record: { id: await engine.add(record, entry), ...record } };
    },
    list,
    async find(reference) {
      const found = (await candidates(reference)).filter((key) => key !== undefined);
      if (found.length === 1) return found[0];
      const shown = JSON.stringify(reference.slice(0, displayLength));
      throw new UsageError(
        `${found.length === 0 ? 'no key' : `${found.length} keys`} for ${shown}; give the id or the first 12 characters as \`keys list\` shows them`,
      );
    },
    revoke: (id, by) =>
      update(id, { by, action: 'revoke', detail: null }, (key) => ({ ...key, revokedAt: key.revokedAt ?? now() })),
    async change(id, given, by) {
      checkOptions(given, plans);
      return update(id, { by, action: 'change', detail: { ...given } }, (key) => ({ ...key, ...given }));
    },
    async rotate(id, graceMs, by) {
      let text = '';
      const ends = now() + graceMs;
      const detail = { formerUntil: new Date(ends).toISOString() };
      const key = await update(
        id,
        { by, action: 'rotate', detail },
        (before) => {
          const after = rotated(before, graceMs, now());
          text = after.text;
          return after.key;
        },
        ends + formerKnownMs,
      );
      return { text, key };
    },
    async protect(id, by) {
      const code = generateKey('own_');
      const ownerHash = hashText(code);
      const key = await update(id, { by, action: 'protect', detail: null }, (before) => ({ ...before, ownerHash }));
      return { code, key };
    },
    unprotect: (id, by) =>
      update(id, { by, action: 'unprotect', detail: null }, (key) => ({ ...key, ownerHash: null })),
    usageSince(account, from, at) {
      const used = leases.used(account, at);
      const days = [...account.history].filter(([day]) => day >= from && day !== account.day);
      return new Map(days.sort(([a], [b]) => a - b)).set(account.day, used);
    },
    endpointUse: async (id, from, to) => engine.endpointUse(id, from, to),
    audit: async (offset, count) => engine.audit(offset, count),
    isHealthy: () => engine.isUp() && failing.size === 0,
    flush,
    close: () => (closed ??= close()),
  };
}

/** An account with a full bucket that holds no calls yet. */
function newAccount(key: KeyRecord, plan: Account['plan'], history: Map<number, number>, at: number): Account {
  const day = dayOf(at);
  return {
    key,
    plan,
    version: 0,
    day,
    stored: history.get(day) ?? 0,
    pending: 0,
    tokens: plan.burst,
    tokensAt: at,
    share: newShare(),
    history,
    waiting: [],
    isAsking: false,
    isCutOff: false,
    dryAt: -Infinity,
    toldAt: -Infinity,
  };
}
