/** Islands, waters and mountains of GeoNames' own files: read from a user's table, found by name. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { readFeatures } from '../../src/build/layers/world/features.ts';
import { endpoints } from '../../src/endpoints/index.ts';
import { ask } from '../support/ask.ts';
import { sharedData } from '../support/shared-data.ts';
import { smallWorld } from '../support/small-world.ts';
import { temporaryFile } from '../support/temporary.ts';

const { search } = endpoints;

const town = {
  lat: 45.9,
  lng: 6.9,
  country: 'FR',
  population: 8_900,
  timezone: 'Europe/Paris',
};
type Result = { name: string; layer: string; country: string; timezone: string; type: string | null };

async function worldWith(
  t: TestContext,
  tables: string[],
  places: Parameters<typeof smallWorld>[0],
  maxCount?: number,
) {
  const airports = temporaryFile(t, 'airports.json', '[]');
  const inputs: Parameters<typeof readFeatures>[0] = {
    userFiles: (kind) => (kind === 'geonames-places' ? tables : []),
    packageFile: () => airports,
    packageVersion: () => '1.0.0',
  };
  const read = await readFeatures(inputs, (code) => code !== 'AN', maxCount);
  // The airports that have a code are those of the whole world.
  const features = read.features.filter(({ source }) => source !== 'opentraveldata');
  const { store, close } = await smallWorld(places, undefined, features);
  t.after(close);
  const first = (q: string, more: Record<string, unknown> = {}) => {
    const [found] = ask(search, store, { q, ...more }).results as Result[];
    return found && `${found.layer} ${found.name} ${found.country}`;
  };
  return { features, store, first };
}

const row = (id: number, name: string, others: string, kind: string, country: string, population = 0) =>
  `${id}\t${name}\t${name}\t${others}\t45.83\t6.86\t${kind}\t${country}\t\t\t\t\t\t${population}\t\t\tEurope/Paris\t2024-01-01`;

const uninhabited = ['island Bouvet Island', 'island Heard Island'];

test("islands, waters and mountains of a user's table answer in layers of their own; hills and hotels are left out", async (t) => {
  const table = temporaryFile(
    t,
    'FR.txt',
    [
      row(1, 'Mont Blanc', 'Monte Bianco,Монблан', 'T\tMT', 'FR'),
      row(2, 'Lac Léman', 'Lake Geneva,Genfersee', 'H\tLK', 'FR'),
      row(3, 'Île de Ré', 'Ile de Re', 'T\tISL', 'FR', 18_000),
      row(4, 'Petite Colline', '', 'T\tHLL', 'FR'),
      row(5, 'Hôtel du Lac', '', 'S\tHTL', 'FR'),
      row(6, 'Chamonix', '', 'P\tPPL', 'FR', 8_900),
      row(7, 'Mare Incognita', '', 'H\tSEA', ''),
      row(8, 'Saba', '', 'T\tISL', 'AN'),
    ].join('\n'),
  );
  const { features, first } = await worldWith(t, [table, table], [{ ...town, id: 6, name: 'Chamonix' }]);
  assert.deepEqual(
    features.map(({ layer, name }) => `${layer} ${name}`),
    [...uninhabited, 'peak Mont Blanc', 'water Lac Léman', 'island Île de Ré', 'water Mare Incognita', 'island Saba'],
  );
  assert.equal(first('Mont Blanc'), 'peak Mont Blanc FR');
  assert.equal(first('Monte Bianco'), 'peak Mont Blanc FR');
  assert.equal(first('mont blnac'), 'peak Mont Blanc FR');
  assert.equal(first('Lake Geneva'), 'water Lac Léman FR');
  assert.equal(first('ile de re, France'), 'island Île de Ré FR');
  assert.equal(first('Mare Incognita'), 'water Mare Incognita FR', 'a sea is of the country that is nearest');
  assert.equal(first('Saba'), 'island Saba FR', 'so is what is in a country that is no more');
  assert.equal(first('Mont Blanc', { layers: 'island' }), undefined);
  assert.equal(first('Petite Colline'), undefined);
});

test("landmarks and parks of a user's table have their kinds; a stream is a river only if others have names for it", async (t) => {
  const table = temporaryFile(
    t,
    'FR.txt',
    [
      row(1, 'Château de Menthon', 'Menthon Castle', 'S\tCSTL', 'FR'),
      row(2, 'Parc national de la Vanoise', '', 'L\tPRK', 'FR'),
      row(3, 'Jardin de l’Europe', '', 'L\tPRK', 'FR'),
      row(4, 'Massif des Aravis', '', 'T\tMTS', 'FR'),
      row(5, 'Arve', 'l’Arve,Fleuve Arve,Арв', 'H\tSTM', 'FR'),
      row(6, 'Ruisseau sans nom', '', 'H\tSTM', 'FR'),
      row(7, 'Savoie historique', '', 'L\tRGNH', 'FR'),
      row(8, 'Cinéma du Lac', '', 'S\tHTL', 'FR'),
    ].join('\n'),
  );
  const { features, first } = await worldWith(t, [table], [{ ...town, id: 6, name: 'Chamonix' }]);
  assert.deepEqual(
    features
      .filter(({ kind }) => kind)
      .map(({ layer, kind, name }) => `${layer}/${kind} ${name}`)
      .sort(),
    [
      'landmark/castle Château de Menthon',
      'natural/historical_region Savoie historique',
      'natural/mountain_range Massif des Aravis',
      'park/city_park Jardin de l’Europe',
      'park/national_park Parc national de la Vanoise',
      'water/river Arve',
    ],
  );
  assert.equal(first('Menthon Castle'), 'landmark Château de Menthon FR');
  assert.equal(first('Vanoise'), 'park Parc national de la Vanoise FR');
});

test('a settlement comes before a mountain of its name, and an island with more people before a village', async (t) => {
  const table = temporaryFile(
    t,
    'FR.txt',
    [row(1, 'Ventoux', '', 'T\tMT', 'FR'), row(2, 'Oléron', '', 'T\tISL', 'FR', 22_000)].join('\n'),
  );
  const villages = [
    { ...town, id: 10, name: 'Ventoux' },
    { ...town, id: 11, name: 'Oléron', population: 300 },
  ];
  const { first } = await worldWith(t, [table], villages);
  assert.equal(first('Ventoux'), 'place Ventoux FR');
  assert.equal(first('Oléron'), 'island Oléron FR');
});

test('a country without a place in any source has the position of its island', async (t) => {
  const { store } = await worldWith(t, [], [{ ...town, id: 10, name: 'Ville' }]);
  for (const [q, country, lat] of [
    ['Bouvet Island', 'BV', -54],
    ['Heard & McDonald Islands', 'HM', -53],
  ] as const) {
    const [found] = ask(search, store, { q }).results as (Result & { lat: number })[];
    assert.deepEqual([found?.layer, found?.country, Math.round(found?.lat)], ['country', country, lat], q);
  }
});

test('when there are more than the limit, the most prominent are taken', async (t) => {
  const names = ['', 'A', 'A,B', 'A,B,C', 'A,B,C,D'];
  const table = temporaryFile(
    t,
    'FR.txt',
    names.map((others, at) => row(at + 1, `Île ${at}`, others, 'T\tISL', 'FR')).join('\n'),
  );
  const { features } = await worldWith(t, [table], [{ ...town, id: 10, name: 'Ville' }], 2);
  assert.deepEqual(
    features.map(({ name }) => name),
    ['Île 4', 'Île 3'],
  );
});

test('the islands and reservoirs of a published table are found', async (t) => {
  const table = sharedData(t, 'geonames/SG-pelias-test.zip');
  if (!table) return;
  const singapore = {
    ...town,
    id: 20,
    name: 'Singapore',
    lat: 1.29,
    lng: 103.85,
    country: 'SG',
    population: 3_547_809,
  };
  const { features, first } = await worldWith(t, [table], [singapore]);
  const islands = features.filter(({ layer }) => layer === 'island');
  assert.equal(islands.length, 76 + uninhabited.length);
  const missed = islands.filter(({ name }) => !first(name, { layers: 'island' })?.startsWith(`island ${name}`));
  assert.deepEqual(
    missed.map(({ name }) => name),
    [],
  );
  assert.equal(first('Kranji Reservoir'), 'water Kranji Reservoir SG');
});
