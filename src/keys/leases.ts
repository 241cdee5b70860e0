/** The quota of keys in this process: requests, awaits, spends, reports and returns leases. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type KeyEngine,
  type QuotaLevel,
  type QuotaState,
  type Report,
  reportOf,
  settle,
  storeUnavailable,
} from './engine.ts';
import type { KeyRecord } from './key-record.ts';
import { type Account, dayOf, newShare, type Soon, takeToken } from './meter.ts';

/** How long the last answer (nothing left, amount used) is considered current, ms. */
const freshMs = 250;
/** A busy process keeps this multiple of what it spent since its last report, or at least this many calls. */
const keptReports = 4;
const keptCalls = 20;
/** Requests that may wait for an answer; more are refused. */
const maxWaiting = 10_000;
/** Reports that are sent together; between such lots requests are answered. */
const lotSize = 200;

type LeaseOptions = {
  /** While the engine is unavailable: count locally, up to the last known remainder; otherwise refuse. */
  servesWhileUnavailable: boolean;
  now: () => number;
  onFailure(error: unknown): void;
  /** A key has spent this part of its quota; reported once a day by all processes together. */
  onReached(key: KeyRecord, limit: number, level: QuotaLevel): void;
};

export type Leases = ReturnType<typeof createLeases>;

const isRecent = (then: number, now: number) => Math.abs(now - then) < freshMs;

