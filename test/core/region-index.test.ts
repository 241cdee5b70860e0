/** The region index against a scan of the polygons themselves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Area } from '../../src/core/region-index/area.ts';
import { RegionIndex } from '../../src/core/region-index/region-index.ts';
import { RegionIndexBuilder, type RegionIndexOptions } from '../../src/core/region-index/region-index-builder.ts';
import { orientedRing, type Ring, ringOf, worldBounds } from '../../src/core/region-index/ring.ts';
import { randomNumbers } from '../support/random-numbers.ts';

const options: RegionIndexOptions = {
  bounds: worldBounds,
  layerOf: new Uint16Array(16),
  slackDegrees: 1e-9,
  maxVertices: 24,
  minDepth: 8,
  maxDepth: 16,
};

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

/** Columns of a grid whose dividing lines are jagged and shared by both neighbours. */
function jaggedColumns(random: () => number, points: number): Area[] {
  const lines = Array.from({ length: 6 }, (_, column) =>
    Array.from(
      { length: points },
      (_, i) => [-50 + column * 20 + (random() - 0.5) * 8, -80 + (160 * i) / (points - 1)] as const,
    ),
  );
  return lines.slice(1).map((right, value) => ({
    value,
    rings: [orientedRing(Float64Array.from([...lines[value], ...right.toReversed()].flat()), false)],
  }));
}

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
  for (let i = 0; i < 1500; i++) {
    const [lng, lat] = [random() * 70 - 35, random() * 70 - 35];
    const expected = areas.filter((area) => isInside(area, lng, lat)).map(({ value }) => value);
    if (toBorder(areas, lng, lat) < 2e-5) continue;
    assert.deepEqual(index.findAll(lng, lat), expected, `${lng}, ${lat}`);
    assert.equal(index.find(lng, lat, 0), expected[0] ?? -1);
    if (expected.length > 1) several++;
  }
  assert.ok(several > 100, 'areas do overlap');
});

