/** Names of cities by language: the table, what takes precedence over what, and which tags find a name. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { endpoints } from '../../src/endpoints/index.ts';
import { traditionalChinese } from '../../src/text/fold.ts';
import { ask } from '../support/ask.ts';
import { smallWorld } from '../support/small-world.ts';

const { autocomplete, place, search } = endpoints;

const munich = 2867714;
const taipei = 1668341;
const { store, close } = await smallWorld([
  {
    id: munich,
    name: 'Munich',
    otherNames: 'Minga,Monachium,מינכן,מינכען,Мюнхен',
    lat: 48.14,
    lng: 11.58,
    country: 'DE',
    population: 1_500_000,
    timezone: 'Europe/Berlin',
  },
  {
    id: taipei,
    name: 'Taipei',
    otherNames: '台北',
    lat: 25.05,
    lng: 121.53,
    country: 'TW',
    population: 7_800_000,
    timezone: 'Asia/Taipei',
  },
]);
after(close);
const nameIn = (q: string, lang: string) => (ask(search, store, { q, lang }).results as { name: string }[])[0].name;

test('a city has its name in the language asked for, and its main name where no source knows one', () => {
  for (const [lang, name] of [
    ['de', 'München'],
    ['de-AT', 'München'],
    ['it', 'Monaco di Baviera'],
    ['pl', 'Monachium'],
    ['ru', 'Мюнхен'],
    ['he', 'מינכן'],
    ['ja', 'ミュンヘン'],
    ['nb', 'München'],
    ['iw', 'מינכן'],
    ['ji', 'מינכען'],
    ['sr', 'Минхен'],
    ['sr-Latn', 'Minhen'],
    ['sr-ME', 'Minhen'],
    ['sh', 'Minhen'],
    ['vo', 'Munich'],
  ])
    assert.equal(nameIn('Munich', lang), name, lang);
  const [{ label }] = ask(autocomplete, store, { q: 'monaco di b', lang: 'it' }).results as { label: string }[];
  assert.match(label, /^Monaco di Baviera/);
});

test('Chinese is traditional or simplified as the tag says, else whichever is known', () => {
  assert.equal(nameIn('Taipei', 'zh-TW'), '臺北');
  assert.equal(nameIn('Taipei', 'zh'), '台北');
  assert.equal(nameIn('Munich', 'zh-Hant'), nameIn('Munich', 'zh'));
  const ofTraditional = ['重慶', '里昂', '聖地牙哥', '沖繩', '皇后鎮'];
  const simplified = ['重庆', '里昂', '圣地牙哥', '冲绳', '皇后鎮'];
  assert.deepEqual(simplified.map(traditionalChinese), ofTraditional);
});

test('names in a language find the city; /place lists them, and names without a language beside them', () => {
  assert.equal((ask(search, store, { q: 'Мюнхен' }).results as { id: number }[])[0].id, munich);
  const { names, other_names } = ask(place, store, { id: munich }) as unknown as {
    names: Record<string, string>;
    other_names: string[];
  };
  assert.equal(names.de, 'München');
  assert.equal(names.yi, 'מינכען');
  assert.ok(other_names.includes('Minga'));
  assert.ok(!other_names.some((name) => Object.values(names).includes(name)));
});

test('Hebrew letters with Yiddish vowels are Yiddish, but Hebrew where Semitic languages are spoken', async (t) => {
  const town = { lat: 50, lng: 10, population: 9, timezone: '' };
  const written = [
    ['בערלין', 'DE', 'yi'],
    ['ברלין', 'DE', 'he'],
    ['עכו', 'IL', 'he'],
    ['עמאן', 'JO', 'he'],
  ] as const;
  const world = await smallWorld(
    written.map(([otherNames, country], at) => ({ ...town, id: at + 1, name: `Town ${at}`, otherNames, country })),
  );
  t.after(world.close);
  for (const [at, [name, , language]] of written.entries())
    assert.deepEqual(ask(place, world.store, { id: at + 1 }).names, { [language]: name }, name);
});

test('the table has the names of thousands of cities in dozens of languages, in letters of theirs', async (t) => {
  const tables = ['cities', 'written-cities'].map((name) =>
    join(import.meta.dirname, `../../sources/names/${name}.tsv`),
  );
  const lines = tables.flatMap((path) => readFileSync(path, 'utf8').split('\n').filter(Boolean));
  const all = lines.map((line) => line.split('\t'));
  assert.ok(new Set(all.map(([id]) => id)).size > 6000);
  const named = all.flatMap(([, names]) => names.split('|'));
  assert.ok(new Set(named.map((name) => name.split(':')[0])).size > 60);
  for (const [id, names, ...others] of all) {
    assert.ok(Number(id) > 0 && others.length === 0, id);
    for (const name of names.split('|')) assert.match(name, /^[a-z-]+:[^:|\t]/, id);
  }
  const jerusalem = {
    id: 281184,
    name: 'Jerusalem',
    lat: 31.8,
    lng: 35.2,
    country: 'IL',
    population: 900_000,
    timezone: '',
  };
  const world = await smallWorld([jerusalem]);
  t.after(world.close);
  const { names } = ask(place, world.store, { id: jerusalem.id }) as unknown as { names: Record<string, string> };
  assert.equal(names.he, 'ירושלים');
  // Debian's translation has Salem (ساليم).
  assert.equal(names.ar, 'القدس');
});
