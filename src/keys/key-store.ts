/**
 * Keys, wherever they are kept: the one contract, and its rules over an engine. What a request needs is held in memory:
 * accounts of the keys in use, and leases of their quotas. A change made here takes effect at once, one made by another
 * process within `reportMs`.
 */
import { isDeepStrictEqual } from 'node:util';
import { UsageError } from '../errors.ts';
import { type EndpointUse, type KeyEngine, type QuotaLevel, reportMs } from './engine.ts';
import {
  type AuditEntry,
  displayLength,
  generateKey,
  isWellFormedKey,
  type KeyOptions,
  type KeyRecord,
  timeOf,
} from './key-record.ts';
import { checkOptions, formerKnownMs, hashText, maxChanges, newKey, rotated, withNow } from './key-rules.ts';
import { createKnownKeys } from './known-keys.ts';
import { createLeases } from './leases.ts';
import type { Account, Meter } from './meter.ts';
import type { Plans } from './plans.ts';

/** Keys and their use; see `createKeyStore`. */
export type KeyStore = ReturnType<typeof createKeyStore>;

/**
 * Throws where a key may not be changed. It is given the key as the engine has it when it is changed: what is known in memory
 * may lack what another process changed a moment ago.
 */
export type ChangeCheck = (key: KeyRecord) => void;

/** `failures`: how many requests, reports and connections failed meanwhile. */
export type KeyEngineChange = { state: 'away'; error: unknown } | { state: 'back'; failures: number };

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
    onChange({ state: 'away', error });
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
      if (await engine.replace(changed, { at: now(), keyId: id, ...entry }, formerUntil)) {
        known.outdate();
        return changed;
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
    meter: leases as Meter,
    reserve: known.reserve,
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
    async change(id: number, changes: KeyOptions, by: string, check?: ChangeCheck): Promise<KeyRecord> {
      checkOptions(changes, plans);
      return update(id, { by, action: 'change', detail: noted(changes) }, (key) => ({ ...key, ...changes }), check);
    },
    /**
     * Changes a key for its owner, in one step: with origins it becomes a public key, whose changes from now on need the
     * owner's code that is returned, once; without them (null) it no longer does.
     */
    async changeAsOwner(id: number, changes: KeyOptions, check: ChangeCheck) {
      checkOptions(changes, plans);
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
