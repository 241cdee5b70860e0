/** Asks the service, as any client would, and measures how long it took. */
import { currentKey } from './key.js';

/**
 * Gives `{status, ok, body, text, ms, headers}`; `body` is the parsed JSON where there is some. An answer that never
 * came is told as status 0 with a body like a problem's. `signal` aborts, and then the promise rejects.
 */
export async function ask(url, { method = 'GET', body, headers = {}, signal } = {}) {
  const key = currentKey();
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
    const ms = performance.now() - startedAt;
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

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What to tell of an answer that is an error. */
export const problemText = ({ status, body }) => body?.detail ?? `The service answered with status ${status}.`;
