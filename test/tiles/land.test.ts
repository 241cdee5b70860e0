/** The land and borders of maps: how they are drawn by the build, and served. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { landTiles } from '../../src/build/layers/boundaries/land.ts';
import { sharedBorders } from '../../src/build/layers/boundaries/outlines.ts';
import type { Tile } from '../../src/core/geo.ts';
import { orientedRing, signedArea } from '../../src/core/region-index/ring.ts';
import { testService } from '../support/service.ts';
import { tileAt } from '../support/tile-at.ts';

const square = (value: number, ...corners: number[]) => ({
  value,
  rings: [orientedRing(Float64Array.from(corners), false)],
});
/** Two adjacent squares, ten degrees wide. */
const west = square(0, 0, 0, 10, 0, 10, 5, 10, 10, 0, 10);
const east = square(1, 10, 0, 20, 0, 20, 10, 10, 10, 10, 5);

suite('borders', () => {
  test('are the edges that two areas share, each once', () => {
    const lines = sharedBorders([west, east], () => true).map((line) => [...line]);
    assert.deepEqual(lines, [[10, 10, 10, 5, 10, 0]]);
    assert.deepEqual(
      sharedBorders([west, east], () => false),
      [],
    );
    assert.deepEqual(
      sharedBorders([west, { ...east, value: 0 }], () => true),
      [],
      'within one area',
    );
  });
});

suite('tiles of land', () => {
  test('end where all is land or sea', () => {
    const borders = sharedBorders([west, east], () => true);
    const tiles = new Map<string, number>();
    for (const [{ z, x, y }, body] of landTiles({
      areas: [west, east],
      lakes: [],
      rivers: [],
      countryBorders: borders,
      regionBorders: [],
    }))
      tiles.set(`${z}/${x}/${y}`, body.length);
    const sizeAt = (tile: Tile) => tiles.get(`${tile.z}/${tile.x}/${tile.y}`);
    assert.ok((sizeAt(tileAt(9, 3, 10)) ?? 0) > 0, 'a border is drawn down to the last zoom');
    assert.equal(sizeAt(tileAt(9, 3, 15)), undefined, 'nothing within what is all land');
    const whole = [3, 4, 5, 6, 7].map((zoom) => sizeAt(tileAt(zoom, 3, 15))).filter((size) => size !== undefined);
    assert.equal(whole.at(-1), 0, 'and the last one above says so');
    assert.equal(sizeAt(tileAt(5, -30, 60)), undefined, 'no sea');
  });

  test('have the longest rivers at every zoom, short ones from close by, and wide ones as lines until their polygon shows', () => {
    const xy = Float64Array.of(2, 2, 4, 3, 4, 8);
    const zoomsOf = (river: { length: number; toZoom: number }) => {
      const parts = { areas: [west], lakes: [], countryBorders: [], regionBorders: [] };
      const tiles = [...landTiles({ ...parts, rivers: [{ xy, ...river }] })];
      return new Set(tiles.flatMap(([{ z }, body]) => (new VectorTile(new PbfReader(body)).layers.rivers ? [z] : [])));
    };
    assert.deepEqual([...zoomsOf({ length: 7, toZoom: 9 })], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    assert.deepEqual([...zoomsOf({ length: 1, toZoom: 9 })], [8, 9]);
    assert.deepEqual([...zoomsOf({ length: 7, toZoom: 7 })], [0, 1, 2, 3, 4, 5, 6, 7]);
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
