import type { FastifyReply } from 'fastify';
import { type Account, type Meter, secondsToNextDay } from '../keys/meter.ts';
import type { Plan } from '../keys/plans.ts';

const policies = new WeakMap<Plan, string>();

/**
 * Sets the headers with the remaining quota of a key: `RateLimit-Policy` and `RateLimit` as in
 * draft-ietf-httpapi-ratelimit-headers-10 (policies `day` and `burst`), and the older `X-RateLimit-*` for the day.
 */
export function rateLimitHeaders(meter: Meter, account: Account, now: number, reply: FastifyReply): void {
  const { plan } = account;
  const left = `${Math.max(0, plan.callsPerDay - meter.used(account, now))}`;
  const reset = `${secondsToNextDay(now)}`;
  const tokens = Math.floor(account.tokens);
  const refill = Math.ceil((plan.burst - account.tokens) / plan.callsPerSecond);
  reply
    .header('ratelimit-policy', policies.get(plan) ?? policyOf(plan))
    .header('ratelimit', `"day";r=${left};t=${reset}, "burst";r=${tokens};t=${refill}`)
    .header('x-ratelimit-limit', `${plan.callsPerDay}`)
    .header('x-ratelimit-remaining', left)
    .header('x-ratelimit-reset', reset);
}

function policyOf(plan: Plan): string {
  const window = Math.max(1, Math.ceil(plan.burst / plan.callsPerSecond));
  const policy = `"day";q=${plan.callsPerDay};w=86400, "burst";q=${plan.burst};w=${window}`;
  policies.set(plan, policy);
  return policy;
}