test('areas that share borders without gaps: one of them is stored without borders and still found', () => {
  const random = randomNumbers(2);
  const areas = jaggedColumns(random, 200);
  const index = build(areas);
  for (let i = 0; i < 3000; i++) {
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

test('where a border of one layer passes, a region of another layer that has none there is found too', () => {
  const random = randomNumbers(7);
  const areas = [
    { value: 6, rings: [star(random, 15, 15, 9, 100)] },
    { value: 5, rings: [square(0, 0, 30, 30)] },
    { value: 7, rings: [square(14, 14, 16, 16)] },
  ];
  const index = build(areas, { layerOf: Uint16Array.of(0, 0, 0, 0, 0, 0, 2, 1) });
  for (let i = 0; i < 1000; i++) {
    const [lng, lat] = [random() * 20 + 5, random() * 20 + 5];
    if (toBorder(areas, lng, lat) < 2e-5) continue;
    const isIn = isInside(areas[0], lng, lat);
    assert.equal(index.find(lng, lat, 0), 5);
    assert.equal(index.find(lng, lat, 2), isIn ? 6 : -1);
    assert.equal(index.find(lng, lat, 3), -1);
    const expected = areas.filter((area) => isInside(area, lng, lat)).map(({ value }) => value);
    assert.deepEqual(index.findAll(lng, lat).sort(), expected.sort());
  }
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

/** Degrees from a position to an area, those of longitude as long as they are there. */
function distanceTo(area: Area, lng: number, lat: number): number {
  const scale = Math.cos((lat * Math.PI) / 180);
  const scaled = area.rings.map(({ xy }) => ringOf(xy.map((each, at) => (at % 2 === 0 ? each * scale : each))));
  return isInside(area, lng, lat) ? 0 : toBorder([{ value: area.value, rings: scaled }], lng * scale, lat);
}

test('with filling, a position near a coast belongs to the nearest region, as a scan of all says', () => {
  const random = randomNumbers(4);
  const areas = Array.from({ length: 14 }, (_, value) => ({
    value,
    rings: [star(random, (value % 5) * 3, 50 + Math.floor(value / 5) * 3, 1.9, 60)],
  }));
  const fill = { marginDegrees: 0.5, maxCellDegrees: 0.25 };
  const index = build(areas, { fill });
  const seen = { inside: 0, gap: 0, sea: 0 };
  for (let i = 0; i < 2500; i++) {
    const [lng, lat] = [random() * 20 - 4, 46 + random() * 14];
    const near = areas
      .map((area) => ({ value: area.value, away: distanceTo(area, lng, lat) }))
      .sort((one, other) => one.away - other.away);
    const inside = areas.filter((area) => isInside(area, lng, lat)).map(({ value }) => value);
    // The margin around a cell is cut at its corners, and whole cells answer for what lies beside them.
    const isSea = near[0].away > fill.marginDegrees + 2 * fill.maxCellDegrees;
    const border = toBorder(areas, lng, lat);
    // Cells smaller than the margin know no more of it than twice their height.
    if (border < 0.6 * fill.marginDegrees) assert.ok(index.find(lng, lat, 0) >= 0, `${lng}, ${lat}: ${border}`);
    if (border < 0.01 || (!isSea && near[0].away > 0.2)) continue;
    // A small cell knows what lies around it as far as it is high: of two about as near, it may know one.
    if (inside.length === 0 && !isSea && near[1].away < 3 * near[0].away) continue;
    const expected = inside.length > 0 ? inside[0] : isSea ? -1 : near[0].value;
    seen[inside.length > 0 ? 'inside' : isSea ? 'sea' : 'gap']++;
    assert.equal(index.find(lng, lat, 0), expected, `${lng}, ${lat}`);
    assert.deepEqual(index.findAll(lng, lat).slice(0, 1), expected < 0 ? [] : [expected], `${lng}, ${lat}`);
  }
  assert.ok(seen.inside > 500 && seen.gap > 100 && seen.sea > 200, JSON.stringify(seen));
});

test('an index grows with its borders, not with its areas', () => {
  const size = (areas: readonly Area[], more: Partial<RegionIndexOptions> = {}) => {
    const builder = new RegionIndexBuilder({ ...options, ...more });
    const { nodes, leaves, setValues } = builder.finish(builder.subtree(worldBounds, 0, areas)).columns;
    return { nodes: nodes.length, leaves: leaves.length, sets: setValues.length };
  };
  const halves = [
    { value: 0, rings: [square(-180, -90, 0, 90)] },
    { value: 1, rings: [square(0, -90, 180, 90)] },
  ];
  // A border that is a line between cells needs none of its points.
  assert.deepEqual(size(halves), { nodes: 4, leaves: 0, sets: 2 });
  assert.deepEqual(size([{ value: 3, rings: [square(-180, -90, 180, 90)] }]), { nodes: 0, leaves: 0, sets: 1 });
  // Between two neighbours one border is enough: a leaf of 15 words for each of 256 cells along it.
  const shifted = [
    { value: 0, rings: [square(-180, -90, 1, 90)] },
    { value: 1, rings: [square(1, -90, 180, 90)] },
  ];
  const { nodes, leaves, sets } = size(shifted);
  assert.deepEqual({ leaves, sets }, { leaves: 256 * (1 + 5 + 2 + 1 + 4 * 2), sets: 2 });
  assert.ok(nodes < 4 * 2 * 256, `${nodes}`);
  // Without a neighbour both sides of the border are there.
  assert.equal(size(shifted.slice(0, 1)).leaves, leaves);
  const random = randomNumbers(5);
  const one = [{ value: 0, rings: [star(random, 0, 0, 20, 2000)] }];
  const filled = size(one, { fill: { marginDegrees: 0.5, maxCellDegrees: 0.5 } });
  // Where only one area is near, cells answer for it, without borders.
  assert.deepEqual([filled.leaves, filled.sets], [0, 1]);
});

test('the same areas always make the same index', () => {
  const random = randomNumbers(6);
  const coast = [{ value: 0, rings: [star(random, 0, 0, 20, 500)] }];
  const lakes = [
    { value: 0, rings: [...coast[0].rings, square(1, 1, 2, 2, true), square(-3.2, -3.1, -1.4, -2, true)] },
  ];
  const overlapping = [...coast, { value: 1, rings: [star(random, 5, 5, 20, 500)] }];
  const columns = jaggedColumns(random, 60);
  const apart = columns.map(({ value, rings }) => ({
    value,
    rings: rings.map(({ xy }) =>
      orientedRing(
        xy.map((each, at) => (at % 2 === 0 ? each * 0.999 + value / 9 : each)),
        false,
      ),
    ),
  }));
  const fill = { marginDegrees: 0.5, maxCellDegrees: 0.5 };
  const sizes = [coast, lakes, overlapping, columns, apart].flatMap((areas) =>
    [{}, { fill }].map((more) => {
      const builder = new RegionIndexBuilder({ ...options, ...more });
      const { nodes, leaves, setValues } = builder.finish(builder.subtree(worldBounds, 0, areas)).columns;
      return [nodes.length, leaves.length, setValues.length].join(' ');
    }),
  );
  // Node words, words of leaves and values of sets, each without filling and with it.
  assert.deepEqual(sizes, [
    ...['1532 21791 1', '1124 0 1'],
    ...['1568 22129 1', '1124 0 1'],
    ...['2496 55856 2', '5644 123265 2'],
    ...['7676 35614 5', '9000 23718 5'],
    ...['7724 52355 5', '18396 170370 5'],
  ]);
});

test('a branch that leads nowhere, and a part of a leaf without words, are refused', () => {
  const meta = { bounds: worldBounds, root: 0, marginDegrees: 0 };
  const columns = {
    nodes: new Uint32Array(4),
    leaves: new Uint16Array(8).fill(1),
    setEnds: new Uint32Array(1),
    setValues: new Uint16Array(0),
    layerOf: new Uint16Array(1),
  };
  assert.throws(() => new RegionIndex(meta, columns).find(1, 1, 0), /leads nowhere/);
  const leaf = 2 * 2 ** 30;
  assert.throws(() => new RegionIndex({ ...meta, root: leaf }, columns).find(1, 1, 0), /a part of 1 words/);
});
