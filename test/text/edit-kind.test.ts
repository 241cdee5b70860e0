/** What kinds of typing mistakes are distinguished, and what each costs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildStreetLevel } from '../../src/build/layers/streets.ts';
import { didYouMean } from '../../src/errors.ts';
import { editMatch, minEditCost, prefixMatch } from '../../src/geocoding/score.ts';
import weights from '../../src/geocoding/weights.json' with { type: 'json' };
import { openStreetFiles } from '../../src/store/sqlite/street-level.ts';
import { buildSmallDataset } from '../support/small-store.ts';
import { sourceOf } from '../support/small-streets.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const rows: readonly (readonly [
  typed: string,
  name: string,
  kind: 'vowel' | 'nearKey' | 'swapped' | 'doubled' | 'missing' | 'extra' | 'other',
  isFirst?: boolean,
])[] = [
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

for (const [typed, name, kind, isFirst = false] of rows)
  test(`${typed} for ${name}: ${kind}`, () => {
    const cost = weights[`${kind}Edit`] + (isFirst ? weights.firstLetterEdit : 0);
    assert.equal(editMatch(typed, name, 1), -cost);
  });

test('the distance is the number of letters to insert, delete or replace, whatever their case', () => {
  // Of two names the nearer one is meant, where it is near enough.
  for (const [typed, near, far] of [
    ['intention', 'invention', 'attention'],
    ['intention', 'intension', 'execution'],
    ['Searching', 'searchin', 'seraching'],
    ['searching', 'searchings', 'seraching'],
    ['flaw', 'flow', 'lawn'],
    ['ab', 'b', 'ba'],
  ])
    for (const names of [
      [near, far],
      [far, near],
    ])
      assert.equal(didYouMean(typed, names), `; did you mean ${near}?`, typed);
  assert.equal(didYouMean('BERLIN', ['nilreb', 'berlin']), '; did you mean berlin?');
  assert.equal(didYouMean('kitten', ['sitting']), ' (expected one of sitting)');
  assert.equal(didYouMean('searching', ['seraching']), '; did you mean seraching?', 'two letters');
  assert.equal(didYouMean('searching', ['serachingx']), ' (expected one of serachingx)', 'three letters');
});

test('an edit is a letter wrong, missing, extra or swapped', async (t) => {
  const near = ['berlon', 'berln', 'berxlin', 'berlinn', 'belrin', 'erlin', 'xerlin', 'berli'];
  const far = ['berl', 'belrni', 'brelni', 'erlina', 'xberlinx', 'bernil', 'bxrlxn', 'berxlixn', 'bre'];
  const directory = temporaryDirectory(t);
  await buildSmallDataset(directory);
  const place = { city: 'Dorf', country: 'DE', lat: 48, lng: 10, lines: [] };
  const streets = [...near, ...far].map((name) => ({ ...place, name }));
  await buildStreetLevel({ directory, progress() {}, part: 'edits' }, [sourceOf({ streets })]);
  const files = openStreetFiles(directory, [{ name: 'edits', number: 1 }]);
  t.after(files.close);
  const found = files.streets[0].vocabulary.oneEdit('berlin').map(([word]) => word);
  assert.deepEqual(found.sort(), near.sort());
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
