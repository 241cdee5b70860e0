/** Answers to what is requested again and again. */
import type { Hit } from '../geocoding/geocode.ts';
import type { Remembered } from '../geocoding/remembered.ts';
import { KeptRecord } from './kept-record.ts';

/** A list that answers a text each time it is requested, and its own text once that is made. */
export class KeptAnswer<R = unknown> {
  readonly results: R[];
  readonly count: number;
  #writer: object | undefined;
  #text = '';

  constructor(results: R[]) {
    this.results = results;
    this.count = results.length;
  }

  /** The text that a writer makes of it; the last writer's is kept. */
  text(writer: object, make: () => string): string {
    if (this.#writer !== writer) {
      this.#text = make();
      this.#writer = writer;
    }
    return this.#text;
  }
}

/**
 * A list of the hits of a text, kept from the second time on that it is requested: most texts are requested once, and
 * what is kept of them is only garbage later. A list of records that are not kept themselves is rebuilt.
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
