/** The one tokeniser: what a text's words are, and where they stand in it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fold } from '../../src/text/fold.ts';
import { analyse } from '../../src/text/query-text.ts';

const spans = (text: string) => analyse(text).map(({ text: word, start, end }) => [word, text.slice(start, end)]);

test('each word is folded and knows where it stood', () => {
  assert.deepEqual(spans('  Städtle 15, FL-9490 Vaduz'), [
    ['stadtle', 'Städtle'],
    ['15', '15'],
    ['fl', 'FL'],
    ['9490', '9490'],
    ['vaduz', 'Vaduz'],
  ]);
  assert.deepEqual(spans("L'Aquila St.Ives"), [
    ['laquila', "L'Aquila"],
    ['st', 'St'],
    ['ives', 'Ives'],
  ]);
  assert.deepEqual(spans('Washington D.C.'), [
    ['washington', 'Washington'],
    ['dc', 'D.C'],
  ]);
  assert.deepEqual(analyse(' ,; '), []);
});

test('one character may be several words of one place', () => {
  assert.deepEqual(spans('№5 ½'), [
    ['no5', '№5'],
    ['1', '½'],
    ['2', '½'],
  ]);
});

test('commas, brackets and lines end a part, also where nothing can be matched before them', () => {
  const breaks = (text: string) => analyse(text).map(({ isBreakAfter }) => isBreakAfter);
  assert.deepEqual(breaks('Paris, Texas'), [true, false]);
  assert.deepEqual(breaks('Springfield (Illinois)'), [true, false]);
  assert.deepEqual(breaks('北京，中国'), [true, false]);
  assert.deepEqual(breaks('a\nb c'), [true, false, false]);
  assert.deepEqual(breaks(', Paris - , Texas,'), [true, false]);
});

test('the words are those of the folded text, whatever it holds', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."aBzßÄéİø19 -,'’№½/+жЙєالعك東京한กำ") }), (text) => {
      const found = analyse(text);
      assert.equal(found.map((token) => token.text).join(' '), fold(text));
      for (const { start, end } of found) assert.ok(start < end && end <= text.length);
    }),
    { numRuns: 1000 },
  );
});
