import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readAdminDump } from '../../src/sources/geonames.ts';
import { openLayers } from '../support/build-layer.ts';
import { sharedData } from '../support/dataset.ts';
import { writeSmallWorld } from '../support/small-world.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { smallWorld } from './small-world.ts';

test('regions are listed by folded name, second level optionally of one region', async (t) => {
  const { regions } = (await smallWorld(t)).store;
  const names = (list: { name: string }[]) => list.map(({ name }) => name);
  assert.deepEqual(names(regions.list('DE', 1)), ['Atlantis', 'Bavaria', 'Hesse', 'State of Berlin']);
  assert.deepEqual(names(regions.list('DE', 2)), ['Ämter', 'Darmstadt', 'Swabia', 'Upper Bavaria']);
  assert.deepEqual(names(regions.list('DE', 2, regions.find('DE', '02'))), ['Swabia', 'Upper Bavaria']);
  assert.deepEqual(regions.list('AG', 1), []);
  assert.deepEqual(regions.list('ZZ', 2), []);
});

test('a region is found by the codes of its source and by ISO code', async (t) => {
  const { regions } = (await smallWorld(t)).store;
  const bavaria = regions.find('DE', '02');
  assert.deepEqual(regions.get(bavaria), {
    index: bavaria,
    level: 1,
    country: 'DE',
    name: 'Bavaria',
    isoCode: 'DE-BY',
    sourceCode: '02',
    parent: -1,
  });
  assert.equal(regions.byIsoCode('DE-BY'), bavaria);
  const upper = regions.get(regions.find('DE', '02', '091'));
  assert.deepEqual([upper.name, upper.level, upper.parent, upper.isoCode], ['Upper Bavaria', 2, bavaria, null]);
  assert.equal(regions.get(regions.find('DE', '05', '091')).name, 'Ämter', 'level 2 codes repeat between regions');
  for (const missing of [
    regions.find('DE', '2'),
    regions.find('DE', '02', '1'),
    regions.find('XX', '02'),
    regions.byIsoCode('de-by'),
  ]) {
    assert.equal(missing, -1);
  }
  assert.throws(() => regions.get(regions.size), RangeError);
  assert.throws(() => regions.get(-1), RangeError);
});

test('rows of withdrawn countries and second-level rows without their region are dropped and counted', async (t) => {
  const { dropped, records } = (await smallWorld(t)).report;
  assert.deepEqual(dropped, { 'withdrawn country': 2, 'level 2 without its level 1': 1 });
  const { regions, regionsWithIsoCode, subregions, subregionsWithLocalName } = records;
  assert.deepEqual([regions, regionsWithIsoCode, subregions, subregionsWithLocalName], [5, 3, 4, 2]);
});

test('a text means a region by any of its names and codes, whatever case and diacritics', async (t) => {
  const { regions } = (await smallWorld(t)).store;
  const bavaria = regions.find('DE', '02');
  for (const text of ['Bavaria', 'BAYERN', 'бавария', 'バイエルン州', 'by', 'DE-BY', 'de by', 'Freistaat  Bayern']) {
    assert.deepEqual(regions.matching('DE', text), [bavaria], text);
  }
  assert.deepEqual(regions.matching('DE', '02'), [bavaria], 'the source code, as long as no region has ISO code DE-02');
  for (const text of ['', 'Brandenburg', 'BA1', 'bavari', 'US-BY'])
    assert.deepEqual(regions.matching('DE', text), [], text);
  assert.deepEqual(regions.matching('FR', 'Bavaria'), []);
});

test('names of another region that a source assigns to a code are not adopted', async (t) => {
  const { regions } = (await smallWorld(t)).store;
  const berlin = regions.byIsoCode('DE-BE');
  assert.deepEqual(regions.matching('DE', 'ブランデンブルク州'), []);
  assert.equal(regions.nameIn(berlin, 'ja'), 'ベルリン');
});

test('names are given in a language, the local name where that is unknown', async (t) => {
  const { regions } = (await smallWorld(t)).store;
  const bavaria = regions.byIsoCode('DE-BY');
  assert.equal(regions.nameIn(bavaria, 'de'), 'Bayern');
  assert.equal(regions.nameIn(bavaria, 'de-AT'), 'Bayern');
  assert.equal(regions.nameIn(regions.byIsoCode('DE-BE'), 'en'), 'State of Berlin', 'English is the main name');
  assert.equal(regions.nameIn(bavaria, 'JA'), 'バイエルン自由州');
  assert.equal(regions.nameIn(bavaria, 'zh-TW'), '巴伐利亞');
  assert.equal(regions.nameIn(bavaria, 'zh-CN'), '巴伐利亚');
  assert.equal(regions.nameIn(bavaria, 'tlh'), 'Bayern');
  assert.equal(regions.nameIn(regions.find('DE', '02', '091'), 'de'), 'Oberbayern');
});

