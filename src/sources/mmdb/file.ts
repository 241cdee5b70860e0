/**
 * A MaxMind DB file: a binary search tree over address bits, 16 zero bytes, the data section, a marker, metadata.
 * A record of a node is the number of another node, or the node count for "nothing known", or beyond it a place in
 * the data section.
 */

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { type RangeList, RangeListBuilder } from '../../core/ip/ranges.ts';
import { OneLineError } from '../../errors.ts';

const marker = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
const separatorBytes = 16;
const maxUnpackedBytes = 2 ** 31;
/** The metadata is at most 128 KiB, so the marker is searched for no further from the end. */
const metadataWindow = 128 * 1024 + marker.length;

export type MmdbFile = {
  path: string;
  databaseType: string;
  /** When the publisher made it, ISO 8601 date; null when the file does not say. */
  buildDate: string | null;
  ipVersion: 4 | 6;
  nodeCount: number;
  /** Bits of one of a node's two records. */
  recordSize: 24 | 28 | 32;
  tree: Buffer;
  data: Buffer;
  metadata: MmdbMap;
};

/** Opens a MaxMind DB file and checks its metadata. Throws MmdbError naming the file and what is wrong with it. */
export function openMmdb(path: string): MmdbFile {
  try {
    return parse(path, unpacked(readWhole(path)));
  } catch (error) {
    if (!(error instanceof MmdbError)) throw error;
    throw new MmdbError(`${path} is not a readable MaxMind DB file: ${error.message}`);
  }
}

/** Reads in pieces, since one read of Node's takes no more than 2 GiB and vendors' files come near that. */
function readWhole(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.allocUnsafeSlow(fstatSync(file).size);
    for (let done = 0; done < bytes.length; ) {
      const got = readSync(file, bytes, done, Math.min(bytes.length - done, 1 << 30), null);
      if (got === 0) throw new MmdbError(`it ended after ${done} of ${bytes.length} bytes; was it being written?`);
      done += got;
    }
    return bytes;
  } finally {
    closeSync(file);
  }
}

/** DB-IP packs its tables with gzip; none unpacks to more than a buffer may have. */
function unpacked(bytes: Buffer): Buffer {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: maxUnpackedBytes });
  } catch (error) {
    throw new MmdbError(`it cannot be unpacked: ${(error as Error).message}; download it again`);
  }
}

function parse(path: string, bytes: Buffer): MmdbFile {
  const windowStart = Math.max(0, bytes.length - metadataWindow);
  const found = bytes.subarray(windowStart).lastIndexOf(marker);
  if (found < 0)
    throw new MmdbError('it has no metadata marker near its end, so that it is cut short or compressed (.gz)');
  const markerAt = windowStart + found;
  const metadata = mmdbDecoder(bytes.subarray(markerAt + marker.length), 'metadata').valueAt(0);
  if (!isMap(metadata)) throw new MmdbError('its metadata is not a map');
  const major = metadata.binary_format_major_version;
  if (major !== 2) throw new MmdbError(`its binary_format_major_version is ${major}, expected 2`);
  const ipVersion = metadata.ip_version;
  if (ipVersion !== 4 && ipVersion !== 6) throw new MmdbError(`its ip_version is ${ipVersion}, expected 4 or 6`);
  const recordSize = metadata.record_size;
  if (recordSize !== 24 && recordSize !== 28 && recordSize !== 32) {
    throw new MmdbError(`its record_size is ${recordSize}, expected 24, 28 or 32`);
  }
  const nodeCount = metadata.node_count;
  if (typeof nodeCount !== 'number') throw new MmdbError(`its node_count is ${nodeCount}, expected a number`);
  const treeBytes = (nodeCount * recordSize) / 4;
  if (treeBytes + separatorBytes > markerAt) {
    throw new MmdbError(
      `its node_count of ${nodeCount} needs a search tree of ${treeBytes} bytes, but only ${markerAt} precede the metadata`,
    );
  }
  for (let i = 0; i < separatorBytes; i++) {
    if (bytes[treeBytes + i] !== 0) {
      throw new MmdbError(
        `its search tree of ${nodeCount} nodes is not followed by 16 zero bytes; node_count is wrong`,
      );
    }
  }
  return {
    path,
    databaseType: String(metadata.database_type ?? ''),
    buildDate: dateOf(metadata.build_epoch),
    ipVersion,
    nodeCount,
    recordSize,
    tree: bytes.subarray(0, treeBytes),
    data: bytes.subarray(treeBytes + separatorBytes, markerAt),
    metadata,
  };
}

const isMap = (value: MmdbValue): value is MmdbMap =>
  typeof value === 'object' && !Array.isArray(value) && !(value instanceof Uint8Array);

function dateOf(epoch: MmdbValue | undefined): string | null {
  const date = new Date(Number(epoch) * 1000);
  return Number.isNaN(date.getTime()) ? null : date.toISOString().slice(0, 10);
}

