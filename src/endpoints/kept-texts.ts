/** Texts of records that are requested again and again, in a table of fixed size. */
import type { Store } from '../store/store.ts';
import type { KeptRecord } from './kept-record.ts';

/** Texts that are kept of a dataset: 16,384, about 300 bytes each. */
const setBits = 12;
const wayNumbers = [0, 1, 2, 3];
const ways = wayNumbers.length;
/** Maximum number of makers of texts. */
const makers = 64;

/**
 * A key may stand at four places of the table. Where these are taken, a text takes the place of one that was not asked
 * for lately, and only when it is requested twice without another of them requested between: so traffic that asks for
 * everything once costs no more than to look.
 */
export class KeptTexts {
  readonly #keys = new Int32Array(ways << setBits).fill(-1);
  readonly #texts = new Array<readonly string[] | undefined>(ways << setBits).fill(undefined);
  /** Whether a text was requested since a place was last looked for there. */
  readonly #isUsed = new Uint8Array(ways << setBits);
  /** By set, the key that was last not there. */
  readonly #missed = new Int32Array(1 << setBits).fill(-1);
  readonly #numbers = new Map<object, number>();

  /** A number for whoever makes texts of its own of the same records; undefined when there are too many. */
  numberOf(maker: object): number | undefined {
    let number = this.#numbers.get(maker);
    if (number === undefined && this.#numbers.size < makers) this.#numbers.set(maker, (number = this.#numbers.size));
    return number;
  }

  /** The text of a record by its maker's number, made where it is worth keeping; undefined where it is not. */
  at(
    record: KeptRecord,
    number: number,
    make: (record: KeptRecord) => readonly string[],
  ): readonly string[] | undefined {
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

  /** The place that a new key may take. */
  #placeFor(key: number, set: number): number | undefined {
    const slots = wayNumbers.map((way) => set * ways + way);
    const free = slots.find((slot) => this.#keys[slot] < 0);
    if (free !== undefined) return free;
    const isAskedAgain = this.#missed[set] === key;
    this.#missed[set] = key;
    if (!isAskedAgain) return undefined;
    const unused = slots.find((slot) => this.#isUsed[slot] === 0);
    for (const slot of slots) this.#isUsed[slot] = 0;
    return unused;
  }
}

const textsOfStores = new WeakMap<Store, KeptTexts>();

/** The texts that are kept of a dataset. */
export function textsOf(store: Store): KeptTexts {
  let texts = textsOfStores.get(store);
  if (texts === undefined) textsOfStores.set(store, (texts = new KeptTexts()));
  return texts;
}
