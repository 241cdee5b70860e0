/** Kinds of features that a text asks for in a place, area or around something. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { endpoints } from '../../src/endpoints/index.ts';
import { ask } from '../support/ask.ts';
import type { NamedFeature } from '../support/build-layer.ts';
import { openSmallStore } from '../support/small-store.ts';
import { smallWorld } from '../support/small-world.ts';

const { autocomplete, search } = endpoints;

const settlement = (id: number, name: string, lat: number, lng: number, admin1: string, population = 90_000) => ({
  ...{ id, name, lat, lng, admin1, population, country: 'FR', timezone: 'Europe/Paris', featureCode: 'PPL' },
});
const feature = (
  name: string,
  layer: NamedFeature['layer'],
  kind: string,
  lat: number,
  lng: number,
  prominence: number,
) => ({
  ...{ name, layer, kind, lat, lng, prominence, source: 'whereabouts-landmarks', sourceId: name, country: 'FR' },
  ...{ knownNames: [], otherNames: [], namesIn: {}, category: layer === 'landmark' ? ('tourism' as const) : null },
});
const inSouth = { region: 'S' };
const { store, close } = await smallWorld(
  [
    settlement(1, 'Aville', 45, 5, 'N'),
    settlement(2, 'Bourg', 44, 5, 'S'),
    settlement(3, 'Northland Island', 40, 1, 'N', 300),
    settlement(4, 'Del Rio', 46, 5, 'N', 400),
  ],
  undefined,
  [
    { ...feature('Great Keep', 'landmark', 'castle', 45.1, 5, 40), region: 'N' },
    { ...feature('Little Keep', 'landmark', 'castle', 45.01, 5, 20), region: 'N' },
    { ...feature('South Keep', 'landmark', 'castle', 44.01, 5, 30), ...inSouth },
    { ...feature('Far Keep', 'landmark', 'castle', 45.45, 5, 60), region: 'N' },
    { ...feature('Gallery of Art', 'landmark', 'museum', 45, 5.01, 20), region: 'N' },
    { ...feature('Gallery of Clocks', 'landmark', 'museum', 45, 5.02, 30), region: 'N' },
    { ...feature('Blue Tarn', 'water', 'lake', 44.2, 5, 30), ...inSouth },
    { ...feature('Green Tarn', 'water', 'lake', 45.2, 5, 40), region: 'N' },
    { ...feature('Nord Field', 'airport', 'airport', 45.05, 5, 30), region: 'N' },
    { ...feature('Long Stream', 'water', 'river', 44.5, 5, 60), bbox: [4, 43.5, 6, 44.5] as const, ...inSouth },
    { ...feature('Main Station', 'landmark', 'station', 45, 5, 20), region: 'N' },
    { ...feature('North Stream', 'water', 'river', 46.2, 5, 50), region: 'N' },
    { ...feature('Round Isle', 'island', 'island', 46.1, 6, 50), region: 'N' },
    { ...feature('Lake Bourg', 'water', 'lake', 46, 6, 50), region: 'N' },
  ].map((each) => ({
    ...each,
    bbox: 'bbox' in each ? ([...each.bbox] as [number, number, number, number]) : undefined,
  })),
  {
    regions: [
      { country: 'FR', code: 'N', name: 'Northland', isoCode: 'FR-N' },
      { country: 'FR', code: 'S', name: 'Southland', isoCode: 'FR-S' },
    ],
    countryNames: new Map([['FR', ['Frankreich', 'Francia', 'Франция', 'フランス']]]),
  },
);
after(close);

type Row = { name: string; layer: string; confidence: number };
const rows = (q: string, more: object = {}) => ask(search, store, { q, ...more }).results as Row[];
const names = (q: string, more: object = {}) => rows(q, more).map(({ name }) => name);
const castles = ['Far Keep', 'Great Keep', 'South Keep', 'Little Keep'];

test('in a country or region, the most prominent ones of the kind come first, in many languages', () => {
  for (const q of [
    'castles in France',
    'Burgen in Frankreich',
    'castillos en Francia',
    'замки в Франция',
    'フランスの城',
  ])
    assert.deepEqual(names(q), castles, q);
  assert.deepEqual(names('châteaux de France'), castles);
  assert.deepEqual(names('castles in Southland'), ['South Keep']);
  assert.deepEqual(names('lakes in Northland'), ['Lake Bourg', 'Green Tarn']);
  // The whole text is nearly a village's name.
  assert.deepEqual(names('islands in Northland'), ['Round Isle']);
  assert.deepEqual(names('cities in Northland'), ['Aville', 'Del Rio', 'Northland Island']);
});

test('in a town, those within its reach; near it, also those around it, the nearest of equals first', () => {
  assert.deepEqual(names('castles in Aville'), ['Great Keep', 'Little Keep']);
  assert.deepEqual(names('airports in Aville'), ['Nord Field']);
  assert.deepEqual(names('castles near Aville').sort(), ['Far Keep', 'Great Keep', 'Little Keep']);
  assert.equal(names('castles near Aville').at(-1), 'Far Keep');
  assert.deepEqual(names('castle near Bourg'), ['South Keep']);
  assert.deepEqual(names('castles near 44.01,5'), ['South Keep']);
  assert.deepEqual(names('castles near me', { lat: 44.01, lng: 5 }), ['South Keep']);
});

test('within the box of a river or other feature', () => {
  assert.deepEqual(names('castles in Long Stream'), ['South Keep']);
});

test('a word before the kind chooses those that have it in their names, if any', () => {
  assert.deepEqual(names('art museum Aville'), ['Gallery of Art']);
  assert.deepEqual(names('best museums in Aville'), ['Gallery of Clocks', 'Gallery of Art']);
});

test('what has the text as its name comes first', () => {
  assert.equal(names('Lake Bourg')[0], 'Lake Bourg');
  assert.equal(names('Aville castles').length, 2);
  assert.equal(names('Del Rio in Northland')[0], 'Del Rio');
  assert.ok(!names('Avile cities').includes('Northland Island'));
  // `du` is mostly a part of a name, beside which nothing else is edited away.
  assert.notEqual(names('Gare du Nord Aville')[0], 'Main Station');
});

test('a list is never certain, and the place of what the dataset lacks still less', () => {
  assert.ok(rows('castles in France').every(({ confidence }) => confidence === 50));
  assert.ok(rows('castle near Bourg').every(({ confidence }) => confidence === 50));
  for (const q of ['beaches in Aville', 'restaurants in Aville', 'restaurants Aville']) {
    const answer = ask(search, store, { q });
    const [first] = answer.results as Row[];
    assert.deepEqual([first?.name, first?.confidence <= 25], ['Aville', true], q);
    assert.deepEqual((answer.coverage as { country: string }).country, 'FR');
  }
});

test('/autocomplete answers so too, the place half typed', () => {
  const results = ask(autocomplete, store, { q: 'castles in Southl' }).results as Row[];
  assert.deepEqual(
    results.map(({ name }) => name),
    ['South Keep'],
  );
});

test('what several countries share is in each that its middle is in', async (t) => {
  const { store: small, remove } = await openSmallStore();
  t.after(remove);
  const towns = [settlement(1, 'Aville', 45, 5, 'N'), { ...settlement(2, 'Berlin', 52.5, 13.4, ''), country: 'DE' }];
  const shared = { ...feature('Shared Tarn', 'water', 'lake', 52.4, 13.3, 30), region: '', bbox: undefined };
  const world = await smallWorld(towns, undefined, [shared]);
  t.after(world.close);
  const both = Object.create(world.store, { boundaries: { value: small.boundaries } });
  for (const q of ['lakes in France', 'lakes in Germany'])
    assert.equal((ask(search, both, { q }).results as Row[])[0]?.name, 'Shared Tarn', q);
});
