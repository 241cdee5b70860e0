/** How the land of countries is made ready for the index: shared polygons, lakes, enclaves. */
import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { signedArea } from '../../src/core/region-index/ring.ts';
import type { Store } from '../../src/store/store.ts';
import type { LayerReport } from '../support/build-layer.ts';
import { mapOf } from '../support/drawn-map.ts';
import { boxRing } from '../support/small-packages.ts';
import { tileAt } from '../support/tile-at.ts';

const box = (west: number, south: number, east: number, north: number) => boxRing([west, south, east, north]);
const hole = box(22, 2, 28, 8);
const island = box(-60, 50, -59, 51);

let store: Store;
let report: LayerReport;
before(async (t) => {
  ({ store, report } = await mapOf(t as TestContext, {
    countries: {
      // A lake with an island.
      LL: [[box(0, 0, 10, 10), box(2, 2, 8, 8)], [box(4, 4, 5, 5)]],
      // A hole, and who fills it.
      HA: [[box(20, 0, 30, 10), hole]],
      HB: [[hole]],
      // An enclave of a larger country that is not cut out.
      EA: [[box(40, 0, 50, 10)]],
      EB: [[box(45, 5, 45.1, 5.1)], [box(60, 0, 80, 20)]],
      // A claim of a larger country.
      CA: [[box(0, -40, 10, -30)]],
      CB: [[box(5, -35, 7, -33)], [box(20, -50, 60, -20)]],
      // One country around another.
      SA: [[box(80, -40, 100, -20)]],
      SB: [[box(85, -35, 90, -30)]],
      // An island of two countries.
      IA: [[box(-100, 0, -90, 10)], [island]],
      IB: [[island]],
      // Land that two claim, the larger country first.
      OA: [[box(-150, 0, -130, 10)]],
      OB: [[box(-131, 0, -126, 10)]],
    },
  }));
});

/** Rings of a country's outline. */
const ringsOf = (country: string) => store.boundaries!.shapeOf(country, 500)!.coordinates().flat().length;
const countryAt = (lng: number, lat: number) => store.boundaries!.countryAt({ lat, lng });

test('a lake is filled and the islands in it go with it', () => {
  assert.equal(ringsOf('LL'), 1);
  assert.deepEqual([countryAt(3, 3), countryAt(4.5, 4.5)], ['LL', 'LL']);
  const tile = tileAt(3, 4, 4);
  const { lakes } = new VectorTile(new PbfReader(store.land!.tile(tile) as Buffer)).layers;
  const degree = 4096 / 45;
  const areas = lakes
    .feature(0)
    .loadGeometry()
    .map((points) => signedArea(Float64Array.from(points.flatMap(({ x, y }) => [x, y]))) / degree ** 2);
  assert.deepEqual(areas.map(Math.round), [36, -1], 'a map draws the lake, and the island in it');
  assert.equal(report.dropped['lakes inside one country'], 1);
});

test("a hole that another country's land fills stays", () => {
  assert.deepEqual([ringsOf('HA'), ringsOf('HB')], [2, 1]);
  assert.equal(countryAt(25, 5), 'HB');
});

test('an enclave that is not cut out of the land around it is cut out', () => {
  assert.equal(ringsOf('EA'), 2);
  assert.deepEqual([countryAt(45.05, 5.05), countryAt(45.15, 5.05)], ['EB', 'EA']);
  // And the surrounded country below.
  assert.equal(report.records.enclaves, 2);
});

test('land that a larger country claims inside a smaller one is not its, and no enclave', () => {
  assert.deepEqual([ringsOf('CA'), ringsOf('CB')], [1, 1]);
  assert.equal(countryAt(6, -34), 'CA');
});

test('a country that another one surrounds is a hole of it', () => {
  assert.deepEqual([ringsOf('SA'), ringsOf('SB')], [2, 1]);
  assert.equal(countryAt(87, -32), 'SB');
});

test('a polygon in two countries belongs to the smaller one', () => {
  assert.deepEqual([ringsOf('IA'), ringsOf('IB')], [1, 1]);
  assert.equal(countryAt(-59.5, 50.5), 'IB');
  assert.equal(report.dropped['polygons also in a smaller country'], 1);
});

test('where two claim the same land the smaller country comes first', () => {
  assert.deepEqual([countryAt(-130.5, 5), countryAt(-131.5, 5)], ['OB', 'OA']);
});
