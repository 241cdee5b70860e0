import { grown } from '../../core/columns.ts';

/** Whole numbers in few bytes, which ProtobufReader reads: little-endian base 128; signed ones as zigzag. */
export class ByteWriter {
  #bytes = Buffer.allocUnsafe(4096);
  #length = 0;

  /** A whole number from 0 to 2^53. */
  unsigned(value: number): void {
    if (this.#length + 10 > this.#bytes.length) this.#grow(10);
    let rest = value;
    while (rest >= 128) {
      this.#bytes[this.#length++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    this.#bytes[this.#length++] = rest;
  }

  signed(value: number): void {
    this.unsigned(value < 0 ? -2 * value - 1 : 2 * value);
  }

  text(value: string): void {
    const length = Buffer.byteLength(value);
    this.unsigned(length);
    if (this.#length + length > this.#bytes.length) this.#grow(length);
    this.#length += this.#bytes.write(value, this.#length);
  }

  /** What was written since the last take. */
  take(): Buffer {
    const bytes = Buffer.from(this.#bytes.subarray(0, this.#length));
    this.#length = 0;
    return bytes;
  }

  #grow(by: number): void {
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + by));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

/** Many hashes in four bytes each. */
export class HashList {
  #hashes = new Uint32Array(1024);
  count = 0;

  get hashes(): Uint32Array {
    return this.#hashes.subarray(0, this.count);
  }

  add(hash: number): void {
    this.#hashes = grown(this.#hashes, this.count + 1);
    this.#hashes[this.count++] = hash;
  }
}

/** The same for hashes most of which come again soon; these are kept once. */
export class DistinctHashes extends HashList {
  /** By their last bits. */
  readonly #latest = new Uint32Array(2 ** 16);

  override add(signed: number): void {
    const hash = signed >>> 0;
    if (this.#latest[hash & 0xffff] === hash) return;
    this.#latest[hash & 0xffff] = hash;
    super.add(hash);
  }

  /** Each hash once, in order. */
  distinct(): Uint32Array {
    const sorted = this.hashes.sort();
    return sorted.filter((hash, at) => at === 0 || hash !== sorted[at - 1]);
  }
}
