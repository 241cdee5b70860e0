import assert from 'node:assert/strict';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { IdTable, Tables } from '../../src/sources/tables.ts';
import { temporaryDirectory } from '../support/temporary.ts';

type Line = { name: string; numbers: Float64Array; pieces: Float64Array[] };

/** Lines of very different lengths, with names in several scripts. */
const lines = Array.from({ length: 5000 }, (_, at): Line => {
  const numbers = new Float64Array(at % 997 === 0 ? 9000 : at % 7).fill(at / 3);
  const pieces = Array.from({ length: at % 3 }, () => Float64Array.of(at, -at / 7));
  return { name: `${['Straße', 'улица', '通り', '🛣'][at % 4]} ${at}`, numbers, pieces };
});

test('items come in the order of their keys, those of one key as they were added, from memory and from disk', (t) => {
  for (const memoryBytes of [1e9, 200_000, 1]) {
    const directory = temporaryDirectory(t);
    using tables = new Tables(directory, memoryBytes);
    const spool = tables.spool<Line>();
    for (const [at, line] of lines.entries()) spool.add((at * 31) % 600, line);
    const expected = lines.map((line, at) => [(at * 31) % 600, line] as const).sort(([a], [b]) => a - b);
    for (const _ of ['first', 'again']) assert.deepEqual([...spool.entries()], expected);
    assert.equal(spool.size, lines.length);
    const ofKey = spool.byKey();
    for (const key of [3, 7, 599, 600])
      assert.deepEqual(
        ofKey(key),
        expected.filter(([other]) => other === key).map(([, line]) => line),
      );
    tables[Symbol.dispose]();
    assert.deepEqual(readdirSync(directory), []);
  }
});

test('an abandoned read does not disturb the next one', (t) => {
  using tables = new Tables(temporaryDirectory(t), 1000);
  const spool = tables.spool<{ number: number }>();
  for (let number = 0; number < 1000; number++) spool.add(-number, { number });
  for (const { number } of spool) if (number < 990) break;
  assert.deepEqual(
    [...spool].slice(0, 3).map(({ number }) => number),
    [999, 998, 997],
  );
});

test('rows are read at any place, from memory and from disk, while others are added', (t) => {
  for (const memoryBytes of [1e9, 50_000]) {
    const directory = temporaryDirectory(t);
    using tables = new Tables(directory, memoryBytes);
    const spool = tables.spool<Line>();
    const positions: number[] = [];
    for (const [at, line] of lines.entries()) {
      positions.push(spool.add(0, line));
      assert.deepEqual(spool.at(positions[(at * 7919) % positions.length]), lines[(at * 7919) % positions.length]);
    }
    tables[Symbol.dispose]();
    assert.deepEqual(readdirSync(directory), []);
  }
});

test('of items with a position of their own the one added first is there, and nothing elsewhere', (t) => {
  using tables = new Tables(temporaryDirectory(t), 1000);
  const spool = tables.spool<Line>();
  const positionOf = (at: number) => ((at * 7919) % 5000 === 0 ? -(2 ** 40) : 2 ** 33 + ((at * 7919) % 5000));
  for (const times of [1, 2])
    for (const [at, line] of lines.entries()) spool.add(0, lines[at * times] ?? line, positionOf(at));
  for (const [at, line] of lines.entries()) assert.deepEqual(spool.at(positionOf(at)), line);
  assert.deepEqual([spool.at(1), spool.at(2 ** 33 + 5000)], [undefined, undefined]);
});

test('the values of a key come together, in order; no record is lost', (t) => {
  const directory = temporaryDirectory(t);
  const tables = new Tables(directory, 100_000);
  const sorter = tables.spool<string>();
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
  tables[Symbol.dispose]();
  assert.deepEqual(readdirSync(directory), []);
});

test('values larger than the memory, no values at all, and a sort that breaks off', (t) => {
  const directory = temporaryDirectory(t);
  const tables = new Tables(directory, 1000);
  const sorter = () => tables.spool<Uint8Array>();
  const large = sorter();
  const values = [new Uint8Array(1_000_000).fill(2), new Uint8Array(300_000).fill(1)];
  large.add(2, values[0]);
  large.add(1, values[1]);
  assert.deepEqual([...large], [values[1], values[0]]);
  assert.deepEqual([...sorter()], []);
  const broken = sorter();
  for (let at = 0; at < 10; at++) broken.add(at, Uint8Array.of(at));
  assert.deepEqual(broken.entries().next().value, [0, Uint8Array.of(0)]);
  tables[Symbol.dispose]();
  assert.deepEqual(readdirSync(directory), []);
});

test('a temporary file that cannot be written is reported with the remedy', (t) => {
  const directory = join(temporaryDirectory(t), 'taken');
  mkdirSync(directory);
  /** More than fits into the least memory. */
  const fill = (path: string) => {
    const table = new IdTable(path, 1);
    for (let id = 0; id < 50_000; id++) table.add(id, id, id);
  };
  assert.throws(() => fill(directory), {
    name: 'SourceError',
    message: /cannot be written: EEXIST.*a disk with more space, or set more memory/,
  });
  assert.throws(() => fill(join(directory, 'missing', 'file')), { message: /cannot be written: ENOENT/ });
});
