/** Asks the service, as any client would, and measures how long it took. */
import { currentKey } from './key.js';

/** Where a page sends a request: without a key to the portal's own path, which has an allowance for each address. */
export const portalPath = (url) => (currentKey() || !/^\/(v1|tiles)\//.test(url) ? url : `/portal${url}`);

/**
 * Returns `{status, ok, body, text, ms, headers}`; `body` is the parsed JSON where there is some. An answer that never
 * came is reported as status 0 with a body like a problem's. `signal` aborts, and then the promise rejects.
 */
export async function ask(path, { method = 'GET', body, headers = {}, signal } = {}) {
  const key = currentKey();
  const url = portalPath(path);
  const startedAt = performance.now();
  try {
    const answer = await fetch(url, {
      method,
      signal,
      headers: {
        ...(key ? { 'X-API-Key': key } : {}),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await answer.text();
    const ms = tookMs(url, startedAt);
    return { status: answer.status, ok: answer.ok, text, body: parsed(text), ms, headers: answer.headers };
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    const detail = `The service could not be reached (${error.message}). Is it still running?`;
    return {
      status: 0,
      ok: false,
      text: '',
      body: { detail },
      ms: performance.now() - startedAt,
      headers: new Headers(),
    };
  }
}

// The browser's list of timings is bounded.
performance.addEventListener('resourcetimingbufferfull', () => performance.clearResourceTimings());

/** The time on the network, without work of the page such as drawing a map. */
function tookMs(url, startedAt) {
  const whole = performance.now() - startedAt;
  const timed = performance.getEntriesByName(new URL(url, location.href).href, 'resource').at(-1);
  return timed && timed.startTime >= startedAt && timed.responseEnd > 0 ? timed.responseEnd - timed.startTime : whole;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** How long to wait before asking again, seconds; undefined where the answer does not say. */
export function waitSeconds({ headers }) {
  const value = headers.get('Retry-After');
  return value === null ? undefined : Number(value);
}

/** A time to wait, in words. */
function waitText(seconds) {
  if (seconds < 100) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** What to say of an answer that is an error. */
export function problemText(answer) {
  const { status, body } = answer;
  return refusalText(body?.code, waitSeconds(answer), body?.detail ?? `The service answered with status ${status}.`);
}

/** What to say of a refusal: by its code where a visitor can wait, else what the service says. */
export function refusalText(code, wait, detail) {
  if (code === 'quota_exceeded')
    return `Today's calls are used up. The quota resets at 00:00 UTC, in ${waitText(wait)}.`;
  if (code === 'rate_limited') return `Requests came faster than the plan allows. Try again in ${waitText(wait)}.`;
  return detail;
}
