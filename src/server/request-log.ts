import { addressOf, type Call } from './call.ts';
import { loggedPath } from './logged-path.ts';
import type { Log, Service } from './service.ts';

/**
 * Logs each answer in one line. Neither the key nor the query is in it, as both are personal data; the client's address
 * only where it is requested.
 */
export function createRequestLog(service: Service, withAddresses: boolean): NonNullable<Service['record']> {
  return (call: Call, status: number, ms: number) => {
    const { method, url = '' } = call.request;
    service.log.info(
      {
        request_id: call.requestId,
        method,
        path: loggedPath(url),
        endpoint: call.endpoint,
        status,
        ms: Math.round(ms * 1000) / 1000,
        key_id: call.account?.key.id,
        ...(withAddresses ? { address: addressOf(service, call) } : {}),
      },
      'answered',
    );
  };
}

/** The same for invalid requests. */
export function logBrokenRequest(
  log: Log,
  { status, requestId }: { status: number; requestId: string },
  withAddresses: boolean,
  address: string | undefined,
): void {
  log.info({ request_id: requestId, endpoint: 'other', status, ...(withAddresses ? { address } : {}) }, 'answered');
}
