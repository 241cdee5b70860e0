/** A cache of answers to repeated requests. */
import type { Hit } from '../geocoding/geocode.ts';
import type { Remembered } from '../geocoding/remembered.ts';
import { KeptRecord } from './kept-record.ts';

/** A cached list of results of a text, with its serialised text once that is made. */
export class KeptAnswer<R = unknown> {
  readonly results: R[];
  readonly count: number;
  #writer: object | undefined;
  #text = '';

  constructor(results: R[]) {
    this.results = results;
    this.count = results.length;
  }

  /** The serialised text; only the last writer's is cached. */
  text(writer: object, make: () => string): string {
    if (this.#writer !== writer) {
      this.#text = make();
      this.#writer = writer;
    }
    return this.#text;
  }
}

/**
 * A list of the hits of a text, cached from its second request on: most texts are requested only once, and caching them
 * would only produce garbage. A list of records that are not cached themselves is rebuilt.
 */
export function keptAnswer<R>(found: Remembered, make: (hit: Hit) => R): { results: R[]; count: number } {
  if (found.answer !== undefined) return found.answer as KeptAnswer<R>;
  const results = found.hits.map(make);
  if (!found.isRepeated || !results.every((each) => each instanceof KeptRecord))
    return { results, count: results.length };
  const answer = new KeptAnswer(results);
  found.answer = answer;
  return answer;
}
