import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { PbfWriter } from 'pbf';
import { defaultPackages } from '../../../src/sources/default-data.ts';
import { buildLayer } from '../../support/build-layer.ts';
import { buildSmallDataset } from '../../support/small-store.ts';
import { openStreets } from '../../support/street-engines.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

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

const nothing = tile([{ type: 1, points: [[1, 1]], properties: { '@type': 'node', '@id': 1 } }]);

/** Has the samples built from two of their tiles, beside each other, and opens them. */
async function samplesOf(t: TestContext, west: Uint8Array, east: Uint8Array = nothing) {
  const directory = temporaryDirectory(t);
  await buildSmallDataset(directory);
  const tiles: Record<string, Uint8Array> = { '12-1407-2471': west, '12-1408-2471': east };
  const files = defaultPackages['@mapbox/mvt-fixtures'].map((file) => [
    `@mapbox/mvt-fixtures/${file}`,
    tiles[/([\d-]+)\.mvt$/.exec(file)![1]] ?? nothing,
  ]);
  const packages = {
    ...Object.fromEntries(files),
    'db-stations/data.ndjson': '',
    'rrad/addresses-us-all.json': '{"addresses":[]}',
  };
  const report = await buildLayer('streets', directory, { packages }, { part: 'samples' });
  const level = openStreets(directory, undefined, [{ name: 'samples', number: 1 }]);
  t.after(() => level.close());
  return { report, level };
}

/** The edge between the tiles, and the latitude of a height in them, by the inverse of the Web Mercator projection. */
const edge = (1408 / 4096) * 360 - 180;
const latOf = (y: number) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * (2471 + y / extent)) / 4096))) * 180) / Math.PI;
const isAbout = (one: number, other: number) => Math.abs(one - other) < 1e-6;

test('objects that tile edges cut are put together again, at their places in Web Mercator', async (t) => {
  const rectangle = (west: number, east: number): [number, number][] => [
    [west, 4000],
    [east, 4000],
    [east, 4096],
    [west, 4096],
  ];
  const line = (west: number, east: number): [number, number][] => [
    [west, 4096],
    [east, 4096],
  ];
  const { report, level } = await samplesOf(
    t,
    tile([
      { type: 3, points: rectangle(4000, 4096), properties: house },
      { type: 2, points: line(3000, 4096), properties: street },
      { type: 1, points: [[4096, 4096]], properties: stop },
    ]),
    tile([
      { type: 3, points: rectangle(0, 96), properties: house },
      { type: 2, points: line(0, 1096), properties: street },
      { type: 1, points: [[0, 4096]], properties: stop },
    ]),
  );
  for (const number of ['12', '14']) {
    const [found, ...others] = level.addresses.search({ text: `Calle ${number}`, limit: 10 });
    assert.deepEqual([found.houseNumber, found.country, found.matchType, others], [number, 'UY', 'exact', []]);
    assert.ok(isAbout(found.lng, edge) && isAbout(found.lat, latOf(4048)), `${found.lng} ${found.lat}`);
  }
  const around = { west: edge - 1, south: -36, east: edge + 1, north: -33 };
  const [{ name, lines }, ...others] = [...level.map.streets(around, 10)];
  assert.deepEqual([name, others], ['Calle', []]);
  const unit = 360 / 4096 / extent;
  for (const [at, [west, east]] of [
    [edge - 1096 * unit, edge] as const,
    [edge, edge + 1096 * unit] as const,
  ].entries()) {
    const xy = lines()[at];
    for (const [position, degrees] of [west, latOf(4096), east, latOf(4096)].entries())
      assert.ok(isAbout(xy[position], degrees), `${xy}`);
  }
  const pois = [...level.map.pois(around, 10)];
  assert.deepEqual(
    pois.map(({ name, category }) => [name, category]),
    [['Plaza', 'transport']],
  );
  assert.ok(isAbout(pois[0].lng, edge) && isAbout(pois[0].lat, latOf(4096)));
  assert.deepEqual(report.dropped, {});
});

for (const [what, bytes, message] of [
  ['no tile', Buffer.from('no tile at all'), /cannot be read as a vector tile|no layer 'osm'/],
  ['another layer', tile([], 'roads'), /has no layer 'osm'/],
  ['no object types', tile([{ type: 1, points: [[1, 1]], properties: { name: 'x' } }]), /no @type/],
  [
    'a cut tile',
    tile([{ type: 1, points: [[1, 1]], properties: stop }]).subarray(0, 60),
    /cannot be read|no @type|no layer/,
  ],
] as const) {
  test(`a file with ${what} is refused`, async (t) => {
    await assert.rejects(samplesOf(t, bytes), { name: 'SourceError', message });
  });
}

test('an object of very many parts is read', async (t) => {
  const points = Array.from({ length: 200_000 }, (): [number, number] => [2048, 2048]);
  const { level } = await samplesOf(t, tile([{ type: 1, points, properties: stop }]));
  const found = [...level.map.pois({ west: edge - 1, south: -36, east: edge + 1, north: -33 }, 10)];
  assert.deepEqual([found.length, found[0]?.name], [1, 'Plaza']);
});
