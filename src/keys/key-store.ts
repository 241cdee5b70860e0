/**
 * Keys, wherever they are kept: the one contract, and its rules over an engine. What a request needs is held in memory:
 * accounts of the keys in use, and leases of their quotas. A change made here takes effect at once, one made by another
 * process within `reportMs`.
 */

import { isDeepStrictEqual } from 'node:util';
import { UsageError } from '../errors.ts';
import {
  type EndpointUse,
  type EngineFault,
  type KeyEngine,
  type QuotaLevel,
  reportMs,
  storeUnavailable,
} from './engine.ts';
import {
  type AuditEntry,
  displayLength,
  fallbackPlan,
  formerKnownMs,
  generateKey,
  hashText,
  isWellFormedKey,
  type KeyOptions,
  type KeyRecord,
  maxChanges,
  newKey,
  type Plans,
  readOptions,
  rotated,
  timeOf,
  validUntil,
  withNow,
} from './key-record.ts';
import { createLeases, type Leases } from './leases.ts';
import { type Account, dayOf, newAccount, type Soon } from './meter.ts';
import { createSignUps, type SignUpLimits } from './sign-ups.ts';

/** Keys and their use; see `createKeyStore`. */
export type KeyStore = ReturnType<typeof createKeyStore>;

/**
 * Throws where a key may not be changed. It is given the key as the engine has it when it is changed: what is known in memory
 * may lack what another process changed a moment ago.
 */
export type ChangeCheck = (key: KeyRecord) => void;

/** `failures`: how many requests, reports and connections failed meanwhile. */
export type KeyEngineChange =
  | { state: 'away'; error: unknown; fault?: EngineFault }
  | { state: 'back'; failures: number };

/** An outage is over when nothing has failed for this long: a cluster without one of its masters answers for some keys, ms. */
const quietMs = 10_000;
/** Maximum number of reasons of an outage that are reported. */
const maxReasons = 5;

export type KeyStoreOptions = {
  plans: Plans;
  /** While the engine is away: refuse (503), or serve keys that are known and count here. */
  whenUnavailable: 'deny' | 'allow';
  /** Epoch milliseconds; the clock of expiry, days and rates. */
  now?: () => number;
  /** How often use is reported and changes are polled, ms; the maximum that a killed process loses. 0: at `flush`. */
  flushMs?: number;
  /** Called when the engine goes away, once for each reason, and when it is back. */
  onChange?: (change: KeyEngineChange) => void;
  /** Called when a key has spent 80 or 100% of its day's calls. */
  onReached?: (key: KeyRecord, limit: number, level: QuotaLevel) => void;
  signUpLimits?: SignUpLimits;
};

