/** How the land of countries is made ready for the index: shared polygons, lakes, enclaves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LandCollector } from '../../src/build/layers/boundaries/land.ts';
import { signedArea } from '../../src/core/region-index/ring.ts';

const square = (west: number, south: number, east: number, north: number) =>
  Float64Array.of(west, south, east, south, east, north, west, north, west, south);

function collect(countries: readonly (readonly Float64Array[])[][]) {
  const land = new LandCollector();
  for (const [country, polygons] of countries.entries()) land.add(country, polygons);
  const { areas, ...rest } = land.finish();
  const ringsOf = (country: number) => areas.find(({ value }) => value === country)?.rings.length ?? 0;
  return { areas, ringsOf, ...rest };
}

test('a lake is filled and the islands in it go with it', () => {
  const { ringsOf, dropped, lakes } = collect([[[square(0, 0, 10, 10), square(2, 2, 8, 8)], [square(4, 4, 5, 5)]]]);
  assert.equal(ringsOf(0), 1);
  assert.deepEqual(
    lakes.map(({ xy }) => signedArea(xy)),
    [36, -1],
    'a map draws the lake, and the island in it',
  );
  assert.equal(dropped['lakes inside one country'], 1);
});

test("a hole that another country's land fills stays", () => {
  const hole = square(2, 2, 8, 8);
  const { ringsOf } = collect([[[square(0, 0, 10, 10), hole]], [[hole]]]);
  assert.equal(ringsOf(0), 2);
  assert.equal(ringsOf(1), 1);
});

test('an enclave that is not cut out of the land around it is cut out', () => {
  const { areas, ringsOf, enclaves } = collect([
    [[square(0, 0, 10, 10)]],
    [[square(5, 5, 5.1, 5.1)], [square(20, 0, 40, 20)]],
  ]);
  assert.equal(enclaves, 1);
  assert.equal(ringsOf(0), 2);
  assert.deepEqual(
    areas.map(({ value }) => value),
    [0, 1],
    'the smaller country first',
  );
});

test('land that a larger country claims inside a smaller one is not its, and no enclave', () => {
  const { enclaves, ringsOf } = collect([[[square(0, 0, 10, 10)]], [[square(5, 5, 7, 7)], [square(20, 0, 60, 40)]]]);
  assert.equal(enclaves, 0);
  assert.equal(ringsOf(0), 1);
  assert.equal(ringsOf(1), 1);
});

test('a country that another one surrounds is a hole of it', () => {
  const { ringsOf } = collect([[[square(0, 0, 20, 20)]], [[square(5, 5, 10, 10)]]]);
  assert.equal(ringsOf(0), 2);
  assert.equal(ringsOf(1), 1);
});

test('a polygon in two countries belongs to the smaller one', () => {
  const island = [square(50, 50, 51, 51)];
  const { ringsOf, dropped } = collect([[[square(0, 0, 10, 10)], island], [island]]);
  assert.equal(ringsOf(0), 1);
  assert.equal(ringsOf(1), 1);
  assert.equal(dropped['polygons also in a smaller country'], 1);
});
