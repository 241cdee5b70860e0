/** The usage of a key: calls of the UTC day, and a token bucket for the rate. */
import { randomUUID } from 'node:crypto';
import type { KeyRecord, Plan } from './key-record.ts';

/** A value or a promise of it: a promise is created only where something has to be awaited. */
export type Soon<T> = T | Promise<T>;

export const dayMs = 86_400_000;

/** Number of the UTC day of a time, counted from 1970-01-01. */
export const dayOf = (now: number) => Math.floor(now / dayMs);

/** Whole seconds until the next UTC day, at least 1. */
export const secondsToNextDay = (now: number) => Math.ceil((dayMs - (now % dayMs)) / 1000);

/** An account with a full bucket that holds no calls yet. One object per key and process; only the Meter and the key store write to it. */
export const newAccount = (key: KeyRecord, plan: Plan, history: Map<number, number>, at: number) => ({
  key,
  plan,
  /** The revision of the key store; see key-store.ts. */
  version: 0,
  /** The day that `stored`, `pending` and `share` count. */
  day: dayOf(at),
  /** Calls of the day by all processes, as far as they have reported. */
  stored: history.get(dayOf(at)) ?? 0,
  /** Calls of the day by this process that are not reported yet. */
  pending: 0,
  /** Requests that may come now; grows with time up to the plan's burst. */
  tokens: plan.burst,
  tokensAt: at,
  share: newShare(),
  /** Calls of the days before, by day number. */
  history,
  /** Requests that wait for calls, in order of arrival. */
  waiting: [] as { calls: number; resolve: (granted: number) => void; reject: (error: unknown) => void }[],
  /** A report is on its way; there is never more than one. */
  isAsking: false,
  /** The last report was not answered: no requests are sent until one is. */
  isCutOff: false,
  /** When nothing was left, and when a report was last answered, epoch ms. */
  dryAt: -Infinity,
  reportedAt: -Infinity,
});

/** A key in use, with what it used. */
export type Account = ReturnType<typeof newAccount>;

/** The part of a day's quota that is in one process's hands. */
export const newShare = () => ({
  /**
   * Who holds it: another one for each day that begins, so that the sums of a holder never shrink. By its process, so that what
   * one holds that was killed can be found.
   */
  holder: `${process.pid} ${randomUUID()}`,
  /** Calls leased and not yet spent. */
  held: 0,
  /** Calls spent by this process. */
  spent: 0,
  /** Requests admitted by this process. */
  requests: 0,
  /** Requests admitted by the others, as last reported; undefined before that. */
  others: undefined as number | undefined,
  /** Calls spent, by endpoint. */
  endpoints: {} as Record<string, number>,
  /** Used since the last report; and whether calls of endpoints were counted since. */
  isTouched: false,
  isCounted: false,
});

/** Takes one request from an account's bucket; returns 0, or the seconds to wait until there is one. */
export function takeToken(
  account: Pick<Account, 'tokens' | 'tokensAt'> & { plan: Pick<Plan, 'callsPerSecond' | 'burst'> },
  now: number,
): number {
  const { callsPerSecond, burst } = account.plan;
  // A clock that is set back neither adds nor removes tokens.
  const elapsedMs = Math.max(0, now - account.tokensAt);
  account.tokens = Math.min(burst, account.tokens + (elapsedMs / 1000) * callsPerSecond);
  account.tokensAt = now;
  if (account.tokens < 1) return Math.max(1, Math.ceil((1 - account.tokens) / callsPerSecond));
  account.tokens--;
  return 0;
}
