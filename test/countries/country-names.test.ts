/** Names that countries have in the files of CLDR. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTerritoryNames } from '../../src/sources/cldr.ts';

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
