/** Leases of quotas from a Valkey or Redis server, for one process. */
import { randomUUID } from 'node:crypto';
import { emptyShare, type Report, reportOf, settle } from '../lease.ts';
import { type Account, dayOf } from '../meter.ts';
import { type Connection, scriptOf, storeAway } from './connection.ts';
import { names } from './records.ts';
import { exchangeScript } from './scripts.ts';

/** An account with who waits for calls of it. */
export type LeasedAccount = Account & {
  waiting: { calls: number; then: (error?: unknown) => void }[];
  /** A report is on its way. */
  isAsking: boolean;
  /** When nothing was left, and when it was last told about, epoch ms. */
  dryAt: number;
  toldAt: number;
  /** Calls of days that are over. */
  history: Map<number, number>;
};

/** How long a process believes what it was told: that nothing is left, and how much was used, ms. */
const freshMs = 250;
/** Requests that may wait for the server; more are refused. */
const mostWaiting = 10_000;
/** How long the server keeps the leases of a day, s. */
const keptSeconds = 3 * 86_400;

const exchange = scriptOf(exchangeScript);

export type Leases = {
  /** Whether so many calls (0: how many were used) are at hand, or all that there are; `then` is called later if not. */
  prepare(account: LeasedAccount, calls: number, now: number, then: (error?: unknown) => void): boolean;
  /** Grants calls that nobody counts while the server is away, where that is allowed. */
  refill(account: Account, wanted: number): void;
  onActive(account: Account): void;
  onNewDay(account: Account, now: number): void;
  /** Reports all that happened since the last time; the last time, gives back all that is held. */
  report(isLast?: boolean): Promise<void>;
};

export function createLeases(
  connection: Connection,
  {
    isAllowedAway,
    now,
    onReply,
    onFailure,
    isAway,
  }: {
    isAllowedAway: boolean;
    now: () => number;
    onReply: () => void;
    onFailure: (error: unknown) => void;
    isAway: () => boolean;
  },
): Leases {
  const holder = randomUUID();
  const active = new Set<LeasedAccount>();
  let past: Report[] = [];
  let waiting = 0;

  async function send({ keyId, day, spent, held, requests, wanted, limit }: Report) {
    const given = [holder, spent, held, requests, wanted, limit, day, keptSeconds];
    try {
      const reply = await connection.run(exchange, [names.day(keyId, day), names.use(keyId)], given);
      onReply();
      const [granted, calls, others] = reply as [number, number, number];
      return { granted, calls, others };
    } catch (error) {
      onFailure(error);
      throw error;
    }
  }

  /** Asks for what those who wait need; one question at a time, so that reports arrive in order. */
  async function ask(account: LeasedAccount): Promise<void> {
    if (account.isAsking) return;
    account.isAsking = true;
    try {
      while (account.waiting.length > 0) {
        const needed = account.waiting.reduce((sum, { calls }) => sum + calls, 0);
        const wanted = Math.max(0, needed - account.share!.held);
        const report = reportOf(account, wanted);
        const standing = await send(report);
        if (account.day !== report.day) continue;
        settle(account, report.spent, standing);
        account.toldAt = now();
        const isDry = standing.granted < wanted;
        if (isDry) account.dryAt = account.toldAt;
        release(account, isDry);
      }
    } catch (error) {
      for (const { then } of account.waiting.splice(0)) {
        waiting--;
        then(isAllowedAway ? undefined : storeAway(error));
      }
    } finally {
      account.isAsking = false;
    }
  }

  /** Lets those go on who have what they need, in the order they came; all of them when there is no more. */
  function release(account: LeasedAccount, isDry: boolean): void {
    while (account.waiting.length > 0 && (isDry || account.waiting[0].calls <= account.share!.held)) {
      const { then } = account.waiting.shift()!;
      waiting--;
      then();
    }
  }

  async function reportOne(account: LeasedAccount, isLast: boolean): Promise<void> {
    // A question that is on its way reports as well.
    if (account.isAsking) return;
    const share = account.share!;
    const isIdle = isLast || !share.isTouched;
    const returned = isIdle ? share.held : 0;
    share.held -= returned;
    share.isTouched = false;
    account.isAsking = true;
    const report = reportOf(account, 0);
    try {
      const standing = await send(report);
      if (account.day === report.day) settle(account, report.spent, standing);
      account.toldAt = now();
      if (isIdle && !account.share!.isTouched) active.delete(account);
    } catch {
      // Told by onFailure; it is reported the next time.
      if (account.day === report.day) share.held += returned;
    } finally {
      account.isAsking = false;
      if (account.waiting.length > 0) ask(account);
    }
  }

  return {
    prepare(account, calls, at, then) {
      if (account.day !== dayOf(at)) this.onNewDay(account, at);
      if (calls === 0) {
        if (Math.abs(at - account.toldAt) < freshMs) return true;
      } else if (account.waiting.length === 0) {
        if (account.share!.held >= calls) return true;
        if (Math.abs(at - account.dryAt) < freshMs) return true;
      }
      if (isAway() || waiting >= mostWaiting) {
        if (isAllowedAway || calls === 0) return true;
        then(storeAway());
        return false;
      }
      waiting++;
      account.waiting.push({ calls, then });
      ask(account);
      return false;
    },
    refill(account, wanted) {
      if (!isAllowedAway || !isAway()) return;
      const { share, plan, stored, pending } = account;
      share!.held += Math.max(0, Math.min(wanted, plan.callsPerDay - stored - pending - share!.held));
    },
    onActive(account) {
      active.add(account as LeasedAccount);
    },
    onNewDay(account, at) {
      const leased = account as LeasedAccount;
      if (leased.share!.spent !== 0) past.push({ ...reportOf(leased, 0), held: 0 });
      leased.history.set(leased.day, leased.stored + leased.pending);
      leased.day = dayOf(at);
      leased.stored = 0;
      leased.pending = 0;
      leased.share = emptyShare();
      leased.dryAt = -Infinity;
    },
    async report(isLast = false) {
      const over = past;
      past = [];
      await Promise.all([
        ...over.map((report) => send(report).catch(() => past.push(report))),
        ...[...active].map((account) => reportOne(account, isLast)),
      ]);
    },
  };
}
