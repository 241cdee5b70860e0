import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type NameIndex, NameIndexBuilder, openNames } from '../../src/store/packed/names/name-index.ts';

/** Optimal string alignment distance, from its definition. */
function distance(left: string, right: string): number {
  const memo = new Map<string, number>();
  const of = (i: number, j: number): number => {
    if (i === 0 || j === 0) return i + j;
    const key = `${i},${j}`;
    const known = memo.get(key);
    if (known !== undefined) return known;
    let best = Math.min(of(i - 1, j) + 1, of(i, j - 1) + 1, of(i - 1, j - 1) + (left[i - 1] === right[j - 1] ? 0 : 1));
    if (i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]) {
      best = Math.min(best, of(i - 2, j - 2) + 1);
    }
    memo.set(key, best);
    return best;
  };
  return of(left.length, right.length);
}

function indexOf(names: readonly string[]): NameIndex {
  const builder = new NameIndexBuilder();
  for (const [value, name] of names.entries()) builder.add(name, value);
  return openNames(
    builder.finish(
      1,
      () => 0,
      (value) => value,
    ),
  );
}

const word = (minLength: number) =>
  fc.oneof(
    fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' '), minLength, maxLength: 9 }),
    fc.string({ unit: fc.constantFrom('м', 'о', 'с'), minLength, maxLength: 9 }),
  );
const unbounded = { fixedPrefix: 0, budget: Number.MAX_SAFE_INTEGER };

test('whole names within that many edits are found, and no others', () => {
  fc.assert(
    fc.property(fc.array(word(4), { maxLength: 40 }), word(4), fc.constantFrom(1, 2), (names, text, edits) => {
      const index = indexOf(names);
      const got = new Map<string, number>();
      index.fuzzy(text, { ...unbounded, edits, isPrefix: false }, (range, mistakes) => {
        assert.equal(range.to - range.from, 1);
        got.set(index.text(range.from), mistakes);
      });
      const isLatin = /^[abc ]/.test(text);
      const expected = new Map(
        names
          // Another script is not a typing mistake.
          .filter((name) => /^[abc ]/.test(name) === isLatin)
          .map((name) => [name, distance(text, name)] as const)
          .filter(([, mistakes]) => mistakes > 0 && mistakes <= edits),
      );
      assert.deepEqual([...got].sort(), [...expected].sort());
    }),
  );
});

test('with a prefix every name is found whose beginning is within that many edits', () => {
  fc.assert(
    fc.property(fc.array(word(1), { maxLength: 40 }), word(4), (names, text) => {
      const index = indexOf(names);
      const got = new Set<string>();
      index.fuzzy(text, { ...unbounded, edits: 1, isPrefix: true }, ({ from, to }) => {
        for (let key = from; key < to; key++) got.add(index.text(key));
      });
      const isLatin = /^[abc ]/.test(text);
      const begins = (name: string) =>
        Array.from({ length: name.length }, (_, at) => name.slice(0, at + 1)).some((part) => distance(text, part) <= 1);
      const expected = new Set(names.filter((name) => /^[abc ]/.test(name) === isLatin && begins(name)));
      assert.deepEqual([...got].sort(), [...expected].sort());
    }),
  );
});

test('a budget bounds the nodes that are visited', () => {
  const names = Array.from({ length: 5_000 }, (_, at) => at.toString(26).padStart(5, 'q'));
  const looked = indexOf(names).fuzzy('qqqqq', { edits: 2, fixedPrefix: 0, isPrefix: false, budget: 300 }, () => {});
  assert.ok(looked <= 300, `${looked}`);
});

test('looking up all texts one edit away finds the same keys as the fuzzy search of the trie', () => {
  fc.assert(
    fc.property(fc.array(word(4), { maxLength: 40 }), word(4), (names, text) => {
      const index = indexOf(names);
      const walked = new Set<string>();
      index.fuzzy(text, { ...unbounded, edits: 1, isPrefix: false }, ({ from }) => walked.add(index.text(from)));
      const lookedUp = new Set<string>();
      index.oneEdit(text, Number.MAX_SAFE_INTEGER, (key) => lookedUp.add(index.text(key)));
      assert.deepEqual([...lookedUp].sort(), [...walked].sort());
    }),
  );
});

test('so it does among thousands of keys, where only those that begin as the text are compared', () => {
  const letters = ['a', 'b', 'c', ' '];
  const all = (length: number): string[] =>
    length === 0 ? [''] : all(length - 1).flatMap((start) => letters.map((letter) => start + letter));
  // Every second one, so that not everything is a name.
  const names = [4, 5, 6].flatMap(all).filter((_, at) => at % 2 === 0);
  const index = indexOf(names);
  const wide = fc.string({ unit: fc.constantFrom(...letters), minLength: 3, maxLength: 8 });
  fc.assert(
    fc.property(wide, (text) => {
      const expected = names.filter((name) => distance(text, name) === 1);
      const lookedUp: string[] = [];
      index.oneEdit(text, Number.MAX_SAFE_INTEGER, (key) => lookedUp.push(index.text(key)));
      assert.deepEqual(lookedUp.sort(), expected.sort());
    }),
    { numRuns: 20 },
  );
});
