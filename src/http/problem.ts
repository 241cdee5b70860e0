import type { WhereaboutsError } from '../errors.ts';

/** An error as an RFC 9457 problem document; `types` is the address that the error's code follows. */
export function problemBody(error: WhereaboutsError, types: string, requestId: string, queryMs: number): string {
  return JSON.stringify({
    type: types + error.code,
    title: error.title,
    status: error.status,
    detail: error.message.toWellFormed(),
    code: error.code,
    errors: error.errors,
    request_id: requestId,
    query_ms: queryMs,
  });
}
