import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  minimaOf,
  type NameIndex,
  NameIndexBuilder,
  openNames,
  rangeMinimum,
  visitAscending,
} from '../../src/store/packed/names/name-index.ts';

const name = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' ', 'я', '東', '😀'), maxLength: 6 });
/** Names with the numbers of their owners; an owner's group is its number modulo 3. */
const entries = fc.array(fc.tuple(name, fc.integer({ min: 0, max: 60 })), { minLength: 1, maxLength: 150 });
const groups = 3;

function indexOf(rows: readonly [string, number][]): NameIndex {
  const builder = new NameIndexBuilder();
  for (const [key, value] of rows) builder.add(key, value);
  return openNames(
    builder.finish(
      groups,
      (value) => value % groups,
      (value) => value,
    ),
  );
}

const minimumOf = (values: Uint32Array) => rangeMinimum(values, undefined, minimaOf(values));
const ascending = (left: number, right: number) => left - right;

/** Values of all names that a test admits, each pair of name and value once, ascending. */
const expectedValues = (rows: readonly [string, number][], isWanted: (key: string, value: number) => boolean) =>
  [...new Map(rows.map(([key, value]) => [`${key}|${value}`, { key, value }])).values()]
    .filter(({ key, value }) => isWanted(key, value))
    .map(({ value }) => value)
    .sort(ascending);

test('the values of a range come in ascending order, and can be stopped early', () => {
  const values = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(values, fc.nat(), fc.nat(), fc.integer({ min: 1, max: 30 }), (numbers, a, b, limit) => {
      const column = Uint32Array.from(numbers);
      const [from, to] = [a % (numbers.length + 1), b % (numbers.length + 1)].sort(ascending);
      const got: number[] = [];
      visitAscending(minimumOf(column), from, to, (value, position) => {
        assert.equal(column[position], value);
        return got.push(value) < limit;
      });
      assert.deepEqual(got, numbers.slice(from, to).sort(ascending).slice(0, limit));
    }),
  );
});

test('the smallest value of a long range is found, the leftmost where several are equal', () => {
  // Three levels of blocks, and few values, so that most ranges have their smallest several times.
  let seed = 1;
  const next = (below: number) => (seed = (seed * 48271) % 2147483647) % below;
  const values = Uint32Array.from({ length: 40_000 }, () => next(3) * next(500));
  const minimum = minimumOf(values);
  for (let round = 0; round < 3_000; round++) {
    const from = next(values.length);
    const to = Math.min(values.length, from + 1 + next(round % 2 ? 100 : values.length));
    let expected = from;
    for (let at = from; at < to; at++) if (values[at] < values[expected]) expected = at;
    assert.equal(minimum.position(from, to), expected, `[${from}, ${to})`);
  }
});

test('a prefix finds every name that begins with it, best first', () => {
  fc.assert(
    fc.property(entries, name, (rows, prefix) => {
      const index = indexOf(rows);
      const got: number[] = [];
      const range = index.prefixRange(prefix);
      index.visit(range, (value, posting) => {
        assert.ok(index.text(index.keyOf(posting, range)).startsWith(prefix));
        return got.push(value) > 0;
      });
      assert.deepEqual(
        got,
        expectedValues(rows, (key) => key.startsWith(prefix)),
      );
    }),
  );
});

test('of many names that begin with a text those with the smallest values are listed, few names as they are', () => {
  const value = fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 2 ** 31 - 1 }));
  const rows = fc.array(fc.tuple(name, value), { minLength: 1, maxLength: 150 });
  fc.assert(
    fc.property(rows, name, fc.integer({ min: 1, max: 60 }), (rows, prefix, most) => {
      const index = indexOf(rows);
      const got = index.values(index.prefixRange(prefix), most);
      const expected = expectedValues(rows, (key) => key.startsWith(prefix)).slice(0, most);
      assert.deepEqual([...got].sort(ascending), expected);
    }),
  );
});

test('a prefix inside one group finds the same as filtering all', () => {
  fc.assert(
    fc.property(entries, name, fc.nat({ max: groups - 1 }), (rows, prefix, group) => {
      const index = indexOf(rows);
      const got: number[] = [];
      const range = index.prefixRange(prefix);
      index.visitGroup(group, range, (value, posting) => {
        assert.ok(index.text(index.keyOf(posting, range)).startsWith(prefix));
        return got.push(value) > 0;
      });
      assert.deepEqual(
        got,
        expectedValues(rows, (key, value) => key.startsWith(prefix) && value % groups === group),
      );
    }),
  );
});

test('a name is found exactly when it was added', () => {
  fc.assert(
    fc.property(entries, name, (rows, wanted) => {
      const index = indexOf(rows);
      const { from, to } = index.exact(wanted);
      assert.equal(to - from, Number(rows.some(([added]) => added === wanted)));
      if (to > from) assert.equal(index.text(from), wanted);
    }),
  );
});