/** All of its functions throw or reject `unavailable` where the engine is needed and away. */
export function createKeyStore(engine: KeyEngine, options: KeyStoreOptions) {
  const {
    plans,
    whenUnavailable,
    now = Date.now,
    flushMs = reportMs,
    onChange = () => {},
    onReached = () => {},
  } = options;
  let generation: string | undefined;
  let outage: { failures: number; lastAt: number; reasons: Set<string> } | undefined;
  const countFailure = (error: Error) => {
    outage ??= { failures: 0, lastAt: 0, reasons: new Set() };
    outage.failures++;
    outage.lastAt = now();
    if (outage.reasons.has(error.message) || outage.reasons.size >= maxReasons) return;
    outage.reasons.add(error.message);
    const fault = engine.faultOf?.(error);
    onChange({ state: 'away', error, ...(fault && { fault }) });
  };
  const onFailure = (error: unknown) => countFailure(((error as Error).cause ?? error) as Error);
  const isQuiet = () => !outage || now() - outage.lastAt >= quietMs;
  const leases = createLeases(engine, {
    servesWhileUnavailable: whenUnavailable === 'allow',
    now,
    onFailure,
    onReached,
  });
  const known = createKnownKeys(engine, leases, {
    plans,
    whenUnavailable,
    now,
    onFailure,
  });
  const reportAgain = () => {
    for (const account of known.accounts()) leases.reportAgain(account);
  };
  engine.watch({
    onUp() {
      known.outdate();
      reportAgain();
    },
    onDown(error) {
      reportAgain();
      countFailure(error as Error);
    },
  });

  const tick = async () => {
    if (!engine.isUp()) return;
    try {
      const found = await engine.generation();
      if (found !== generation) known.outdate();
      generation = found;
    } catch (error) {
      onFailure(error);
    }
    await leases.report();
    if (!outage || !isQuiet()) return;
    onChange({ state: 'back', failures: outage.failures });
    outage = undefined;
  };
  let ticking: Promise<void> | undefined;
  /** Twice at once would help nobody. */
  const flush = () => (ticking ??= tick().finally(() => (ticking = undefined)));
  const timer = flushMs > 0 ? setInterval(flush, flushMs).unref() : undefined;

  /** Changes the current revision of a key, even with concurrent changes. */
  async function update(
    id: number,
    entry: Omit<AuditEntry, 'keyId' | 'at'>,
    next: (key: KeyRecord) => KeyRecord,
    check: ChangeCheck = () => {},
    formerUntil?: number,
  ): Promise<KeyRecord> {
    for (;;) {
      const key = await engine.byId(id);
      if (!key) throw new UsageError(`no key has the id ${id}; \`keys list\` shows them`);
      check(key);
      const after = next(key);
      if (after === key) return key;
      const changed = { ...after, revision: key.revision + 1 };
      try {
        if (await engine.replace(changed, { at: now(), keyId: id, ...entry }, formerUntil)) return changed;
      } finally {
        // Also where it failed, as it may have been done.
        known.outdate();
      }
    }
  }

  /** Keys with ids above `after`, oldest first, revoked ones included. */
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
    signUps: createSignUps(engine, now, options.signUpLimits),
    reserve: known.reserve,
    knownAs: known.knownAs,
    accountOf: known.accountOf,
    /** Makes a key and returns its text, which nothing can show again. Throws UsageError for a wrong plan or network. */
    async create(options: KeyOptions, by: string) {
      const { key, record } = newKey(options, plans, now());
      const { name, plan, profile, expiresAt, origins, networks, endpoints, isAdmin } = record;
      const properties = Object.entries({ name, plan, profile, expiresAt, origins, networks, endpoints });
      const set = properties.filter(([, value]) => value !== null);
      const detail = noted({ ...Object.fromEntries(set), ...(isAdmin ? { isAdmin } : {}) });
      const entry = { at: now(), by, action: 'create' as const, detail };
      return { key, record: { id: await engine.add(record, entry), ...record } };
    },
    list,
    /** The one key with this id, start of at least 8 characters, or full text. Throws UsageError when none or several. */
    async find(reference: string): Promise<KeyRecord> {
      const found = (await candidates(reference)).filter((key) => key !== undefined);
      if (found.length === 1) return found[0];
      const shown = JSON.stringify(reference.slice(0, displayLength));
      throw new UsageError(
        `${found.length === 0 ? 'no key' : `${found.length} keys`} for ${shown}; use the id or the first 12 characters from \`keys list\``,
      );
    },
    /** Revokes a key and its former texts. These four return the changed key. Throw UsageError when there is no such key. */
    revoke: (id: number, by: string, check?: ChangeCheck) =>
      update(
        id,
        { by, action: 'revoke', detail: null },
        (key) => ({ ...key, revokedAt: key.revokedAt ?? now() }),
        check,
      ),
    /** Changes what a key may do. Throws UsageError for a wrong plan or network. */
    async change(id: number, options: KeyOptions, by: string, check?: ChangeCheck): Promise<KeyRecord> {
      const changes = readOptions(options, plans);
      return update(id, { by, action: 'change', detail: noted(changes) }, (key) => ({ ...key, ...changes }), check);
    },
    /**
     * Changes a key for its owner, in one step: with origins it becomes a public key, whose changes from now on need the
     * owner's code that is returned, once; without them (null) it no longer does.
     */
    async changeAsOwner(id: number, options: KeyOptions, check: ChangeCheck) {
      const changes = readOptions(options, plans);
      const newCode = generateKey('own_');
      let code: string | undefined;
      const next = (before: KeyRecord): KeyRecord => {
        const isSame = ([name, value]: [string, unknown]) => isDeepStrictEqual(value, before[name as keyof KeyOptions]);
        if (Object.entries(changes).every(isSame)) return before;
        const changedAt = withNow(before.changedAt ?? [], now(), maxChanges, 'changed');
        code = changes.origins && before.ownerHash === null ? newCode : undefined;
        const ownerHash = changes.origins === null ? null : code === undefined ? before.ownerHash : hashText(code);
        return { ...before, ...changes, ownerHash, changedAt };
      };
      const key = await update(id, { by: 'owner', action: 'change', detail: noted(changes) }, next, check);
      return { key, code };
    },
    /** Replaces the text of a key by a new one, shown once; the one before stays valid for `graceMs`. Throws `rate_limited`. */
    async rotate(id: number, graceMs: number, by: string, check?: ChangeCheck) {
      let text = '';
      const ends = now() + graceMs;
      const detail = { formerUntil: new Date(ends).toISOString() };
      const next = (before: KeyRecord): KeyRecord => {
        const after = rotated(before, graceMs, now());
        text = after.text;
        return after.key;
      };
      const key = await update(id, { by, action: 'rotate', detail }, next, check, ends + formerKnownMs);
      return { text, key };
    },
    /** Calls by day number from a day on, those not yet reported included; days without calls are left out, but today. */
    usageSince(account: Account, from: number, at: number): Map<number, number> {
      const used = leases.used(account, at);
      const days = [...account.history].filter(([day]) => day >= from && day !== account.day);
      return new Map(days.sort(([a], [b]) => a - b)).set(account.day, used);
    },
    /** Calls of a key by day and endpoint, both days included, as far as they are reported. */
    endpointUse: async (id: number, from: number, to: number): Promise<EndpointUse[]> =>
      engine.endpointUse(id, from, to),
    /** The log of changes, newest first. */
    audit: async (offset: number, count: number): Promise<AuditEntry[]> => engine.audit(offset, count),
    /** Whether the store answers for every key, as far as is known. */
    isHealthy: () => engine.isUp() && isQuiet(),
    /** Reports what was used, and looks for changes by others. */
    flush,
    close: () => (closed ??= close()),
  };
}

