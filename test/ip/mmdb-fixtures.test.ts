/** MaxMind's own test files against the JSON they were made from, and against mmdb-lib; corrupt files of three libraries. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { Reader } from 'mmdb-lib';
import { formatIp, type IpAddress, parseIp } from '../../src/core/ip/address.ts';
import { UsageError } from '../../src/errors.ts';
import { type MmdbValue, mmdbDecoder, openMmdb, walkMmdb } from '../../src/sources/mmdb/file.ts';
import { sharedData } from '../support/dataset.ts';
import { fileReader, temporaryDirectory } from './small-ip.ts';

const missing = 'needs ../shared/data/mmdb';

/** Reads a whole file and returns the look-up of an address in it: the record, undefined when there is none. */
function lookUp(path: string): (address: IpAddress) => MmdbValue | undefined {
  const file = openMmdb(path);
  const decoder = mmdbDecoder(file.data, 'data');
  // Offsets may be 0, which as a value means nothing.
  const ranges = walkMmdb(file, (offset) => offset + 1);
  return (address) => {
    const value = valueAt(address.length === 4 ? ranges.ipv4 : ranges.ipv6, address);
    return value === 0 ? undefined : decoder.valueAt(value - 1);
  };
}

/** The value of the last range that begins at an address or before it, whose words are in columns; 0 where there is none. */
function valueAt({ words, values, size }: ReturnType<typeof walkMmdb>['ipv4'], address: IpAddress): number {
  const wanted = Array.from({ length: address.length / 4 }, (_, at) => Buffer.from(address).readUInt32BE(4 * at));
  const isPast = (row: number) => {
    const differing = wanted.findIndex((word, at) => (words[at]?.[row] ?? 0) !== word);
    return differing >= 0 && (words[differing]?.[row] ?? 0) > wanted[differing];
  };
  let [low, high] = [0, size];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isPast(middle)) high = middle;
    else low = middle + 1;
  }
  return low === 0 ? 0 : values[low - 1];
}

/** First and last address of a network; one in ::/96 as the IPv4 network it stands for. */
function edgesOf(network: string): [IpAddress, IpAddress] {
  const [start, length] = network.split('/');
  const bytes = (parseIp(start) as IpAddress).slice();
  let first = bytes;
  let bits = Number(length);
  if (bytes.length === 16 && bits >= 96 && bytes.subarray(0, 12).every((byte) => byte === 0)) {
    first = bytes.slice(12);
    bits -= 96;
  }
  const last = first.slice();
  for (let bit = bits; bit < last.length * 8; bit++) last[bit >> 3] |= 0x80 >> (bit & 7);
  return [first, last];
}

const holds = ([first, last]: [IpAddress, IpAddress], address: IpAddress) =>
  first.length === address.length && Buffer.compare(first, address) <= 0 && Buffer.compare(address, last) <= 0;

/** A record without what JSON cannot hold. */
const plain = (value: MmdbValue | undefined) =>
  JSON.parse(JSON.stringify(value ?? null, (_, part) => (typeof part === 'bigint' ? Number(part) : part)));

test('every network of MaxMind’s test files answers what the file was made from', (t) => {
  const sources = sharedData('mmdb/source-data');
  const files = sharedData('mmdb/test-data');
  if (!sources || !files) return t.skip(missing);
  const names = readdirSync(sources).filter((name) => existsSync(join(files, name.replace(/\.json$/, '.mmdb'))));
  assert.ok(names.length >= 17, 'the files are there');
  for (const name of names) {
    const find = lookUp(join(files, name.replace(/\.json$/, '.mmdb')));
    const entries: Record<string, unknown>[] = JSON.parse(readFileSync(join(sources, name), 'utf8'));
    const networks = entries
      .flatMap((entry) => Object.entries(entry))
      .map(([network, record]) => ({ network, edges: edgesOf(network), record }));
    let checked = 0;
    for (const { network, edges } of networks) {
      for (const address of edges) {
        // A network given later lies over those given before.
        const expected = networks.findLast(({ edges }) => holds(edges, address))?.record;
        assert.deepEqual(plain(find(address)), expected, `${name}: ${formatIp(address)} of ${network}`);
        checked++;
      }
    }
    assert.ok(checked > 0, `${name} has networks`);
  }
});

