import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addEditedAreas, PlaceSearch } from '../../src/geocoding/search-places.ts';
import { everything, judgingWorld, latticeOf } from './judging-world.ts';

test('areas of similar names are found with one edit, longer ones with two, and none where a name matches exactly', async (t) => {
  const { gazetteer } = await judgingWorld(t);
  const edited = (text: string) => {
    const { lattice } = new PlaceSearch(gazetteer, text, everything);
    const added = lattice.areas.slice(latticeOf(gazetteer, text).areas.length);
    return added.map(({ from, to, name }) => `${from}-${to} ${name}`);
  };
  for (const [text, ...wanted] of [
    ['texss', '0-1 texas'],
    ['springfield texss', '1-2 texas'],
    ['txs'],
    ['texxss'],
    ['westmaarchh', '0-1 westmarch'],
    ['xestmaarchh'],
    ['texas'],
    ['ohoi texss', '1-2 texas', '0-1 ohio'],
    ['lamar cuonty', '0-2 lamar county'],
  ]) {
    assert.deepEqual(edited(text), wanted, text);
  }
});

test('half of what a text may cost is left for names of places, however many of its words may be areas', async (t) => {
  const { gazetteer } = await judgingWorld(t);
  const budget = { left: 400 };
  addEditedAreas(gazetteer, latticeOf(gazetteer, 'westmaarchh qarterlyyy xestmaarchh'), budget);
  // But for the last step.
  assert.ok(budget.left >= 190, `${budget.left}`);
});
