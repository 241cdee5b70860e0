/** The land and borders of maps: how they are drawn by the build, and served. */
import assert from 'node:assert/strict';
import { before, suite, type TestContext, test } from 'node:test';
import { VectorTile, type VectorTileFeature } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import type { Tile } from '../../src/core/geo.ts';
import { signedArea } from '../../src/core/region-index/ring.ts';
import type { Store } from '../../src/store/store.ts';
import { mapOf, type Polygon, ring } from '../support/drawn-map.ts';
import { testService } from '../support/service.ts';
import { boxRing } from '../support/small-packages.ts';
import { tileAt } from '../support/tile-at.ts';

const box = (west: number, south: number, east: number, north: number) => boxRing([west, south, east, north]);

/** A map that is drawn once: each country in a corner of its own. */
let store: Store;
before(async (t) => {
  /** Pieces of a river that are 300 m long, every 4 km to the east, or 3 km to the north. */
  const pieces = (lng: number, lat: number, count: number, [right, up] = [0.04, 0]) =>
    Array.from({ length: count }, (_, at): Polygon => {
      const [west, south] = [lng + at * right, lat + at * up];
      return [box(west, south, west + 0.004, south + 0.003)];
    });
  const along = Array.from({ length: 176 }, (_, at) => 60 + at / 25);
  const broad = [...along.map((lng) => [lng, 2]), ...along.toReversed().map((lng) => [lng, 2.03]), [60, 2]];
  ({ store } = await mapOf(t as TestContext, {
    countries: {
      // Two adjacent squares, ten degrees wide, each of two regions.
      WW: [[ring(0, 0, 10, 0, 10, 5, 10, 10, 0, 10)]],
      EE: [[ring(10, 0, 20, 0, 20, 10, 10, 10, 10, 5)]],
      // One country in two parts that have a side in common.
      PP: [[box(-60, 0, -50, 10)], [box(-50, 0, -40, 10)]],
      // With two holes: one of a river's pieces, and a lake as narrow as that.
      RR: [[box(55, 0, 75, 20), box(60.041, 6, 60.281, 6.003), box(62, 7, 62.3, 7.008)]],
    },
    regions: [
      ['WW', 'WW-S', [ring(0, 0, 10, 0, 10, 5, 0, 5)]],
      ['WW', 'WW-N', [ring(0, 5, 10, 5, 10, 10, 0, 10)]],
      ['EE', 'EE-A', [ring(10, 0, 20, 0, 20, 10, 10, 10, 10, 5)]],
    ],
    // Each 7 degrees long, but for the second, a tributary of the first, a pond, and one that another source completes.
    water: [
      ...[...pieces(60, 6, 176), ...pieces(60, 10, 26), [broad]],
      ...[...pieces(63.5, 6.03, 110, [0, 0.03]), ...pieces(70, 6, 8), ...pieces(60, 14, 88)],
    ],
    rivers: [
      [
        [60, 14.02],
        [67, 14.02],
      ],
    ],
  }));
});

const layersOf = (tile: Tile) => {
  const body = store.land!.tile(tile);
  return Buffer.isBuffer(body) ? new VectorTile(new PbfReader(body)).layers : {};
};

/** The lines of a feature, in degrees. */
function linesOf(feature: VectorTileFeature, { x, y, z }: Tile): number[][][] {
  const { geometry } = feature.toGeoJSON(x, y, z);
  if (geometry.type === 'MultiLineString') return geometry.coordinates;
  assert.equal(geometry.type, 'LineString');
  return geometry.type === 'LineString' ? [geometry.coordinates] : [];
}

suite('borders', () => {
  /** Lines of a level in the tile that holds all of both squares, in degrees. */
  const bordersOf = (zoom: number, lat: number, lng: number) => {
    const tile = tileAt(zoom, lat, lng);
    const { borders } = layersOf(tile);
    return Array.from({ length: borders?.length ?? 0 }, (_, at) => {
      const feature = borders.feature(at);
      return { level: feature.properties.level, lines: linesOf(feature, tile) };
    });
  };

  test('are the edges that two areas share, each once', () => {
    const [{ level, lines }, ...others] = bordersOf(3, 5, 10);
    assert.deepEqual([level, others], [0, []]);
    for (const [lng] of lines.flat()) assert.ok(Math.abs(lng - 10) < 0.1, `${lng}`);
    const length = lines.reduce((sum, line) => sum + Math.abs(line.at(-1)![1] - line[0][1]), 0);
    assert.ok(Math.abs(length - 10) < 0.1, `${length}`);
    assert.deepEqual(bordersOf(3, 5, -50), [], 'within one area');
  });

  test('are those of regions within one country from a zoom on, and not also where the country ends', () => {
    assert.deepEqual(
      bordersOf(6, 5, 5)
        .map(({ level }) => level)
        .sort(),
      [1],
    );
    const [{ lines }] = bordersOf(6, 5, 5);
    for (const [, lat] of lines.flat()) assert.ok(Math.abs(lat - 5) < 0.1, `${lat}`);
    assert.deepEqual(
      bordersOf(7, 2, 10).map(({ level }) => level),
      [0],
    );
    assert.deepEqual(
      bordersOf(4, 5, 5).map(({ level }) => level),
      [0],
    );
  });
});

