/** The names of districts that people call by their number. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberedNames } from '../../src/build/layers/world/languages.ts';

const names = (name: string, country: string, admin1Code = '00') => numberedNames({ name, country, admin1Code });

test('districts have the names with their number', () => {
  assert.deepEqual(names('Wieden', 'AT', '09'), ['Wien 4', 'Vienna 4', '4. Bezirk Wien', 'Wien 4. Bezirk']);
  assert.deepEqual(names('Budapest VIII. kerület', 'HU'), ['Budapest VIII', 'Budapest 8']);
  assert.deepEqual(names('Zürich (Kreis 4) / Aussersihl', 'CH'), ['Zürich Kreis 4', 'Zürich 4']);
  const third = ['Lyon 3', 'Lyon 3e', 'Lyon 3e arrondissement', '3e arrondissement de Lyon'];
  assert.deepEqual(names('Lyon 03', 'FR').slice(0, 4), third);
  for (const name of ['Paris 11e Arrondissement', 'Paris 11'])
    assert.equal(names(name, 'FR').at(-1), 'Paris XIe', name);
  assert.deepEqual(names('Paris 01 Louvre', 'FR').at(-1), 'Paris Ier');
});

test('others have none', () => {
  for (const [name, country, admin1] of [
    ['Wieden', 'AT', '06'],
    ['Paris 11', 'US'],
    ['Lyon', 'FR'],
    ['Parisot 12', 'FR'],
    ['Budapest', 'HU'],
    ['Zürich', 'CH'],
  ]) {
    assert.deepEqual(names(name, country, admin1), [], name);
  }
});
