/** What kinds of typing mistakes are distinguished, and what each costs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editMatch, minEditCost, prefixMatch } from '../../src/geocoding/score.ts';
import { editKind } from '../../src/text/edit-kind.ts';

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
