/** The region index against a scan of the polygons themselves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  openIndex,
  type RegionIndexOptions,
  regionIndexBuilder,
  worldIndex,
} from '../../src/core/region-index/region-index-builder.ts';
import { type Area, orientedRing, worldBounds } from '../../src/core/region-index/ring.ts';
import { randomNumbers } from '../support/random-numbers.ts';
import { build, isInside, jaggedColumns, options, square, star, toBorder } from './region-areas.ts';

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

test('a cell with more borders than its words can encode is refused with a remedy', () => {
  const random = randomNumbers(3);
  const rings = [star(random, 0.1, 0.1, 0.05, 40_000)];
  assert.throws(
    () => build([{ value: 0, rings }], { minDepth: 0, maxDepth: 1 }),
    /the cell at .* got \d+ words, expected at most 65535; simplify outlines/,
  );
});

test('edges that cross many cells do not take memory without a bound', () => {
  const edges = 4000;
  const comb = Float64Array.from({ length: 2 * edges }, (_, at) =>
    at % 2 === 0 ? (10 * (((at / 2) * 7919) % edges)) / edges : (10 * ((((at - 1) / 2) * 1237) % edges)) / edges,
  );
  const areas = [{ value: 0, rings: [orientedRing(comb, false)] }];
  assert.throws(
    () =>
      worldIndex(areas, {
        layerOf: Uint16Array.of(0),
        slackDegrees: 2e-5,
        maxVertices: 64,
        minDepth: 10,
        maxDepth: 17,
      }),
    { name: 'UsageError', message: /too dense: up to .* they got \d+ words, expected at most \d+; simplify outlines/ },
  );
});

test('an index grows with its borders, not with its areas', () => {
  const size = (areas: readonly Area[], more: Partial<RegionIndexOptions> = {}) => {
    const builder = regionIndexBuilder({ ...options, ...more });
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
      const builder = regionIndexBuilder({ ...options, ...more });
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
  assert.throws(() => openIndex({ meta, columns }).find(1, 1, 0), /leads nowhere/);
  const leaf = 2 * 2 ** 30;
  assert.throws(() => openIndex({ meta: { ...meta, root: leaf }, columns }).find(1, 1, 0), /a part of 1 words/);
});
