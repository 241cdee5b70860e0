import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fold } from '../../src/text/fold.ts';

/** Writings of one name that must be the same. */
const same = [
  ['München', 'MÜNCHEN', 'munchen', 'Mu\u0308nchen', 'ＭＵＮＣＨＥＮ'],
  ['Gießen', 'GIESSEN', 'giessen'],
  ['İstanbul', 'istanbul', 'Istanbul', 'ISTANBUL'],
  ['Diyarbakır', 'Diyarbakir'],
  ['Łódź', 'lodz', 'LODZ'],
  ['København', 'kobenhavn'],
  ['São Paulo', 'sao-paulo', ' Sao  Paulo '],
  ["L'Aquila", 'L’Aquila', 'LAquila', 'Lʼaquila'],
  ['Saint-Étienne', 'saint etienne', 'Saint Etienne'],
  ['Washington, D.C.', 'washington dc', 'Washington D.C.'],
  ['Αθήνας', 'ΑΘΗΝΑΣ', 'αθηνας'],
  ['Орёл', 'орел', 'ОРЕЛ'],
  ['القاهرة', 'القاهره', 'الـقـاهرة'],
  ['کرج', 'كرج'],
  ['الأحساء', 'الاحساء'],
  ['Hà Nội', 'ha noi', 'HA NOI'],
  ['Reykjavík', 'reykjavik'],
  ['ｶﾞ', 'ガ'],
  ['Český Krumlov', 'cesky krumlov'],
  ['慶陽', '庆阳'],
  ['箇旧市', '个旧市', '個舊市'],
  ['広島', '廣島', '广岛'],
];

for (const [name, ...others] of same) {
  test(`${name} is written in ${others.length + 1} ways and folded to one`, () => {
    for (const other of others) assert.equal(fold(other), fold(name), other);
  });
}

test('letters that distinguish names are kept', () => {
  assert.notEqual(fold('か'), fold('が'));
  assert.notEqual(fold('दिल्ली'), fold('दलल'));
  assert.notEqual(fold('東京'), fold('京都'));
  assert.notEqual(fold('กรุงเทพ'), fold('กรงเทพ'));
});

test('folding again changes nothing, and the result holds only words and single blanks', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const folded = fold(text);
      assert.equal(fold(folded), folded);
      assert.ok(!/^ | {2}| $/.test(folded), JSON.stringify(folded));
    }),
    { numRuns: 1000 },
  );
});

test('any text can be folded, lone surrogates included', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      assert.ok(fold(text).isWellFormed());
    }),
  );
  assert.equal(fold('\ud800'), '');
  assert.equal(fold('\u0000...'), '');
});
