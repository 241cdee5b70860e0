/** Boxes, tiles, plus codes, wrapped longitudes and cells: numbers worked out by hand or published. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  acrossWorld,
  type BoundingBox,
  cellNumber,
  cellNumbersAround,
  cellNumbersIn,
  cellsAround,
  cellsAt,
  cellsIn,
  circleAround,
  distanceKm,
  downWorld,
  isWithin,
  roundCoordinate,
  roundKm,
  tileBounds,
  wrapLongitude,
} from '../../src/core/geo.ts';
import { positionOf } from '../../src/geocoding/position.ts';

test('a box holds its edges, and may cross the antimeridian', () => {
  const box: BoundingBox = [1, 2, 3, 4];
  for (const [lat, lng, isIn] of [
    [2, 1, true],
    [4, 3, true],
    [3, 2, true],
    [1.9, 2, false],
    [4.1, 2, false],
    [3, 0.9, false],
    [3, 3.1, false],
  ] as const) {
    assert.equal(isWithin(lat, lng, box), isIn, `${lat} ${lng}`);
  }
  // A box may be a line.
  assert.deepEqual(
    [4, 5, 6].map((lng) => isWithin(0, lng, [5, -1, 5, 1])),
    [false, true, false],
  );
  const over: BoundingBox = [170, -1, -170, 1];
  assert.deepEqual(
    [169, 170, 180, -180, -170, -169, 0].map((lng) => isWithin(0, lng, over)),
    [false, true, true, true, true, false, false],
  );
});

test('a circle around a box reaches its farthest corner; a box of more than 60 degrees has none', () => {
  for (const [box, lat, lng] of [
    [[10, 20, 14, 30], 25, 12],
    [[170, -10, -170, 20], 5, 180],
    [[176, -10, -170, 20], 5, -177],
    [[-30, -30, 30, 30], 0, 0],
  ] as const) {
    const { center, km } = circleAround(box)!;
    assert.deepEqual(center, { lat, lng });
    const [west, south, east, north] = box;
    const farthest = Math.max(
      ...[south, north].flatMap((lat) => [west, east].map((lng) => distanceKm(center, { lat, lng }))),
    );
    assert.ok(km >= farthest && km < farthest * (1 + 1e-8));
  }
  assert.equal(circleAround([-30, 0, 31, 10]), undefined);
  assert.equal(circleAround([0, -30, 10, 31]), undefined);
  assert.equal(circleAround([31, 0, -30, 10]), undefined);
});

test('longitudes are brought within half a turn, and numbers to the decimals of answers', () => {
  for (const [degrees, wrapped] of [
    [0, 0],
    [180, -180],
    [-180, -180],
    [190, -170],
    [-190, 170],
    [540, -180],
    [725, 5],
  ]) {
    assert.equal(wrapLongitude(degrees), wrapped, `${degrees}`);
  }
  assert.deepEqual([roundCoordinate(1.23456789), roundKm(1.23456)], [1.234568, 1.235]);
});

test('tiles divide the square of Web Mercator', () => {
  const edge = 85.0511287798066;
  const near = (found: object, wanted: object) => {
    for (const [name, value] of Object.entries(wanted)) {
      assert.ok(Math.abs((found as Record<string, number>)[name] - value) < 1e-9, `${name} ${JSON.stringify(found)}`);
    }
  };
  near(tileBounds({ z: 0, x: 0, y: 0 }), { west: -180, east: 180, south: -edge, north: edge });
  near(tileBounds({ z: 1, x: 1, y: 0 }), { west: 0, east: 180, south: 0, north: edge });
  near(tileBounds({ z: 2, x: 1, y: 2 }, 0.5), {
    west: -135,
    east: 45,
    south: -79.17133464081945,
    north: 40.97989806962013,
  });
  assert.deepEqual([acrossWorld(-180), acrossWorld(0), acrossWorld(90)], [0, 0.5, 0.75]);
  assert.ok(Math.abs(downWorld(edge)) < 1e-12 && downWorld(0) === 0.5);
  assert.ok(Math.abs(downWorld(-66.51326044311186) - 0.75) < 1e-12);
});

/** The centre of a code's cell, of a short one beside a place. */
const plusCode = (code: string, near?: { lat: number; lng: number }) =>
  positionOf(near ? `${code} Place` : code, () => near);

