/** Spellings of house numbers, ranges of them, and the position of a number that no source has. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  baseNumber,
  betweenNeighbours,
  normaliseHouseNumber,
  numberRange,
  onInterpolationRange,
  rangeHolds,
} from '../../src/core/address/house-number.ts';

test('a number has one spelling', () => {
  for (const [text, spelling] of [
    ['12', '12'],
    ['012', '12'],
    ['0', '0'],
    ['12A', '12a'],
    ['12 A', '12a'],
    ['12-a', '12a'],
    ['12 – 14', '12-14'],
    ['12 - 14', '12-14'],
    ['12 14', '12+14'],
    ['137 / 25', '137/25'],
    ['137\\25', '137/25'],
    ['N° 5', '5'],
    ['No. 5', '5'],
    ['#5', '5'],
    ['Blk 3', '3'],
    ['Block A3', 'a3'],
    ['д. 6', '6'],
    ['д 6 корп. 2', '6k2'],
    ['6, стр. 3', '6s3'],
    ['6 литера А', '6a'],
    ['5 ½', '5+1/2'],
    ['１２', '12'],
    ['12é', '12e'],
    ['007 b', '7b'],
  ]) {
    assert.equal(normaliseHouseNumber(text), spelling, text);
  }
});

test('houses are ordered by their first digits; provisional numbers by none', () => {
  for (const [number, base] of [
    ['12a', 12],
    ['a12', 12],
    ['12-14', 12],
    ['', 0],
    ['abc', 0],
    ['ev12', 0],
    ['ec12', 0],
    ['e12', 12],
    ['12345678901', 123456789],
  ] as const) {
    assert.equal(baseNumber(number), base, number);
  }
});

test('a range rises by at most 100, and holds the numbers of its side, or all where it spans both', () => {
  for (const [text, range] of [
    ['12-14', { from: 12, to: 14 }],
    ['1-101', { from: 1, to: 101 }],
    ['1-102', undefined],
    ['14-12', undefined],
    ['12-12', undefined],
    ['12-14a', undefined],
    ['7', undefined],
  ] as const) {
    assert.deepEqual(numberRange(text), range, text);
  }
  const heldNumbers = (from: number, to: number) =>
    Array.from({ length: 12 }, (_, number) => number).filter((number) => rangeHolds({ from, to }, number));
  assert.deepEqual(heldNumbers(2, 6), [2, 4, 6]);
  assert.deepEqual(heldNumbers(3, 7), [3, 5, 7]);
  assert.deepEqual(heldNumbers(2, 5), [2, 3, 4, 5]);
  assert.deepEqual(heldNumbers(3, 4), [3, 4]);
});

/** Houses on the meridian of Greenwich, by number and thousandths of a degree (111 m) to the north. */
const houses = (...all: [base: number, at: number][]) => all.map(([base, at]) => ({ base, lat: at / 1000, lng: 0 }));
const place = (found: { lat: number; lng: number } | undefined) =>
  found && [Math.round(found.lat * 1e6) / 1e3, Math.round(found.lng * 1e6) / 1e3];

test('a missing number lies between the nearest ones of its side', () => {
  for (const [number, known, at] of [
    [4, houses([2, 0], [6, 4]), 2],
    [3, houses([2, 0], [6, 4]), undefined],
    [4, houses([2, 0], [10, 4]), 1],
    [8, houses([2, 0], [10, 4]), 3],
    // The nearest numbers count, the other side and houses without a number do not.
    [8, houses([2, 0], [6, 2], [10, 3], [14, 9], [7, 8], [0, 8]), 2.5],
    [8, houses([0, 0], [10, 1]), undefined],
    [2, houses([4, 0], [6, 1]), undefined],
    [8, houses([4, 0], [6, 1]), undefined],
    // At most 600 m and 60 numbers apart.
    [4, houses([2, 0], [6, 5.39]), 2.695],
    [4, houses([2, 0], [6, 5.4]), undefined],
    [32, houses([2, 0], [62, 2]), 1],
    [32, houses([2, 0], [64, 2]), undefined],
    // Of two houses of one number the pair that stands closest.
    [4, houses([2, 0], [2, 3], [6, 4]), 3.5],
    [4, houses([2, 3], [2, 0], [6, 4], [6, 3.6]), 3.3],
  ] as const) {
    assert.deepEqual(place(betweenNeighbours(known, number)), at === undefined ? undefined : [at, 0], `${number}`);
  }
});

