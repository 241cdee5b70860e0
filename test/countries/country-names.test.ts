/** Names that countries have in the files of CLDR and of two packages with more. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { readTerritoryNames } from '../../src/sources/place-lists.ts';
import type { Store } from '../../src/store/store.ts';
import { openSmallStore } from '../support/small-store.ts';

const file = (territories: Record<string, string>) =>
  JSON.stringify({ main: { br: { localeDisplayNames: { territories } } } });

test('variants are names too, but codes of world regions are not', () => {
  const names = readTerritoryNames(
    file({ '019': 'Amerikaoù', EU: 'Unaniezh Europa', CZ: 'Tchekia', 'CZ-alt-variant': 'Republik Tchek' }),
  );
  assert.deepEqual(names.get('CZ'), ['Tchekia', 'Republik Tchek']);
  assert.equal(names.has('019'), false);
});

test('a short Latin abbreviation is no name: RU is Breton for the United Kingdom', () => {
  const names = readTerritoryNames(
    file({ GB: 'Rouantelezh-Unanet', 'GB-alt-short': 'RU', HK: '香港特別行政區', 'HK-alt-short': '香港' }),
  );
  assert.deepEqual(names.get('GB'), ['Rouantelezh-Unanet']);
  assert.deepEqual(names.get('HK'), ['香港特別行政區', '香港']);
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
