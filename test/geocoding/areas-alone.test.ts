/** A country or region as the whole text or as context: its places follow it, whatever it is called. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { endpoints } from '../../src/endpoints/index.ts';
import type { Store } from '../../src/store/store.ts';
import { ask } from '../support/ask.ts';
import { smallWorld } from '../support/small-world.ts';

const { autocomplete, search } = endpoints;

let store: Store;
let close: () => Promise<void>;
before(async () => {
  const town = { lat: 48, lng: -2, country: 'FR', timezone: 'Europe/Paris', admin1: '53' };
  const inner = ['Chartres', 'Dol', 'Bain', 'Montauban', 'Guerche', 'Pleine'];
  ({ store, close } = await smallWorld(
    [
      { ...town, id: 1, name: 'Rennes', population: 1_200_000, featureCode: 'PPLA' },
      { ...town, id: 2, name: 'Brest', population: 145_000, featureCode: 'PPLA2' },
      ...inner.map((name, at) => ({ ...town, id: 10 + at, name: `${name}-de-Bretagne`, population: 700 - at })),
      { ...town, id: 34, name: 'Bquesse', population: 145_000 },
      { ...town, id: 35, name: 'Canale', population: 700 },
      { ...town, id: 27, name: 'Caen', admin1: '28', population: 900_000 },
      { ...town, id: 26, name: 'Calais', otherNames: 'Кале', admin1: '29', population: 145_000, featureCode: 'PPLA' },
      { ...town, id: 28, name: 'Normandie', country: 'BQ', admin1: '', lat: 44, lng: 4, population: 18_000 },
      { ...town, id: 29, name: 'Dol', country: 'BQ', admin1: '', lat: -30, lng: 9, population: 0 },
      { ...town, id: 31, name: 'Semnan', admin1: '30', population: 145_000, featureCode: 'PPLA' },
      { ...town, id: 32, name: 'Laval', lat: 46, admin1: '31', population: 900_000, featureCode: 'PPLC' },
      { ...town, id: 33, name: 'Craon', lat: 46.4, admin1: '31', population: 9000 },
      { ...town, id: 30, name: 'Kralendijk', country: 'BQ', admin1: '', lat: 12, lng: -68, population: 3000 },
    ],
    undefined,
    [
      {
        ...{ layer: 'water', name: 'English Channel', namesIn: { fr: 'Canal Manche' }, prominence: 60 },
        ...{ source: 'test', sourceId: 'channel', knownNames: [], otherNames: [] },
        ...{ country: 'FR', region: undefined, lat: 49, lng: -2 },
      },
    ],
    {
      regions: [
        { country: 'FR', code: '53', name: 'Brittany', frenchName: 'Bretagne', isoCode: 'FR-BRE' },
        { country: 'FR', code: '28', name: 'Normandy', frenchName: 'Normandie', isoCode: 'FR-NOR' },
        { country: 'FR', code: '30', name: 'Semnan', frenchName: 'Семнанский край', isoCode: 'FR-SEM' },
        { country: 'FR', code: '31', name: 'Laval', isoCode: 'FR-LAV' },
        { country: 'FR', code: '29', name: 'Calaisland', frenchName: 'Кале', isoCode: 'FR-CAL' },
      ],
      countryNames: new Map([
        ['BQ', ['Bonaire, Sint Eustatius and Saba']],
        ['FR', ['Frankreich']],
      ]),
    },
  ));
});
after(() => close());

type Row = { name: string; layer: string; confidence: number };
const suggested = (q: string, lang?: string) => ask(autocomplete, store, { q, lang }).results as Row[];
const rows = (q: string, more = {}) => ask(search, store, { q, ...more }).results as Row[];

test('a region is followed by its best known places under each of its names', () => {
  for (const q of ['Brittany', 'bretagne']) {
    const names = rows(q).map(({ name }) => name);
    assert.deepEqual(names.slice(0, 3), ['Brittany', 'Rennes', 'Brest'], q);
  }
});

test('a region by the name in its own language comes before a town of that name elsewhere', () => {
  assert.deepEqual(
    rows('Normandie', { limit: 2 }).map(({ name }) => name),
    ['Normandy', 'Normandie'],
  );
  assert.equal(rows('Кале')[0].name, 'Calais');
});

test('a name with a word for a region is that of the region, not of its city, in every script', () => {
  assert.equal(rows('Семнанский край')[0].layer, 'region');
  // The word may stand beside any of its names.
  for (const q of ['tỉnh Semnan', 'Freistaat Semnan', 'استان Semnan']) assert.equal(rows(q)[0].layer, 'region', q);
});

test('no answer is more confident than one before it', () => {
  const found = rows('dol', { lat: 48, lng: -2 });
  assert.deepEqual(
    found.map(({ name }) => name),
    ['Dol-de-Bretagne', 'Dol'],
  );
  assert.ok(found[0].confidence < 100 && found[1].confidence <= found[0].confidence);
});

test('a country whose name has a comma is context', () => {
  for (const q of ['Kralendijk, Bonaire, Sint Eustatius and Saba', 'Bonaire, Sint Eustatius and Saba, Kralendijk']) {
    const [first] = rows(q);
    assert.ok(first?.name === 'Kralendijk' && first.confidence >= 95, q);
  }
});

test('a position in a country or region says nothing against it', () => {
  for (const [q, layer] of [
    ['France', 'country'],
    ['Bretagne', 'region'],
  ]) {
    const [first] = rows(q, { lat: 48, lng: -2 });
    assert.deepEqual([first.layer, first.confidence], [layer, rows(q)[0].confidence]);
  }
});

test('a position in a region says as much for the city of its name', () => {
  const layers = rows('Laval', { lat: 46.4, lng: -2, limit: 2 }).map(({ layer }) => layer);
  assert.deepEqual(layers, ['place', 'region']);
  assert.deepEqual(
    layers,
    rows('Laval', { limit: 2 }).map(({ layer }) => layer),
  );
});

test('a country or region is suggested by the beginning of any of its names', () => {
  const names = (q: string) => suggested(q).map(({ name }) => name);
  assert.ok(names('Bretag').includes('Brittany'));
  // Of fewer letters there are too many others.
  assert.ok(!names('Bret').includes('Brittany'));
});

test('countries, regions and features are suggested by unfinished names in the language, else behind main names', () => {
  const first = (q: string, lang?: string) => suggested(q, lang).map(({ layer, name }) => `${layer} ${name}`);
  assert.equal(first('Normandi', 'fr')[0], 'region Normandie');
  assert.deepEqual(first('Normandi'), ['place Normandie', 'region Normandy']);
  assert.equal(first('Frankrei', 'de')[0], 'country Frankreich');
  assert.equal(first('Canal', 'fr')[0], 'water Canal Manche');
  assert.equal(first('Canal')[0], 'place Canale');
});

test('the code of a country in capitals is the country, in small letters the beginning of a name', () => {
  const first = (q: string) => suggested(q)[0].name;
  assert.deepEqual(['BQ', 'bq'].map(first), ['Caribbean Netherlands', 'Bquesse']);
});
