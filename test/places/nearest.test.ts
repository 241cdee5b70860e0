/** The nearest places against a scan of all of them: poles, antimeridian, ties, countries and filters. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { distanceKm, type LatLng } from '../../src/core/geo.ts';
import type { Store } from '../../src/store/store.ts';
import { randomNumbers } from '../support/random-numbers.ts';
import { smallWorld } from '../support/small-world.ts';

const countries = ['DE', 'FR', 'JP', 'CA'];
const town = { population: 900, timezone: 'Etc/UTC' };

let store: Store;
let close: () => Promise<void>;
before(async () => {
  const random = randomNumbers(11);
  // Many more than a leaf of the tree holds; some share a position, a pole or the antimeridian.
  const edge = (value: number, ...edges: number[]) =>
    random() < 0.1 ? edges[Math.floor(random() * edges.length)] : value;
  const positions = Array.from({ length: 600 }, () => ({
    lat: edge(random() * 180 - 90, -90, 0, 90),
    lng: edge(random() * 360 - 180, -180, 0, 180),
  }));
  const same = Array.from({ length: 30 }, () => ({ lat: 10, lng: 20 }));
  const places = [...positions, ...same].map((position, at) => ({
    ...{ ...town, ...position, id: at + 1, name: `Place ${at}` },
    country: countries[at % 4],
  }));
  ({ store, close } = await smallWorld(places));
});
after(() => close());

const position = fc.record({
  lat: fc.oneof(fc.constantFrom(-90, 0, 90, 10), fc.double({ min: -90, max: 90, noNaN: true })),
  lng: fc.oneof(fc.constantFrom(-180, 0, 180, 20), fc.double({ min: -180, max: 180, noNaN: true })),
});

/** All places that a test admits, by distance. */
const scan = (from: LatLng, admits: (index: number) => boolean = () => true) =>
  Array.from({ length: store.places.size }, (_, index) => index)
    .filter(admits)
    .map((index) => distanceKm(from, store.places.get(index)))
    .sort((left, right) => left - right);

/** In km. Positions are rounded to a millionth of a degree; near the antipode either formula loses digits. */
const tolerance = (km: number) => (km > 19_000 ? 1e-2 : 1e-3);

function assertNearest(
  got: readonly { index: number; distanceKm: number }[],
  expected: readonly number[],
  from: LatLng,
) {
  assert.equal(got.length, expected.length);
  for (const [at, { index, distanceKm: km }] of got.entries()) {
    assert.ok(Math.abs(km - expected[at]) < tolerance(km), `${km} against ${expected[at]}`);
    assert.ok(Math.abs(distanceKm(from, store.places.get(index)) - km) < tolerance(km));
  }
}

test('the nearest places are those that a full scan finds, and a smaller limit returns a prefix', () => {
  fc.assert(
    fc.property(position, fc.integer({ min: 1, max: 40 }), (from, limit) => {
      const got = store.places.nearest(from, { limit });
      assertNearest(got, scan(from).slice(0, limit), from);
      assert.deepEqual(store.places.nearest(from, { limit: limit + 7 }).slice(0, limit), got);
    }),
  );
});

test('a radius, a country and a filter leave out exactly what they should', () => {
  fc.assert(
    fc.property(position, fc.double({ min: 1, max: 20_000, noNaN: true }), fc.nat(3), (from, maxKm, at) => {
      const country = countries[at];
      const isOf = (index: number) => store.places.countryOf(index) === country;
      const isEven = (index: number) => index % 2 === 0;
      const limit = store.places.size;
      const near = (admits?: (index: number) => boolean) => scan(from, admits).filter((km) => km <= maxKm);
      assertNearest(store.places.nearest(from, { limit, maxKm }), near(), from);
      assertNearest(store.places.nearest(from, { limit, maxKm, accept: isEven }), near(isEven), from);
      assertNearest(store.places.nearest(from, { limit, maxKm, country }), near(isOf), from);
      const both = (index: number) => isOf(index) && isEven(index);
      assertNearest(store.places.nearest(from, { limit, maxKm, country, accept: isEven }), near(both), from);
    }),
    { numRuns: 40 },
  );
});

test('places at one position come by their identifier', () => {
  const ids = store.places.nearest({ lat: 10, lng: 20 }, { limit: 30 }).map(({ index }) => store.places.get(index).id);
  assert.deepEqual(
    ids,
    Array.from({ length: 30 }, (_, at) => 601 + at),
  );
});
