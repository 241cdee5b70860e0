/** What kinds of typing mistakes are distinguished, and what each costs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editMatch, minEditCost, prefixMatch } from '../../src/geocoding/score.ts';
import { editDistance, editKind, isAtMostOneEdit } from '../../src/text/edit-kind.ts';

const rows: readonly (readonly [typed: string, name: string, kind: string, isFirst?: boolean])[] = [
  ['Chcago', 'Chicago', 'missing'],
  ['chicagoo', 'chicago', 'doubled'],
  ['philipines', 'philippines', 'doubled'],
  ['mumbay', 'mumbai', 'vowel'],
  ['berlim', 'berlin', 'nearKey'],
  ['mafrid', 'madrid', 'nearKey'],
  ['parix', 'paris', 'nearKey'],
  ['berlix', 'berlin', 'other'],
  ['bertlin', 'berlin', 'extra'],
  ['belrin', 'berlin', 'swapped'],
  ['nerlin', 'berlin', 'nearKey', true],
  ['erlin', 'berlin', 'missing', true],
  ['quppertal', 'wuppertal', 'nearKey', true],
  ['warhus', 'aarhus', 'nearKey', true],
  ['derlin', 'perlin', 'other', true],
  ['berlinn', 'berlin', 'doubled'],
  ['abaden', 'baden', 'extra', true],
  ['abbe', 'abe', 'doubled'],
];

for (const [typed, name, kind, isFirst = false] of rows) {
  test(`${typed} for ${name}: ${kind}`, () => assert.deepEqual(editKind(typed, name), { kind, isFirst }));
}

test('the distance is the number of letters to insert, delete or replace, whatever their case', () => {
  for (const [one, other, distance] of [
    ['', '', 0],
    ['', 'abc', 3],
    ['abc', '', 3],
    ['Berlin', 'berlin', 0],
    ['kitten', 'sitting', 3],
    ['flaw', 'lawn', 2],
    ['intention', 'execution', 5],
    ['search', 'serach', 2],
    ['ab', 'ba', 2],
  ] as const) {
    assert.equal(editDistance(one, other), distance, `${one} ${other}`);
    assert.equal(editDistance(one, other, distance), distance, `${one} ${other}, up to it`);
    if (distance > 1) assert.ok(editDistance(one, other, distance - 1) > distance - 1, `${one} ${other}, above it`);
  }
});

test('an edit is a letter wrong, missing, extra or swapped', () => {
  const near = ['berlin', 'berlon', 'berln', 'berlinn', 'belrin', 'erlin', 'xerlin', 'berli'];
  assert.deepEqual(
    near.filter((typed) => !isAtMostOneEdit(typed, 'berlin')),
    [],
  );
  const far = ['berl', 'belrni', 'brelni', 'erlinn', 'xberlinx', '', 'bernil', 'bxrlxn', 'berxlixn', 'bre'];
  assert.deepEqual(
    far.filter((typed) => isAtMostOneEdit(typed, 'berlin')),
    [],
  );
  assert.deepEqual(
    [
      ['ab', 'ba'],
      ['a', 'b'],
      ['', 'a'],
      ['a', ''],
      ['', ''],
      ['a', 'bc'],
    ].map(([one, other]) => isAtMostOneEdit(one, other)),
    [true, true, true, true, true, false],
  );
});

test('likelier mistakes cost less, a first letter and a second edit more', () => {
  const points = (typed: string, name = 'berlin') => editMatch(typed, name, 1);
  assert.ok(points('belrin') > points('berlon'));
  assert.ok(points('berlin', 'berrlin') > points('berlix'));
  assert.ok(points('berlim') > points('berlix'));
  assert.ok(points('nerlin') < points('berlim'));
  assert.ok(editMatch('bxrlix', 'berlin', 2) < points('berlix'));
  for (const [typed, name] of rows) assert.ok(points(typed, name) <= -minEditCost && points(typed, name) < 0, typed);
});

test('a missing last letter is an edit, missing last words hardly cost anything', () => {
  assert.equal(prefixMatch(6, 6, false), 0);
  assert.equal(prefixMatch(5, 6, false), editMatch('berli', 'berlin', 1));
  assert.ok(prefixMatch(3, 6, false) < prefixMatch(4, 6, false));
  assert.ok(prefixMatch(3, 12, true) > prefixMatch(3, 12, false));
});
