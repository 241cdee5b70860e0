import { errorOf, textOf, type WhereaboutsApiError } from './error.ts';

/** Options of one call. */
export type CallOptions = {
  /** Ends the call, also while it waits before another try. */
  signal?: AbortSignal | undefined;
  /** Sent as `X-Request-Id`; the service keeps it in its answer and its log. */
  requestId?: string | undefined;
};

/** How calls are sent. */
export type SendOptions = {
  /** Maximum number of retries after 429, 503 and failed connections; 2 by default. */
  retries?: number;
  /** Longest wait before another try, seconds; where the service asks for more, its error is thrown. 30 by default. */
  maxWaitSeconds?: number;
  /** How long one try may take, ms; 30,000 by default. Past it a `TimeoutError` is thrown. */
  timeoutMs?: number;
  /** Called with every answer, for instance to read the `RateLimit` header. */
  onAnswer?: (response: Response) => void;
  /** The `fetch` that sends requests; the platform's own by default. */
  fetch?: typeof fetch;
};

/**
 * Sends a request until it is answered, and returns the successful answer with its text. It is retried after 429 and 503,
 * as late as `Retry-After` says, and after a connection that failed or broke off, the first time immediately: another
 * process of the service is often there. A request that only reads may be sent twice, one with `isOnce` not.
 */
export async function send(
  { fetch: ask = fetch, retries = 2, maxWaitSeconds = 30, timeoutMs = 30_000, onAnswer }: SendOptions,
  isOnce: boolean,
  url: string,
  init: RequestInit,
  { signal }: CallOptions,
): Promise<{ response: Response; text: string }> {
  for (let tries = 0; ; tries++) {
    const isLast = tries >= retries;
    let wait: number | undefined;
    try {
      const timeout = AbortSignal.timeout(timeoutMs);
      const either = signal ? AbortSignal.any([signal, timeout]) : timeout;
      // The service redirects nothing; fetch would send the key to wherever another does.
      const response = await ask(url, { ...init, redirect: 'manual', signal: either });
      onAnswer?.(response);
      if (response.ok) return { response, text: await textOf(response) };
      const error = await errorOf(response);
      wait = isLast ? undefined : waitBeforeNext(error, tries);
      if (wait === undefined || wait > maxWaitSeconds) throw error;
    } catch (error) {
      // fetch throws TypeError when there was no whole answer; aborts, timeouts and answers are not tried again.
      if (wait !== undefined || isLast || isOnce || !(error instanceof TypeError)) throw error;
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
