/**
 * Values of the MaxMind DB format, version 2 (https://maxmind.github.io/MaxMind-DB/). A value is a control byte
 * (3 bits type, 5 bits size), for the rarer types one byte more for the type, then up to 3 bytes of a longer size,
 * then the payload. Pointers let many records share one value.
 *
 * Files come from users, so nothing in one is trusted: each read is checked against the section's end, nesting is
 * limited, a pointer that leads back into itself is refused, and each pointer's target is decoded once, which keeps
 * time and memory linear in the size of the file whatever its pointers do.
 */
import { OneLineError } from '../../errors.ts';

export type MmdbValue = string | number | bigint | boolean | Uint8Array | MmdbValue[] | MmdbMap;
export type MmdbMap = { [key: string]: MmdbValue };

/** A file that is not a MaxMind DB or a corrupt one; the message says where and what. */
export class MmdbError extends OneLineError {
  override readonly name = 'MmdbError';
}

const deepest = 128;
/** More values and characters than this in one record are an attack or a corrupt size, not a record. */
const maxValues = 1 << 20;
const types = [
  'extended',
  'pointer',
  'string',
  'double',
  'bytes',
  'uint16',
  'uint32',
  'map',
  'int32',
  'uint64',
  'uint128',
  'array',
  'container',
  'end',
  'boolean',
  'float',
] as const;
const maxBytes = { uint16: 2, uint32: 4, int32: 4, uint64: 8, uint128: 16 };
/** The base offset of a pointer, by its width. */
const pointerBase = [0, 2048, 526336, 0];
const beingDecoded = Symbol('being decoded');

export class MmdbDecoder {
  readonly #section: Buffer;
  readonly #name: string;
  readonly #targets = new Map<number, MmdbValue | typeof beingDecoded>();
  #next = 0;
  /** Values and bytes of texts read so far, and those before the record that is read. */
  values = 0;
  #before = 0;

  /** `section` is the data or the metadata section: pointers count from its start. Messages use its name. */
  constructor(section: Buffer, name: 'data' | 'metadata') {
    this.#section = section;
    this.#name = name;
  }

  /** The value that starts at an offset in the section. Throws MmdbError when it is corrupt. */
  valueAt(offset: number): MmdbValue {
    this.#next = offset;
    this.#before = this.values;
    return this.#value(0);
  }

  #value(depth: number): MmdbValue {
    if (depth > deepest) this.#refuse(`values nest deeper than ${deepest} levels`);
    this.#count(1);
    const control = this.#section[this.#take(1)];
    let type = types[control >> 5];
    if (type === 'pointer') return this.#pointed(control, depth);
    if (type === 'extended') {
      const extended = this.#section[this.#take(1)];
      type = types[extended + 7];
      if (extended === 0 || type === undefined) this.#refuse(`type ${extended + 7} does not exist`);
    }
    const size = this.#size(control & 31);
    switch (type) {
      case 'string': {
        const start = this.#take(size);
        this.#count(size);
        return this.#section.toString('utf8', start, start + size);
      }
      case 'map':
        return this.#map(size, depth);
      case 'array': {
        // Every element takes at least a byte, so a size beyond the section's end is refused before any is read.
        this.#expectRoom(size);
        const elements: MmdbValue[] = [];
        for (let i = 0; i < size; i++) elements.push(this.#value(depth + 1));
        return elements;
      }
      case 'double':
        if (size !== 8) this.#refuse(`a double has ${size} bytes, expected 8`);
        return this.#section.readDoubleBE(this.#take(8));
      case 'float':
        if (size !== 4) this.#refuse(`a float has ${size} bytes, expected 4`);
        return this.#section.readFloatBE(this.#take(4));
      case 'boolean':
        if (size > 1) this.#refuse(`a boolean has the value ${size}, expected 0 or 1`);
        return size === 1;
      case 'bytes': {
        const start = this.#take(size);
        return this.#section.subarray(start, start + size);
      }
      case 'uint16':
      case 'uint32':
      case 'int32':
      case 'uint64':
      case 'uint128':
        return this.#integer(type, size);
      default:
        return this.#refuse(`a value of type ${type}`);
    }
  }

  #count(added: number): void {
    this.values += added;
    if (this.values - this.#before > maxValues)
      this.#refuse(`one record has more than ${maxValues} values and characters`);
  }

  #map(size: number, depth: number): MmdbMap {
    this.#expectRoom(size * 2);
    // No prototype, so that a key such as __proto__ is a key like any other.
    const map: MmdbMap = Object.create(null);
    for (let i = 0; i < size; i++) {
      const key = this.#value(depth + 1);
      if (typeof key !== 'string') this.#refuse('a map has a key that is not a string');
      map[key as string] = this.#value(depth + 1);
    }
    return map;
  }

  #pointed(control: number, depth: number): MmdbValue {
    const width = (control >> 3) & 3;
    const at = this.#take(width + 1);
    // Three bits of the control byte are the pointer's highest, but not of the widest pointer.
    const high = width === 3 ? 0 : (control & 7) * 2 ** (8 * (width + 1));
    const target = pointerBase[width] + high + this.#section.readUIntBE(at, width + 1);
    const known = this.#targets.get(target);
    if (known === beingDecoded) return this.#refuse(`the pointer to ${target} points back to itself`);
    if (known !== undefined) return known;
    const back = this.#next;
    this.#targets.set(target, beingDecoded);
    this.#next = target;
    const value = this.#value(depth + 1);
    this.#targets.set(target, value);
    this.#next = back;
    return value;
  }

  #integer(type: keyof typeof maxBytes, size: number): number | bigint {
    if (size > maxBytes[type]) this.#refuse(`a ${type} has ${size} bytes, expected at most ${maxBytes[type]}`);
    const at = this.#take(size);
    if (size === 0) return type === 'uint64' || type === 'uint128' ? 0n : 0;
    if (type === 'uint64' || type === 'uint128') {
      return BigInt(`0x${this.#section.toString('hex', at, at + size)}`);
    }
    // Only an integer of full width can be negative: shorter ones have leading zeros left out.
    return type === 'int32' && size === 4 ? this.#section.readInt32BE(at) : this.#section.readUIntBE(at, size);
  }

  #size(bits: number): number {
    if (bits < 29) return bits;
    const more = bits - 28;
    const base = [29, 285, 65821][more - 1];
    return base + this.#section.readUIntBE(this.#take(more), more);
  }

  #take(bytes: number): number {
    this.#expectRoom(bytes);
    const at = this.#next;
    this.#next += bytes;
    return at;
  }

  #expectRoom(bytes: number): void {
    if (this.#next + bytes > this.#section.length) {
      this.#refuse(`${bytes} bytes are declared, but only ${Math.max(0, this.#section.length - this.#next)} are left`);
    }
  }

  #refuse(what: string): never {
    throw new MmdbError(`corrupt at byte ${this.#next} of the ${this.#name} section: ${what}`);
  }
}
