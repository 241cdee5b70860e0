/** Words of names and queries: spellings, kinds, limits. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spelledNumbers } from '../../src/text/query-text.ts';
import { cuisinesOf } from '../../src/text/word-lists.ts';
import {
  areSameWords,
  codeKey,
  isAbbreviation,
  isDirection,
  isDistinctive,
  isStreetType,
  nameWords,
  placeWordSpellings,
  plainWords,
  postcodeWords,
  queryWords,
  searchTerms,
  streetKey,
  wholeName,
  wholeNames,
  withLettersSpelledOut,
} from '../../src/text/words.ts';

test('names are the same if they have as many words, each in some spelling', () => {
  const areSame = (one: string, other: string) => areSameWords(nameWords(one), nameWords(other));
  assert.ok(areSame('Main St', 'main street'));
  for (const [one, other] of [
    ['Main Street', 'Mill Street'],
    ['Main', 'Main Street'],
    ['Main Street', 'Main'],
  ])
    assert.ok(!areSame(one, other), `${one}, ${other}`);
});

test('a word of a place has its other spellings, never itself; a letter is short for words but no word for it', () => {
  assert.deepEqual(placeWordSpellings('saint'), ['st', 'sankt', 'sint']);
  assert.deepEqual(placeWordSpellings('st'), ['saint', 'sankt', 'sint']);
  assert.deepEqual(placeWordSpellings('mount'), ['mt']);
  assert.deepEqual(placeWordSpellings('n'), ['north']);
  assert.deepEqual(placeWordSpellings('north'), []);
  assert.deepEqual(placeWordSpellings('paris'), []);
});

test('types of streets and directions are recognised next to names, short forms as well as full ones', () => {
  for (const word of ['street', 'st', 'ulitsa', 'weg', 'vulitsa']) assert.ok(isStreetType(word), word);
  for (const word of ['fort', 'park', 'ronda', 'saint', 'general', 'north']) assert.ok(!isStreetType(word), word);
  assert.ok(isDirection('north', false));
  assert.ok(isDirection('east', false));
  assert.ok(isDirection('nw', true));
  assert.ok(!isDirection('nw', false));
  assert.ok(!isDirection('est', false));
  assert.ok(isAbbreviation('ave'));
  assert.ok(!isAbbreviation('avenue'));
  assert.ok(!isAbbreviation('paris'));
});

test('what distinguishes streets: names and single letters, not street types', () => {
  assert.ok(isDistinctive(['maple']));
  assert.ok(isDistinctive(['t']));
  assert.ok(!isDistinctive(['street']));
  assert.ok(!isDistinctive(['ave']));
  assert.ok(!isDistinctive(['zobel', 'street']));
});

test('a text of 32 words and 400 letters is an address, a longer one is none', () => {
  const words = (count: number) => Array.from({ length: count }, (_, at) => `zq${at}`).join(' ');
  assert.equal(queryWords(words(32)).length, 32);
  assert.deepEqual(queryWords(words(33)), []);
  assert.equal(queryWords('z'.repeat(400)).length, 1);
  assert.deepEqual(queryWords('z'.repeat(401)), []);
  assert.equal(queryWords(`${'z'.repeat(200)} ${'q'.repeat(200)}`).length, 2);
});

test('a word of another script keeps its digits', () => {
  assert.deepEqual(queryWords('улица5'), [['ulitsa5']]);
});

test('compounds are found in one piece as well', () => {
  assert.ok(searchTerms('Bahnhofstraße').includes('bahnhofstrasse'));
  assert.ok(searchTerms('Bahnhofstraße').includes('bahnhof'));
});

test('names of one street have one key, also where a word has one short form', () => {
  assert.equal(streetKey('Main Rd'), streetKey('Main Road'));
  assert.equal(streetKey('Main Road'), 'main road');
  assert.equal(streetKey('Bahnhofstraße'), streetKey('Bahnhof Straße'));
  assert.notEqual(streetKey('Avenue S'), streetKey('Avenue South'));
  assert.equal(streetKey('霞ヶ関'), streetKey('霞が関'));
  assert.equal(streetKey('虎ノ門'), streetKey('虎の門'));
});

test('a compound has a stem of three letters at least', () => {
  assert.deepEqual(queryWords('Seeweg').flat(), ['see', 'weg']);
  assert.deepEqual(queryWords('Auweg').flat(), ['auweg']);
});

test('optional words are left out unless nothing else is there', () => {
  assert.deepEqual(plainWords('Rue de la Paix'), ['rue', 'de', 'la', 'paix']);
  assert.deepEqual(
    nameWords('Rue de la Paix').map(([first]) => first),
    ['rue', 'paix'],
  );
  assert.equal(nameWords('De La').length, 2);
  assert.equal(nameWords('De').length, 1);
  assert.deepEqual(queryWords('de Paix').flat(), ['paix']);
});

test('a whole name is found in every interpretation of its words', () => {
  assert.equal(wholeName(nameWords('Mc Carroll Street')), 'mccarrollstreet');
  assert.ok(wholeNames(queryWords('McCarroll St')).includes('mccarrollstreet'));
  assert.ok(wholeNames(queryWords('st st st st st')).length <= 32);
});

test('postal codes are typed in parts or whole', () => {
  assert.deepEqual(postcodeWords('SW1A 2AA'), ['sw1a', '2aa', 'sw', '1', 'a', '2', 'aa', 'sw1a2aa']);
  assert.deepEqual(postcodeWords('-'), []);
  assert.equal(codeKey('100-0013'), '1000013');
});

test('letters that are also written with two', () => {
  assert.equal(withLettersSpelledOut('Größe Å'), 'groeße aa');
  assert.equal(withLettersSpelledOut('Main'), undefined);
  assert.deepEqual(cuisinesOf('pizza; Fish & Chips,,7 Seas'), ['pizza', 'fishchips', '7seas']);
});

test('numbers in words stand at the start or the end of a text, the longest first', () => {
  const values = (text: string) => spelledNumbers(text).map(({ value }) => value);
  assert.deepEqual(values('Ten Downing Street'), [10]);
  assert.deepEqual(values('Twenty-One Main Street'), [21]);
  assert.deepEqual(values('one hundred and twenty one Main Street'), [121]);
  assert.deepEqual(values('Hauptstraße fünfundzwanzig'), [25]);
  assert.deepEqual(values('Calle Mayor treinta y tres'), [33]);
  assert.deepEqual(values('quatre-vingt-dix rue Monge'), [90]);
  assert.deepEqual(values('deux cent quatre-vingt-dix-sept rue Monge'), [297]);
  assert.deepEqual(values('улица Мира двадцать один'), [21]);
  assert.deepEqual(values('Main Street'), []);
  assert.deepEqual(values('Ten'), [], 'nothing else is left');
  const [{ from, to }] = spelledNumbers('Calle Mayor veintiuno');
  assert.deepEqual([from, to], [12, 21]);
});
