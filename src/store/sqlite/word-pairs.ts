/**
 * The pairs of words that streets of a file have together: a street's with its town's, for example. Most parts have both
 * words of an address somewhere, and few have them in one street, which the index finds out in 10 to 30 µs.
 */
import { HashList } from './hash-list.ts';
import { pairHash, TermFilter, termHash } from './term-filter.ts';

/** A file with more of them has no filter: it would take more than 24 MB of memory, and 64 MB to be made. */
const maxPairs = 2 ** 24;
/** Maximum number of words of a street. */
const maxWords = 200;

export class WordPairs {
  readonly #pairs = new HashList();
  /** By their last bits, as most pairs come again soon. */
  readonly #latest = new Uint32Array(2 ** 16);
  #isTooLarge = false;

  /** Adds all pairs of the words of a street. */
  add(words: readonly string[]): void {
    this.#isTooLarge ||= words.length > maxWords || this.#pairs.count > maxPairs;
    if (this.#isTooLarge) return;
    const hashes = words.map(termHash);
    for (const [at, one] of hashes.entries()) {
      for (let other = at + 1; other < hashes.length; other++) {
        const pair = pairHash(one, hashes[other]);
        if (this.#latest[pair & 0xffff] === pair) continue;
        this.#latest[pair & 0xffff] = pair;
        this.#pairs.add(pair);
      }
    }
  }

  /** The filter of the pairs; undefined where there are too many. */
  filter(): TermFilter | undefined {
    if (this.#isTooLarge) return undefined;
    const sorted = this.#pairs.hashes.sort();
    return TermFilter.of(sorted.filter((pair, at) => at === 0 || pair !== sorted[at - 1]));
  }
}
