import { PbfWriter } from 'pbf';
import { Growing } from '../../core/columns.ts';

/** Whole numbers in few bytes, which ProtobufReader reads: varints, signed ones as zigzag; and texts with their lengths. */
export class ByteWriter extends PbfWriter {
  /** What was written since the last take. */
  take(): Buffer {
    const bytes = Buffer.from(this.buf.subarray(0, this.pos));
    this.pos = 0;
    return bytes;
  }
}

/** Many hashes in four bytes each, most of which come again soon; these are kept once. */
export class DistinctHashes extends Growing<Uint32Array> {
  /** By their last bits. */
  readonly #latest = new Uint32Array(2 ** 16);

  constructor() {
    super(new Uint32Array(1024));
  }

  override push(signed: number): void {
    const hash = signed >>> 0;
    if (this.#latest[hash & 0xffff] === hash) return;
    this.#latest[hash & 0xffff] = hash;
    super.push(hash);
  }

  /** Each hash once, in order. */
  distinct(): Uint32Array {
    const sorted = this.column.subarray(0, this.length).sort();
    return sorted.filter((hash, at) => at === 0 || hash !== sorted[at - 1]);
  }
}
