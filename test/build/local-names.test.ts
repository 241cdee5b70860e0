/** Names of municipalities in their own letters, joined with Latin names by how they sound. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Admin1ByName, withLocalNames } from '../../src/build/layers/world/municipalities.ts';
import { subregionNames } from '../../src/build/layers/world/region-names.ts';
import type { GeonamesPlace } from '../../src/sources/geonames.ts';
import { readChinaAreas } from '../../src/sources/place-lists.ts';
import type { Region } from '../../src/store/store.ts';

const row = (code: string, name: string, ruby: string) => ({ code, name, ruby });
const japan = JSON.stringify([
  {
    ...row('130001', '東京都', 'とうきょうと'),
    municipalities: [
      row('131130', '渋谷区', 'しぶやく'),
      row('131024', '中央区', 'ちゅうおうく'),
      row('132063', '府中市', 'ふちゅうし'),
      row('133035', '瑞穂町', 'みずほまち'),
    ],
  },
  {
    ...row('290009', '奈良県', 'ならけん'),
    municipalities: [
      { ...row('292010', '奈良市', 'ならし'), wards: [row('292991', '中央区', 'ちゅうおうく')] },
      row('294250', '王寺町', 'おうじちょう'),
      row('294276', '河合町', 'かわいちょう'),
      row('294411', '吉野町', 'よしのちょう'),
      row('294446', '大淀町', 'おおよどちょう'),
      row('294501', '下市町', 'しもいちちょう'),
      row('294519', '霜市村', 'しもいちむら'),
    ],
  },
]);
const china = `const areaList = {
        130000: "\\u6CB3\\u5317\\u7701",
        130600: "保定市",
        130681: "涿州市",
        130682: "定州市",
        130624: "阜平县",
        320000: "江苏省",
        320800: "淮安市",
        320803: "淮安区",
        530000: "云南省",
        532300: "楚雄彝族自治州",
        532302: "双柏彝族自治县",
        110000: "北京市",
        110111: "房山区"
};`;
const codes: Record<string, string> = {
  ...{ 東京都: '40', 奈良県: '28' },
  ...{ 河北省: '10', 江苏省: '04', 云南省: '29', 北京市: '22' },
};
/** Names of regions of level 2 by their code. */
const subregions: Record<string, string> = { '1': 'Shibuya-ku', '2': 'Kitakatsuragi-gun', '3': 'Yoshino-gun' };
const regions = {
  matching: (_: string, name: string) => (codes[name] ? [Object.values(codes).indexOf(codes[name])] : []),
  find: (_: string, _admin1: string, admin2 = '') => (subregions[admin2] ? 100 + Number(admin2) : -1),
  get: (index: number) =>
    (index >= 100
      ? { name: subregions[`${index - 100}`] }
      : { sourceCode: Object.values(codes)[index] }) as unknown as Region,
};

let ids = 0;
const place = (name: string, admin1Code: string, more: Partial<GeonamesPlace> = {}): GeonamesPlace => ({
  ...{ id: ++ids, name, asciiName: name, alternateNames: [], lat: 35, lng: 139, featureCode: 'PPL', country: 'JP' },
  ...{ admin1Code, admin2Code: '', population: 0, timezone: '', modified: '' },
  ...more,
});
const named = (...places: GeonamesPlace[]) =>
  withLocalNames(places, regions, { japan, china }).map(({ atlasNames }) => atlasNames ?? []);
const chinese = (name: string, admin1Code: string, admin2Code: string, more: Partial<GeonamesPlace> = {}) =>
  place(name, admin1Code, { country: 'CN', admin2Code, ...more });

test('a municipality is the place of its sound in its prefecture, whatever the spelling', () => {
  assert.deepEqual(named(place('Shibuya', '40'), place('Shibuya', '28')), [['渋谷区', '渋谷'], []]);
  assert.deepEqual(named(place('Ōyodo', '28'), place('Oji', '28')), [
    ['大淀町', '大淀'],
    ['王寺町', '王寺'],
  ]);
  assert.deepEqual(named(place('Shibuya City', '40')), [['渋谷区', '渋谷']]);
});

