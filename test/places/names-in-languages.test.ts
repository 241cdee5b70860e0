/** Names of cities by language: the table, what takes precedence over what, and which tags find a name. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { readCityNames, scriptLanguages } from '../../src/build/layers/world/languages.ts';
import { endpoints } from '../../src/endpoints/index.ts';
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

test('Hebrew letters with Yiddish vowels are Yiddish, but Hebrew where Semitic languages are spoken', () => {
  const languageOf = scriptLanguages();
  assert.equal(languageOf('בערלין', 'DE'), 'yi');
  assert.equal(languageOf('ברלין', 'DE'), 'he');
  assert.equal(languageOf('עכו', 'IL'), 'he');
  assert.equal(languageOf('עמאן', 'JO'), 'he');
});

test('the table has the names of thousands of cities in dozens of languages, in letters of theirs', () => {
  const all = readCityNames();
  assert.ok(all.size > 6000);
  const languages = new Set([...all.values()].flatMap((names) => names.map(([language]) => language)));
  assert.ok(languages.size > 60);
  for (const [id, names] of all) {
    assert.ok(id > 0);
    for (const [, name] of names) assert.ok(name !== '' && !/[|\t]/.test(name), `${id} ${name}`);
  }
  const jerusalem = new Map(all.get(281184));
  assert.equal(jerusalem.get('he'), 'ירושלים');
  // Debian's translation has Salem (ساليم).
  assert.equal(jerusalem.get('ar'), 'القدس');
});
