/**
 * The one cache of answers: the JSON of texts that are asked for again. Of texts drawn by Zipf's law four in five are, of
 * positions hardly any, so that only questions with a text are noted; and their answers only from the second time on, as most
 * are asked for once.
 */
import { RecentCache } from '../core/recent-cache.ts';
import type { Store } from '../store/store.ts';
import { JsonBody, type JsonText } from './json-body.ts';

/** Up to twice as many questions are noted. */
const half = 1_024;
/** Longer answers are seldom requested. */
const maxLength = 20_000;
const end = '0}';

/** An answer whose text is known but for `query_ms`. */
class KeptAnswer implements JsonText {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  bytes(queryMs: number): string {
    return `${this.#text}${queryMs}}`;
  }
}

/** Keyed by manifest, which a dataset has anew with each layer that arrives. Not for what a search cluster serves. */
const keptAnswers = new WeakMap<Store['manifest'], RecentCache<string, KeptAnswer | 'asked'>>();

/** The answer to a question, its parameters and endpoint in one text: a kept one, or what `answer` returns. */
export function keptAnswer<T>(store: Store, question: string, answer: () => T): T | JsonText {
  let kept = keptAnswers.get(store.manifest);
  if (kept === undefined) keptAnswers.set(store.manifest, (kept = new RecentCache(half)));
  const known = kept.get(question);
  if (known instanceof KeptAnswer) return known;
  const body = answer();
  if (known === undefined) kept.set(question, 'asked');
  else if (body instanceof JsonBody) {
    const text = body.bytes(0);
    if (text.length > maxLength) return body;
    const made = new KeptAnswer(text.slice(0, -end.length));
    kept.set(question, made);
    return made;
  }
  return body;
}
