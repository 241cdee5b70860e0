/**
 * A cursor over protocol buffer bytes (protobuf.dev/programming-guides/encoding). Throws RangeError when a value
 * reaches past `end`, so that a broken file never reads another message's bytes.
 */
export class ProtobufReader {
  bytes: Uint8Array;
  position: number;
  end: number;

  constructor(bytes: Uint8Array, position = 0, end = bytes.length) {
    this.bytes = bytes;
    this.position = position;
    this.end = end;
  }

  /** The next field's tag as `field * 8 + wire type`; 0 at the end of the message. */
  tag(): number {
    if (this.position >= this.end) return 0;
    const tag = this.varint();
    if (tag < 8) throw new RangeError('a field has the number 0');
    return tag;
  }

  /** An int64 or uint64; exact up to 2^53 on both sides of 0. */
  varint(): number {
    const { bytes } = this;
    let position = this.position;
    let byte = bytes[position++];
    let low = byte & 0x7f;
    if (byte >= 0x80) {
      byte = bytes[position++];
      low |= (byte & 0x7f) << 7;
      if (byte >= 0x80) {
        byte = bytes[position++];
        low |= (byte & 0x7f) << 14;
        if (byte >= 0x80) {
          byte = bytes[position++];
          low |= (byte & 0x7f) << 21;
          if (byte >= 0x80) return this.#longVarint(low, position);
        }
      }
    }
    if (position > this.end) throw new RangeError('a number extends beyond the end of its message');
    this.position = position;
    return low;
  }

  #longVarint(low28: number, position: number): number {
    const { bytes } = this;
    let byte = bytes[position++];
    const low = (low28 | ((byte & 0x0f) << 28)) >>> 0;
    let high = (byte & 0x70) >> 4;
    for (let shift = 3; byte >= 0x80; shift += 7) {
      if (shift > 31 || position >= this.end) throw new RangeError('a number is longer than 10 bytes, or truncated');
      byte = bytes[position++];
      high |= (byte & 0x7f) << shift;
    }
    if (position > this.end) throw new RangeError('a number extends beyond the end of its message');
    this.position = position;
    return high * 0x1_0000_0000 + low;
  }

  get isAtEnd(): boolean {
    return this.position >= this.end;
  }

  /** A number of things that follow, each of which takes a byte at least. */
  count(): number {
    const count = this.varint();
    if (count > this.end - this.position) throw new RangeError('more is announced than its message has bytes for');
    return count;
  }

  /** A sint64: zigzag, so that small negative numbers are short. */
  signed(): number {
    const value = this.varint();
    if (value >= 0 && value <= 0x7fffffff) return (value >>> 1) ^ -(value & 1);
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** Reads a length and returns the position where what follows ends. */
  limit(): number {
    const length = this.varint();
    const limit = this.position + length;
    if (length < 0 || limit > this.end) throw new RangeError('a field extends beyond the end of its message');
    return limit;
  }

  /** A length-delimited field's bytes, as a view. */
  view(): Uint8Array {
    const limit = this.limit();
    const view = this.bytes.subarray(this.position, limit);
    this.position = limit;
    return view;
  }

  text(): string {
    const limit = this.limit();
    const text = Buffer.from(this.bytes.buffer, this.bytes.byteOffset).toString('utf8', this.position, limit);
    this.position = limit;
    return text;
  }

  /** Steps over the value of a field whose tag was just read. */
  skip(tag: number): void {
    const type = tag & 7;
    if (type === 0) this.varint();
    else if (type === 2) this.position = this.limit();
    else if (type === 1) this.position += 8;
    else if (type === 5) this.position += 4;
    else throw new RangeError(`wire type ${type} is not part of protocol buffers`);
    if (this.position > this.end) throw new RangeError('a field extends beyond the end of its message');
  }
}

/** The message that is the value of a field whose tag was just read; the outer reader steps over it. */
export function messageIn(wire: ProtobufReader): ProtobufReader {
  const limit = wire.limit();
  const inner = new ProtobufReader(wire.bytes, wire.position, limit);
  wire.position = limit;
  return inner;
}