test('user dump files replace the package', async (t) => {
  const { store } = await smallWorld(t, {
    'geonames-admin1': 'DE.02\tBavaria\tBavaria\t11\r\nDE.05\tHesse\tHesse\t13\r\n',
    'geonames-admin2': 'DE.05.064\tRegierungsbezirk Darmstadt\tDarmstadt\t21\n',
  });
  assert.equal(store.regions.size, 3);
  assert.equal(
    store.regions.get(store.regions.find('DE', '05')).isoCode,
    'DE-HE',
    'by name, the crosswalk code is withdrawn',
  );
});

test('a file that is not an administrative dump is refused with line and remedy', async (t) => {
  await assert.rejects(
    smallWorld(t, { 'geonames-admin1': 'DE.02\tBavaria\tBavaria\t11\nBavaria;02\n' }),
    /line 2: .* expected code, name/,
  );
});

test('the official dump files are read whole', (t) => {
  const level1 = sharedData('geonames/admin1CodesASCII-2026-05.txt');
  const level2 = sharedData('geonames/admin2Codes-2026-05.txt');
  if (!level1 || !level2) return t.skip('needs ../shared/data/geonames');
  const rows = readAdminDump(readFileSync(level1, 'utf8'), level1);
  assert.equal(rows.length, 3862);
  assert.deepEqual(rows[0], {
    country: 'AD',
    admin1: '06',
    admin2: '',
    name: 'Sant Julià de Loria',
    geonameId: 3039162,
  });
  assert.equal(readAdminDump(readFileSync(level2, 'utf8'), level2).length, 47547);
});

test('cities and counties of Taiwan are its first level, although GeoNames has them in provinces', async (t) => {
  const directory = temporaryDirectory(t);
  const taipei = { id: 1, name: 'Taipei', lat: 25, lng: 121.5, country: 'TW', population: 9, timezone: 'Asia/Taipei' };
  const regions = [
    { country: 'TW', code: '04', name: 'Taiwan' },
    { country: 'TW', parent: '04', code: 'TPE', name: 'Taipei City' },
  ];
  await writeSmallWorld(directory, [{ ...taipei, admin1: '04', admin2: 'TPE' }], [], { regions });
  const store = openLayers(directory, ['world']);
  t.after(() => store.close());
  assert.deepEqual(
    store.regions.list('TW', 1).map(({ name, sourceCode }) => [name, sourceCode]),
    [['Taipei City', 'TPE']],
  );
  const { admin1, admin2 } = store.places.get(0);
  assert.deepEqual([admin1, admin2], [store.regions.find('TW', 'TPE'), -1]);
});

test('regions of level 2 have names in languages, by which they are found', async (t) => {
  const directory = temporaryDirectory(t);
  const tokyo = { id: 1, name: 'Tokyo', lat: 35.7, lng: 139.7, country: 'JP', population: 9, timezone: 'Asia/Tokyo' };
  const crosswalk = { name: 'Tokyo', names: { en: 'Tokyo', ja: '東京都' }, iso: '13', admin: '40' };
  await writeSmallWorld(directory, [tokyo], [], {
    regions: [
      { country: 'JP', code: '40', name: 'Tokyo', isoCode: 'JP-13' },
      { country: 'JP', parent: '40', code: '1852582', name: 'Shibuya-ku' },
      { country: 'JP', parent: '40', code: '2', name: 'Minato-ku' },
    ],
    packages: {
      'iso3166-2-db/data/iso3166-2.json': { JP: { regions: [crosswalk] } },
    },
  });
  const { regions } = openLayers(directory, ['world']);
  const [minato, shibuya] = [regions.find('JP', '40', '2'), regions.find('JP', '40', '1852582')];
  assert.deepEqual(
    [regions.find('JP', '40'), shibuya, minato].map((index) => regions.nameIn(index, 'ja')),
    ['東京都', '渋谷区', 'Minato-ku'],
  );
  assert.deepEqual([...regions.foldedNames(shibuya)], ['shibuya ku', '渋谷区']);
});