test('plus codes name cells; short ones the nearest, and what is none nothing', () => {
  // From the test data of github.com/google/open-location-code (Apache-2.0), by hand where it has none.
  for (const [code, lat, lng, near] of [
    ['7FG49Q00+', 20.375, 2.775],
    ['7FG49QCJ+2V', 20.3700625, 2.7821875],
    ['7FG49QCJ+2VX', 20.3701125, 2.782234375],
    ['7fg49qcj+2vxgj', 20.3701135, 2.78223535156],
    ['8FVC2222+22', 47.0000625, 8.0000625],
    ['62G20000+', 0.5, -179.5],
    ['9QCJ+2VX', 20.3701125, 2.782234375, { lat: 20.4, lng: 2.8 }],
    ['CJ+2VX', 20.3701125, 2.782234375, { lat: 20.37, lng: 2.78 }],
    ['2222+22', 0.0000625, 0.0000625, { lat: 0.4, lng: 0.4 }],
    ['2222+22', 1.0000625, -0.9999375, { lat: 0.6, lng: -0.6 }],
  ] as [string, number, number, { lat: number; lng: number }?][]) {
    const found = plusCode(code, near);
    assert.ok(found, code);
    assert.ok(
      Math.abs(found.lat - lat) < 1e-7 && Math.abs(found.lng - lng) < 1e-7,
      `${code}: ${found.lat} ${found.lng}`,
    );
  }
  for (const code of [
    '',
    '7FG49QCJ',
    '7FG49QCJ+',
    '7FG49QC+2V',
    '7FG49Q0+',
    '7FG49Q00+2V',
    '7FG49QCJ+2',
    'X2220000+',
    // Begins at 90° north.
    'F2222222+22',
    '2X000000+22',
    '2X000000+',
    '2W222222+22',
  ]) {
    assert.equal(plusCode(code), undefined, code);
  }
  assert.equal(plusCode('9QCJ+2VX'), undefined, 'short, without a place near by');
  assert.equal(plusCode('7FG49QC+2V', { lat: 20, lng: 3 }), undefined, 'half a pair is missing');
  // A whole code needs no place, and one on the other side of the globe does not move it.
  assert.deepEqual(plusCode('72222222+22', { lat: 0, lng: 179 }), plusCode('72222222+22'));
});

test('cells: a position lies in one of each size, circles and rectangles touch those of the finest size that is few', () => {
  assert.equal(cellNumber({ lat: -90, lng: -180 }, 5), 0);
  assert.equal(cellNumber({ lat: -90, lng: -175 }, 5), 1);
  assert.equal(cellNumber({ lat: -85, lng: -180 }, 5), 72);
  assert.equal(cellNumber({ lat: 0, lng: 180 }, 5), cellNumber({ lat: 0, lng: -180 }, 5));
  assert.equal(cellsAt({ lat: -90, lng: -180 }).join(), '=a0,=b0,=c0,=d0');
  // A rectangle of two by three cells of half a degree.
  const box = { south: 10.1, north: 10.9, west: 20.1, east: 21.1 };
  assert.equal(cellNumbersIn(box, 0.5).length, 6);
  assert.deepEqual(
    cellNumbersIn(box, 0.5),
    [200, 201].flatMap((row) => [400, 401, 402].map((column) => row * 720 + column)),
  );
  assert.equal(cellsIn(box, 6).length, 6);
  assert.equal(cellsIn(box, 5).length, 1);
  assert.equal(cellsIn({ ...box, north: 80 }, 1).length, 15);
  assert.equal(cellNumbersIn({ south: 0.1, north: 0.2, west: -180, east: 180 }, 5).length, 72);
  // All longitudes are near at a pole, and those on both sides at the antimeridian.
  // The pole itself stands in a row of its own.
  assert.equal(cellNumbersAround({ lat: 89.99, lng: 0 }, 5, 5).length, 2 * 72);
  assert.equal(cellNumbersAround({ lat: -89.99, lng: 0 }, 5, 5).length, 72);
  assert.equal(cellNumbersAround({ lat: 2, lng: 179.99 }, 5, 5).length, 2);
  assert.equal(cellNumbersAround({ lat: 2, lng: 2 }, 5, 5).length, 1);
  assert.equal(cellNumbersAround({ lat: 2, lng: 2 }, 25_000, 5).length, 36 * 72 + 72);
  // Half a degree around a position that is 0.0025° from the edges of cells, and 8,000 km: 72° on each side.
  assert.equal(cellNumbersAround({ lat: 2.5075, lng: 2.5075 }, 55.597, 0.01).length, 101 * 101);
  assert.equal(cellNumbersAround({ lat: 0.5, lng: 2.5 }, 8_000, 5).length, 30 * 29);
  // At 60° a degree of longitude is half as long.
  assert.equal(cellNumbersAround({ lat: 60.0025, lng: 2.5075 }, 27.7985, 0.01).length, 51 * 101);
  assert.equal(cellsAround({ lat: 2.503, lng: 2.503 }, 0.1).length, 1);
  assert.ok(cellsAround({ lat: 2.503, lng: 2.503 }, 1).every((name) => name.startsWith('=a')));
  assert.ok(cellsAround({ lat: 2.503, lng: 2.503 }, 5).every((name) => name.startsWith('=b')));
});