/** Properties as the log has them: the end as a date. */
function noted({ expiresAt, ...others }: Partial<KeyRecord>): Record<string, unknown> {
  return { ...others, ...(expiresAt === undefined ? {} : { expires: timeOf(expiresAt) }) };
}

// Keys that this process knows: their accounts, and the texts it has seen, read again when they may have changed.

/** Why a text is not a valid key. */
export type Refusal = 'malformed' | 'unknown' | 'revoked' | 'expired';

/** The access granted to a request. */
export type Reservation = {
  account: Account;
  /** Whether the text was rotated away and lives on for its grace: it may read, and change nothing. */
  isFormer: boolean;
  /** Calls taken from the day's quota; fewer than requested, or 0, when there are no more. */
  granted: number;
};

type KnownText = { account: Account; hash: string; version: number };

/** Accounts and texts kept in memory; past it, those that were idle are read again when they come back. */
const maxKnown = 50_000;
/** How long an unknown text is cached as invalid, ms. */
const unknownMs = 1000;
const historyDays = 30;

export function createKnownKeys(
  engine: KeyEngine,
  leases: Leases,
  options: { plans: Plans; whenUnavailable: 'deny' | 'allow'; now: () => number; onFailure: (error: unknown) => void },
) {
  const { plans, whenUnavailable, now, onFailure } = options;
  const accounts = new Map<number, Account>();
  /** Texts of keys seen, so that a key in use is hashed once and not per request. Never leaves this process. */
  const texts = new Map<string, KnownText>();
  const unknown = new Map<string, number>();
  const loading = new Map<string, Promise<KnownText | undefined>>();
  /** Grows whenever what is known of keys may be out of date. */
  let version = 0;

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
    const account = await refresh(key, loadedVersion, at);
    if (texts.size >= maxKnown) texts.clear();
    const known = { account, hash, version: loadedVersion };
    texts.set(text, known);
    unknown.delete(text);
    return known;
  }

  /** The account of a key that was read at a version. */
  async function refresh(key: KeyRecord, loadedVersion: number, at: number): Promise<Account> {
    const plan = plans[key.plan] ?? plans[fallbackPlan];
    const history = await engine.history(key.id, dayOf(at) - historyDays);
    let account = accounts.get(key.id);
    // A server that was emptied gives numbers again.
    if (account?.key.createdAt !== key.createdAt) account = undefined;
    const read = { key, plan, history, version: loadedVersion, dryAt: -Infinity } satisfies Partial<Account>;
    if (account) Object.assign(account, read);
    else {
      if (accounts.size >= maxKnown) forget();
      accounts.set(key.id, (account = newAccount(key, plan, history, at)));
      account.version = loadedVersion;
    }
    return account;
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

  function use({ account, hash }: KnownText, calls: number, at: number): Soon<Reservation | Refusal> {
    const { revokedAt, expiresAt } = account.key;
    if (revokedAt !== null) return 'revoked';
    const until = validUntil(account.key, hash);
    if (until <= at || (expiresAt !== null && expiresAt <= at)) return 'expired';
    const isFormer = until !== Infinity;
    const granted = leases.take(account, calls, at);
    return typeof granted === 'number'
      ? { account, isFormer, granted }
      : granted.then((taken) => ({ account, isFormer, granted: taken }));
  }

  return {
    /**
     * The account of a key's text after taking calls from its quota, or why there is none; synchronous if everything is
     * cached. With 0 calls, it only updates what was used. Throws or rejects `unavailable` if that is not possible.
     */
    reserve(text: string, calls: number, at: number): Soon<Reservation | Refusal> {
      const known = texts.get(text);
      if (known && known.version === version && known.account.version === version) return use(known, calls, at);
      if (!known && !isWellFormedKey(text)) return 'malformed';
      if (!known && Math.abs(at - (unknown.get(text) ?? -Infinity)) < unknownMs) return 'unknown';
      const mayUseKnown = whenUnavailable === 'allow' && known;
      if (!engine.isUp() || loading.size >= maxKnown) {
        if (mayUseKnown) return use(known, calls, at);
        throw storeUnavailable();
      }
      let found = loading.get(text);
      if (!found) loading.set(text, (found = load(text, at).finally(() => loading.delete(text))));
      return found.then(
        (loaded) => (loaded ? use(loaded, calls, at) : 'unknown'),
        (error: unknown) => {
          onFailure(error);
          if (mayUseKnown) return use(known, calls, at);
          throw storeUnavailable(error);
        },
      );
    },
    /** The key of a text as it was last read; undefined where it was not, or is none. */
    knownAs: (text: string): KeyRecord | undefined => texts.get(text)?.account.key,
    /** The account of a key by its id, for work that goes on without the key's text; or why there is none. */
    async accountOf(id: number, at: number): Promise<Account | Refusal> {
      let account = accounts.get(id);
      if (account?.version !== version) {
        const loadedVersion = version;
        const key = await engine.byId(id);
        if (!key) return 'unknown';
        account = await refresh(key, loadedVersion, at);
      }
      const { revokedAt, expiresAt } = account.key;
      if (revokedAt !== null) return 'revoked';
      return expiresAt !== null && expiresAt <= at ? 'expired' : account;
    },
    /** Marks cached keys as possibly outdated. */
    outdate() {
      version++;
    },
    accounts: () => accounts.values(),
  };
}
