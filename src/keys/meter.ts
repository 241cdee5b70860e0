/**
 * What a key has used: calls of the UTC day, and a token bucket for the rate. Both live in memory and are exact within
 * a process; a `UsageLog` carries them to disk in the background.
 */
import type { KeyRecord } from './key-record.ts';
import type { Plan } from './plans.ts';

export const dayMs = 86_400_000;

/** Number of the UTC day of a time, counted from 1970-01-01. */
export const dayOf = (now: number) => Math.floor(now / dayMs);

/** Whole seconds until the next UTC day, at least 1. */
export const secondsToNextDay = (now: number) => Math.ceil((dayMs - (now % dayMs)) / 1000);

/** A key in use, with what it used. One object per key and process; only a Meter and the key store write to it. */
export type Account = {
  key: KeyRecord;
  plan: Plan;
  /** The day that `stored` and `pending` count. */
  day: number;
  /** Calls of the day as the usage log had them when last asked, those of other processes included. */
  stored: number;
  /** Calls of the day that the usage log does not have yet. */
  pending: number;
  /** Requests that may come now; grows with time up to the plan's burst. */
  tokens: number;
  tokensAt: number;
  /** What this process has of a quota that it shares with others; undefined where it shares none. */
  share?: Share;
};

/** The part of a shared quota that is in one process's hands; all of `Account.day`. */
export type Share = {
  /** Calls leased and not yet spent. */
  held: number;
  /** Calls spent by this process. */
  spent: number;
  /** Requests admitted by this process. */
  requests: number;
  /** Requests admitted by the others, as last told; undefined before that. */
  others: number | undefined;
  /** Used since the last report. */
  isTouched: boolean;
};

/**
 * Grants calls. All methods are synchronous, so that a grant is exact within a process; an implementation that shares
 * a quota between processes takes leases of many calls in the background and grants from those.
 */
export type Meter = {
  /** Takes one request from the rate; gives 0, or the seconds to wait when the rate is used up. */
  admit(account: Account, now: number): number;
  /** Takes up to `calls` from the day's quota; gives how many were granted, 0 when none is left. */
  take(account: Account, calls: number, now: number): number;
  /** Gives calls back that ended in an error of ours. */
  refund(account: Account, calls: number, now: number): void;
  /** Calls of the day so far. */
  used(account: Account, now: number): number;
};

/** Takes one request from an account's bucket; gives 0, or the seconds to wait until there is one. */
export function admitRequest(account: Account, now: number): number {
  const { callsPerSecond, burst } = account.plan;
  // A clock set back gives no tokens and takes none.
  const passed = Math.max(0, now - account.tokensAt);
  account.tokens = Math.min(burst, account.tokens + (passed / 1000) * callsPerSecond);
  account.tokensAt = now;
  if (account.tokens < 1) return Math.max(1, Math.ceil((1 - account.tokens) / callsPerSecond));
  account.tokens--;
  return 0;
}

/** The meter of one process; `onPending` is told of each account that gets its first call to be written down. */
export function createMeter(
  onPending: (account: Account) => void,
  onNewDay: (account: Account, now: number) => void,
): Meter {
  const today = (account: Account, now: number) => {
    if (account.day !== dayOf(now)) onNewDay(account, now);
  };
  return {
    admit: admitRequest,
    take(account, calls, now) {
      today(account, now);
      const granted = Math.max(0, Math.min(calls, account.plan.callsPerDay - account.stored - account.pending));
      if (granted > 0) {
        if (account.pending === 0) onPending(account);
        account.pending += granted;
      }
      return granted;
    },
    refund(account, calls, now) {
      today(account, now);
      if (account.pending === 0) onPending(account);
      account.pending -= Math.min(calls, account.stored + account.pending);
    },
    used(account, now) {
      today(account, now);
      return account.stored + account.pending;
    },
  };
}
