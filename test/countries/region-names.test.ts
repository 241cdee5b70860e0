/** Which names of other sources a level-1 region adopts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RegionToName, regionNames } from '../../src/build/layers/world/region-names.ts';

const region = (isoCode: string, name: string, names: Record<string, string>): RegionToName => ({
  key: isoCode.replace('-', '.'),
  name,
  isoCode,
  crosswalk: {
    country: isoCode.slice(0, 2),
    admin1: '',
    geonameId: undefined,
    isoCode,
    names: new Map(Object.entries(names)),
  },
});

test('an entry of the crosswalk with the name of another region is ignored', () => {
  const swapped = [
    region('TZ-20', 'Rukwa', { en: 'Rukwa Region', de: 'Ruvuma', ru: 'Рувума' }),
    region('TZ-21', 'Ruvuma', { en: 'Ruvuma Region', de: 'Rukwa', ru: 'Руква' }),
  ];
  const english = new Map([
    ['TZ-20', 'Rukwa'],
    ['TZ-21', 'Ruvuma'],
  ]);
  assert.deepEqual(regionNames(swapped, english, [], []), [[['en', 'Rukwa']], [['en', 'Ruvuma']]]);
});

test('a city keeps the name that it shares with the region around it', () => {
  const minsk = [
    region('BY-HM', 'Minsk City', { de: 'Minsk', ru: 'Минск' }),
    region('BY-MI', 'Minsk', { de: 'Minsk', ru: 'Минская область' }),
  ];
  assert.deepEqual(regionNames(minsk, new Map(), [], []), [
    [
      ['de', 'Minsk'],
      ['ru', 'Минск'],
    ],
    [
      ['de', 'Minsk'],
      ['ru', 'Минская область'],
    ],
  ]);
});
