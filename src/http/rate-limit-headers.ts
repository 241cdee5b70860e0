import { type Account, type Meter, secondsToNextDay } from '../keys/meter.ts';
import type { Plan } from '../keys/plans.ts';

const policies = new WeakMap<Plan, string>();

/**
 * Adds the headers that tell a key what is left: `RateLimit-Policy` and `RateLimit` as in
 * draft-ietf-httpapi-ratelimit-headers-10 (policies `day` and `burst`), and the older `X-RateLimit-*` for the day.
 */
export function rateLimitHeaders(meter: Meter, account: Account, now: number, headers: string[]): void {
  const { plan } = account;
  const left = Math.max(0, plan.callsPerDay - meter.used(account, now));
  const reset = secondsToNextDay(now);
  const tokens = Math.floor(account.tokens);
  const refill = Math.ceil((plan.burst - account.tokens) / plan.callsPerSecond);
  headers.push(
    'RateLimit-Policy',
    policies.get(plan) ?? policyOf(plan),
    'RateLimit',
    `"day";r=${left};t=${reset}, "burst";r=${tokens};t=${refill}`,
    'X-RateLimit-Limit',
    String(plan.callsPerDay),
    'X-RateLimit-Remaining',
    String(left),
    'X-RateLimit-Reset',
    String(reset),
  );
}

function policyOf(plan: Plan): string {
  const window = Math.max(1, Math.ceil(plan.burst / plan.callsPerSecond));
  const policy = `"day";q=${plan.callsPerDay};w=86400, "burst";q=${plan.burst};w=${window}`;
  policies.set(plan, policy);
  return policy;
}
