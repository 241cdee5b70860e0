import { WhereaboutsError } from '../errors.ts';
import type { Call } from './call.ts';
import { loggedPath, withoutKeys } from './logged-path.ts';
import type { HttpAnswer } from './route.ts';
import type { Service } from './service.ts';

/** An error as an RFC 9457 problem document; `types` is the address that the error's code follows. */
export const problemBody = (error: WhereaboutsError, types: string, requestId: string): Record<string, unknown> => ({
  type: types + error.code,
  title: error.title,
  status: error.status,
  detail: withoutKeys(error.message.toWellFormed()),
  code: error.code,
  errors: error.errors?.map(({ detail, ...error }) => ({ ...error, detail: withoutKeys(detail) })),
  request_id: requestId,
});

/**
 * The error that a client gets for a thrown value. Anything but our own errors is a bug: logged completely, and
 * answered without its text.
 */
export function errorOf(
  { log }: Service,
  { request: { method, url = '' }, requestId }: Call,
  thrown: unknown,
): WhereaboutsError {
  if (thrown instanceof WhereaboutsError) return thrown;
  log.error({ err: thrown, request_id: requestId, method, path: loggedPath(url) }, 'internal error');
  return new WhereaboutsError('internal', `internal error; quote the request ${requestId} when you report it`);
}

/** The answer to a call that failed. */
export function problemAnswer(service: Service, call: Call, thrown: unknown): HttpAnswer {
  const error = errorOf(service, call, thrown);
  const headers = ['Content-Type', 'application/problem+json; charset=utf-8', 'Cache-Control', 'no-store'];
  if (error.status === 401) headers.push('WWW-Authenticate', 'ApiKey realm="whereabouts", header="X-API-Key"');
  if (error.retryAfterSeconds !== undefined) headers.push('Retry-After', `${error.retryAfterSeconds}`);
  return { status: error.status, headers, body: problemBody(error, service.problemTypes, call.requestId) };
}
