import { errorOf, type WhereaboutsApiError } from './error.ts';

/** Options of one call. */
export type CallOptions = {
  /** Ends the call, also while it waits before another try. */
  signal?: AbortSignal | undefined;
  /** Sent as `X-Request-Id`; the service keeps it in its answer and its log. */
  requestId?: string | undefined;
};

/** How calls are sent; see `ClientOptions`. */
export type Sending = {
  fetch: typeof fetch;
  retries: number;
  maxWaitSeconds: number;
  timeoutMs: number;
  onAnswer: ((response: Response) => void) | undefined;
  /** Whether it does more than read: a request whose answer is lost is not sent again. */
  isOnce: boolean;
};

/**
 * Sends a request until it is answered, and returns the text of the successful answer. It is retried after 429 and 503,
 * as late as `Retry-After` says, and after a connection that failed or broke off, the first time immediately: another
 * process of the service is often there. A request that only reads may be sent twice.
 */
export async function send(sending: Sending, url: string, init: RequestInit, { signal }: CallOptions): Promise<string> {
  for (let tries = 0; ; tries++) {
    const isLast = tries >= sending.retries;
    let wait: number | undefined;
    try {
      const timeout = AbortSignal.timeout(sending.timeoutMs);
      const either = signal ? AbortSignal.any([signal, timeout]) : timeout;
      // The service redirects nothing; fetch would send the key to wherever another does.
      const response = await sending.fetch(url, { ...init, redirect: 'manual', signal: either });
      sending.onAnswer?.(response);
      if (response.ok) return await response.text();
      const error = await errorOf(response);
      wait = isLast ? undefined : waitBeforeNext(error, tries);
      if (wait === undefined || wait > sending.maxWaitSeconds) throw error;
    } catch (error) {
      // fetch throws TypeError when there was no whole answer; aborts, timeouts and answers are not tried again.
      if (wait !== undefined || isLast || sending.isOnce || !(error instanceof TypeError)) throw error;
      wait = tries === 0 ? 0 : backOff(tries);
    }
    await pause(wait, signal);
  }
}

/** Seconds until another try makes sense; undefined where none does. */
function waitBeforeNext({ status, code, retryAfterSeconds }: WhereaboutsApiError, tries: number): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  // A layer that the dataset lacks does not appear by waiting.
  if (code === 'dataset_missing') return undefined;
  return retryAfterSeconds ?? backOff(tries);
}

/** Half a second, doubled with each try, with as much chance in it that many clients do not come back together. */
const backOff = (tries: number) => 0.5 * 2 ** tries * (0.5 + Math.random());

function pause(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, seconds * 1000);
    signal?.addEventListener('abort', end, { once: true });
  });
}
