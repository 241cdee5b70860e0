import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { PbfWriter } from 'pbf';
import { readQaTiles } from '../../../src/sources/osm/qa-tiles.ts';
import { collect } from '../../support/street-batches.ts';
import { temporaryDirectory, temporaryFile } from '../../support/temporary.ts';

type Shape = { type: 1 | 2 | 3; points: [number, number][]; properties: Record<string, string | number> };
const extent = 4096;

/** A vector tile (spec 2.1) with one layer. */
function tile(shapes: Shape[], layer = 'osm'): Uint8Array {
  const keys: string[] = [];
  const values: (string | number)[] = [];
  const index = <T>(list: T[], value: T) => (list.includes(value) ? list.indexOf(value) : list.push(value) - 1);
  const out = new PbfWriter();
  out.writeMessage(
    3,
    (_, layerOut) => {
      layerOut.writeStringField(1, layer);
      layerOut.writeVarintField(15, 2);
      for (const { type, points, properties } of shapes) {
        layerOut.writeMessage(
          2,
          (_unused, feature) => {
            const tags = Object.entries(properties).flatMap(([key, value]) => [index(keys, key), index(values, value)]);
            feature.writePackedVarint(2, tags);
            feature.writeVarintField(3, type);
            const zigzag = (value: number) => (value << 1) ^ (value >> 31);
            const steps = points.map(([x, y], at) =>
              [x - (points[at - 1]?.[0] ?? 0), y - (points[at - 1]?.[1] ?? 0)].map(zigzag),
            );
            // Points are moved to one by one.
            const geometry = (type === 1 ? steps : [steps[0]]).flatMap((step) => [9, ...step]);
            if (type !== 1 && steps.length > 1) geometry.push(((steps.length - 1) << 3) | 2, ...steps.slice(1).flat());
            if (type === 3) geometry.push(15);
            feature.writePackedVarint(4, geometry);
          },
          undefined,
        );
      }
      for (const key of keys) layerOut.writeStringField(3, key);
      for (const value of values) {
        layerOut.writeMessage(
          4,
          (_unused, valueOut) =>
            typeof value === 'string' ? valueOut.writeStringField(1, value) : valueOut.writeVarintField(5, value),
          undefined,
        );
      }
      layerOut.writeVarintField(5, extent);
    },
    undefined,
  );
  return out.finish();
}

const house = { '@type': 'way', '@id': 5, 'addr:street': 'Calle', 'addr:housenumber': '12,14' };
const street = { '@type': 'way', '@id': 6, highway: 'residential', name: 'Calle' };
const stop = { '@type': 'node', '@id': 7, highway: 'bus_stop', name: 'Plaza', '@user': 'x' };

test('objects that tile edges cut are put together again, at their places in Web Mercator', async (t) => {
  const directory = temporaryDirectory(t);
  // Two tiles side by side at zoom 1; the equator is their lower edge, longitude 0 the edge between them.
  const rectangle = (west: number, east: number): [number, number][] => [
    [west, 4000],
    [east, 4000],
    [east, 4096],
    [west, 4096],
  ];
  writeFileSync(
    join(directory, '1-0-0.mvt'),
    tile([
      { type: 3, points: rectangle(4000, 4096), properties: house },
      {
        type: 2,
        points: [
          [3000, 4096],
          [4096, 4096],
        ],
        properties: street,
      },
      { type: 1, points: [[4096, 4096]], properties: stop },
    ]),
  );
  writeFileSync(
    join(directory, '1-1-0.mvt'),
    tile([
      { type: 3, points: rectangle(0, 96), properties: house },
      {
        type: 2,
        points: [
          [0, 4096],
          [1096, 4096],
        ],
        properties: street,
      },
      { type: 1, points: [[0, 4096]], properties: stop },
    ]),
  );
  const paths = ['1-0-0.mvt', '1-1-0.mvt'].map((name) => join(directory, name));
  const { addresses, streets, pois, dropped } = await collect((options) =>
    readQaTiles(paths, { ...options, country: 'UY' }),
  );
  assert.deepEqual(
    addresses.map(({ houseNumber, lng, country, sourceId }) => [houseNumber, Math.abs(lng) < 1e-9, country, sourceId]),
    [
      ['12', true, 'UY', 'w5'],
      ['14', true, 'UY', 'w5'],
    ],
  );
  // 96 of 4,096 units above the equator: atan(sinh(π · 96 / 4096)) is 4.215 degrees, the middle half of it.
  assert.equal(addresses[0].lat.toFixed(2), '2.11');
  assert.equal(streets.length, 1);
  assert.deepEqual(
    streets[0].lines.map((line) => [...line].map((value) => +value.toFixed(3))),
    [
      [-48.164, 0, 0, 0],
      [0, 0, 48.164, 0],
    ],
  );
  assert.deepEqual(
    pois.map(({ name, category, lat, lng }) => [name, category, Math.round(lat), Math.round(lng)]),
    [['Plaza', 'transport', 0, 0]],
  );
  assert.deepEqual(dropped, {});
});

for (const [what, name, bytes, message] of [
  ['another name', 'tile.mvt', tile([]), /expected a tile named/],
  ['no tile', '1-0-0.mvt', Buffer.from('no tile at all'), /cannot be read as a vector tile|no layer 'osm'/],
  ['another layer', '1-0-0.mvt', tile([], 'roads'), /has no layer 'osm'/],
  ['no object types', '1-0-0.mvt', tile([{ type: 1, points: [[1, 1]], properties: { name: 'x' } }]), /no @type/],
  [
    'a cut tile',
    '1-0-0.mvt',
    tile([{ type: 1, points: [[1, 1]], properties: stop }]).subarray(0, 60),
    /cannot be read|no @type|no layer/,
  ],
] as const) {
  test(`a file with ${what} is refused`, async (t) => {
    const path = temporaryFile(t, name, bytes);
    await assert.rejects(
      collect((options) => readQaTiles([path], options)),
      { name: 'SourceError', message },
    );
  });
}

test('an object of very many parts is read', async (t) => {
  const points = Array.from({ length: 200_000 }, (): [number, number] => [2048, 2048]);
  const path = join(temporaryDirectory(t), '1-0-0.mvt');
  writeFileSync(path, tile([{ type: 1, points, properties: stop }]));
  const { pois } = await collect((options) => readQaTiles([path], options));
  assert.deepEqual([pois.length, pois[0]?.name], [1, 'Plaza']);
});
