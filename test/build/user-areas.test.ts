/** Areas outlined by a source, over the small dataset: which are regions, which municipalities, and their effects. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openDataset } from '../../src/api/open.ts';
import { endpoints } from '../../src/endpoints/index.ts';
import type { Store } from '../../src/store/store.ts';
import { ask, refusal } from '../support/ask.ts';
import { buildLayer, type LayerReport } from '../support/build-layer.ts';
import { pbfFile } from '../support/osm-writer.ts';
import { smallPackages } from '../support/small-packages.ts';
import { buildSmallDataset, removeLayer } from '../support/small-store.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const { placeArea, reverse, search } = endpoints;

const box = (west: number, south: number, east: number, north: number) => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
const feature = (shapeType: string, shapeName: string, ring: number[][], shapeISO = '') => ({
  type: 'Feature',
  properties: { shapeName, shapeISO, shapeID: shapeName, shapeGroup: 'DEU', shapeType },
  geometry: { type: 'Polygon', coordinates: [ring] },
});

type Row = { bbox: number[]; bbox_source: string };

let directory: string;
let store: Store;
let report: LayerReport;
before(async () => {
  directory = mkdtempSync(join(tmpdir(), 'whereabouts-areas-'));
  await buildSmallDataset(directory);
  removeLayer(directory, 'boundaries');
  const path = join(directory, 'geoBoundaries-DEU.geojson');
  const features = [
    feature('ADM1', 'Freistaat', box(10, 47.5, 13, 49), 'DE-BY'),
    feature('ADM3', 'München', box(11.3, 48, 11.8, 48.3)),
    feature('ADM3', 'Ohne Ort', box(12, 48, 12.2, 48.2)),
    feature('ADM4', 'Innen', box(11.4, 48.1, 11.5, 48.2)),
  ];
  writeFileSync(path, JSON.stringify({ type: 'FeatureCollection', features }));
  report = await buildLayer('boundaries', directory, { packages: smallPackages, userFiles: { geoboundaries: [path] } });
  store = openDataset(directory);
});
after(() => {
  store.close();
  rmSync(directory, { recursive: true });
});

const at = (lat: number, lng: number) => (ask(reverse, store, { lat, lng }).results as Record<string, unknown>[])[0];

test('an area with a region’s ISO code is that region, one with a town’s name is its municipality', () => {
  const { givenRegions, givenSubregions, municipalities, outlinedPlaces } = report.records;
  assert.deepEqual([givenRegions, givenSubregions, municipalities, outlinedPlaces], [1, 1, 1, 1]);
  assert.equal(report.sources.at(-1)?.id, 'geoboundaries');
  assert.equal(report.dropped['boundary inside a municipality'], 1);
});

test('a town has the box of its municipality, and one without an outline an estimate', () => {
  const [munich] = ask(search, store, { q: 'München' }).results as Row[];
  assert.deepEqual([munich.bbox, munich.bbox_source], [[11.3, 48, 11.8, 48.3], 'area']);
  const [berlin] = ask(search, store, { q: 'Berlin' }).results as Row[];
  assert.equal(berlin.bbox_source, 'estimate');
});

test('the outline of a town is that of its municipality, at finer tolerances than a country has', () => {
  const [{ id }] = ask(search, store, { q: 'München' }).results as { id: number }[];
  const { geometry, properties } = ask(placeArea, store, { id });
  assert.deepEqual(properties, { name: 'Munich', country: 'DE', tolerance: 50, id });
  const [ring] = (geometry as { coordinates: number[][][][] }).coordinates[0];
  assert.deepEqual(
    ring.map(String).sort(),
    [...new Set(box(11.3, 48, 11.8, 48.3).map(String)), String(ring[0])].sort(),
  );
  const [berlin] = ask(search, store, { q: 'Berlin', layers: 'place' }).results as { id: number }[];
  assert.match(refusal(placeArea, store, { id: berlin.id }).detail, /no outline of Berlin/);
});

test('/reverse names the municipality and its city to the edge of its area, and the region to that of the region', () => {
  for (const [lat, lng] of [
    [48.01, 11.31],
    [48.29, 11.79],
  ]) {
    const { name, admin1, admin2, municipality } = at(lat, lng);
    assert.deepEqual([name, admin1, municipality], ['Munich', 'Bavaria', 'München'], `${lat} ${lng}`);
    assert.equal(typeof admin2, 'string');
  }
  assert.equal(at(48.31, 11.79).municipality, null);
  const country = store.boundaries!.countryAt({ lat: 48.9, lng: 10.1 });
  assert.equal(country, 'DE');
  assert.equal(store.regions.get(store.boundaries!.admin1At({ lat: 48.9, lng: 10.1 })).isoCode, 'DE-BY');
});

test('without outlines no area is used', () => {
  assert.equal(store.boundaries!.municipalityAt({ lat: 52.5, lng: 13.4 }), undefined);
  assert.equal(store.boundaries!.admin2At({ lat: 52.5, lng: 13.4 }), -1);
  assert.equal(at(52.5, 13.4).municipality, null);
});

test('the date of areas of an extract is that of its header', async (t) => {
  const replication = { baseUrl: 'https://example.org/updates', sequence: 7, timestamp: Date.UTC(2026, 10, 20) / 1000 };
  const points: [id: number, lat: number, lng: number][] = [
    [1, 48, 11.3],
    [2, 48, 11.8],
    [3, 48.3, 11.8],
  ];
  const map = {
    nodes: points.map(([id, lat, lng]) => ({ id, lat, lng })),
    ways: [{ id: 1, nodes: [1, 2, 3, 1] }],
    relations: [
      {
        id: 1,
        members: [{ type: 'way' as const, id: 1, role: 'outer' }],
        tags: { type: 'boundary', boundary: 'administrative', admin_level: '8', name: 'München' },
      },
    ],
  };
  const other = temporaryDirectory(t);
  const [dated, undated] = [pbfFile(map, { replication }), pbfFile(map)].map((bytes, at) => {
    const path = join(other, `${at}.osm.pbf`);
    writeFileSync(path, bytes);
    return path;
  });
  const dateOf = async (paths: string[]) => {
    const own = temporaryDirectory(t);
    await buildSmallDataset(own);
    removeLayer(own, 'boundaries');
    const files = { packages: smallPackages, userFiles: { 'osm-pbf': paths } };
    return (await buildLayer('boundaries', own, files)).sources.at(-1)?.vintage;
  };
  assert.equal(await dateOf([dated]), '2026-11-20');
  assert.equal(await dateOf([dated, undated]), null);
});
