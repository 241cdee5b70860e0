/** Which texts name two streets that cross, and what is left of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crossingsIn } from '../../src/text/query-text.ts';

const rows: readonly (readonly [text: string, one: string, other: string, rest: string])[] = [
  ['5th & Main', '5th', 'Main', ''],
  ['5th & Main,Nashville', '5th', 'Main', 'Nashville'],
  ['Nashville,5th & Main', '5th', 'Main', 'Nashville,'],
  ['Nashville, 5th @ Main, TN', '5th', 'Main', 'Nashville,  TN'],
  ['corner of Elm and Main, Salem', 'Elm', 'Main', 'Salem'],
  ['cnr Elm St/Main St', 'Elm St', 'Main St', ''],
  ['18 de Julio esquina Ejido', '18 de Julio', 'Ejido', ''],
  ['угол Мира и Ленина', 'Мира', 'Ленина', ''],
  ['Ecke Städtle und Herrengasse, Vaduz', 'Städtle', 'Herrengasse', 'Vaduz'],
];

for (const [text, one, other, rest] of rows) {
  test(`${text}: ${one}, ${other}`, () => assert.deepEqual(crossingsIn(text), [{ one, other, rest }]));
}

test('a sign without two names joins nothing, and a list is no crossing', () => {
  for (const text of ['Main Street 5', '& Main', '5 & 7', 'No. 3/5']) assert.deepEqual(crossingsIn(text), [], text);
  assert.equal(crossingsIn('a & b & c & d & e').length, 4);
  assert.deepEqual(crossingsIn('a & b & c & d & e & f'), []);
});
