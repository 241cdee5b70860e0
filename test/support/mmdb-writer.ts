/** Writes small MaxMind DB files for tests: a tree of given networks, plain records, no shared values. */
import { writeFileSync } from 'node:fs';
import { type IpAddress, parseIp } from '../../src/core/ip/address.ts';

export type Json = string | number | boolean | Json[] | { [key: string]: Json };
type Node = [Child, Child];
type Child = Node | number | undefined;

export type MmdbOptions = {
  ipVersion?: 4 | 6;
  recordSize?: 24 | 28 | 32;
  databaseType?: string;
  /** Metadata instead of the writer's own. */
  metadata?: Record<string, Json>;
  /** Changes the records (left, right) of a node before they are written, to make a corrupt tree. */
  corrupt?: (node: number, records: [number, number]) => [number, number];
};

/** Writes a file as `mmdbFile` makes it. Returns the path. */
export function writeMmdb(path: string, networks: Record<string, Json>, options: MmdbOptions = {}): string {
  writeFileSync(path, mmdbFile(networks, options));
  return path;
}

/** A file with a record for each network (CIDR text; an IPv4 one in an IPv6 file goes under ::/96). Networks must not overlap. */
export function mmdbFile(networks: Record<string, Json>, options: MmdbOptions = {}): Buffer {
  const { ipVersion = 6, recordSize = 24, databaseType = 'Test', corrupt = (_, records) => records } = options;
  const records = Object.values(networks).map(encode);
  const offsets = records.map((_, i) => records.slice(0, i).reduce((sum, { length }) => sum + length, 0));
  const root: Node = [undefined, undefined];
  for (const [i, network] of Object.keys(networks).entries()) plant(root, bitsOf(network, ipVersion), offsets[i]);

  const nodes: Node[] = [];
  const number = new Map<Node, number>();
  const collect = (node: Node) => {
    number.set(node, nodes.push(node) - 1);
    for (const child of node) if (Array.isArray(child)) collect(child);
  };
  collect(root);
  const recordOf = (child: Child) =>
    child === undefined ? nodes.length : Array.isArray(child) ? number.get(child)! : nodes.length + 16 + child;
  const tree = nodes.map(([left, right], i) => writeNode(corrupt(i, [recordOf(left), recordOf(right)]), recordSize));
  const metadata = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_780_000_000,
    database_type: databaseType,
    description: { en: databaseType },
    ip_version: ipVersion,
    languages: ['en'],
    node_count: nodes.length,
    record_size: recordSize,
    ...options.metadata,
  });
  const marker = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
  return Buffer.concat([...tree, Buffer.alloc(16), ...records, marker, metadata]);
}

function bitsOf(network: string, ipVersion: 4 | 6): number[] {
  const [start, length] = network.split('/');
  const address = parseIp(start) as IpAddress;
  const bits = [...address].flatMap((byte) => [7, 6, 5, 4, 3, 2, 1, 0].map((shift) => (byte >> shift) & 1));
  const own = bits.slice(0, Number(length));
  return address.length === 4 && ipVersion === 6 ? [...new Array<number>(96).fill(0), ...own] : own;
}

function plant(root: Node, bits: readonly number[], offset: number): void {
  let node = root;
  for (const bit of bits.slice(0, -1)) {
    const next = node[bit] ?? [undefined, undefined];
    if (!Array.isArray(next)) throw new Error('networks overlap');
    node[bit] = next;
    node = next;
  }
  node[bits[bits.length - 1]] = offset;
}

function writeNode([left, right]: [number, number], recordSize: 24 | 28 | 32): Buffer {
  const bytes = Buffer.alloc(recordSize / 4);
  if (recordSize === 28) {
    bytes.writeUIntBE(left & 0xff_ffff, 0, 3);
    bytes[3] = ((left >>> 24) << 4) | (right >>> 24);
    bytes.writeUIntBE(right & 0xff_ffff, 4, 3);
  } else {
    bytes.writeUIntBE(left, 0, recordSize / 8);
    bytes.writeUIntBE(right, recordSize / 8, recordSize / 8);
  }
  return bytes;
}

const types = { string: 2, double: 3, uint32: 6, map: 7, array: 11, boolean: 14 };

function encode(value: Json): Buffer {
  if (typeof value === 'string')
    return Buffer.concat([control('string', Buffer.byteLength(value)), Buffer.from(value)]);
  if (typeof value === 'boolean') return control('boolean', Number(value));
  if (typeof value === 'number') {
    const isWhole = Number.isInteger(value) && value >= 0;
    const bytes = Buffer.alloc(isWhole ? 4 : 8);
    if (isWhole) bytes.writeUInt32BE(value);
    else bytes.writeDoubleBE(value);
    return Buffer.concat([control(isWhole ? 'uint32' : 'double', bytes.length), bytes]);
  }
  if (Array.isArray(value)) return Buffer.concat([control('array', value.length), ...value.map(encode)]);
  const entries = Object.entries(value);
  return Buffer.concat([
    control('map', entries.length),
    ...entries.flatMap(([key, part]) => [encode(key), encode(part)]),
  ]);
}

function control(type: keyof typeof types, size: number): Buffer {
  const number = types[type];
  const [bits, more] =
    size < 29 ? [size, []] : size < 285 ? [29, [size - 29]] : [30, [(size - 285) >> 8, (size - 285) & 255]];
  return number > 7 ? Buffer.from([bits, number - 7, ...more]) : Buffer.from([(number << 5) | bits, ...more]);
}
