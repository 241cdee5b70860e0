/** Which names of other sources a level-1 region adopts. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Regions } from '../../src/store/store.ts';
import { regionsOf } from './small-regions.ts';

const region = (admin1: string, isoCode: string, name: string, names: Record<string, string>) => ({
  ...{ admin1, isoCode, name, names },
});

/** The names of a region in languages, its main one where it has none. */
const namesIn = (regions: Regions, isoCode: string, ...languages: string[]) =>
  languages.map((language) => regions.nameIn(regions.byIsoCode(isoCode), language));

const made = (t: TestContext, country: string, regions: ReturnType<typeof region>[], english: string[]) =>
  regionsOf(t, {
    ...{ country, regions },
    codes: regions.map(({ isoCode, name }, at) => ({ code: isoCode, name, english: english[at] })),
  });

test('an entry of the crosswalk with the name of another region is ignored', async (t) => {
  const swapped = [
    region('24', 'TZ-20', 'Rukwa', { en: 'Rukwa Region', de: 'Ruvuma', ru: 'Рувума' }),
    region('14', 'TZ-21', 'Ruvuma', { en: 'Ruvuma Region', de: 'Rukwa', ru: 'Руква' }),
  ];
  const regions = await made(t, 'TZ', swapped, ['Rukwa', 'Ruvuma']);
  assert.deepEqual(namesIn(regions, 'TZ-20', 'en', 'de', 'ru'), ['Rukwa', 'Rukwa', 'Руква']);
  assert.deepEqual(namesIn(regions, 'TZ-21', 'en', 'de', 'ru'), ['Ruvuma', 'Ruvuma', 'Рувума']);
  assert.deepEqual(regions.matching('TZ', 'ruvuma'), [regions.byIsoCode('TZ-21')]);
});

test('a city keeps the name that it shares with the region around it', async (t) => {
  const minsk = [
    region('1', 'BY-HM', 'Minsk City', { de: 'Minsk', ru: 'Минск' }),
    region('2', 'BY-MI', 'Minsk', { de: 'Minsk', ru: 'Минская область' }),
  ];
  const regions = await made(t, 'BY', minsk, []);
  assert.deepEqual(namesIn(regions, 'BY-HM', 'de', 'ru'), ['Minsk', 'Минск']);
  assert.deepEqual(namesIn(regions, 'BY-MI', 'de', 'ru'), ['Minsk', 'Минская область']);
});

test('a name that this project writes for a region is that of no other of its country', async (t) => {
  const thai = { th: 'จังหวัดเชียงใหม่' };
  const provinces = [region('40', 'TH-10', 'Bangkok', thai), region('02', 'TH-50', 'Chiang Mai', {})];
  const regions = await made(t, 'TH', provinces, []);
  assert.deepEqual(namesIn(regions, 'TH-10', 'th'), ['Bangkok']);
  assert.deepEqual(namesIn(regions, 'TH-50', 'th'), [thai.th]);
});

test('a Chinese name in traditional characters is that of Taiwan, and stands in simplified ones for `zh`', async (t) => {
  const provinces = [
    region('01', 'JP-23', 'Aichi', { zh: '愛知縣' }),
    region('02', 'FR-IDF', 'Île-de-France', { zh: '法兰西岛' }),
  ];
  const regions = await made(t, 'JP', provinces.slice(0, 1), []);
  assert.deepEqual(namesIn(regions, 'JP-23', 'zh', 'zh-CN', 'zh-Hant', 'zh-TW'), [
    '爱知县',
    '爱知县',
    '愛知縣',
    '愛知縣',
  ]);
  const french = await made(t, 'FR', provinces.slice(1), []);
  assert.deepEqual(namesIn(french, 'FR-IDF', 'zh', 'zh-TW'), ['法兰西岛', '法蘭西島']);
});

test('without a name in a language a region has its local one, if that is in Latin letters or those of the language', async (t) => {
  const tuscany = [region('16', 'IT-52', 'Tuscany', { it: 'Toscana', ru: 'Тоскана' })];
  const italian = await made(t, 'IT', tuscany, []);
  assert.deepEqual(namesIn(italian, 'IT-52', 'en', 'ru', 'tlh', 'gd-GB'), ['Tuscany', 'Тоскана', 'Toscana', 'Toscana']);
  const crete = await made(t, 'GR', [region('ESYE45', 'GR-M', 'Crete', { el: 'Κρήτη' })], []);
  assert.deepEqual(namesIn(crete, 'GR-M', 'el', 'gd'), ['Κρήτη', 'Crete']);
});

test('CLDR names a region in the languages that the crosswalk lacks, before Natural Earth; names of this project come first', async (t) => {
  const moravia = await made(
    t,
    'CZ',
    [region('78', 'CZ-64', 'South Moravian', { de: 'Südmähren' })],
    ['South Moravian'],
  );
  assert.deepEqual(namesIn(moravia, 'CZ-64', 'cs', 'de', 'ro'), [
    'Jihomoravský kraj',
    'Südmähren',
    'Regiunea Moravia de Sud',
  ]);
  assert.deepEqual(moravia.matching('CZ', 'Južnomoravski kraj'), [moravia.byIsoCode('CZ-64')]);
  const aktobe = await made(t, 'KZ', [region('04', 'KZ-15', 'Aktobe', { ru: 'Актюбинская область' })], []);
  assert.deepEqual(namesIn(aktobe, 'KZ-15', 'kk', 'ru'), ['Ақтөбе облысы', 'Актюбинская область']);
  const centre = await made(t, 'FR', [region('24', 'FR-CVL', 'Centre', { fr: 'Région Centre' })], []);
  assert.deepEqual(namesIn(centre, 'FR-CVL', 'fr'), ['Centre-Val de Loire']);
});

test('regions whose codes ISO has given to others have no names of CLDR, which has those of before in some languages', async (t) => {
  const fars = await made(t, 'IR', [region('07', 'IR-07', 'Fars', {})], []);
  assert.deepEqual(namesIn(fars, 'IR-07', 'fr', 'fa'), ['Fars', 'Fars']);
});