test('files of every record size and address family agree with mmdb-lib', (t) => {
  const files = sharedData('mmdb/test-data');
  if (!files) return t.skip(missing);
  const names = readdirSync(files).filter((name) => /^MaxMind-DB-test-(ipv4|ipv6|mixed)-\d\d\.mmdb$/.test(name));
  assert.equal(names.length, 9);
  for (const name of [...names, 'MaxMind-DB-no-ipv4-search-tree.mmdb', 'MaxMind-DB-string-value-entries.mmdb']) {
    const path = join(files, name);
    const find = lookUp(path);
    const reader = new Reader(readFileSync(path));
    let hits = 0;
    for (const text of probes()) {
      const isIpv6 = text.includes(':');
      if (isIpv6 && reader.metadata.ipVersion === 4) continue;
      const expected = reader.get(text) as unknown;
      if (expected !== null) hits++;
      assert.deepEqual(plain(find(parseIp(text) as IpAddress)), expected, `${name}: ${text}`);
    }
    assert.ok(hits > 0, `${name} knows some of the probes`);
  }
});

/** Addresses in and around the networks of the MaxMind-DB-test files. */
function* probes(): Generator<string> {
  for (let i = 0; i < 48; i++) yield `1.1.1.${i}`;
  for (let i = 0; i < 128; i++) yield `::1:ffff:${(0xffff_ff00 + i).toString(16).slice(0, 4)}:${i.toString(16)}`;
  for (let i = 0; i < 256; i++) yield `::2:0:${i.toString(16)}`;
  for (const text of ['0.0.0.0', '255.255.255.255', '1:0:0:0:0:0:0:1', '2000::', 'ffff::ffff']) yield text;
}

test('aliases of the IPv4 tree are not kept as IPv6 ranges', (t) => {
  const path = sharedData('mmdb/test-data/GeoIP2-City-Test.mmdb');
  if (!path) return t.skip(missing);
  const reader = new Reader(readFileSync(path));
  assert.notEqual(reader.get('2002:5102:458e::'), null, 'the file has the alias');
  const find = lookUp(path);
  assert.equal(find(parseIp('2002:5102:458e::') as IpAddress), undefined);
  assert.deepEqual(plain(find(parseIp('81.2.69.142') as IpAddress)), reader.get('81.2.69.142'));
});

test('every type of value is read', (t) => {
  const path = sharedData('mmdb/test-data/MaxMind-DB-test-decoder.mmdb');
  if (!path) return t.skip(missing);
  const record = lookUp(path)(parseIp('1.1.1.1') as IpAddress) as Record<string, MmdbValue>;
  assert.deepEqual(
    { ...record, bytes: [...(record.bytes as Uint8Array)], map: plain(record.map), float: plain(record.float) },
    {
      array: [1, 2, 3],
      boolean: true,
      bytes: [0, 0, 0, 42],
      double: 42.123456,
      float: Math.fround(1.1),
      int32: -268435456,
      map: { mapX: { arrayX: [7, 8, 9], utf8_stringX: 'hello' } },
      uint128: 2n ** 120n,
      uint16: 100,
      uint32: 2 ** 28,
      uint64: 2n ** 60n,
      utf8_string: 'unicode! ☯ - ♫',
    },
  );
});

/** Corrupt files in which all that a record can be reached by is sound: they are read. */
const readable = new Set([
  'libmaxminddb-corrupt-search-tree.mmdb', // 99 of its 100 nodes cannot be reached
  'libmaxminddb-empty-array-last-in-metadata.mmdb',
  'libmaxminddb-empty-map-last-in-metadata.mmdb',
  'libmaxminddb-uint64-max-epoch.mmdb', // a build date beyond what a date can be is not a date
]);

test('corrupt files are refused with the file’s name and the place', async (t) => {
  const bad = sharedData('mmdb/bad-data');
  const files = sharedData('mmdb/test-data');
  if (!bad || !files) return t.skip(missing);
  const paths = [
    ...readdirSync(bad, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
    join(files, 'GeoIP2-City-Test-Broken-Double-Format.mmdb'),
    join(files, 'GeoIP2-City-Test-Invalid-Node-Count.mmdb'),
    join(files, 'MaxMind-DB-test-broken-pointers-24.mmdb'),
    join(files, 'MaxMind-DB-test-broken-search-tree-24.mmdb'),
    join(files, 'maps-with-pointers.raw'),
  ];
  assert.ok(paths.length >= 26);
  const read = await fileReader(temporaryDirectory(t));
  for (const path of paths) {
    const error = await read(path);
    if (readable.has(basename(path))) assert.equal(error, undefined, basename(path));
    else assert.ok(error instanceof UsageError && error.message.startsWith(path), `${basename(path)}: ${error}`);
  }
});

test('every test file is read whole, whatever its type', async (t) => {
  const files = sharedData('mmdb/test-data');
  if (!files) return t.skip(missing);
  const names = readdirSync(files).filter((name) => name.endsWith('.mmdb') && !/-broken-|Broken|Invalid/.test(name));
  assert.ok(names.length >= 35);
  const read = await fileReader(temporaryDirectory(t));
  for (const name of names) assert.equal(await read(join(files, name)), undefined, name);
});
