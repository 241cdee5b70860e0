import { defineEndpoint, never } from '../../endpoints/endpoint.ts';
import { queryMs } from '../../endpoints/parameters.ts';
import { dayMs, dayOf } from '../../keys/meter.ts';
import { Type } from '../../schema.ts';
import type { Service } from '../service.ts';
import type { CallContext } from './v1.ts';

const shownDays = 30;

const response = Type.Object({
  plan: Type.String({ description: 'Plan of the key.' }),
  limit: Type.Integer({ description: 'Calls allowed per UTC day.' }),
  used: Type.Integer({ description: 'Calls used this UTC day.' }),
  remaining: Type.Integer({ description: 'Calls left this UTC day.' }),
  reset: Type.String({ format: 'date-time', description: 'Start of the next UTC day.' }),
  reset_seconds: Type.Integer({ description: 'Seconds until then.' }),
  calls_per_second: Type.Integer({ description: 'Requests allowed per second; a batch is one request.' }),
  burst: Type.Integer({ description: 'Number of requests that may come at once after a pause.' }),
  batch_size: Type.Integer({ description: 'Maximum number of entries in a batch.' }),
  days: Type.Array(
    Type.Object({
      date: Type.String({ format: 'date', description: 'UTC day.' }),
      calls: Type.Integer(),
    }),
    { description: `Calls of each of the last ${shownDays} UTC days, today first.` },
  ),
  ...queryMs,
});
const parameters = Type.Object({});
const dateOf = (day: number) => new Date(day * dayMs).toISOString();

/** The key's own use. It is declared like an endpoint, but belongs to the service and not to a dataset. */
export function usageEndpoint(service: Pick<Service, 'keys'>) {
  return defineEndpoint({
    path: '/usage',
    summary: 'Plan and usage of the key',
    description:
      'The plan of the key, the calls used and left today, when the quota resets, and the calls of the last 30 days. ' +
      'Costs no call.',
    parameters: { default: parameters, a: parameters, b: parameters },
    response: { default: response, a: response, b: response },
    layers: [],
    isCacheable: never,
    handle(_parameters, context) {
      const { account, now } = context as CallContext;
      const { plan, key } = account;
      const today = dayOf(now);
      const used = service.keys.meter.used(account, now);
      const calls = service.keys.usageSince(account, today - shownDays + 1, now);
      return {
        plan: key.plan,
        limit: plan.callsPerDay,
        used,
        remaining: Math.max(0, plan.callsPerDay - used),
        reset: dateOf(today + 1),
        reset_seconds: Math.ceil(((today + 1) * dayMs - now) / 1000),
        calls_per_second: plan.callsPerSecond,
        burst: plan.burst,
        batch_size: plan.batchSize,
        days: Array.from({ length: shownDays }, (_, back) => ({
          date: dateOf(today - back).slice(0, 10),
          calls: calls.get(today - back) ?? 0,
        })),
      };
    },
  });
}
