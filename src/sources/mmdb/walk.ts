/** The walk over a MaxMind DB's whole search tree: every network with its place in the data section, in order. */
import { type RangeList, RangeListBuilder } from '../../core/ip/range-list.ts';
import { MmdbError } from './decoder.ts';
import type { MmdbFile } from './file.ts';

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
  const bits = file.ipVersion === 4 ? 32 : 128;
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

  const visitIpv4 = (record: number, depth: number, address: number): void => {
    if (record >= nodeCount) {
      ipv4.add(address, 0, 0, 0, value(record));
      return;
    }
    if (depth === 32) refuse('it continues beyond the last bit of an address');
    if (++visits > 2 * nodeCount) refuse('its nodes form a cycle');
    visitIpv4(readRecord(record, 0), depth + 1, address);
    visitIpv4(readRecord(record, 1), depth + 1, (address | (0x80000000 >>> depth)) >>> 0);
  };

  const visitIpv6 = (record: number, depth: number, a: number, b: number, c: number, d: number): void => {
    const isLowest = (a | b | c | d) === 0;
    if (record >= nodeCount) {
      const found = value(record);
      ipv6.add(a, b, c, d, found);
      // A network that holds all of ::/96 says the same of every IPv4 address.
      if (isLowest) ipv4.add(0, 0, 0, 0, found);
      return;
    }
    if (isLowest && depth === 96) {
      ipv6.add(a, b, c, d, 0);
      visitIpv4(record, 0, 0);
      return;
    }
    if (record === ipv4Root) {
      ipv6.add(a, b, c, d, 0);
      return;
    }
    if (depth === bits) refuse('it continues beyond the last bit of an address');
    if (++visits > 2 * nodeCount) refuse('its nodes form a cycle');
    visitIpv6(readRecord(record, 0), depth + 1, a, b, c, d);
    const bit = 0x80000000 >>> (depth & 31);
    const right = readRecord(record, 1);
    if (depth < 32) visitIpv6(right, depth + 1, (a | bit) >>> 0, b, c, d);
    else if (depth < 64) visitIpv6(right, depth + 1, a, (b | bit) >>> 0, c, d);
    else if (depth < 96) visitIpv6(right, depth + 1, a, b, (c | bit) >>> 0, d);
    else visitIpv6(right, depth + 1, a, b, c, (d | bit) >>> 0);
  };

  // A tree without nodes knows nothing.
  if (nodeCount > 0) {
    if (file.ipVersion === 4) visitIpv4(0, 0, 0);
    else visitIpv6(0, 0, 0, 0, 0, 0);
  }
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
