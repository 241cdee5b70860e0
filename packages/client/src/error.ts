import type { Problem } from './api.ts';

/** A code of the service's error table, or `unexpected_answer` where something other than the service answered. */
export type ErrorCode = Problem['code'] | 'unexpected_answer';

/** An answer that is an error: RFC 9457 problem details, typed. */
export class WhereaboutsApiError extends Error {
  override readonly name = 'WhereaboutsApiError';
  /** HTTP status. */
  readonly status: number;
  /** Stable and for programs. */
  readonly code: ErrorCode;
  /** Every parameter at fault; empty where none is. */
  readonly errors: NonNullable<Problem['errors']>;
  /** To name when the error is reported. */
  readonly requestId: string | undefined;
  /** Seconds to wait before the next try, where the service knows. */
  readonly retryAfterSeconds: number | undefined;
  /** The whole problem document, where there is one. */
  readonly problem: Problem | undefined;

  /** `instead`: what came in place of what the service sends. */
  constructor(response: Response, problem: Problem | undefined, instead = 'no problem document; is baseUrl right?') {
    super(textIn(problem?.detail) ?? `the service answered ${response.status} with ${instead}`);
    this.status = response.status;
    this.code = textIn(problem?.code) ?? 'unexpected_answer';
    this.errors = Array.isArray(problem?.errors) ? problem.errors : [];
    this.requestId = textIn(problem?.request_id) ?? response.headers.get('x-request-id') ?? undefined;
    this.retryAfterSeconds = retryAfterOf(response);
    this.problem = problem;
  }
}

/** What others than the service send has any type. */
const textIn = <T extends string>(value: T | undefined) => (typeof value === 'string' ? value : undefined);

/** Reads an error answer. */
export async function errorOf(response: Response): Promise<WhereaboutsApiError> {
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json') ?? false;
  const text = await textOf(response);
  return new WhereaboutsApiError(response, isProblem ? parsed(text) : undefined);
}

/** Of an answer, unpacked: a few KB may become any number. */
const maxBytes = 100_000_000;

/** Reads the text of an answer, and no more of it than `maxBytes`. */
export async function textOf(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  // Some platforms have no streams.
  if (!reader) return response.text();
  const decoder = new TextDecoder();
  let text = '';
  for (let bytes = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > maxBytes) {
      await reader.cancel();
      throw new WhereaboutsApiError(response, undefined, 'more than 100 MB; ask for less');
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** Undefined for one that was cut short, or is no object. */
function parsed(text: string): Problem | undefined {
  try {
    const problem = JSON.parse(text);
    return typeof problem === 'object' && problem !== null ? problem : undefined;
  } catch {
    return undefined;
  }
}

/** `Retry-After` in seconds from now; it is a number of seconds or a date (RFC 9110, 10.2.3). */
function retryAfterOf({ headers }: Response): number | undefined {
  const written = headers.get('retry-after');
  if (written === null) return undefined;
  if (/^\d+$/.test(written)) return Number(written);
  const date = Date.parse(written);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}
