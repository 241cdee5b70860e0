/** A map from ids to small numbers in two sorted columns: 12 bytes an entry instead of a Map's 50. */
import { grown } from './block.ts';

/** Filled with `add`, then `finish`ed, then asked. Of several values of one id, the one added first counts. */
export class IdTable {
  #ids = new Float64Array(1024);
  #values = new Uint32Array(1024);
  #count = 0;

  get size(): number {
    return this.#count;
  }

  add(id: number, value = 0): void {
    this.#ids = grown(this.#ids, this.#count + 1);
    this.#values = grown(this.#values, this.#count + 1);
    this.#ids[this.#count] = id;
    this.#values[this.#count++] = value;
  }

  finish(): void {
    const order = new Uint32Array(this.#count).map((_, index) => index);
    const ids = this.#ids;
    order.sort((a, b) => ids[a] - ids[b] || a - b);
    this.#ids = Float64Array.from(order, (index) => ids[index]);
    const values = this.#values;
    this.#values = Uint32Array.from(order, (index) => values[index]);
  }

  has(id: number): boolean {
    return this.get(id) !== undefined;
  }

  get(id: number): number | undefined {
    let low = 0;
    let high = this.#count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#ids[middle] < id) low = middle + 1;
      else high = middle;
    }
    return low < this.#count && this.#ids[low] === id ? this.#values[low] : undefined;
  }
}
