import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assembleRings, Polygon } from '../../../src/core/region-index/ring.ts';

const line = (...points: number[]) => Float64Array.from(points);

test('ways in any order and direction join into rings; what does not close is counted', () => {
  const { rings, open } = assembleRings([
    line(1, 1, 0, 1),
    line(0, 0, 1, 0, 1, 1),
    line(0, 0, 0, 1),
    line(5, 5, 6, 5, 6, 6, 5, 5),
    line(8, 8, 9, 9),
  ]);
  assert.equal(open, 1);
  assert.deepEqual(rings.map((ring) => ring.length / 2).sort(), [4, 5]);
});

test('lines that share their ends, and edges that cross the whole area, take what their number takes', () => {
  const before = process.threadCpuUsage();
  const { rings } = assembleRings(Array.from({ length: 50_000 }, () => line(0, 0, 1, 0, 1, 1)));
  assert.equal(rings.length, 25_000);
  assert.ok(process.threadCpuUsage(before).user < 5e6);
  const zigzag = Array.from({ length: 4_000 }, (_, at) => [at / 4_000, at % 2]).flat();
  const area = new Polygon([line(...zigzag, 1, 2, 0, 2, 0, 0)]);
  assert.ok(area.bytes < 1_000_000, `${area.bytes} bytes`);
  assert.ok(area.contains(1.5, 0.5) && !area.contains(-0.5, 0.5));
});

test('an area with a hole contains what is in its ring and not in its hole', () => {
  const square = (south: number, west: number, size: number) =>
    line(west, south, west + size, south, west + size, south + size, west, south + size, west, south);
  const area = new Polygon([square(0, 0, 4), square(1, 1, 1)]);
  assert.equal(area.contains(3, 3), true);
  assert.equal(area.contains(1.5, 1.5), false);
  assert.equal(area.contains(5, 1), false);
  assert.equal(area.contains(1.5, -0.1), false);
});

test('an area across the antimeridian has both sides of it', () => {
  const area = new Polygon([line(179, 0, -179, 0, -179, 2, 179, 2, 179, 0)]);
  assert.deepEqual(
    [area.contains(1, 179.5), area.contains(1, -179.5), area.contains(1, 178.5), area.contains(1, 0)],
    [true, true, false, false],
  );
});

test('a star of many edges contains a point exactly when its angle and radius say so', () => {
  const points = 200;
  const radius = (at: number) => (at % 2 === 0 ? 1 : 0.5);
  const star: number[] = [];
  for (let at = 0; at <= points; at++) {
    const angle = (2 * Math.PI * (at % points)) / points;
    star.push(radius(at % points) * Math.cos(angle), radius(at % points) * Math.sin(angle));
  }
  const area = new Polygon([Float64Array.from(star)]);
  const coordinate = fc.double({ min: -1.1, max: 1.1, noNaN: true });
  fc.assert(
    fc.property(coordinate, coordinate, (x, y) => {
      const angle = ((Math.atan2(y, x) / (2 * Math.PI)) * points + points) % points;
      const first = Math.floor(angle) % points;
      const corner = (at: number) => {
        const turn = (2 * Math.PI * at) / points;
        return [radius(at % points) * Math.cos(turn), radius(at % points) * Math.sin(turn)];
      };
      const [[x1, y1], [x2, y2]] = [corner(first), corner((first + 1) % points)];
      // Inside when on the same side of the edge as the middle of the star.
      const side = (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1);
      if (Math.abs(side) < 1e-9) return;
      assert.equal(area.contains(y, x), side > 0);
    }),
    { numRuns: 2000 },
  );
});
