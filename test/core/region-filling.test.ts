/** Regions with filling: gaps and coasts belong to the nearest area. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Area, ringOf } from '../../src/core/region-index/ring.ts';
import { randomNumbers } from '../support/random-numbers.ts';
import { build, isInside, square, star, toBorder } from './region-areas.ts';

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
