import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hepburn } from '../../src/text/scripts.ts';

test('syllables in Hepburn’s spelling: small vowels, doubled consonants', () => {
  const readings = ['きょうと', 'しゃくじい', 'ちゅうおう', 'じょうえつ', 'さっぽろ', 'はっちょう', 'ぎふ', 'きよせ'];
  const latin = ['kyouto', 'shakujii', 'chuuou', 'jouetsu', 'sapporo', 'hatchou', 'gifu', 'kiyose'];
  assert.deepEqual(readings.map(hepburn), latin);
});
