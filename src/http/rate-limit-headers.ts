import { type Account, type Meter, secondsToNextDay } from '../keys/meter.ts';
import type { Plan } from '../keys/plans.ts';

/** What is the same in all answers of a plan. */
type PlanValues = { policy: string; limit: string };
const planValues = new WeakMap<Plan, PlanValues>();

/**
 * Adds the headers that tell a key what is left: `RateLimit-Policy` and `RateLimit` as in
 * draft-ietf-httpapi-ratelimit-headers-10 (policies `day` and `burst`), and the older `X-RateLimit-*` for the day.
 */
export function addRateLimits(headers: string[], meter: Meter, account: Account, now: number): void {
  const { plan } = account;
  const { policy, limit } = planValues.get(plan) ?? valuesOf(plan);
  const left = Math.max(0, plan.callsPerDay - meter.used(account, now));
  const reset = secondsToNextDay(now);
  const tokens = Math.floor(account.tokens);
  const refill = Math.ceil((plan.burst - account.tokens) / plan.callsPerSecond);
  headers.push(
    'RateLimit-Policy',
    policy,
    'RateLimit',
    `"day";r=${left};t=${reset}, "burst";r=${tokens};t=${refill}`,
    'X-RateLimit-Limit',
    limit,
    'X-RateLimit-Remaining',
    `${left}`,
    'X-RateLimit-Reset',
    `${reset}`,
  );
}

function valuesOf(plan: Plan): PlanValues {
  const window = Math.max(1, Math.ceil(plan.burst / plan.callsPerSecond));
  const policy = `"day";q=${plan.callsPerDay};w=86400, "burst";q=${plan.burst};w=${window}`;
  const values = { policy, limit: `${plan.callsPerDay}` };
  planValues.set(plan, values);
  return values;
}
