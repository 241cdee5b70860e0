/** Sorting on disk: order, equal keys, lines of a key, and nothing left behind. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { Spools } from '../../src/store/sqlite/spool.ts';
import { temporaryDirectory } from '../support/temporary.ts';

test('values come in order of their keys, equal ones as they were added, in memory and outside', (t) => {
  for (const memoryBytes of [16e6, 2000]) {
    const directory = temporaryDirectory(t);
    using spools = new Spools(directory, memoryBytes);
    const sorter = spools.spool<Uint8Array>();
    const added = Array.from({ length: 1000 }, (_, at) => ({
      key: at % 3 === 0 ? 2 ** 40 : (at * 7919) % 101,
      bytes: new Uint8Array(at % 500).fill(at),
    }));
    for (const { key, bytes } of added) sorter.add(key, bytes);
    assert.equal(sorter.size, 1000);
    assert.deepEqual(
      [...sorter.entries()],
      added.toSorted((a, b) => a.key - b.key).map(({ key, bytes }) => [key, bytes]),
    );
    assert.deepEqual(readdirSync(directory), []);
  }
});

test('the values of a key come together, in order; no record is lost', (t) => {
  const directory = temporaryDirectory(t);
  const spools = new Spools(directory, 100_000);
  const sorter = spools.spool<string>();
  const [streets, houses] = [1200, 7];
  for (let house = 0; house < houses; house++) {
    // The lines of some streets are much longer than others.
    for (let street = 0; street < streets; street++)
      sorter.add(
        street,
        `Straße\t${house}\t${(street % 1000 === 7 ? '9' : 'ß').repeat(street % 1000 === 7 ? 70_000 : 1)}`,
      );
  }
  let street = 0;
  for (const lines of sorter.lines()) {
    const fields = lines.split('\n').map((line) => line.split('\t'));
    assert.deepEqual(
      fields.map(([name, house, geometry]) => [name, Number(house), geometry.length]),
      Array.from({ length: houses }, (_, house) => ['Straße', house, street % 1000 === 7 ? 70_000 : 1]),
    );
    street++;
  }
  assert.equal(street, streets);
  spools[Symbol.dispose]();
  assert.deepEqual(readdirSync(directory), []);
});

test('values larger than the memory, no values at all, and a sort that breaks off', (t) => {
  const directory = temporaryDirectory(t);
  const spools = new Spools(directory, 1000);
  const sorter = () => spools.spool<Uint8Array>();
  const large = sorter();
  const values = [new Uint8Array(1_000_000).fill(2), new Uint8Array(300_000).fill(1)];
  large.add(2, values[0]);
  large.add(1, values[1]);
  assert.deepEqual([...large], [values[1], values[0]]);
  assert.deepEqual([...sorter()], []);
  const broken = sorter();
  for (let at = 0; at < 10; at++) broken.add(at, Uint8Array.of(at));
  assert.deepEqual(broken.entries().next().value, [0, Uint8Array.of(0)]);
  spools[Symbol.dispose]();
  assert.deepEqual(readdirSync(directory), []);
});
