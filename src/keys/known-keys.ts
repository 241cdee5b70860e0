/** Keys that this process knows: their accounts, and the texts it has seen, read again when they may have changed. */
import { type KeyEngine, newShare, storeUnavailable } from './engine.ts';
import { isWellFormedKey, type KeyRecord } from './key-record.ts';
import { hashText, validUntil } from './key-rules.ts';
import type { Leases } from './leases.ts';
import { type Account, dayOf, type Soon } from './meter.ts';
import { fallbackPlan, type Plans } from './plans.ts';

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

type KnownText = { account: Account; until: number; version: number };

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
    const known = { account, until: validUntil(key, hash), version: loadedVersion };
    texts.set(text, known);
    unknown.delete(text);
    return known;
  }

  /** The account of a key that was read at a version. */
  async function refresh(key: KeyRecord, loadedVersion: number, at: number): Promise<Account> {
    const plan = plans[key.plan] ?? plans[fallbackPlan];
    const history = await engine.history(key.id, dayOf(at) - historyDays);
    let account = accounts.get(key.id);
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
    reportedAt: -Infinity,
  };
}
