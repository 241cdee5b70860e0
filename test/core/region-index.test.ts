/** The region index against a scan of the polygons themselves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Area } from '../../src/core/region-index/area.ts';
import { RegionIndex } from '../../src/core/region-index/region-index.ts';
import { RegionIndexBuilder, type RegionIndexOptions } from '../../src/core/region-index/region-index-builder.ts';
import { orientedRing, type Ring, worldBounds } from '../../src/core/region-index/ring.ts';

const options: RegionIndexOptions = {
  bounds: worldBounds,
  layerOf: new Uint16Array(16),
  slackDegrees: 1e-9,
  maxVertices: 24,
  minDepth: 8,
  maxDepth: 16,
};

/** Numbers in [0, 1) that are the same in every run (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** A star-shaped ring around a centre, `radius` to half of that from it. */
function star(random: () => number, lng: number, lat: number, radius: number, points: number): Ring {
  const xy = new Float64Array(points * 2);
  for (let i = 0; i < points; i++) {
    const length = radius * (0.5 + random() / 2);
    xy[i * 2] = lng + length * Math.cos((2 * Math.PI * i) / points);
    xy[i * 2 + 1] = lat + length * Math.sin((2 * Math.PI * i) / points);
  }
  return orientedRing(xy, false);
}

const square = (west: number, south: number, east: number, north: number, isHole = false) =>
  orientedRing(Float64Array.of(west, south, east, south, east, north, west, north, west, south), isHole);

function isInside({ rings }: Area, lng: number, lat: number): boolean {
  let inside = false;
  for (const { xy } of rings) {
    for (let i = 0, j = xy.length - 2; i < xy.length; j = i, i += 2) {
      if (xy[i + 1] > lat === xy[j + 1] > lat) continue;
      if (lng < ((xy[j] - xy[i]) * (lat - xy[i + 1])) / (xy[j + 1] - xy[i + 1]) + xy[i]) inside = !inside;
    }
  }
  return inside;
}

/** Degrees from a position to the nearest edge of any area. */
function toBorder(areas: readonly Area[], lng: number, lat: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (const { xy } of areas.flatMap(({ rings }) => rings)) {
    for (let i = 0, j = xy.length - 2; i < xy.length; j = i, i += 2) {
      const [dx, dy] = [xy[i] - xy[j], xy[i + 1] - xy[j + 1]];
      const share = ((lng - xy[j]) * dx + (lat - xy[j + 1]) * dy) / (dx * dx + dy * dy);
      const along = Math.max(0, Math.min(1, share));
      best = Math.min(best, Math.hypot(xy[j] + along * dx - lng, xy[j + 1] + along * dy - lat));
    }
  }
  return best;
}

function build(areas: readonly Area[], more: Partial<RegionIndexOptions> = {}): RegionIndex {
  const builder = new RegionIndexBuilder({ ...options, ...more });
  const { meta, columns } = builder.finish(builder.subtree(worldBounds, 0, areas));
  return new RegionIndex(meta, columns);
}

test('random overlapping areas: every region a scan finds, in the order given', () => {
  const random = randomNumbers(1);
  const areas = Array.from({ length: 12 }, (_, value) => ({
    value,
    rings: [star(random, random() * 40 - 20, random() * 40 - 20, 12, 300)],
  }));
  const index = build(areas);
  let several = 0;
  for (let i = 0; i < 5000; i++) {
    const [lng, lat] = [random() * 70 - 35, random() * 70 - 35];
    const expected = areas.filter((area) => isInside(area, lng, lat)).map(({ value }) => value);
    if (toBorder(areas, lng, lat) < 2e-5) continue;
    assert.deepEqual(index.findAll(lng, lat), expected, `${lng}, ${lat}`);
    assert.equal(index.find(lng, lat, 0), expected[0] ?? -1);
    if (expected.length > 1) several++;
  }
  assert.ok(several > 300, 'areas do overlap');
});