test('a number lies at its share of the line that a source has for its range', () => {
  const line = [0, 0, 0, 0.001, 0.003, 0.001];
  for (const [number, ranges, at] of [
    [2, [[2, 10, 2, line]], [0, 0]],
    [10, [[2, 10, 2, line]], [1, 3]],
    [4, [[2, 10, 2, line]], [1, 0]],
    [6, [[2, 10, 2, line]], [1, 1]],
    [4, [[10, 2, 2, line]], [1, 2]],
    [5, [[2, 10, 2, line]], undefined],
    [5, [[2, 10, 1, line]], [1, 0.5]],
    [12, [[2, 10, 2, line]], undefined],
    [0, [[2, 10, 2, line]], undefined],
    [7, [[7, 7, 2, line]], [0, 0]],
    [3, [[1, 5, 2, [0.005, 0.002]]], [2, 5]],
    [3, [[1, 5, 2, [0.004, 0.002, 0.004, 0.002]]], [2, 4]],
    [
      3,
      [
        [2, 10, 2, line],
        [1, 5, 2, [0, 0, 0, 0.002]],
      ],
      [1, 0],
    ],
    // Over the antimeridian.
    [3, [[1, 5, 2, [179.999, 0, -179.999, 0]]], [0, -180_000]],
    [2, [[1, 5, 1, [179.999, 0, -179.997, 0]]], [0, -180_000]],
    [4, [[1, 5, 1, [-179.999, 0, 179.997, 0]]], [0, 179_998]],
  ] as [number, [number, number, 1 | 2, number[]][], [number, number] | undefined][]) {
    assert.deepEqual(place(onInterpolationRange(ranges, number)), at, `${number} ${JSON.stringify(ranges)}`);
  }
});

test('blanks in a row cost no more than others', () => {
  const from = process.threadCpuUsage().user;
  for (let at = 0; at < 20; at++) normaliseHouseNumber(`1${'\t'.repeat(490)}x`);
  assert.ok(process.threadCpuUsage().user - from < 300_000);
  assert.equal(normaliseHouseNumber('12 \t  корп.   3'), normaliseHouseNumber('12 корп. 3'));
});

test('spellings of one number are equal', () => {
  const same: readonly (readonly string[])[] = [
    ['12a', '12 A', '12A', '12-a', ' 12 a'],
    ['12-14', '12 - 14', '12–14'],
    ['5bis', '5 bis', '5 Bis'],
    ['5', 'N° 5', 'nº5', 'No. 5', '#5', '№ 5', 'д. 5', '005'],
    ['12k2', '12 корп. 2', '12к2', '12 к2', '12, корпус 2'],
    ['10/16s1', '10/16 с1', '10/16 стр. 1'],
    ['6729+1/2', '6729 1/2'],
  ];
  for (const [first, ...others] of same) for (const other of others) assert.equal(normaliseHouseNumber(other), first);
});

test('order and ranges', () => {
  assert.deepEqual(['12a', '45-10', 'n12', 'x'].map(baseNumber), [12, 45, 12, 0]);
  assert.deepEqual(numberRange('12-14'), { from: 12, to: 14 });
  assert.equal(numberRange('45-10'), undefined);
  assert.deepEqual(
    [11, 12, 13, 14, 16].map((number) => rangeHolds({ from: 12, to: 14 }, number)),
    [false, true, false, true, false],
  );
  assert.ok(rangeHolds({ from: 12, to: 15 }, 13));
});

test('a number lies between neighbours of its side', () => {
  const house = (base: number, lat: number) => ({ base, lat, lng: 10 });
  const houses = [house(1, 50), house(2, 50.01), house(5, 50.002), house(6, 50.03)];
  assert.ok(Math.abs(betweenNeighbours(houses, 3)!.lat - 50.001) < 1e-9);
  assert.equal(betweenNeighbours(houses, 7), undefined);
  assert.equal(betweenNeighbours(houses, 4), undefined, 'the even neighbours are 2 km apart');
});

test('numbers follow a line, in either direction and across the antimeridian', () => {
  const bent = [10, 50, 10, 50.001, 10.001, 50.001];
  const middle = onInterpolationRange([[1, 9, 2, bent]], 5)!;
  assert.ok(middle.lat > 50.0005 && middle.lat <= 50.001);
  assert.equal(onInterpolationRange([[1, 9, 2, bent]], 4), undefined);
  assert.ok(Math.abs(onInterpolationRange([[9, 1, 2, bent]], 9)!.lat - 50) < 1e-9);
  const across = onInterpolationRange([[1, 3, 1, [179.9998, 0, -179.9998, 0]]], 2)!;
  assert.ok(Math.abs(Math.abs(across.lng) - 180) < 1e-9);
});
