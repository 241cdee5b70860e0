/** Names that countries have in the files of CLDR and of two packages with more. */
import assert from 'node:assert/strict';
import { after, before, suite, type TestContext, test } from 'node:test';
import type { Store } from '../../src/store/store.ts';
import { openSmallStore } from '../support/small-store.ts';
import { smallWorld } from '../support/small-world.ts';

/** The countries that a text names, where Breton has these names. */
async function namedIn(t: TestContext, territories: Record<string, string>) {
  const places = ['CZ', 'GB', 'HK'].map((country, at) => ({
    ...{ id: at + 1, name: 'Town', lat: 50, lng: at, country, population: 9, timezone: '' },
  }));
  const breton = { main: { br: { localeDisplayNames: { territories } } } };
  const world = await smallWorld(places, undefined, [], {
    packages: { 'cldr-localenames-full/main/br/territories.json': breton },
  });
  t.after(world.close);
  return (text: string) => world.store.cities.countriesNamed(text);
}

test('variants are names too, but codes of world regions are not', async (t) => {
  const names = { '019': 'Amerikaoù', EU: 'Unaniezh Europa', CZ: 'Tchekia', 'CZ-alt-variant': 'Republik Tchek' };
  const named = await namedIn(t, names);
  assert.deepEqual([named('Tchekia'), named('Republik Tchek')], [['CZ'], ['CZ']]);
  assert.deepEqual(named('Amerikaoù'), []);
});

test('a short Latin abbreviation is no name: RU is Breton for the United Kingdom', async (t) => {
  const named = await namedIn(t, {
    ...{ GB: 'Rouantelezh-Unanet', 'GB-alt-short': 'RU', HK: '香港特別行政區', 'HK-alt-short': '香港' },
  });
  assert.deepEqual([named('Rouantelezh-Unanet'), named('RU')], [['GB'], []]);
  assert.deepEqual([named('香港特別行政區'), named('香港')], [['HK'], ['HK']]);
});

suite('names of the two further packages', () => {
  let store: Store;
  let remove: () => void;
  before(async () => {
    ({ store, remove } = await openSmallStore());
  });
  after(() => remove());
  const named = (q: string) => store.cities.countriesNamed(q);

  test('official and translated names are names of their country', () => {
    assert.deepEqual(named('Most Serene Republic of Germany'), ['DE']);
    assert.deepEqual(named('Teutonia'), ['DE']);
    assert.deepEqual(named('Gallia'), ['FR']);
  });

  test('a name that they or CLDR have for another country too, or that is a Latin abbreviation, is none', () => {
    assert.deepEqual(named('Slipland'), []);
    assert.deepEqual(named('Deutschland'), ['DE']);
    assert.deepEqual(named('DT'), []);
  });
});
