/**
 * A set of whole numbers that may have others too: a bit for each, by its remainder. Numbers that follow each other have bits in one byte
 * or the next.
 */
export class NumberFilter {
  readonly #bits: Uint8Array;

  constructor(bytes: number) {
    this.#bits = new Uint8Array(bytes);
  }

  add(number: number): void {
    this.#bits[this.#byteOf(number)] |= 1 << (number & 7);
  }

  /** False if the number was not added. */
  mayHave(number: number): boolean {
    return (this.#bits[this.#byteOf(number)] & (1 << (number & 7))) !== 0;
  }

  #byteOf(number: number): number {
    return Math.floor(Math.abs(number) / 8) % this.#bits.length;
  }
}
