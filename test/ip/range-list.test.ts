/** Range lists and both indexes against the plainest possible look-up. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  emptyRangeList,
  isEmpty,
  overlay,
  RangeIndex,
  type RangeList,
  RangeListBuilder,
} from '../../src/core/ip/ranges.ts';

type Words = [number, number, number, number];
type Entry = { start: Words; value: number };

const order = (left: Words, right: Words) => {
  const at = left.findIndex((word, i) => word !== right[i]);
  return at < 0 ? 0 : left[at] - right[at];
};

/** The value at an address by looking at every entry. */
const plain = (entries: readonly Entry[], address: Words) =>
  entries.reduce((value, entry) => (order(entry.start, address) <= 0 ? entry.value : value), 0);

function listOf(entries: readonly Entry[]): RangeList {
  const builder = new RangeListBuilder();
  for (const { start, value } of entries) builder.add(...start, value);
  return builder.finish();
}

const bytesOf = (...words: readonly number[]) =>
  Uint8Array.from(words.flatMap((word) => [word >>> 24, word >>> 16, word >>> 8, word]));

const indexOf = (list: RangeList) => RangeIndex.from(list, Math.max(...list.values) + 1);

const ipv6 = (list: RangeList) => {
  const index = indexOf(list);
  return (address: Words) => index.find(bytesOf(...address));
};

// Few distinct words, so that entries share heads and /64s; the ends of the word's range among them.
const word = fc.constantFrom(0, 1, 2, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff);
const address6 = fc.tuple(word, word, word, word);
const address4 = fc
  .oneof(
    fc.nat(0xffff_ffff),
    fc.constantFrom(0, 1, 0xffff, 0x10000, 0x10001, 0x8000_0000, 0xfffe_ffff, 0xffff_0000, 0xffff_ffff),
  )
  .map((bits): Words => [bits, 0, 0, 0]);
/** 66000 and more need a column of high bits. */
const value = fc.constantFrom(0, 1, 2, 3, 65535, 65536, 66000, 0xff_ffff, 0x100_0000);

const entriesOf = (address: fc.Arbitrary<Words>) =>
  fc
    .uniqueArray(fc.record({ start: address, value }), {
      maxLength: 40,
      size: 'max',
      selector: ({ start }) => start.join(),
    })
    .map((entries) =>
      [
        { start: [0, 0, 0, 0] as Words, value: 0 },
        ...entries.filter(({ start }) => start.some((part) => part > 0)),
      ].sort((left, right) => order(left.start, right.start)),
    );

test('the IPv4 index finds what a search of all entries finds', () => {
  fc.assert(
    fc.property(entriesOf(address4), fc.array(address4, { minLength: 20, maxLength: 20 }), (entries, others) => {
      const index = indexOf(listOf(entries));
      const starts = entries.map(({ start }) => start);
      const befores = starts.filter(([bits]) => bits > 0).map(([bits]): Words => [bits - 1, 0, 0, 0]);
      for (const address of [...starts, ...befores, ...others]) {
        assert.equal(index.find(bytesOf(address[0])), plain(entries, address));
      }
    }),
    { numRuns: 500 },
  );
});

test('the IPv6 index finds what a search of all entries finds, in divided /64s too', () => {
  fc.assert(
    fc.property(entriesOf(address6), fc.array(address6, { minLength: 40, maxLength: 40 }), (entries, others) => {
      const find = ipv6(listOf(entries));
      for (const address of [...entries.map(({ start }) => start), ...others]) {
        assert.equal(find(address), plain(entries, address), `${address}`);
      }
    }),
    { numRuns: 1500 },
  );
});

test('entries with steps of every kind are found, as are the addresses before and after them', () => {
  /** What is added to a start: single numbers, /48s, a new upper word, far ones. */
  const step = fc.oneof(
    fc.integer({ min: 1, max: 0xffffff }),
    fc.integer({ min: 1, max: 0x7fff }).map((units) => units * 0x10000),
    fc.constantFrom(1, 0x10000, 2 ** 32, 5 * 2 ** 32, 300 * 2 ** 32, 2 ** 33 + 7),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(step, value), { maxLength: 400 }), (steps) => {
      let start = 0;
      const entries = steps.map(([step, value]) => ({ start: (start += step), value }));
      entries.unshift({ start: 0, value: 0 });
      const words = (start: number): Words => [Math.floor(start / 2 ** 32), start % 2 ** 32, 0, 0];
      const find = ipv6(listOf(entries.map(({ start, value }) => ({ start: words(start), value }))));
      for (const [at, { start, value }] of entries.entries()) {
        assert.equal(find(words(start)), value);
        if (at > 0) assert.equal(find(words(start - 1)), entries[at - 1].value);
      }
      assert.equal(find([0xffffffff, 0xffffffff, 0, 0]), entries.at(-1)!.value);
    }),
  );
});

test('two lists laid over each other combine their values at every address', () => {
  fc.assert(
    fc.property(
      entriesOf(address6),
      entriesOf(address6),
      fc.array(address6, { minLength: 20, maxLength: 20 }),
      (left, right, others) => {
        const combined = overlay(listOf(left), listOf(right), (a, b) => a * 3 + b);
        const find = ipv6(combined);
        for (const address of [...left, ...right].map(({ start }) => start).concat(others)) {
          assert.equal(find(address), plain(left, address) * 3 + plain(right, address));
        }
        for (let i = 1; i < combined.size; i++) assert.notEqual(combined.values[i], combined.values[i - 1]);
      },
    ),
    { numRuns: 500 },
  );
});

test('of entries with the same start the last counts', () => {
  const starts = fc.array(fc.tuple(fc.constantFrom(...entryStarts), value), { maxLength: 12 });
  fc.assert(
    fc.property(starts, (added) => {
      const entries = added
        .map(([start, value]) => ({ start, value }))
        .sort((left, right) => order(left.start, right.start));
      const list = listOf([{ start: [0, 0, 0, 0], value: 0 }, ...entries]);
      const find = ipv6(list);
      for (const address of entryStarts) assert.equal(find(address), plain(entries, address));
      for (let i = 1; i < list.size; i++) assert.notEqual(list.values[i], list.values[i - 1]);
    }),
  );
});

const entryStarts: Words[] = [
  [0, 0, 0, 1],
  [0, 0, 3, 0],
  [1, 0, 0, 0],
  [1, 2, 3, 4],
  [2, 0, 0, 0],
];

test('neighbours of equal value are one entry, and columns of zeros take no memory', () => {
  const list = listOf([
    { start: [0, 0, 0, 0], value: 0 },
    { start: [1, 0, 0, 0], value: 7 },
    { start: [1, 5, 0, 0], value: 7 },
    { start: [2, 0, 0, 0], value: 0 },
  ]);
  assert.equal(list.size, 3);
  assert.deepEqual(list.words.slice(1), [undefined, undefined, undefined]);
  assert.ok(isEmpty(emptyRangeList()));
  assert.ok(!isEmpty(list));
  assert.equal(ipv6(emptyRangeList())([5, 5, 5, 5]), 0);
  assert.equal(indexOf(emptyRangeList()).find(bytesOf(0xffffffff)), 0);
});
