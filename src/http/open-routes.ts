/** What is served without a key: status, health, the API's description and its pages. */
import { WhereaboutsError } from '../errors.ts';
import { type Call, jsonType, noStore, queryMsOf, send } from './call.ts';
import type { Operation } from './operation.ts';
import { currentStore, type Service } from './service.ts';
import { statusOf } from './status.ts';

export type OpenRoutes = Record<string, (call: Call) => void>;

/** The open routes by path. */
export function openRoutes(service: Service, _operations: readonly Operation[]): OpenRoutes {
  const json = (call: Call, status: number, body: object) =>
    send(
      service,
      call,
      status,
      ['Content-Type', jsonType, ...noStore],
      JSON.stringify({ ...body, query_ms: queryMsOf(call) }),
    );
  return {
    '/status': (call) =>
      json(call, 200, statusOf(service.store.current, service.version, service.store.isStopping === true)),
    '/health/live': (call) => json(call, 200, { status: 'ok' }),
    '/health/ready': (call) => {
      if (service.store.isStopping) throw new WhereaboutsError('unavailable', 'the service is stopping');
      currentStore(service);
      json(call, 200, { status: 'ok' });
    },
  };
}