// The walk over a MaxMind DB's whole search tree: every network with its place in the data section, in order.

type MmdbRanges = { ipv4: RangeList; ipv6: RangeList };

/**
 * The ranges of a file, IPv4 and IPv6 apart. `valueAt` returns the value (not 0, which means nothing) to keep for an
 * offset in the data section; it is called again for every network that has the record.
 *
 * In an IPv6 tree the IPv4 addresses stand under ::/96, and other prefixes (::ffff:0:0/96, 2002::/16, 2001::/32) may
 * lead to the very same node. Those are left out here: such addresses are looked up by their IPv4 address.
 *
 * Throws MmdbError when the tree is corrupt; a tree whose nodes lead back to each other is noticed by their number.
 */
export function walkMmdb(file: MmdbFile, valueAt: (offset: number) => number): MmdbRanges {
  const { nodeCount, data, path } = file;
  const readRecord = recordReader(file);
  const ipv4 = new RangeListBuilder();
  const ipv6 = new RangeListBuilder();
  const ipv4Root = file.ipVersion === 6 ? followZeros(readRecord, nodeCount, 96) : -1;
  let visits = 0;

  const refuse = (what: string): never => {
    throw new MmdbError(`${path} has a corrupt search tree: ${what}`);
  };
  const value = (record: number): number => {
    if (record === nodeCount) return 0;
    const offset = record - nodeCount - 16;
    if (offset < 0 || offset >= data.length) {
      refuse(`a record points to byte ${offset} of a data section of ${data.length} bytes`);
    }
    return valueAt(offset);
  };

  /** The address of the node that is visited, in four words; of IPv4 the last one, in a tree of its own too. */
  const [words, isV4] = [new Uint32Array(4), file.ipVersion === 4];
  const add = (found: number, isInIpv4: boolean) => {
    if (isInIpv4) ipv4.add(words[3], 0, 0, 0, found);
    else ipv6.add(words[0], words[1], words[2], words[3], found);
  };
  const visit = (record: number, depth: number, isInIpv4: boolean): void => {
    const isLowest = !isInIpv4 && (words[0] | words[1] | words[2] | words[3]) === 0;
    if (record >= nodeCount) {
      const found = value(record);
      add(found, isInIpv4);
      // A network that holds all of ::/96 says the same of every IPv4 address.
      if (isLowest) ipv4.add(0, 0, 0, 0, found);
      return;
    }
    if (isLowest && depth === 96) {
      add(0, false);
      visit(record, depth, true);
      return;
    }
    if (record === ipv4Root && !isInIpv4) {
      add(0, false);
      return;
    }
    if (depth === 128) refuse('it continues beyond the last bit of an address');
    if (++visits > 2 * nodeCount) refuse('its nodes form a cycle');
    visit(readRecord(record, 0), depth + 1, isInIpv4);
    const bit = 0x80000000 >>> (depth & 31);
    words[depth >> 5] |= bit;
    visit(readRecord(record, 1), depth + 1, isInIpv4);
    words[depth >> 5] &= ~bit;
  };
  // A tree without nodes knows nothing.
  if (nodeCount > 0) visit(0, isV4 ? 96 : 0, isV4);
  return { ipv4: ipv4.finish(), ipv6: ipv6.finish() };
}

type RecordReader = (node: number, side: 0 | 1) => number;

function followZeros(readRecord: RecordReader, nodeCount: number, depth: number): number {
  let record = 0;
  for (let i = 0; i < depth && record < nodeCount; i++) record = readRecord(record, 0);
  return record;
}

/** Reads the left (0) or right (1) record of a node. Of 28 bits, the highest 4 of both share the node's middle byte. */
function recordReader({ tree, recordSize }: MmdbFile): RecordReader {
  if (recordSize === 24) {
    return (node, side) => {
      const at = node * 6 + side * 3;
      return (tree[at] << 16) | (tree[at + 1] << 8) | tree[at + 2];
    };
  }
  if (recordSize === 32) {
    return (node, side) => tree.readUInt32BE(node * 8 + side * 4);
  }
  return (node, side) => {
    const at = node * 7 + side * 4;
    const high = side === 0 ? tree[at + 3] >> 4 : tree[at - 1] & 15;
    return (high << 24) | (tree[at] << 16) | (tree[at + 1] << 8) | tree[at + 2];
  };
}

// Values of the MaxMind DB format, version 2 (https://maxmind.github.io/MaxMind-DB/). A value is a control byte
// (3 bits type, 5 bits size), for the rarer types one byte more for the type, then up to 3 bytes of a longer size,
// then the payload. Pointers let many records share one value.
//
// Files come from users, so nothing in one is trusted: each read is checked against the section's end, nesting is
// limited, a pointer that leads back into itself is refused, and each pointer's target is decoded once, which keeps
// time and memory linear in the size of the file whatever its pointers do.

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

