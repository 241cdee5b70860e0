/**
 * Suggestions from the service: one request at a time, with recent answers cached.
 *
 * @typedef {{ id: number | string, name: string, label: string, country: string, admin1?: string | null, layer?: string,
 *   lat?: number | null, lng?: number | null, highlight?: number[], [field: string]: unknown }} Suggestion
 *   A result of `/autocomplete`. `highlight` lists what was typed of `label`: starts and ends in turn, in UTF-16 code units.
 */

/** Number of answers kept, so that deleting a letter sends no request. */
const maxCached = 50;
/** One character of these scripts is as good as a syllable; of others two are needed. */
const syllabic = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/**
 * A refusal or failure of the service. `code` is the problem's code, `network` where there was no answer;
 * `retryAfter` the seconds after which a retry may succeed, where the service says so.
 */
export class SuggestionError extends Error {
  /**
   * @param {string} message
   * @param {{ code: string, status?: number, retryAfter?: number, cause?: unknown }} details
   */
  constructor(message, { code, status, retryAfter, cause }) {
    super(message, { cause });
    this.name = 'SuggestionError';
    this.code = code;
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** Whether a text is long enough to ask for. @param {string} text @param {number} minLength */
export function isLongEnough(text, minLength) {
  return text.length >= minLength || syllabic.test(text);
}

/**
 * The JSON body of an answer of the service.
 *
 * @param {URL} url
 * @param {string} apiKey
 * @param {AbortSignal} [signal]
 * @throws {SuggestionError} when the service refuses, fails or cannot be reached
 */
export async function getJson(url, apiKey, signal) {
  const init = { headers: apiKey ? { 'X-API-Key': apiKey } : undefined, signal };
  const response = await fetch(url, init).catch((cause) => {
    throw new SuggestionError('The service could not be reached.', { code: 'network', cause });
  });
  const body = await response.json().catch((cause) => {
    // An error may come from something in front of the service; an answer has broken off.
    if (response.ok) throw new SuggestionError('The answer could not be read.', { code: 'network', cause });
    return {};
  });
  if (response.ok) return body;
  const message = body.detail ?? `The service answered ${response.status}.`;
  const wait = response.headers.get('Retry-After');
  throw new SuggestionError(message, {
    code: body.code ?? 'unknown',
    status: response.status,
    ...(wait === null ? {} : { retryAfter: Number(wait) }),
  });
}

export class Suggestions {
  /** @type {Map<string, Suggestion[]>} */
  #cache = new Map();
  /** @type {AbortController | undefined} */
  #running;

  /** Aborts the request in progress, if there is one. */
  cancel() {
    this.#running?.abort();
    this.#running = undefined;
  }

  /**
   * The suggestions for a request, best first, or undefined when a newer request or `cancel` overtook this one.
   *
   * @param {URL} url
   * @param {string} apiKey
   * @returns {Promise<Suggestion[] | undefined>}
   * @throws {SuggestionError}
   */
  async load(url, apiKey) {
    this.cancel();
    const cached = this.#cache.get(url.href);
    if (cached) return cached;
    const running = new AbortController();
    this.#running = running;
    try {
      const { results } = await getJson(url, apiKey, running.signal);
      if (this.#cache.size >= maxCached) this.#cache.delete(/** @type {string} */ (this.#cache.keys().next().value));
      this.#cache.set(url.href, results);
      return running.signal.aborted ? undefined : results;
    } catch (error) {
      if (running.signal.aborted) return undefined;
      throw error;
    } finally {
      if (this.#running === running) this.#running = undefined;
    }
  }
}