test('areas that share borders without gaps: one of them is stored without borders and still found', () => {
  const random = randomNumbers(2);
  // Columns of a grid whose dividing lines are jagged and shared by both neighbours.
  const lines = Array.from({ length: 6 }, (_, column) =>
    Array.from({ length: 200 }, (_, i) => [-50 + column * 20 + (random() - 0.5) * 8, -80 + (160 * i) / 199] as const),
  );
  const areas = lines.slice(1).map((right, value) => ({
    value,
    rings: [orientedRing(Float64Array.from([...lines[value], ...right.toReversed()].flat()), false)],
  }));
  const index = build(areas);
  for (let i = 0; i < 10_000; i++) {
    const [lng, lat] = [random() * 80 - 40, random() * 150 - 75];
    if (toBorder(areas, lng, lat) < 2e-5) continue;
    assert.equal(
      index.find(lng, lat, 0),
      areas.findIndex((area) => isInside(area, lng, lat)),
      `${lng}, ${lat}`,
    );
  }
});

test('a hole is outside, and an enclave in it belongs to its own region', () => {
  const index = build([
    { value: 0, rings: [square(0, 0, 10, 10), square(4, 4, 6, 6, true)] },
    { value: 1, rings: [square(4.5, 4.5, 5.5, 5.5)] },
  ]);
  assert.equal(index.find(1, 1, 0), 0);
  assert.equal(index.find(4.2, 4.2, 0), -1);
  assert.equal(index.find(5, 5, 0), 1);
  assert.equal(index.find(11, 5, 0), -1);
});

test('the edges of the map belong to what reaches them', () => {
  const index = build([{ value: 3, rings: [square(-180, -90, 180, -60)] }]);
  for (const lng of [-180, 0, 180]) {
    assert.equal(index.find(lng, -90, 0), 3);
    assert.equal(index.find(lng, 90, 0), -1);
  }
});

test('regions of different layers lie over each other', () => {
  const index = build(
    [
      { value: 0, rings: [square(0, 0, 10, 10)] },
      { value: 1, rings: [square(5, 0, 15, 10)] },
      { value: 2, rings: [square(0, 0, 2, 2)] },
    ],
    { layerOf: Uint16Array.of(0, 1, 0) },
  );
  assert.equal(index.find(7, 5, 0), 0);
  assert.equal(index.find(7, 5, 1), 1);
  assert.equal(index.find(12, 5, 0), -1);
  assert.deepEqual(index.findAll(7, 5), [0, 1]);
});

test('with filling, a gap belongs to the nearer region and the open sea to none', () => {
  const fill = { marginDegrees: 0.5, maxCellDegrees: 0.5 };
  const index = build(
    [
      { value: 0, rings: [square(0, 0, 5, 5)] },
      { value: 1, rings: [square(5.4, 0, 9, 5)] },
    ],
    { fill },
  );
  assert.equal(index.find(5.1, 2.5, 0), 0);
  assert.equal(index.find(5.3, 2.5, 0), 1);
  // The margin is guaranteed, the cells beyond it are not: at most margin plus cell from land.
  assert.equal(index.find(-0.3, 2.5, 0), 0);
  assert.equal(index.find(-2, 2.5, 0), -1);
  assert.equal(index.find(20, 40, 0), -1);
});

test('with filling, the first region given wins where two claim the same land', () => {
  const fill = { marginDegrees: 0.1, maxCellDegrees: 0.5 };
  const smallFirst = build(
    [
      { value: 1, rings: [square(2, 2, 4, 4)] },
      { value: 0, rings: [square(0, 0, 10, 10)] },
    ],
    { fill },
  );
  for (const [lng, lat] of [
    [3, 3],
    [2.01, 2.01],
    [3.99, 3.99],
  ]) {
    assert.equal(smallFirst.find(lng, lat, 0), 1);
  }
  assert.equal(smallFirst.find(4.01, 3, 0), 0);
});

test('a cell with more borders than its words can encode is refused with a remedy', () => {
  const random = randomNumbers(3);
  const rings = [star(random, 0.1, 0.1, 0.05, 40_000)];
  assert.throws(() => build([{ value: 0, rings }], { minDepth: 0, maxDepth: 1 }), /raise maxDepth/);
});
