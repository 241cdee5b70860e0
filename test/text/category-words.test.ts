import assert from 'node:assert/strict';
import { test } from 'node:test';
import dictionary from '../../src/text/dictionaries/category-words.json' with { type: 'json' };
import { fitsName, wantedAt } from '../../src/text/word-lists.ts';
import { poiCategories } from '../support/poi-categories.ts';

/** Category, name and place of the first reading. */
const first = (text: string) => {
  const [reading] = wantedAt(text);
  return reading && [reading.wanted?.category, reading.name, reading.place, reading.isJoined];
};

test('a category, and the place that words of many languages join it to', () => {
  for (const [text, category, place] of [
    ['restaurant in Vaduz', 'restaurant', 'Vaduz'],
    ['Museums near the Louvre', 'tourism', 'Louvre'],
    ['farmacia cerca de Montevideo', 'shop', 'Montevideo'],
    ['Restaurants in der Nähe von Krems', 'restaurant', 'Krems'],
    ['boulangerie près de Lyon', 'shop', 'Lyon'],
    ['аптека в Астана', 'shop', 'Астана'],
    ['gas station near -34.9,-56.16', 'fuel', '-34.9,-56.16'],
    ['restaurant near me', 'restaurant', ''],
  ])
    assert.deepEqual(first(text)?.toSpliced(1, 1), [category, place, true], text);
});

test('a place before or after it without a joining word, and a brand only with one', () => {
  assert.deepEqual(first('Vaduz Hotels'), ['hotel', 'hotels', 'Vaduz', false]);
  assert.deepEqual(first('hotels Vaduz'), ['hotel', 'hotels', 'Vaduz', false]);
  assert.deepEqual(first('Starbucks in Lyon'), [undefined, 'starbucks', 'Lyon', true]);
  assert.deepEqual(first('The Four Word Brand in Lyon'), [undefined, 'the four word brand', 'Lyon', true]);
  assert.equal(first('A Text of Five Words in Lyon'), undefined);
  assert.equal(first('Starbucks Lyon'), undefined);
  assert.equal(first('5 Rue in Lyon'), undefined);
  assert.equal(first('Rio de Janeiro'), undefined);
});

test('every category has words, and every entry is one of the categories', () => {
  const named = new Set(dictionary.categories.flatMap(({ category }) => category ?? []));
  assert.deepEqual(
    poiCategories.filter((category) => !named.has(category)),
    [],
  );
  assert.deepEqual(
    [...named].filter((name) => !(poiCategories as readonly string[]).includes(name)),
    [],
  );
});

test('a kind is told by the beginnings of the words of a name', () => {
  const [{ wanted }] = wantedAt('pharmacy in Vaduz');
  assert.ok(fitsName('Schloss-Apotheke', wanted!) && fitsName('Farmashop 3', wanted!));
  assert.ok(!fitsName('Rose & Co', wanted!));
  const [station] = wantedAt('gare de Niort');
  assert.ok(fitsName('Niort', station.wanted!) && !fitsName('Niort-Souché Airport', station.wanted!));
});
