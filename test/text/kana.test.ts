import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hepburn, japaneseSpellingKey } from '../../src/text/scripts.ts';

test('syllables in Hepburn’s spelling: small vowels, doubled consonants', () => {
  const readings = ['きょうと', 'しゃくじい', 'ちゅうおう', 'じょうえつ', 'さっぽろ', 'はっちょう', 'ぎふ', 'きよせ'];
  const latin = ['kyouto', 'shakujii', 'chuuou', 'jouetsu', 'sapporo', 'hatchou', 'gifu', 'kiyose'];
  assert.deepEqual(readings.map(hepburn), latin);
});

test('spellings of one name have one key, those of others have not', () => {
  for (const spellings of [
    ['ooita', 'oita', 'ouita'],
    ['namba', 'nanba'],
    ['chuo', 'chuuou'],
    ['hacchou', 'hatcho'],
    ['musashi murayama', 'musashimurayama'],
  ])
    assert.equal(new Set(spellings.map(japaneseSpellingKey)).size, 1, `${spellings}`);
  assert.notEqual(japaneseSpellingKey('kiyose'), japaneseSpellingKey('kyose'));
  assert.notEqual(japaneseSpellingKey('ota'), japaneseSpellingKey('ohta'));
});
