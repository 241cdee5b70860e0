/** Outlines for maps: neighbours keep one border, small parts go, and a request gets the step at or below what it asks. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { signedArea } from '../../src/core/region-index/ring.ts';
import { type DrawnMap, mapOf, ring, square } from '../support/drawn-map.ts';

/** A border from (5, 0) to (5, 10) with that many turns of a tenth of a degree. */
const border = (turns: number) =>
  Array.from({ length: turns - 1 }, (_, at) => [5 + (at % 2 === 0 ? 0.1 : 0), (10 * (at + 1)) / turns]).flat();

async function shapesOf(t: TestContext, countries: DrawnMap['countries']) {
  const { shapeOf } = (await mapOf(t, { countries })).store.boundaries!;
  return (key: string, toleranceM: number) => {
    const shape = shapeOf(key, toleranceM);
    for (const rings of shape?.coordinates() ?? []) {
      const [outer, ...holes] = rings;
      assert.ok(signedArea(Float64Array.from(outer.flat())) > 0, 'outer rings are counterclockwise');
      for (const hole of holes) assert.ok(signedArea(Float64Array.from(hole.flat())) < 0, 'holes are clockwise');
      assert.ok(isSimple(rings), `${key} at ${toleranceM} crosses itself`);
    }
    return shape;
  };
}

/** Whether no two edges of a polygon have a position in common, but for the ends of neighbours and single corners of two rings. */
function isSimple(rings: readonly number[][][]): boolean {
  const edges = rings.flatMap((points) => points.slice(1).map((to, at) => [points[at], to]));
  const side = ([x0, y0]: number[], [x1, y1]: number[], [x, y]: number[]) =>
    Math.sign((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0));
  const isCrossing = ([a, b]: number[][], [c, d]: number[][]) =>
    side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
  const keys = edges.map(([from, to]) => [String(from), String(to)].sort().join(' '));
  return (
    new Set(keys).size === keys.length && !edges.some((one, at) => edges.slice(at).some((two) => isCrossing(one, two)))
  );
}

const sorted = (points: number[][]) => points.map(String).sort();

test('a request gets the step at or below its tolerance, and neighbours the same border at each', async (t) => {
  const shapeOf = await shapesOf(t, {
    AA: [[ring(0, 0, 5, 0, ...border(200), 5, 10, 0, 10)]],
    BB: [[ring(5, 0, 10, 0, 10, 10, 5, 10, ...reversed(border(200)))]],
  });
  const vertices = [500, 999, 4_000, 64_000, 100_000].map((tolerance) => {
    const [one, other] = ['AA', 'BB'].map((key) => shapeOf(key, tolerance)!.coordinates()[0][0]);
    const shared = (points: number[][]) => sorted(points.slice(0, -1).filter(([lng]) => lng >= 5 && lng <= 5.2));
    assert.deepEqual(shared(one), shared(other));
    return one.length;
  });
  assert.deepEqual(
    [500, 999, 4_000, 100_000].map((tolerance) => shapeOf('AA', tolerance)!.toleranceM),
    [500, 500, 4_000, 64_000],
  );
  assert.equal(vertices[0], 204);
  assert.equal(vertices[1], vertices[0]);
  assert.ok(vertices[3] < 20, String(vertices));
  assert.equal(shapeOf('CC', 500), undefined);
});

test('islands smaller than the tolerance are left out, except for the largest and the hole around it', async (t) => {
  const shapeOf = await shapesOf(t, {
    AA: [[square(10, 0, 0.02)], [square(15, 0, 0.05)], [square(16, 0, 0.01)]],
    BB: [[square(20, 0, 8), square(24, 4, 0.02), square(26, 4, 0.02)]],
    CC: [[square(24, 4, 0.02)]],
    // An exclave of a country with more land elsewhere.
    DD: [[square(26, 4, 0.02)], [square(40, 0, 2)]],
  });
  assert.equal(shapeOf('AA', 500)!.coordinates().length, 3);
  assert.equal(shapeOf('BB', 500)!.coordinates()[0].length, 3);
  const [[remaining], ...others] = shapeOf('AA', 64_000)!.coordinates();
  assert.deepEqual(others, []);
  assert.ok(remaining.every(([lng]) => lng >= 15 && lng <= 15.05));
  assert.equal(
    shapeOf('BB', 64_000)!.coordinates()[0].length,
    2,
    'the hole of a country remains, that of an exclave goes with it',
  );
  assert.equal(shapeOf('CC', 64_000)!.coordinates().length, 1);
});

test('what two areas have of the same land is the first one’s, and rings that touch or cross themselves are mended', async (t) => {
  const shapeOf = await shapesOf(t, {
    // Along one coast both have the land behind it; the smaller country comes first.
    AA: [[ring(0, 0, 2, 0, 10, 0, 10, 10, 0, 10)]],
    BB: [[ring(-5, 0, 0, 0, 2, 0, 2, 3, -5, 3)]],
    // Two squares that touch in a corner, drawn in one go.
    CC: [[ring(20, 0, 21, 0, 21, 1, 22, 1, 22, 2, 21, 2, 21, 1, 20, 1)]],
    DD: [[ring(30, 0, 32, 0, 32, 2, 30, 2, 32, 1, 30, 1.9)]],
  });
  const area = (key: string) =>
    shapeOf(key, 500)!
      .coordinates()
      .flat()
      .reduce((sum, points) => sum + signedArea(Float64Array.from(points.flat())), 0);
  assert.equal(area('BB'), 21);
  assert.equal(area('AA'), 94);
  assert.equal(shapeOf('CC', 500)!.coordinates().length, 2);
  assert.ok(area('DD') > 1);
});

test('coordinates are written as JSON.stringify writes them, in holes and islands, between two texts', async (t) => {
  const holes = [square(2, 2, 1), square(5, 5, 1.25)];
  const countries = {
    AA: [[ring(-0.5, -0.000001, 9.999999, 0, 10, 10, 0, 10.1), ...holes], [square(-179.999999, -89.5, 3)]],
    BB: holes.map((hole) => [hole]),
  };
  const { shapeOf } = (await mapOf(t, { countries })).store.boundaries!;
  for (const key of ['AA', 'BB']) {
    for (const toleranceM of [500, 64_000]) {
      const { coordinates, json } = shapeOf(key, toleranceM)!;
      const text = json('{"name":"Łódź","at":', ',"n":1}').toString();
      assert.equal(text, `{"name":"Łódź","at":${JSON.stringify(coordinates())},"n":1}`);
    }
  }
  const written = shapeOf('AA', 500)!.json('', '').toString();
  for (const position of ['[-0.5,-0.000001]', '[-179.999999,-89.5]', '[10,10]']) assert.ok(written.includes(position));
  const rings = shapeOf('AA', 500)!
    .coordinates()
    .map((polygon) => polygon.length);
  assert.deepEqual(rings.sort(), [1, 3]);
});

function reversed(xy: readonly number[]): number[] {
  return Array.from({ length: xy.length / 2 }, (_, at) => xy.slice(xy.length - 2 * at - 2, xy.length - 2 * at)).flat();
}

test('land that two areas claim without a common edge is the first one’s', async (t) => {
  const shapeOf = await shapesOf(t, { PS: [[square(4, 4, 4)]], IL: [[square(0, 0, 5)]] });
  const sizeOf = (key: string) => signedArea(Float64Array.from(shapeOf(key, 500)!.coordinates()[0][0].slice(1).flat()));
  assert.equal(Math.round(sizeOf('PS')), 16);
  assert.equal(Math.round(sizeOf('IL')), 24);
});