/** The meter of a process over an engine. */
export function createLeases(engine: KeyEngine, options: LeaseOptions) {
  const { servesWhileUnavailable, now, onFailure, onReached } = options;
  /** Accounts with something to report or return. */
  const active = new Set<Account>();
  /** Last reports of days that are over. */
  let past: { account: Account; report: Report }[] = [];
  let waiting = 0;

  function touch(account: Account): void {
    if (account.share.isTouched) return;
    account.share.isTouched = true;
    active.add(account);
  }

  /** Spends the requested calls, or all that are leased. */
  function spend(account: Account, calls: number): number {
    const { share } = account;
    const granted = Math.min(calls, share.held);
    if (granted === 0) return 0;
    share.held -= granted;
    share.spent += granted;
    account.pending += granted;
    touch(account);
    return granted;
  }

  /** The same while the engine is unavailable. */
  function spendWhileUnavailable(account: Account, calls: number): number {
    const { share, plan, stored, pending } = account;
    const left = plan.callsPerDay - stored - pending - share.held;
    share.held += Math.max(0, Math.min(calls - share.held, left));
    return spend(account, calls);
  }

  function today(account: Account, at: number): void {
    const day = dayOf(at);
    // A request that came before midnight is counted on the day that has started since, unless the clock was set back.
    if (account.day === day || (day < account.day && dayOf(now()) >= account.day)) return;
    const { share } = account;
    if (share.spent > 0 || share.held > 0 || share.requests > 0) {
      past.push({ account, report: { ...reportOf(account, 0), held: 0 } });
    }
    account.history.set(account.day, account.stored + account.pending);
    const fresh = { day, stored: 0, pending: 0, share: newShare(), dryAt: -Infinity, reportedAt: -Infinity };
    Object.assign(account, fresh satisfies Partial<Account>);
    // Others may report calls of the day before yet, so its history is read again.
    account.version = -1;
  }

  /** Makes a report, and notes that what it says of endpoints is reported. */
  function prepare(account: Account, wanted: number): Report {
    const report = reportOf(account, wanted);
    account.share.isCounted = false;
    return report;
  }

  /** Applies the answer to a report of an account's share. */
  function answered(account: Account, report: Report, answer: QuotaState | Error): asserts answer is QuotaState {
    if (answer instanceof Error) {
      account.isCutOff = true;
      active.add(account);
      if (report.endpoints && account.share.holder === report.holder) account.share.isCounted = true;
      onFailure(answer);
      throw answer;
    }
    account.isCutOff = false;
    if (answer.reached) onReached(account.key, report.limit, answer.reached);
    if (account.share.holder !== report.holder) return;
    settle(account, report.spent, answer);
    account.reportedAt = now();
  }

  async function exchange(reports: readonly Report[]): Promise<(QuotaState | Error)[]> {
    try {
      return await engine.exchange(reports);
    } catch (error) {
      return reports.map(() => error as Error);
    }
  }

  async function send(account: Account, report: Report): Promise<QuotaState> {
    const [answer] = await exchange([report]);
    answered(account, report, answer);
    return answer;
  }

  /** Sends what an account spent on days that are over. Its clock may have been set back to one of them. */
  async function sendPast(account: Account): Promise<void> {
    for (const due of past.filter((report) => report.account === account)) {
      await send(account, due.report);
      past = past.filter((report) => report !== due);
    }
  }

  /** Requests the calls that waiting requests need; one report at a time, so that they arrive in order. */
  async function requestLease(account: Account): Promise<void> {
    if (account.isAsking) return;
    account.isAsking = true;
    try {
      await sendPast(account);
      while (account.waiting.length > 0) {
        const needed = account.waiting.reduce((sum, { calls }) => sum + calls, 0);
        const wanted = Math.max(0, needed - account.share.held);
        const report = prepare(account, wanted);
        const { granted } = await send(account, report);
        if (account.share.holder !== report.holder) continue;
        const isDry = granted < wanted;
        if (isDry) account.dryAt = now();
        release(account, isDry);
      }
    } catch (error) {
      for (const { calls, resolve, reject } of account.waiting.splice(0)) {
        waiting--;
        if (servesWhileUnavailable) resolve(spendWhileUnavailable(account, calls));
        else reject(storeUnavailable(error));
      }
    } finally {
      account.isAsking = false;
    }
  }

  /** Resumes waiting requests whose calls are available, in order; all of them when no more are left. */
  function release(account: Account, isDry: boolean): void {
    while (account.waiting.length > 0 && (isDry || account.waiting[0].calls <= account.share.held)) {
      const { calls, resolve } = account.waiting.shift()!;
      waiting--;
      resolve(spend(account, calls));
    }
  }

  /** Reports accounts that nobody asks for at the moment. */
  async function reportLot(accounts: readonly Account[], isLast: boolean): Promise<void> {
    const lot = accounts.map((account) => {
      const { share } = account;
      const isIdle = isLast || !share.isTouched;
      // Calls leased to one process are unavailable to all others: a busy one keeps only what it will spend within
      // about a second.
      const kept = isIdle ? 0 : Math.max(keptCalls, keptReports * account.pending);
      const returned = Math.max(0, share.held - kept);
      share.held -= returned;
      share.isTouched = false;
      account.isAsking = true;
      return { account, share, isIdle, returned, report: prepare(account, 0) };
    });
    const answers = await exchange(lot.map(({ report }) => report));
    for (const [index, { account, share, isIdle, returned, report }] of lot.entries()) {
      account.isAsking = false;
      try {
        answered(account, report, answers[index]);
        if (isIdle && !account.share.isTouched) active.delete(account);
      } catch {
        // It is reported the next time.
        share.held += returned;
      }
      if (account.waiting.length > 0) requestLease(account);
    }
  }

  return {
    /** Takes one request from the rate; returns 0, or the seconds to wait when the rate is used up. */
    admit(account: Account, at: number): number {
      today(account, at);
      // Not that of its arrival: others were admitted while it waited, and the time between would count again.
      const wait = takeToken(account, now());
      if (wait > 0) return wait;
      account.share.requests++;
      touch(account);
      return 0;
    },
    /**
     * Takes up to `calls` from the day's quota; returns how many were granted, 0 when none is left. With 0 calls, `used` is
     * up to date after it. Throws `unavailable` where it cannot be known what is left.
     */
    take(account: Account, calls: number, at: number): Soon<number> {
      today(account, at);
      if (account.waiting.length === 0) {
        const isAtHand = calls === 0 ? isRecent(account.reportedAt, at) : account.share.held >= calls;
        if (isAtHand || isRecent(account.dryAt, at)) return spend(account, calls);
      }
      if (account.isCutOff || !engine.isUp() || waiting >= maxWaiting) {
        if (servesWhileUnavailable || calls === 0) return spendWhileUnavailable(account, calls);
        throw storeUnavailable();
      }
      return new Promise((resolve, reject) => {
        waiting++;
        account.waiting.push({ calls, resolve, reject });
        requestLease(account);
      });
    },
    /** Returns calls to the quota that ended in an error of ours. */
    refund(account: Account, calls: number, at: number): void {
      today(account, at);
      const { share } = account;
      const returned = Math.min(calls, share.spent);
      share.held += returned;
      share.spent -= returned;
      account.pending -= returned;
      touch(account);
    },
    /** Notes which endpoint a call was for. */
    count(account: Account, endpoint: string): void {
      const { share } = account;
      share.endpoints[endpoint] = (share.endpoints[endpoint] ?? 0) + 1;
      share.isCounted = true;
      touch(account);
    },
    /** Calls of the day so far. */
    used(account: Account, at: number): number {
      today(account, at);
      return account.stored + account.pending;
    },
    /** Reports all changes since the last time, and returns idle calls; the last time, all calls. */
    async report(isLast = false) {
      for (const account of new Set(past.map((report) => report.account))) {
        if (account.isAsking) continue;
        account.isAsking = true;
        await sendPast(account).catch(() => {});
        account.isAsking = false;
        if (account.waiting.length > 0) requestLease(account);
      }
      const due = [...active].filter(({ isAsking }) => !isAsking);
      for (let from = 0; from < due.length; from += lotSize) {
        if (from > 0) await nextTurn();
        await reportLot(
          due.slice(from, from + lotSize).filter(({ isAsking }) => !isAsking),
          isLast,
        );
      }
    },
    /** Makes an account report again, as its last report may be lost. */
    reportAgain(account: Account) {
      const { spent, requests, isTouched } = account.share;
      if (spent === 0 && requests === 0 && !isTouched) return;
      account.share.isCounted = true;
      active.add(account);
    },
    /** Whether an account has nothing that would be lost with it. */
    isSettled: (account: Account) =>
      !active.has(account) && !account.isAsking && !past.some((report) => report.account === account),
  };
}
