import { type Account, type Meter, secondsToNextDay } from '../keys/meter.ts';
import type { Plan } from '../keys/plans.ts';
import { line } from './head.ts';

/** The lines that are the same in all answers of a plan. */
const planLines = new WeakMap<Plan, string>();

/**
 * The header lines that tell a key what is left: `RateLimit-Policy` and `RateLimit` as in
 * draft-ietf-httpapi-ratelimit-headers-10 (policies `day` and `burst`), and the older `X-RateLimit-*` for the day.
 */
export function rateLimitLines(meter: Meter, account: Account, now: number): string {
  const { plan } = account;
  const left = Math.max(0, plan.callsPerDay - meter.used(account, now));
  const reset = secondsToNextDay(now);
  const tokens = Math.floor(account.tokens);
  const refill = Math.ceil((plan.burst - account.tokens) / plan.callsPerSecond);
  return (
    `${planLines.get(plan) ?? linesOf(plan)}RateLimit: "day";r=${left};t=${reset}, "burst";r=${tokens};t=${refill}\r\n` +
    `X-RateLimit-Remaining: ${left}\r\nX-RateLimit-Reset: ${reset}\r\n`
  );
}

function linesOf(plan: Plan): string {
  const window = Math.max(1, Math.ceil(plan.burst / plan.callsPerSecond));
  const policy = `"day";q=${plan.callsPerDay};w=86400, "burst";q=${plan.burst};w=${window}`;
  const lines = line('RateLimit-Policy', policy) + line('X-RateLimit-Limit', plan.callsPerDay);
  planLines.set(plan, lines);
  return lines;
}
