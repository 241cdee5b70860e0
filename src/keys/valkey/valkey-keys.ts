/**
 * Keys on a Valkey or Redis server that several machines share. What a request needs is held in memory here: accounts
 * of the keys in use, and leases of their quotas.
 */
import { UsageError } from '../../errors.ts';
import { hashKey, isWellFormedKey } from '../key-format.ts';
import type { KeyOptions } from '../key-record.ts';
import type { Keys } from '../keys.ts';
import { createLeasedMeter, emptyShare, reportMs } from '../lease.ts';
import { dayOf } from '../meter.ts';
import { parseNetwork } from '../networks.ts';
import { fallbackPlan, type Plans } from '../plans.ts';
import { connect, storeAway } from './connection.ts';
import { createLeases, type LeasedAccount } from './leases.ts';
import { createRecords, names, pairs, recordOf } from './records.ts';

export type ValkeyOptions = {
  plans: Plans;
  /** While the server is away: refuse (503), or serve keys that are known and count here. */
  whenAway: 'deny' | 'allow';
  now?: () => number;
  /** Told when the server goes away, once each time. */
  onError?: (error: unknown) => void;
};

type Known = LeasedAccount & { version: number };

const mostTexts = 50_000;
/** How long a text is believed to be no key, ms. */
const unknownMs = 1000;

/** Opens the keys on the server at `url` (`redis://` or `rediss://`), whether it answers yet or not. */
export async function openValkeyKeys(url: string, options: ValkeyOptions): Promise<Keys> {
  const { plans, whenAway, now = Date.now, onError = () => {} } = options;
  const accounts = new Map<number, Known>();
  const seen = new Map<string, { id: number; until: number; version: number }>();
  const unknown = new Map<string, number>();
  const loading = new Map<string, Promise<void>>();
  /** Grows whenever what is known of keys may be out of date. */
  let version = 0;
  let generation: string | undefined;
  let isAway = true;

  const fail = (error: unknown) => {
    if (!isAway) onError((error as Error).cause ?? error);
    isAway = true;
  };
  const connection = await connect(url, {
    onUp() {
      isAway = false;
      version++;
    },
    onDown(error) {
      isAway = true;
      onError(error);
    },
  });
  const leases = createLeases(connection, {
    isAllowedAway: whenAway === 'allow',
    now,
    onReply: () => (isAway = false),
    onFailure: fail,
    isAway: () => isAway || !connection.isUp,
  });
  const meter = createLeasedMeter(leases);

  /** Reports, and asks whether a key has changed. Twice at once would help nobody. */
  let ticking: Promise<void> | undefined;
  const tick = async () => {
    if (!connection.isUp) return;
    try {
      const found = String(await connection.send('GET', names.generation));
      isAway = false;
      if (found !== generation) version++;
      generation = found;
    } catch (error) {
      fail(error);
    }
    await leases.report();
  };
  const timer = setInterval(() => {
    ticking ??= tick().finally(() => (ticking = undefined));
  }, reportMs).unref();

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

  /** Drops accounts that were not used today; those that were hold sums of the day. */
  function forget(today: number): void {
    for (const [id, { day, isAsking, waiting }] of accounts) {
      if (day < today && !isAsking && waiting.length === 0) accounts.delete(id);
    }
  }

  /** Reads a text's key from the server. */
  async function load(text: string, at: number): Promise<void> {
    const loadedVersion = version;
    const found = (await connection.send('HGET', names.hashes, hashKey(text).toString('hex'))) as string | null;
    if (found === null) {
      if (unknown.size >= mostTexts) unknown.clear();
      unknown.set(text, at);
      seen.delete(text);
      return;
    }
    const [id, until = Infinity] = found.split(':').map(Number);
    const [fields, use] = await Promise.all([
      connection.send('HGETALL', names.key(id)),
      connection.send('HGETALL', names.use(id)),
    ]);
    const key = recordOf(id, fields);
    if (!key) throw storeAway(new Error(`the key ${id} has a hash and no record`));
    const history = new Map([...pairs(use)].map(([day, calls]) => [Number(day), Number(calls)]));
    const plan = plans[key.plan] ?? plans[fallbackPlan];
    const day = dayOf(at);
    const fresh: Known = {
      key,
      plan,
      day,
      stored: history.get(day) ?? 0,
      pending: 0,
      tokens: plan.burst,
      tokensAt: at,
      share: emptyShare(),
      waiting: [],
      isAsking: false,
      dryAt: -Infinity,
      toldAt: at,
      history,
      version: loadedVersion,
    };
    const account = accounts.get(id);
    if (account) Object.assign(account, { key, plan, history, version: loadedVersion, dryAt: -Infinity });
    else {
      if (accounts.size >= mostTexts) forget(day);
      accounts.set(id, fresh);
    }
    if (seen.size >= mostTexts) seen.clear();
    seen.set(text, { id, until, version: loadedVersion });
    unknown.delete(text);
  }

  const records = createRecords(connection, { now, check, onChange: () => version++ });

  const keys: Keys = {
    plans,
    meter,
    ...records,
    isHealthy: () => !isAway && connection.isUp,
    prepare(text, calls, at, then) {
      const known = seen.get(text);
      const account = known && accounts.get(known.id);
      const isFresh = known?.version === version && account?.version === version;
      if (account && (isFresh || (isAway && whenAway === 'allow'))) return leases.prepare(account, calls, at, then);
      if (!known && (!isWellFormedKey(text) || at - (unknown.get(text) ?? -Infinity) < unknownMs)) return true;
      if (isAway || loading.size >= mostTexts) {
        then(storeAway());
        return false;
      }
      let load_ = loading.get(text);
      if (!load_) loading.set(text, (load_ = load(text, at).finally(() => loading.delete(text))));
      load_.then(
        () => keys.prepare!(text, calls, at, then) && then(),
        (error) => {
          fail(error);
          // A key that is known may go on where that is allowed; prepare looks again now that the server is away.
          if (whenAway === 'allow' && account) {
            if (keys.prepare!(text, calls, at, then)) then();
          } else then(error);
        },
      );
      return false;
    },
    authenticate(text, at) {
      const known = seen.get(text);
      if (!known) return isWellFormedKey(text) ? 'unknown' : 'malformed';
      const account = accounts.get(known.id);
      if (!account) return 'unknown';
      if (known.until <= at) return 'expired';
      if (account.key.revokedAt !== null) return 'revoked';
      if (account.key.expiresAt !== null && account.key.expiresAt <= at) return 'expired';
      return account;
    },
    usageSince(account, from, at) {
      if (account.day !== dayOf(at)) leases.onNewDay(account, at);
      const days = [...(account as Known).history].filter(([day]) => day >= from).sort(([a], [b]) => a - b);
      return new Map(days).set(account.day, account.stored + account.pending);
    },
    flush: () => leases.report(),
    async close() {
      clearInterval(timer);
      await ticking;
      if (connection.isUp) await leases.report(true);
      await connection.close();
    },
  };
  return keys;
}