suite('tiles of land', () => {
  test('end where all is land or sea', () => {
    assert.ok(Buffer.isBuffer(store.land!.tile(tileAt(9, 3, 10))), 'a border is drawn down to the last zoom');
    assert.equal(store.land!.tile(tileAt(9, 3, 15)), 'land', 'nothing within what is all land');
    assert.equal(store.land!.tile(tileAt(5, -30, 60)), undefined, 'no sea');
    assert.equal(store.land!.tile(tileAt(0, -30, 60)) instanceof Buffer, true);
  });

  test('have the longest rivers at every zoom, short ones from close by, and wide ones as lines until their polygon shows', () => {
    const zoomsOf = (lat: number, lng: number) =>
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].filter((zoom) => {
        const tile = tileAt(zoom, lat, lng);
        const { rivers } = layersOf(tile);
        return Array.from({ length: rivers?.length ?? 0 }, (_, at) => rivers.feature(at)).some((feature) => {
          return linesOf(feature, tile)
            .flat()
            .some((point) => Math.abs(point[1] - lat) < 0.5);
        });
      });
    assert.deepEqual(zoomsOf(6, 60.5), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    assert.deepEqual(zoomsOf(10, 60.5), [8, 9]);
    assert.deepEqual(zoomsOf(2, 60.5), [0, 1, 2, 3, 4, 5, 6, 7]);
  });

  /** Lines of rivers in a tile, each as its ends and those of its latitudes. */
  const riversOf = (zoom: number, lat: number, lng: number) => {
    const tile = tileAt(zoom, lat, lng);
    const { rivers } = layersOf(tile);
    return Array.from({ length: rivers?.length ?? 0 }, (_, at) => linesOf(rivers.feature(at), tile))
      .flat()
      .map((line) =>
        [0, 1].flatMap((axis) => [Math.min, Math.max].map((of) => of(...line.map((point) => point[axis])))),
      );
  };
  const isAbout = (one: readonly number[], other: readonly number[]) =>
    one.every((value, at) => Math.abs(value - other[at]) < 0.15);

  test('have rivers as one line from end to end; a tributary ends where it joins the longer one, and ponds are none', () => {
    const lines = riversOf(5, 6, 63);
    for (const expected of [
      [60, 67, 6, 6],
      [63.5, 63.5, 6, 9.3],
    ])
      assert.equal(lines.filter((line) => isAbout(line, expected)).length, 1, JSON.stringify(lines));
    assert.equal(lines.filter(([, , south, north]) => south > 5 && north < 9.7).length, 2);
    assert.deepEqual(riversOf(9, 6, 70.1), []);
  });

  test('have a line of the coarser source where there are no pieces, which it joins, and not so close', () => {
    const lines = riversOf(5, 14, 63);
    for (const expected of [
      [60, 63.5, 14, 14],
      [63.5, 67, 14, 14],
    ])
      assert.equal(lines.filter((line) => isAbout(line, expected)).length, 1, JSON.stringify(lines));
    assert.ok(
      riversOf(9, 14, 61).every(([, , , north]) => north < 14.01),
      'where there are pieces, they say where it is',
    );
    assert.deepEqual(
      [9, 8].map((zoom) => riversOf(zoom, 14.02, 66).length),
      [0, 1],
    );
  });

  test('have holes of land as lakes, but for a piece of a river', () => {
    const hasLake = (lat: number, lng: number) => layersOf(tileAt(9, lat, lng)).lakes !== undefined;
    assert.deepEqual([hasLake(7, 62.1), hasLake(6, 60.2)], [true, false]);
  });

  test('are served at every zoom: coast, land around, and 204 at sea', async (t) => {
    const { inject, ask, key } = await testService(t);
    const url = (tile: Tile) => `/tiles/boundaries/${tile.z}/${tile.x}/${tile.y}.mvt`;
    /** The share of a tile that is land. */
    const landOf = async (tile: Tile) => {
      const { rawPayload } = await inject({ url: url(tile), headers: { 'x-api-key': key } });
      const { land } = new VectorTile(new PbfReader(rawPayload)).layers;
      const rings = land.feature(0).loadGeometry();
      const area = rings.reduce(
        (sum, ring) => sum + signedArea(Float64Array.from(ring.flatMap(({ x, y }) => [x, y]))),
        0,
      );
      return area / 4096 ** 2;
    };
    assert.ok((await landOf(tileAt(9, 50, 10))) > 1, 'the middle of Germany, with its surroundings');
    // The rectangle of Germany ends at 55 degrees north; the tile of zoom 4 with Hamburg reaches beyond.
    const share = await landOf(tileAt(4, 53.5, 10));
    assert.ok(share > 0.05 && share < 0.95, `${share}`);
    for (const zoom of [6, 9]) assert.equal((await ask(url(tileAt(zoom, 0, -30)))).status, 204);
    const { body } = await ask('/tiles/boundaries.json');
    assert.deepEqual(
      body.vector_layers.map(({ id }: { id: string }) => id),
      ['land', 'lakes', 'rivers', 'borders'],
    );
  });
});
