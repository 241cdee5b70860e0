/** Which parts and cells of street-level data are asked for a position, and what it costs to tell the houses of a street apart. */
import assert from 'node:assert/strict';
import { StatementSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { openStreetLevel } from '../../src/api/open.ts';
import { buildStreetLevel } from '../../src/build/layers/streets.ts';
import type { LatLng } from '../../src/core/geo.ts';
import { randomNumbers } from '../support/random-numbers.ts';
import { buildSmallDataset } from '../support/small-store.ts';
import { sourceOf } from '../support/small-streets.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const noPlaces = { resolve: () => undefined, countriesNamed: () => [], regionsNamed: () => [] };

/** A directory, and how to build a part of it from houses at positions. */
async function streetsOf(t: TestContext) {
  const directory = temporaryDirectory(t);
  await buildSmallDataset(directory);
  const build = async (positions: readonly LatLng[], part = 'here', more: object = {}) => {
    const addresses = positions.map(({ lat, lng }, at) => ({
      ...{ street: 'Weg', houseNumber: `${at + 1}`, city: 'Ort', country: 'DE', lat, lng, ...more },
    }));
    return buildStreetLevel({ directory, progress() {}, part }, [sourceOf({ addresses })]);
  };
  const open = (parts: Parameters<typeof openStreetLevel>[2] = [{ name: 'here', number: 1 }]) => {
    const level = openStreetLevel(directory, noPlaces, parts);
    t.after(() => level.close());
    return level;
  };
  return { build, open };
}

type Method = (this: unknown, ...values: unknown[]) => unknown;

/** How many statements of SQLite some work runs. */
function statementsOf(work: () => void): number {
  const methods = StatementSync.prototype as unknown as Record<'all' | 'get', Method>;
  const { all, get } = methods;
  let count = 0;
  const counted = (method: Method): Method =>
    function (...values) {
      count++;
      return method.apply(this, values);
    };
  Object.assign(methods, { all: counted(all), get: counted(get) });
  try {
    work();
  } finally {
    Object.assign(methods, { all, get });
  }
  return count;
}

test('a part is asked where its bounds may have a house, also at the poles and the antimeridian, and not far from them', async (t) => {
  const { build, open } = await streetsOf(t);
  const places = {
    village: [47.14, 9.52, 0.2],
    // All of it west of the antimeridian.
    fiji: [-16.5, 179.986, 0.012],
    pole: [88.9, 40, 0.05],
    cape: [-72, -60, 0.2],
  };
  const random = randomNumbers(7);
  for (const [at, [name, [lat, lng, size]]] of Object.entries(places).entries()) {
    const near = Array.from({ length: 4 }, () => ({ lat: lat + random() * size, lng: lng + random() * size }));
    const { bounds } = await build(near, name);
    assert.ok(bounds);
    const bounded = open([{ name, number: at + 1, bounds }]);
    for (const house of near)
      for (const maxKm of [0.3, 2])
        for (const [north, east] of [
          [1, 0],
          [-1, 0],
          [0, 1],
          [0, -1],
        ]) {
          const degrees = (0.98 * maxKm) / 111.195;
          const lng = house.lng + (east * degrees) / Math.cos((house.lat * Math.PI) / 180);
          const from = { lat: house.lat + north * degrees, lng: ((lng + 540) % 360) - 180 };
          const found = bounded.addresses.nearest(from, { maxKm, limit: 1 });
          assert.equal(found.length, 1, JSON.stringify({ name, from, maxKm }));
        }
    if (name !== 'village') continue;
    const asked = (from: LatLng, maxKm: number) =>
      statementsOf(() => bounded.addresses.nearest(from, { maxKm, limit: 1 })) > 0;
    assert.deepEqual([asked(near[0], 1), asked({ lat: 47.24, lng: 10 }, 30)], [true, true]);
    assert.deepEqual(
      [
        asked({ lat: 47.24, lng: 10 }, 10),
        asked({ lat: 47.6, lng: 9.62 }, 10),
        asked({ lat: 46.9, lng: 9.62 }, 10),
        asked({ lat: 47.24, lng: 9.25 }, 10),
        asked({ lat: -33.9, lng: 151.2 }, 50),
      ],
      Array(5).fill(false),
    );
  }
});

test('every house is found where it is, and nine of ten cells without one are not looked up', async (t) => {
  const { build, open } = await streetsOf(t);
  const random = randomNumbers(3);
  const houses = Array.from({ length: 1_500 }, () => ({ lat: 48 + random(), lng: 10 + random() }));
  await build(houses);
  const { addresses } = open();
  for (const house of houses) assert.equal(addresses.nearest(house, { maxKm: 0.05, limit: 1 }).length, 1);
  const empty = Array.from({ length: 1_000 }, () => ({ lat: 20 + 20 * random(), lng: -20 * random() }));
  const statements = statementsOf(() => {
    for (const from of empty) addresses.nearest(from, { maxKm: 0.001, limit: 1 });
  });
  assert.ok(statements < 200, `${statements} statements for 1,000 positions without a house`);
});

test('thousands of houses of one number in a street, as "S/N" of a district, are compared with the last thousand each', async (t) => {
  const { build, open } = await streetsOf(t);
  const houses = 3_000;
  let cosines = 0;
  const { cos } = Math;
  // Not by a mock, which would keep millions of calls.
  Math.cos = (radians) => {
    cosines++;
    return cos(radians);
  };
  t.after(() => (Math.cos = cos));
  const positions = Array.from({ length: houses }, (_, at) => ({ lat: 47 + at / 1_000, lng: 9.5 }));
  const { also } = await build(positions, undefined, { houseNumber: 'S/N', street: 'Main\tStreet\r\n2' });
  assert.equal(also?.addresses?.records.addresses, houses);
  assert.ok(cosines < 2 * 1_000 * houses, `${cosines} cosines`);
  // What separates fields and lines of what is sorted is a blank.
  const [found] = open().addresses.nearest(positions[0], { maxKm: 0.1, limit: 1 });
  assert.equal(found.street, 'Main Street 2');
});
