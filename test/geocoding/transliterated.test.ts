/** Names in Latin letters, queried in another alphabet where the data have no name in that one. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { endpoints } from '../../src/endpoints/index.ts';
import { ask } from '../support/ask.ts';
import { smallWorld } from '../support/small-world.ts';

const { autocomplete, search } = endpoints;

const town = { lat: 49.35, lng: 8.14, country: 'DE', population: 50_000, timezone: 'Europe/Berlin' };

async function worldOf(t: TestContext, ...names: (string | { name: string; otherNames: string })[]) {
  const places = names.map((name, at) => ({ ...town, id: at + 1, ...(typeof name === 'string' ? { name } : name) }));
  const { store, close } = await smallWorld(places);
  t.after(close);
  type Row = { name: string; label: string; confidence: number };
  return {
    find: (q: string, more: object = {}) => ask(search, store, { q, ...more }).results as Row[],
    suggest: (q: string) => ask(autocomplete, store, { q }).results as Row[],
  };
}

test('a name is found by the usual Latin spelling of its letters, several of them by one or one by several', async (t) => {
  const { find } = await worldOf(t, 'Gilgit', 'Cuxhaven', 'Jessentuki', 'Zhucheng', 'Evia', 'Mpournazi');
  for (const [q, name] of [
    ['Гилгит', 'Gilgit'],
    ['Куксхавен', 'Cuxhaven'],
    ['Джессентуки', 'Jessentuki'],
    ['Чжучэн', 'Zhucheng'],
    ['Εβια', 'Evia'],
    ['Μπουρνάζι', 'Mpournazi'],
  ]) {
    assert.equal(find(q)[0]?.name, name, q);
  }
  assert.ok(find('Гилгит')[0].confidence < find('Gilgit')[0].confidence);
});

test('vowels that Hebrew, Arabic and Hindi do not write may be any, and doubled letters are written once', async (t) => {
  const names = ['Kolhapur', 'Faridabad', 'Uberlandia', 'Barreiras', 'Bandar Lampung'];
  const { find } = await worldOf(t, ...names, 'Murmansk', 'Ghadames', 'Mottola');
  for (const [q, name] of [
    ['קולהאפור', 'Kolhapur'],
    ['פרידאבד', 'Faridabad'],
    ['فريد آباد', 'Faridabad'],
    ['उबेरलेंडिया', 'Uberlandia'],
    ['बंदर लामपुंग', 'Bandar Lampung'],
    ['בריירס', 'Barreiras'],
    // A rarer vowel; one behind a rarer spelling, and behind a doubled letter.
    ['מרמנסק', 'Murmansk'],
    ['גדמס', 'Ghadames'],
    ['מטלה', 'Mottola'],
  ]) {
    assert.equal(find(q)[0]?.name, name, q);
  }
});

test('Katakana and Korean syllables are spelled by their sounds, the word for city at the end left out', async (t) => {
  const { find } = await worldOf(t, 'Livingstone', 'Nizhny Tagil', 'Xiamen', 'Dunhuang');
  for (const [q, name] of [
    ['リビングストン', 'Livingstone'],
    ['니즈니타길', 'Nizhny Tagil'],
    ['샤먼시', 'Xiamen'],
    ['둔황시', 'Dunhuang'],
  ]) {
    assert.equal(find(q)[0]?.name, name, q);
  }
});

test('usual spellings come before unusual ones, and blanks may be missing', async (t) => {
  const { find } = await worldOf(t, 'Chasan', 'Kasan', 'Casan', 'Long Xuyen');
  assert.equal(find('Касан').at(-1)?.name, 'Chasan');
  assert.equal(find('Лонгсуен')[0]?.name, 'Long Xuyen');
});

test('a soft sign may be silent, and a word for the kind of place and a country may follow', async (t) => {
  const { find } = await worldOf(t, 'Suzal', 'Berg');
  for (const q of ['Сузаль', 'город Сузаль', 'Сузаль Germany']) assert.equal(find(q)[0]?.name, 'Suzal', q);
});

test('a name in the alphabet of the text comes before one in Latin letters', async (t) => {
  const { find } = await worldOf(t, 'Samarra', { name: 'Samara', otherNames: 'Самара' });
  assert.equal(find('Самара')[0].name, 'Samara');
  assert.equal(find('Самарра')[0].name, 'Samarra');
});

test('without tolerance no other alphabet is tried, and a text without a match finds nothing', async (t) => {
  const { find } = await worldOf(t, 'Gilgit');
  assert.deepEqual(find('Гилгит', { fuzzy: 'false' }), []);
  assert.deepEqual(find('Жоркф'), []);
});

test('a prefix is completed in the other alphabet, unless names in its own alphabet have it', async (t) => {
  const { suggest } = await worldOf(t, 'Gilgit', { name: 'Samara', otherNames: 'Самара' }, 'Samarra', 'Samson');
  assert.deepEqual(
    suggest('Гилг').map(({ name }) => name),
    ['Gilgit'],
  );
  assert.deepEqual(
    suggest('Сам').map(({ name }) => name),
    ['Samara'],
  );
});
