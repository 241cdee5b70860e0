import assert from 'node:assert/strict';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { IdTable } from '../../src/sources/tables.ts';
import { Spools } from '../../src/store/sqlite/spool.ts';
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
    using spools = new Spools(directory, memoryBytes);
    const spool = spools.spool<Line>();
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
    spools[Symbol.dispose]();
    assert.deepEqual(readdirSync(directory), []);
  }
});

test('an abandoned read does not disturb the next one', (t) => {
  using spools = new Spools(temporaryDirectory(t), 1000);
  const spool = spools.spool<{ number: number }>();
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
    using spools = new Spools(directory, memoryBytes);
    const spool = spools.spool<Line>();
    const positions: number[] = [];
    for (const [at, line] of lines.entries()) {
      positions.push(spool.add(0, line));
      assert.deepEqual(spool.at(positions[(at * 7919) % positions.length]), lines[(at * 7919) % positions.length]);
    }
    spools[Symbol.dispose]();
    assert.deepEqual(readdirSync(directory), []);
  }
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
