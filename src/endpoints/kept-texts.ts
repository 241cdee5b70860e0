/** A cache of the texts of records, of fixed size. */
import type { Store } from '../store/store.ts';
import { type KeptRecord, noRef } from './kept-record.ts';

/** Maximum number of cached texts of a dataset: 16,384, about 300 bytes each. */
const setBits = 12;
const wayNumbers = [0, 1, 2, 3];
const ways = wayNumbers.length;
/** Maximum number of distinct makers of texts. */
const makers = 64;
/** Of this many texts that find no slot, one is kept. */
const patience = 16;

/**
 * A key has four possible slots. If all are taken, a text replaces one that was not used recently, and only when it is
 * requested twice in succession: so traffic that requests everything once costs little more than the look-ups. Every
 * sixteenth is kept nevertheless: what nobody requests any more would otherwise stay for ever where two texts take turns.
 */
export class KeptTexts {
  readonly #keys = new Int32Array(ways << setBits).fill(-1);
  readonly #texts = new Array<readonly string[] | undefined>(ways << setBits).fill(undefined);
  /** Whether a text was used since the last search for a free slot. */
  readonly #isUsed = new Uint8Array(ways << setBits);
  /** By set, the last missing key, and how many found no slot. */
  readonly #missed = new Int32Array(1 << setBits).fill(-1);
  readonly #misses = new Uint8Array(1 << setBits);
  readonly #numbers = new Map<object, number>();

  /** A number for a maker of texts; undefined when there are too many makers. */
  numberOf(maker: object): number | undefined {
    let number = this.#numbers.get(maker);
    if (number === undefined && this.#numbers.size < makers) this.#numbers.set(maker, (number = this.#numbers.size));
    return number;
  }

  /** The text of a record by its maker's number, made if it is worth caching, else undefined. */
  at(
    record: KeptRecord,
    number: number,
    make: (record: KeptRecord) => readonly string[],
  ): readonly string[] | undefined {
    if (record.ref === noRef) return undefined;
    const key = record.ref * makers + number;
    const set = Math.imul(key, 0x9e3779b1) >>> (32 - setBits);
    const first = set * ways;
    for (let slot = first; slot < first + ways; slot++) {
      if (this.#keys[slot] !== key) continue;
      this.#isUsed[slot] = 1;
      return this.#texts[slot];
    }
    const slot = this.#placeFor(key, set);
    if (slot === undefined) return undefined;
    this.#keys[slot] = key;
    return (this.#texts[slot] = make(record));
  }

  /** The slot for a new key. */
  #placeFor(key: number, set: number): number | undefined {
    const slots = wayNumbers.map((way) => set * ways + way);
    const free = slots.find((slot) => this.#keys[slot] < 0);
    if (free !== undefined) return free;
    const isAskedAgain = this.#missed[set] === key;
    this.#missed[set] = key;
    if (!isAskedAgain && ++this.#misses[set] % patience !== 0) return undefined;
    const unused = slots.find((slot) => this.#isUsed[slot] === 0);
    for (const slot of slots) this.#isUsed[slot] = 0;
    return unused;
  }
}

const textsOfStores = new WeakMap<Store, KeptTexts>();

/** The cached texts of a dataset. */
export function textsOf(store: Store): KeptTexts {
  let texts = textsOfStores.get(store);
  if (texts === undefined) textsOfStores.set(store, (texts = new KeptTexts()));
  return texts;
}
