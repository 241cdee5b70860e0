/**
 * One quota in several processes. Each holds a lease: calls that it may spend without asking. Leases shrink with what
 * is left of the day, and the last calls are handed out one request at a time, so that in sum exactly the quota is
 * spent. Where leases are written down is up to a `Ledger`.
 */
import { type Account, admitRequest, dayOf, type Meter, type Share } from './meter.ts';

/** What a process says of itself, in sums of the day: said twice, or never received, it does no harm. */
export type Report = {
  keyId: number;
  day: number;
  spent: number;
  held: number;
  requests: number;
  /** Calls asked for on top of `held`; 0 to only report. */
  wanted: number;
  /** The plan's calls a day. */
  limit: number;
};

/** What it gets to know. */
export type Standing = {
  /** Calls leased to it on top of what it held, 0 when none are left. */
  granted: number;
  /** Calls of the day spent by all, as far as they have reported. */
  calls: number;
  /** Requests of the day admitted by the others. */
  others: number;
};

/** Below so many calls that nobody holds, a lease is what is asked for and no more. */
export const exactBelow = 200;
/** No lease is above this part of what is left… */
export const leasePart = 8;
/** …nor above so many calls, or this part of the plan's day where that is more. */
export const largestLease = 1000;
export const largestPart = 1000;
/** How often a process reports and gives back what lies idle, ms. */
export const reportMs = 250;

/** Calls of a plan's `limit` to lease when nobody holds `free` of them. The script in valkey/scripts.ts says the same. */
export function leaseOf(free: number, wanted: number, limit: number): number {
  if (wanted <= 0 || free <= 0) return 0;
  const most = Math.max(largestLease, Math.floor(limit / largestPart));
  const block = Math.min(most, Math.floor((free - exactBelow) / leasePart));
  return Math.min(free, Math.max(wanted, block));
}

export const emptyShare = (): Share => ({ held: 0, spent: 0, requests: 0, others: undefined, isTouched: false });

/** What an account of a process reports; a lease of the day before is no more. */
export function reportOf({ key, plan, day, share }: Account, wanted: number): Report {
  const { spent, held, requests } = share!;
  return { keyId: key.id, day, spent, held, requests, wanted, limit: plan.callsPerDay };
}

/** Takes up the answer to a report in which `spent` calls were told. */
export function settle(account: Account, spent: number, { granted, calls, others }: Standing): void {
  const share = account.share!;
  share.held += granted;
  account.stored = calls;
  account.pending = share.spent - spent;
  // What others admitted is taken from our bucket too; it may owe one burst, and no more, so that nobody waits for long.
  const more = share.others === undefined ? 0 : Math.max(0, others - share.others);
  account.tokens = Math.max(-account.plan.burst, account.tokens - more);
  share.others = others;
}

export type LeaseHooks = {
  /** Tries to get more calls at once; may do nothing. */
  refill(account: Account, wanted: number, now: number): void;
  /** Told of each account that has something to report for the first time since its last report. */
  onActive(account: Account): void;
  onNewDay(account: Account, now: number): void;
};

/** The meter of a process that shares its quotas. */
export function createLeasedMeter({ refill, onActive, onNewDay }: LeaseHooks): Meter {
  const today = (account: Account, now: number) => {
    if (account.day !== dayOf(now)) onNewDay(account, now);
    return account.share!;
  };
  const touch = (account: Account, share: Share) => {
    if (share.isTouched) return;
    share.isTouched = true;
    onActive(account);
  };
  const move = (account: Account, share: Share, calls: number) => {
    share.held -= calls;
    share.spent += calls;
    account.pending += calls;
    touch(account, share);
  };
  return {
    admit(account, now) {
      const share = today(account, now);
      const wait = admitRequest(account, now);
      if (wait === 0) {
        share.requests++;
        touch(account, share);
      }
      return wait;
    },
    take(account, calls, now) {
      const share = today(account, now);
      if (share.held < calls) refill(account, calls - share.held, now);
      const granted = Math.min(calls, share.held);
      if (granted > 0) move(account, share, granted);
      return granted;
    },
    refund(account, calls, now) {
      const share = today(account, now);
      move(account, share, -Math.min(calls, share.spent));
    },
    used(account, now) {
      today(account, now);
      return account.stored + account.pending;
    },
  };
}
