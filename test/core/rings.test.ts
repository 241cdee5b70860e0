/** Rings in the plane: what lies on one side of a line, and what all of it is made of. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  clipRing,
  clipToBox,
  grown,
  orientedRing,
  type Ring,
  ringOf,
  signedArea,
  thinned,
  within,
} from '../../src/core/region-index/ring.ts';

const ring = (...xy: number[]) => ringOf(Float64Array.from(xy));
/** A ring's points from its south-western one on. */
const points = (clipped: Ring | undefined) => {
  const xy = Array.from(clipped?.xy ?? []);
  const all = xy.flatMap((x, at) => (at % 2 === 0 ? [`${x},${xy[at + 1]}`] : []));
  const least = all.toSorted((one, other) => (one < other ? -1 : 1))[0];
  return [...all.slice(all.indexOf(least!)), ...all.slice(0, all.indexOf(least!))].join(' ');
};

const unitSquare = ring(0, 0, 4, 0, 4, 4, 0, 4);

test('a square is cut to the half on either side of a line', () => {
  assert.equal(points(clipRing(unitSquare, 0, 1, true)), '0,0 1,0 1,4 0,4');
  assert.equal(points(clipRing(unitSquare, 0, 1, false)), '1,0 4,0 4,4 1,4');
  assert.equal(points(clipRing(unitSquare, 1, 3, true)), '0,0 4,0 4,3 0,3');
  assert.equal(points(clipRing(unitSquare, 1, 3, false)), '0,3 4,3 4,4 0,4');
  assert.equal(points(clipToBox([unitSquare], { west: 1, south: 2, east: 3, north: 9 })[0]), '1,2 3,2 3,4 1,4');
});

test('a ring beside a line is kept as it is or gone, also where it touches the line', () => {
  for (const axis of [0, 1] as const) {
    for (const line of [4, 5]) {
      assert.equal(clipRing(unitSquare, axis, line, true), unitSquare);
      assert.equal(clipRing(unitSquare, axis, line, false), undefined);
    }
    for (const line of [0, -1]) {
      assert.equal(clipRing(unitSquare, axis, line, false), unitSquare);
      assert.equal(clipRing(unitSquare, axis, line, true), undefined);
    }
  }
});

test('slanted sides are cut where they cross the line', () => {
  const triangle = ring(0, 0, 8, 0, 0, 4);
  assert.equal(points(clipRing(triangle, 0, 2, true)), '0,0 2,0 2,3 0,4');
  assert.equal(points(clipRing(triangle, 0, 2, false)), '2,0 8,0 2,3');
  assert.equal(points(clipRing(triangle, 1, 3, false)), '0,3 2,3 0,4');
  // A tooth that only touches the line leaves nothing beyond it.
  assert.equal(clipRing(ring(0, 0, 4, 0, 2, 4), 1, 4, false), undefined);
});

test('where a ring leaves and comes back it runs along the line, without points between', () => {
  // A comb of three teeth, of which the line cuts the tops off.
  const comb = ring(0, 0, 10, 0, 10, 4, 8, 4, 8, 1, 6, 1, 6, 4, 4, 4, 4, 1, 2, 1, 2, 4, 0, 4);
  assert.equal(points(clipRing(comb, 1, 0.5, true)), '0,0 10,0 10,0.5 0,0.5');
  assert.equal(signedArea(clipRing(comb, 1, 2, true)!.xy), 10 * 1 + 3 * 2);
  assert.equal(signedArea(clipRing(comb, 1, 2, false)!.xy), 3 * 2 * 2);
});

test('a point on the line belongs to both sides', () => {
  const diamond = ring(2, 0, 4, 2, 2, 4, 0, 2);
  for (const keepBelow of [true, false]) {
    const half = clipRing(diamond, 0, 2, keepBelow)!;
    assert.deepEqual([...new Set(points(half).split(' '))].sort(), [keepBelow ? '0,2' : '4,2', '2,0', '2,4'].sort());
    assert.equal(signedArea(half.xy), 4);
  }
});

test('many rings clipped one after the other, small and large, keep their own points', () => {
  // Circles of 10 to 3,000 points, each cut in half.
  const circle = (count: number, x: number) =>
    ringOf(
      Float64Array.from({ length: 2 * count }, (_, at) => {
        const angle = (2 * Math.PI * Math.floor(at / 2)) / count;
        return at % 2 === 0 ? x + Math.cos(angle) : Math.sin(angle);
      }),
    );
  const halves = Array.from({ length: 1500 }, (_, at) => {
    const count = at % 100 === 0 ? 40_000 : at % 10 === 0 ? 3_000 : 10 + (at % 90);
    return { count, x: at, half: clipRing(circle(count, at), 0, at, true)! };
  });
  for (const { count, x, half } of halves) {
    const whole = (count * Math.sin((2 * Math.PI) / count)) / 2;
    assert.ok(Math.abs(signedArea(half.xy.map((each, at) => (at % 2 === 0 ? each - x : each))) - whole / 2) < 0.02);
    assert.ok(half.east === x && half.west < x - 0.8, `${x}`);
  }
});

test('a ring knows its box and drops a repeated last point', () => {
  const closed = ring(1, 2, 5, 3, 4, 7, 1, 2);
  assert.deepEqual({ ...closed, xy: [...closed.xy] }, { xy: [1, 2, 5, 3, 4, 7], west: 1, south: 2, east: 5, north: 7 });
  // Not where only one of the two coordinates is the first one's.
  assert.equal(ring(1, 2, 5, 3, 4, 7, 1, 9).xy.length, 8);
  assert.equal(ring(1, 2, 5, 3, 4, 7, 9, 2).xy.length, 8);
  assert.equal(ring(1, 2).xy.length, 2);
});

test('areas are positive anticlockwise; outer rings are turned that way, holes the other', () => {
  const clockwise = [0, 0, 0, 3, 2, 3, 2, 0];
  assert.equal(signedArea(Float64Array.from(clockwise)), -6);
  assert.equal(signedArea(Float64Array.of(0, 0, 1, 1)), 0);
  assert.equal(points(orientedRing(Float64Array.from(clockwise), false)), '0,0 2,0 2,3 0,3');
  assert.equal(points(orientedRing(Float64Array.from(clockwise), true)), '0,0 0,3 2,3 2,0');
  const anticlockwise = Float64Array.of(0, 0, 2, 0, 2, 3, 0, 3);
  assert.equal(orientedRing(anticlockwise, false).xy, anticlockwise);
  assert.equal(signedArea(orientedRing(anticlockwise, true).xy), -6);
});

test('a thinned ring keeps points as far apart as the tolerance, and at least its box', () => {
  const fine = ring(0, 0, 0.5, 0, 1, 0, 1.2, 0.9, 1.9, 0.9, 2, 2, 0, 2, 0, 1.5);
  assert.deepEqual([...thinned(fine, 1).xy], [0, 0, 1, 0, 2, 2, 0, 2]);
  assert.deepEqual([...thinned(fine, 9).xy], [0, 0, 2, 0, 2, 2, 0, 2]);
});

test('boxes grow on all sides, and are cut to others', () => {
  const box = { west: 1, south: 2, east: 5, north: 9 };
  assert.deepEqual(grown(box, 2), { west: -1, south: 0, east: 7, north: 11 });
  assert.deepEqual(within(box, { west: 0, south: 3, east: 4, north: 10 }), { west: 1, south: 3, east: 4, north: 9 });
});