/** Reads values of the data or the metadata section: pointers count from its start. Messages use its name. */
export function mmdbDecoder(section: Buffer, name: 'data' | 'metadata') {
  const targets = new Map<number, MmdbValue | typeof beingDecoded>();
  let next = 0;
  /** Values and bytes of texts read so far, and those before the record that is read. */
  let [values, before] = [0, 0];

  const refuse = (what: string): never => {
    throw new MmdbError(`corrupt at byte ${next} of the ${name} section: ${what}`);
  };
  const expectRoom = (bytes: number) => {
    if (next + bytes > section.length)
      refuse(`${bytes} bytes are declared, but only ${Math.max(0, section.length - next)} are left`);
  };
  const take = (bytes: number): number => {
    expectRoom(bytes);
    next += bytes;
    return next - bytes;
  };
  const count = (added: number) => {
    values += added;
    if (values - before > maxValues) refuse(`one record has more than ${maxValues} values and characters`);
  };
  const sizeOf = (bits: number): number => {
    if (bits < 29) return bits;
    const more = bits - 28;
    return [29, 285, 65821][more - 1] + section.readUIntBE(take(more), more);
  };

  const integer = (type: keyof typeof maxBytes, size: number): number | bigint => {
    if (size > maxBytes[type]) refuse(`a ${type} has ${size} bytes, expected at most ${maxBytes[type]}`);
    const at = take(size);
    if (type === 'uint64' || type === 'uint128')
      return size === 0 ? 0n : BigInt(`0x${section.toString('hex', at, at + size)}`);
    if (size === 0) return 0;
    // Only an integer of full width can be negative: shorter ones have leading zeros left out.
    return type === 'int32' && size === 4 ? section.readInt32BE(at) : section.readUIntBE(at, size);
  };

  const pointed = (control: number, depth: number): MmdbValue => {
    const width = (control >> 3) & 3;
    const at = take(width + 1);
    // Three bits of the control byte are the pointer's highest, but not of the widest pointer.
    const high = width === 3 ? 0 : (control & 7) * 2 ** (8 * (width + 1));
    const target = pointerBase[width] + high + section.readUIntBE(at, width + 1);
    const known = targets.get(target);
    if (known === beingDecoded) return refuse(`the pointer to ${target} points back to itself`);
    if (known !== undefined) return known;
    const back = next;
    targets.set(target, beingDecoded);
    next = target;
    const value = valueIn(depth + 1);
    targets.set(target, value);
    next = back;
    return value;
  };

  const mapOf = (size: number, depth: number): MmdbMap => {
    expectRoom(size * 2);
    // No prototype, so that a key such as __proto__ is a key like any other.
    const map: MmdbMap = Object.create(null);
    for (let i = 0; i < size; i++) {
      const key = valueIn(depth + 1);
      if (typeof key !== 'string') refuse('a map has a key that is not a string');
      map[key as string] = valueIn(depth + 1);
    }
    return map;
  };

  const valueIn = (depth: number): MmdbValue => {
    if (depth > deepest) refuse(`values nest deeper than ${deepest} levels`);
    count(1);
    const control = section[take(1)];
    let type = types[control >> 5];
    if (type === 'pointer') return pointed(control, depth);
    if (type === 'extended') {
      const extended = section[take(1)];
      type = types[extended + 7];
      if (extended === 0 || type === undefined) refuse(`type ${extended + 7} does not exist`);
    }
    const size = sizeOf(control & 31);
    switch (type) {
      case 'string': {
        const start = take(size);
        count(size);
        return section.toString('utf8', start, start + size);
      }
      case 'map':
        return mapOf(size, depth);
      case 'array': {
        // Every element takes at least a byte, so a size beyond the section's end is refused before any is read.
        expectRoom(size);
        const elements: MmdbValue[] = [];
        for (let i = 0; i < size; i++) elements.push(valueIn(depth + 1));
        return elements;
      }
      case 'double':
        if (size !== 8) refuse(`a double has ${size} bytes, expected 8`);
        return section.readDoubleBE(take(8));
      case 'float':
        if (size !== 4) refuse(`a float has ${size} bytes, expected 4`);
        return section.readFloatBE(take(4));
      case 'boolean':
        if (size > 1) refuse(`a boolean has the value ${size}, expected 0 or 1`);
        return size === 1;
      case 'bytes': {
        const start = take(size);
        return section.subarray(start, start + size);
      }
      case 'uint16':
      case 'uint32':
      case 'int32':
      case 'uint64':
      case 'uint128':
        return integer(type, size);
      default:
        return refuse(`a value of type ${type}`);
    }
  };

  return {
    /** Values and bytes of texts read so far. */
    values: () => values,
    /** The value that starts at an offset in the section. Throws MmdbError when it is corrupt. */
    valueAt(offset: number): MmdbValue {
      next = offset;
      before = values;
      return valueIn(0);
    },
  };
}
