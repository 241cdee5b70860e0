/** MMDB files that are empty, damaged or made to be slow. */
import assert from 'node:assert/strict';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { UsageError } from '../../src/errors.ts';
import { MmdbError, mmdbDecoder } from '../../src/sources/mmdb/file.ts';
import { type Json, writeMmdb } from '../support/mmdb-writer.ts';
import { fileReader, smallIp, temporaryDirectory } from './small-ip.ts';

test('a file that is empty or corrupt stops the build with a remedy', async (t) => {
  const directory = temporaryDirectory(t);
  const connections = writeMmdb(join(directory, 'c.mmdb'), { '1.0.0.0/8': { connection_type: 'Dialup' } });
  await assert.rejects(smallIp(t, {}, [connections]), (error) => {
    assert.ok(error instanceof UsageError);
    assert.match(error.message, /c\.mmdb \(database type "Test"\) has no record with a country.*use a City, Country/);
    return true;
  });
  const cut = writeMmdb(join(directory, 'cut.mmdb'), { '1.0.0.0/8': { country: { iso_code: 'DE' } } });
  truncateSync(cut, 200);
  await assert.rejects(smallIp(t, {}, [cut]), /cut\.mmdb is not a readable MaxMind DB file.*download it again/);
  const empty = join(directory, 'empty.mmdb');
  writeFileSync(empty, '');
  await assert.rejects(smallIp(t, {}, [empty]), /no metadata marker/);
  const none = writeMmdb(join(directory, 'none.mmdb'), {});
  await assert.rejects(smallIp(t, {}, [none]), /none\.mmdb .*has no record with a country/);
});

test('invalid metadata is refused by name', async (t) => {
  const directory = temporaryDirectory(t);
  const read = await fileReader(directory);
  const refusals: [Record<string, number | string>, RegExp][] = [
    [{ binary_format_major_version: 3 }, /binary_format_major_version is 3, expected 2/],
    [{ ip_version: 5 }, /ip_version is 5, expected 4 or 6/],
    [{ record_size: 16 }, /record_size is 16, expected 24, 28 or 32/],
    [{ node_count: 'many' }, /node_count is many, expected a number/],
    [{ node_count: 'ma\nny' }, /^[^\n]*node_count is ma ny/],
    [{ node_count: 4_000_000_000 }, /needs a search tree of 24000000000 bytes/],
    [{ node_count: 7 }, /not followed by 16 zero bytes/],
  ];
  for (const [i, [metadata, message]] of refusals.entries()) {
    const path = writeMmdb(join(directory, `${i}.mmdb`), { '1.0.0.0/8': { country_code: 'DE' } }, { metadata });
    assert.match(`${(await read(path))?.message}`, message);
  }
});

test('a search tree with a cycle is detected', async (t) => {
  const directory = temporaryDirectory(t);
  const reader = await fileReader(directory);
  const networks = { '1.2.3.4/32': { country_code: 'DE' } };
  const read = async (name: string, corrupt: (node: number, records: [number, number]) => [number, number]) =>
    `${(await reader(writeMmdb(join(directory, name), networks, { ipVersion: 4, corrupt })))?.message}`;
  // Every node leads to the first one twice: without a bound, 2³² visits.
  assert.match(
    await read('root.mmdb', () => [0, 0]),
    /corrupt search tree: its nodes form a cycle|beyond the last bit/,
  );
  assert.match(await read('self.mmdb', (node) => [node, node]), /corrupt search tree/);
  assert.match(
    await read('far.mmdb', (node, [left, right]) => (node === 3 ? [left, 0xfffffe] : [left, right])),
    /points to byte \d+ of a data section/,
  );
});

test('a file with any bytes changed is either read or refused', async (t) => {
  const directory = temporaryDirectory(t);
  const read = await fileReader(directory);
  const networks = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [`1.${i}.0.0/${16 + (i % 9)}`, { country_code: 'DE', tags: ['a', { b: i }] }]),
  );
  const sound = readFileSync(writeMmdb(join(directory, 'sound.mmdb'), networks));
  const change = fc.tuple(
    fc.nat(sound.length - 1),
    fc.oneof(fc.nat(255), fc.constantFrom(0x20, 0x28, 0x38, 0xff, 0x1f)),
  );
  const path = join(directory, 'changed.mmdb');
  let refusals = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
      const bytes = Buffer.from(sound);
      for (const [at, byte] of changes) bytes[at] = byte;
      writeFileSync(path, bytes);
      const error = await read(path);
      if (error && !(error instanceof UsageError)) throw error;
      if (error) refusals++;
    }),
    { numRuns: 100 },
  );
  assert.ok(refusals > 10, 'many changes do harm');
});

test('records that overlap, so that each network has one of its own, are refused', async (t) => {
  let nested: Json = Array(1_000).fill('');
  for (let level = 0; level < 20; level++) nested = [nested];
  const networks = Object.fromEntries(
    Array.from({ length: 8 }, (_, at) => [`${32 * at}.0.0.0/3`, at === 0 ? nested : '']),
  );
  const [nodes, gap] = [7, 16];
  let read = 0;
  const corrupt = (_: number, records: [number, number]) =>
    records.map((record) => (record < nodes ? record : nodes + gap + 2 * read++)) as [number, number];
  const directory = temporaryDirectory(t);
  const error = await (await fileReader(directory))(
    writeMmdb(join(directory, 'overlap.mmdb'), networks, { ipVersion: 4, corrupt }),
  );
  assert.match(`${error?.message}`, /records that overlap: they have more values/);
});

test('records that nest endlessly or share values a million times are bounded', () => {
  const decoder = (bytes: number[]) => mmdbDecoder(Buffer.from(bytes), 'data');
  // A pointer (001 00 000, offset) to itself; an array of one pointer to the array.
  assert.throws(() => decoder([0x20, 0x00]).valueAt(0), /points back to itself/);
  assert.throws(() => decoder([0x01, 0x04, 0x20, 0x00]).valueAt(0), MmdbError);
  // 60 arrays, each of two pointers to the next: 2⁶⁰ values if every pointer were followed.
  const doubling: number[] = [];
  for (let i = 0; i < 60; i++) {
    const next = (i + 1) * 6;
    doubling.push(0x02, 0x04, 0x20 | (next >> 8), next & 255, 0x20 | (next >> 8), next & 255);
  }
  doubling.push(0x41, 0x61);
  let value = decoder(doubling).valueAt(0);
  for (let i = 0; i < 60; i++) value = (value as never[])[1];
  assert.equal(value, 'a');
  // 40 pointers (001 11 000, offset) to texts of 65,821 bytes and more that overlap.
  const header = [0x5f, 0x00, 0x00, 0x00];
  const texts = [...Array(40).fill(header).flat(), ...Array(66_000).fill(0x61)];
  const pointers = Array.from({ length: 40 }, (_, at) => [0x38, 0, 0, 0, 4 * at]).flat();
  assert.throws(() => decoder([...texts, 29, 4, 11, ...pointers]).valueAt(texts.length), /values and characters/);
  // A key named __proto__ is a key.
  const proto = decoder([0xe1, 0x49, ...Buffer.from('__proto__'), 0x41, 0x61]).valueAt(0);
  assert.deepEqual(Object.entries(proto), [['__proto__', 'a']]);
});
