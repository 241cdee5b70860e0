import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Lattice } from '../../src/geocoding/lattice.ts';
import { budgetOf } from '../../src/geocoding/search-limits.ts';
import { addEditedAreas } from '../../src/geocoding/search-places.ts';
import { judgingWorld } from './judging-world.ts';

test('areas of similar names are found with one edit, longer ones with two, and none where a name matches exactly', async (t) => {
  const { gazetteer } = await judgingWorld(t);
  const edited = (text: string) => {
    const lattice = new Lattice(gazetteer, text);
    const before = lattice.areas.length;
    const isAny = addEditedAreas(gazetteer, lattice, budgetOf(lattice.tokens.length));
    const added = lattice.areas.slice(before).map(({ from, to, name }) => `${from}-${to} ${name}`);
    assert.equal(isAny, added.length > 0);
    return added;
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
