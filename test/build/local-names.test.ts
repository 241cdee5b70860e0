/** Names of municipalities of Japan and China in Chinese characters, by the tables of this project. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { type DefaultPlace, defaultPlaces } from '../support/default-places.ts';

const place = (name: string, country: string, admin1: string, more: Partial<DefaultPlace> = {}) => ({
  ...{ id: 0, name, country, admin1, lat: 35, lng: 139 },
  ...more,
});

/** What each of places is called beside its main name, in the order in which the names are shown. */
async function named(t: TestContext, ...places: DefaultPlace[]) {
  const rows = places.map((row, at) => ({ ...row, id: at + 1, lat: 35 + at }));
  return (await defaultPlaces(t, { places: rows })).map(({ allNames }) => allNames);
}

test('a place has the names of the municipality that the table has for its region and Latin name', async (t) => {
  const places = [place('Shibuya', 'JP', '40'), place('Shibuya', 'JP', '28'), place('Chūō', 'JP', '40')];
  assert.deepEqual(await named(t, ...places), [['渋谷区', '渋谷'], [], ['中央区']]);
});

test('in China the region is the prefecture, where there is any; a county’s seat has the short name first', async (t) => {
  const zhuozhou = ['1306', '1301'].map((admin2) => place('Zhuozhou', 'CN', '10', { admin2 }));
  const others = [place('Fuping', 'CN', '10', { admin2: '1306' }), place('Huangpu', 'CN', '23')];
  assert.deepEqual(await named(t, ...zhuozhou, ...others), [
    ['涿州市', '涿州'],
    [],
    ['阜平', '阜平县'],
    ['黄浦区', '黄浦'],
  ]);
});

const table = (file: string) => readFileSync(`sources/names/${file}.tsv`, 'utf8').trimEnd().split('\n');

test('each row of municipalities is a region with a Latin name, once, and one or two names of its country’s letters', () => {
  const rows = table('municipalities');
  const names =
    /^(JP\.\d\d|CN\.\d\d(\.\d{4})?) [\p{Script=Latin}’' -]+\t([\p{Script=Han}ぁ-ヿ]+)(,[\p{Script=Han}ぁ-ヿ]+)?$/u;
  for (const row of rows) assert.match(row, names);
  assert.equal(new Set(rows.map((row) => row.split('\t')[0])).size, rows.length);
});

test('each row of subregions is a region with names in its country’s letters for codes of what lies in it, each once', () => {
  for (const row of table('subregions')) {
    assert.match(row, /^(JP|CN)\.\d\d\t(\d+=[\p{Script=Han}ぁ-ヿ]+( |$))+$/u);
    const codes = [...row.matchAll(/(\d+)=/g)].map(([, code]) => code);
    assert.equal(new Set(codes).size, codes.length, row);
  }
});
