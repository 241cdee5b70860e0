/** The names of districts that people call by their number. */
import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { endpoints } from '../../src/endpoints/index.ts';
import type { Store } from '../../src/store/store.ts';
import { ask } from '../support/ask.ts';
import { smallWorld } from '../support/small-world.ts';

const districts = [
  ['Wieden', 'AT', '09'],
  ['Budapest VIII. kerület', 'HU', '00'],
  ['Zürich (Kreis 4) / Aussersihl', 'CH', '00'],
  ['Lyon 03', 'FR', '00'],
  ['Paris 11e Arrondissement', 'FR', '00'],
  ['Paris 11', 'FR', '00'],
  ['Paris 01 Louvre', 'FR', '00'],
] as const;
const others = [
  ['Wieden', 'AT', '06'],
  ['Paris 11', 'US', '00'],
  ['Lyon', 'FR', '00'],
  ['Parisot 12', 'FR', '00'],
  ['Budapest', 'HU', '00'],
  ['Zürich', 'CH', '00'],
] as const;
const all = [...districts, ...others];

let store: Store;
before(async (t) => {
  const place = { lat: 45, lng: 5, population: 9, timezone: '' };
  const world = await smallWorld(
    all.map(([name, country, admin1], at) => ({ ...place, id: at + 1, name, country, admin1 })),
  );
  (t as TestContext).after(world.close);
  store = world.store;
});

/** The other names of a place, in their order. */
function names(name: string, country: string, admin1 = '00') {
  const at = all.findIndex((place) => place[0] === name && place[1] === country && place[2] === admin1);
  return ask(endpoints.place, store, { id: at + 1 }).other_names as string[];
}

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
  for (const [name, country, admin1] of others) assert.deepEqual(names(name, country, admin1), [], name);
});