test('a short name that other parts of the country have too is left out', () => {
  assert.deepEqual(named(place('Chūō', '40')), [['中央区']]);
});

test('a place that is called so already, and a village with another name in these letters, stay as they are', () => {
  assert.deepEqual(named(place('Fuchū', '40', { alternateNames: ['府中'] }), place('Fuchu', '40')), [[], []]);
  assert.deepEqual(named(place('Mizuho', '40', { alternateNames: ['水穂'] })), [[]]);
  const town = { alternateNames: ['水穂'], population: 30_000 };
  assert.deepEqual(named(place('Mizuho', '40', town)), [['瑞穂町', '瑞穂']]);
});

test('of several places, the one in the region of that name is meant, or else the only seat', () => {
  const inRegion = place('Shibuya', '40', { admin2Code: '1' });
  assert.deepEqual(named(place('Shibuya', '40'), inRegion)[1], ['渋谷区', '渋谷']);
  assert.deepEqual(named(place('Mizuho', '40'), place('Mizuho', '40')), [[], []]);
  assert.deepEqual(named(place('Mizuho', '40'), place('Mizuho', '40', { featureCode: 'PPLA2' }))[1].length, 2);
});

test('a village in another district, or where two municipalities sound alike, is not taken for one', () => {
  const yoshino = place('Yoshino', '28', { admin2Code: '3', alternateNames: ['吉野町'] });
  assert.deepEqual(named(yoshino, place('Kawai', '28', { admin2Code: '3' })), [[], []]);
  assert.deepEqual(named(yoshino, place('Kawai', '28', { admin2Code: '2' }))[1], ['河合町', '河合']);
  assert.deepEqual(named(place('Shimoichi', '28')), [[]]);
});

test('in China the prefecture’s number decides; a county’s seat has the short name first', () => {
  assert.deepEqual(named(chinese('Zhuozhou', '10', '1306'), chinese('Zhuozhou', '10', '1301')), [
    ['涿州市', '涿州'],
    [],
  ]);
  assert.deepEqual(named(chinese('Fuping', '10', '1306')), [['阜平', '阜平县']]);
  assert.deepEqual(named(chinese("Huai'an", '04', '3208')), [['淮安市', '淮安']]);
  assert.deepEqual(named(chinese('Fangshan', '22', '11876380')), [['房山区', '房山']]);
});

test('the city of an autonomous prefecture has its short name only', () => {
  assert.deepEqual(named(chinese('Chuxiong', '29', '5323')), [['楚雄']]);
  assert.deepEqual(named(chinese('Shuangbai', '29', '5323')), [['双柏', '双柏彝族自治县']]);
});

test('regions of level 2 have the names of the municipality of their sound, or of the prefecture of their number', () => {
  const nameOf = subregionNames(japan, china, ((_, name) => codes[name]) as Admin1ByName);
  const subregion = (country: string, admin1: string, admin2: string, name: string) =>
    nameOf({ country, admin1, admin2, name, geonameId: undefined });
  assert.deepEqual(subregion('JP', '40', '1', 'Shibuya-ku'), ['ja', '渋谷区']);
  assert.deepEqual(subregion('JP', '28', '9', 'Nara Shi'), ['ja', '奈良市']);
  assert.equal(subregion('JP', '28', '2', 'Kitakatsuragi-gun'), undefined);
  assert.equal(subregion('JP', '28', '2', 'Chūō Ku'), undefined, 'a ward of a city is no region');
  assert.deepEqual(subregion('CN', '10', '1306', 'Baoding Shi'), ['zh', '保定市']);
  assert.equal(subregion('CN', '10', '9999', 'Nowhere'), undefined);
  assert.equal(subregion('KR', '10', '1306', 'Baoding Shi'), undefined);
});

test('a script without rows is refused', () => {
  assert.throws(() => readChinaAreas('export default {}'), /expected dist\/index\.js/);
});
