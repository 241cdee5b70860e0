/** Airports, islands, waters and peaks of the default dataset, and the towns whose names they share. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDataset } from '../src/api/open.ts';
import { distanceKm } from '../src/core/geo.ts';
import { endpoints } from '../src/endpoints/index.ts';
import { featureLayers } from '../src/store/store.ts';
import { ask } from '../test/support/ask.ts';
import { datasetMissing, defaultDataset } from '../test/support/dataset.ts';

const { place, search } = endpoints;

const directory = defaultDataset();
const skip = directory === undefined && datasetMissing;
const store = skip ? undefined : openDataset(directory!);

type Result = {
  id: number;
  name: string;
  country: string;
  layer: string;
  lat: number;
  lng: number;
  confidence: number;
};
const results = (parameters: Record<string, unknown>) => ask(search, store!, parameters).results as Result[];

const table = readFileSync(join(import.meta.dirname, 'features.csv'), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [query, layer, lat, lng, km, why] = line.split(';');
    return { query, layer, at: { lat: Number(lat), lng: Number(lng) }, km: Number(km), why };
  });

test('what people mean comes first', { skip }, () => {
  const wrong = table.flatMap(({ query, layer, at, km, why }) => {
    const [first] = results({ q: query });
    if (first?.layer === layer && distanceKm(first, at) <= km) return [];
    return `${query} (${why}): ${first ? `${first.name}, ${first.country} [${first.layer}]` : 'nothing'}`;
  });
  assert.deepEqual(wrong, []);
});

test('a small region’s name beside the beginning of a feature’s is no context of it', { skip }, () => {
  assert.ok(results({ q: 'greater manchester' }).every(({ name }) => name !== 'Greater Antilles'));
});

test('their identifiers lead to them, and their layers choose them', { skip }, () => {
  for (const { query, layer } of table.filter((row) => row.layer !== 'place')) {
    const [first] = results({ q: query, layers: layer });
    assert.equal(first.layer, layer, query);
    const record = ask(place, store!, { id: first.id });
    assert.deepEqual([record.name, record.layer], [first.name, layer], query);
    const others = featureLayers.filter((each) => each !== layer).join();
    assert.ok(
      results({ q: query, layers: others }).every((each) => each.layer !== layer),
      query,
    );
  }
});

test('a name that states its kind is no person: Iona and Una are given names', { skip }, () => {
  for (const q of ['Iona National Park', 'Una National Park']) {
    const [first] = results({ q });
    assert.deepEqual([first.name, first.layer], [q, 'park']);
    assert.ok(first.confidence >= 50, `${q}: ${first.confidence}`);
  }
});

test('what is on a border is found in both countries', { skip }, () => {
  for (const [q, country] of [
    ['Matterhorn', 'IT'],
    ['Mont Blanc', 'IT'],
    ['Zugspitze', 'AT'],
    ['Lake Constance', 'CH'],
    ['Lake Constance', 'AT'],
  ])
    assert.equal(results({ q, country })[0]?.name, q, `${q} ${country}`);
  assert.deepEqual(
    results({ q: 'Loire', country: 'DE' }).filter(({ layer }) => layer === 'water'),
    [],
  );
});
