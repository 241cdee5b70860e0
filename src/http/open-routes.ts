/** What is served without a key: status, health, the API's description and its pages. */
import { WhereaboutsError } from '../errors.ts';
import { assetOf } from './asset.ts';
import { type Call, jsonType, noStore, queryMsOf, send, sendAsset } from './call.ts';
import { describeApi } from './openapi.ts';
import type { Operation } from './operation.ts';
import { portalRoutes } from './portal.ts';
import { currentStore, type Service } from './service.ts';
import { statusOf } from './status.ts';

export type OpenRoutes = Record<string, (call: Call) => void>;

/** The open routes by path. */
export function openRoutes(service: Service, operations: readonly Operation[]): OpenRoutes {
  const json = (call: Call, body: object) =>
    send(
      service,
      call,
      200,
      ['Content-Type', jsonType, ...noStore],
      JSON.stringify({ ...body, query_ms: queryMsOf(call) }),
    );
  const api = describeApi(operations, service.version);
  const description = assetOf(jsonType, Buffer.from(JSON.stringify(api)));
  return {
    ...portalRoutes(service, api, operations),
    '/openapi.json': (call) => sendAsset(service, call, description),
    '/status': (call) => {
      const { current, isStopping } = service.store;
      json(call, statusOf(current, service.version, isStopping === true));
    },
    '/health/live': (call) => json(call, { status: 'ok' }),
    '/health/ready': (call) => {
      if (service.store.isStopping) throw new WhereaboutsError('unavailable', 'the service is stopping');
      currentStore(service);
      json(call, { status: 'ok' });
    },
  };
}
