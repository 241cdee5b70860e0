/** Readers of polygon files: country lines, Natural Earth's regions, Geobuf, the time-zone quadtree. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  openZonePolygons,
  readCoordinates,
  readCountryPolygons,
  readGeobuf,
  readNaturalEarth,
} from '../../src/sources/polygon-files.ts';
import { temporaryDirectory, temporaryFile } from '../support/temporary.ts';

const ring = [
  [0, 0],
  [10.5, -0.25],
  [1e-5, 7],
  [0, 0],
];
const numbers = (polygons: readonly (readonly Float64Array[])[]) => polygons.map((rings) => rings.map((r) => [...r]));

test('coordinates are read as JSON would read them', () => {
  const coordinates = [[ring, [[1, 1], [2.123456789, -3.5], [-170.00001, 80], [1, 1]]], [ring]]; // biome-ignore format: one value
  const text = Buffer.from(`${JSON.stringify(coordinates)},"next"`);
  const polygons = readCoordinates(text, 0, true);
  assert.deepEqual(
    numbers(polygons),
    coordinates.map((rings) => rings.map((points) => points.flat())),
  );
});

test('coordinates that are cut short or no numbers are refused', () => {
  for (const text of ['', '[[[1,2],[3,', '[1,2]', '[[[1]]]', '[[["1",2]]]', '[[[null,2]]]']) {
    assert.throws(() => readCoordinates(Buffer.from(text), 0, false), SyntaxError, text);
  }
});

test('countries come line by line, whole or not in one chunk', async (t) => {
  const feature = (iso3: string, type: string, coordinates: unknown) =>
    JSON.stringify({ type: 'Feature', geometry: { type, coordinates }, properties: { A3: iso3 } });
  const long = Array.from({ length: 200_000 }, (_, i) => [i / 1e4, i / 1e5]);
  const text = `{"type":"FeatureCollection", "features": [\n${feature('LSO', 'Polygon', [[[0, 0], [1, 0], [1, 1], [0, 0]]])},\n${feature('ZAF', 'MultiPolygon', [[long]])}\n]}\n`; // biome-ignore format: one value
  const found: [string, number][] = [];
  for await (const { iso3, polygons } of readCountryPolygons(temporaryFile(t, 'map.geo.json', text), () => {})) {
    found.push([iso3, polygons[0][0].length]);
  }
  assert.deepEqual(found, [
    ['LSO', 8],
    ['ZAF', 400_000],
  ]);
});

test('a country without a code is an error', async (t) => {
  const path = temporaryFile(t, 'map.geo.json', '{"geometry":{"type":"Polygon","coordinates":[[]]},"properties":{}}\n');
  await assert.rejects(async () => {
    for await (const _ of readCountryPolygons(path, () => {}));
  }, /alpha-3/);
});

test('regions of Natural Earth with their codes', (t) => {
  const feature = {
    type: 'Feature',
    geometry: { type: 'Polygon', coordinates: [[[0, 0], [1, 0], [1, 1], [0, 0]]] }, // biome-ignore format: one value
    properties: {
      adm1_code: 'ARG-1309',
      name: 'Entre Ríos',
      iso_a2: 'AR',
      iso_3166_2: 'AR-E',
      gn_a1_code: 'AR.08',
      note: null,
    },
  };
  const path = temporaryFile(
    t,
    'admin1.json',
    JSON.stringify({ type: 'FeatureCollection', features: [feature, feature] }),
  );
  const found = readNaturalEarth(path);
  assert.equal(found.length, 2);
  const { polygons, ...rest } = found[1];
  const names = [['und', 'Entre Ríos']];
  assert.deepEqual(rest, { id: 'ARG-1309', country: 'AR', names, isoCode: 'AR-E', geonamesCode: 'AR.08' });
  assert.deepEqual(numbers(polygons()), [[[0, 0, 1, 0, 1, 1, 0, 0]]]);
});

/** Protocol-buffer fields: number, then a varint, bytes or text. */
const varint = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...varint(value >> 7)]);
const field = (number: number, value: number | number[] | string): number[] => {
  if (typeof value === 'number') return [...varint(number << 3), ...varint(value)];
  const bytes = typeof value === 'string' ? [...Buffer.from(value)] : value;
  return [...varint((number << 3) | 2), ...varint(bytes.length), ...bytes];
};
const zigzag = (value: number) => varint(value >= 0 ? value * 2 : -value * 2 - 1);

/** A collection of one MultiPolygon (a triangle, and a square with a hole) in zone Europe/Vaduz, precision 1. */
const geobuf = Uint8Array.from([
  ...field(1, 'tzid'),
  ...field(3, 1),
  ...field(4, field(1, [
    ...field(1, [
      ...field(1, 5),
      ...field(2, [2, 1, 3, 2, 4, 3].flatMap(varint)),
      ...field(3, [0, 0, 100, 0, -50, 300, 200, 0, 100, 0, 0, 100, -100, 0, 210, 10, 20, 0, 0, 20].flatMap(zigzag)),
    ]),
    ...field(13, field(1, 'Europe/Vaduz')),
    ...field(14, [0, 0]),
  ])),
]); // biome-ignore format: the message's own structure

test('Geobuf: deltas, lengths and properties', () => {
  const [feature, ...others] = readGeobuf(geobuf);
  assert.deepEqual(others, []);
  assert.deepEqual(feature.properties, { tzid: 'Europe/Vaduz' });
  assert.deepEqual(numbers(feature.polygons), [
    [[0, 0, 10, 0, 5, 30]],
    [
      [20, 0, 30, 0, 30, 10, 20, 10],
      [21, 1, 23, 1, 23, 3],
    ],
  ]);
});

test('Geobuf that is cut short anywhere is an error or lacks the feature', () => {
  for (let length = 1; length < geobuf.length; length++) {
    try {
      assert.deepEqual(readGeobuf(geobuf.subarray(0, length)), [], `${length} bytes`);
    } catch (error) {
      assert.ok(error instanceof RangeError, String(error));
    }
  }
});

test('the time-zone quadtree and its polygons', (t) => {
  const directory = temporaryDirectory(t);
  const [index, polygons] = [join(directory, 'index.json'), join(directory, 'geo.dat')];
  writeFileSync(polygons, Uint8Array.from([9, 9, ...geobuf]));
  const lookup = { a: [1], b: { pos: 2, len: geobuf.length }, d: { c: [0, 1] } };
  writeFileSync(index, JSON.stringify({ timezones: ['Europe/Vaduz', 'Europe/Zurich'], lookup }));
  const source = openZonePolygons(index, polygons);
  t.after(() => source.close());
  assert.equal(source.polygonCells, 1);
  assert.deepEqual(source.root, lookup);
  assert.equal(source.read(lookup.b)[0].name, 'Europe/Vaduz');
  assert.throws(() => source.read({ pos: 2, len: geobuf.length + 1 }), /install geo-tz again/);
});
