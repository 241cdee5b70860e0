/** Whole numbers in few bytes: little-endian base 128, as in protocol buffers; signed ones as zigzag. */
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

/** Reads what a ByteWriter wrote. Throws RangeError where it ends too early, so that no damaged record is read for ever. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  unsigned(): number {
    let byte = this.#bytes[this.#at++];
    if (byte < 128) return byte;
    if (byte === undefined) throw endsEarly();
    let value = byte & 127;
    let scale = 128;
    do {
      byte = this.#bytes[this.#at++];
      if (byte === undefined) throw endsEarly();
      value += (byte & 127) * scale;
      scale *= 128;
    } while (byte >= 128);
    return value;
  }

  /** A number of things that follow, each of which takes a byte at least. */
  count(): number {
    const value = this.unsigned();
    if (value > this.#bytes.length - this.#at) throw endsEarly();
    return value;
  }

  signed(): number {
    const value = this.unsigned();
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  }

  text(): string {
    const length = this.count();
    this.#at += length;
    const { buffer, byteOffset } = this.#bytes;
    return Buffer.from(buffer, byteOffset + this.#at - length, length).toString('utf8');
  }
}

const endsEarly = () => new RangeError('a packed record ends before its last value');

/** Many hashes in four bytes each. */
export class HashList {
  #hashes = new Uint32Array(1024);
  count = 0;

  get hashes(): Uint32Array {
    return this.#hashes.subarray(0, this.count);
  }

  add(hash: number): void {
    if (this.count === this.#hashes.length) {
      const larger = new Uint32Array(2 * this.count);
      larger.set(this.#hashes);
      this.#hashes = larger;
    }
    this.#hashes[this.count++] = hash;
  }
}
