import { type Account, type Meter, secondsToNextDay } from '../keys/meter.ts';
import type { Plan } from '../keys/plans.ts';

/** The constant parts of a plan's headers. */
type PlanLines = { policy: string; limit: string };
const linesOfPlans = new WeakMap<Plan, PlanLines>();

/**
 * The header lines with the remaining quota of a key: `RateLimit-Policy` and `RateLimit` as in
 * draft-ietf-httpapi-ratelimit-headers-10 (policies `day` and `burst`), and the older `X-RateLimit-*` for the day.
 */
export function rateLimitLines(meter: Meter, account: Account, now: number): string {
  const { plan } = account;
  const { policy, limit } = linesOfPlans.get(plan) ?? linesOf(plan);
  const left = `${Math.max(0, plan.callsPerDay - meter.used(account, now))}`;
  const reset = secondsToNextDay(now);
  const tokens = Math.floor(account.tokens);
  const refill = Math.ceil((plan.burst - account.tokens) / plan.callsPerSecond);
  return `${policy}RateLimit: "day";r=${left};t=${reset}, "burst";r=${tokens};t=${refill}\r\n${limit}${left}\r\nX-RateLimit-Reset: ${reset}\r\n`;
}

function linesOf(plan: Plan): PlanLines {
  const window = Math.max(1, Math.ceil(plan.burst / plan.callsPerSecond));
  const policy = `"day";q=${plan.callsPerDay};w=86400, "burst";q=${plan.burst};w=${window}`;
  const lines = {
    policy: `RateLimit-Policy: ${policy}\r\n`,
    limit: `X-RateLimit-Limit: ${plan.callsPerDay}\r\nX-RateLimit-Remaining: `,
  };
  linesOfPlans.set(plan, lines);
  return lines;
}
