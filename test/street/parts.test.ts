/** Parts are searched side by side: words of one do not stand in the way of those of another one. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildStreetLevel } from '../../src/build/layers/streets.ts';
import { buildSmallDataset } from '../support/small-store.ts';
import { sourceOf } from '../support/small-streets.ts';
import { citiesOf, openStreets } from '../support/street-engines.ts';

const house = (street: string, lat: number) => ({
  ...{ street, houseNumber: '7', city: 'Berlin', country: 'DE', lat, lng: 13.4 },
});
const inn = (name: string, lat: number) => ({ name, category: 'restaurant' as const, lat, lng: 13.4 });

test('words that another part is full of do not stand in the way of a mistyped one', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'whereabouts-parts-'));
  t.after(() => rmSync(directory, { recursive: true }));
  await buildSmallDataset(directory);
  const own = sourceOf({ addresses: [house('Marbel Quell', 52.5)], pois: [inn('Marbel', 52.5)] });
  // All one letter away from `marbex`, and commoner than the one that is meant.
  const crowd = [...'abcdfghijkmnop'].flatMap((letter) => [`Marbe${letter} Tower`, `Marbe${letter} Orchard`]);
  const other = sourceOf({
    addresses: crowd.map((name, at) => house(name, 50 + at / 100)),
    pois: crowd.map((name, at) => inn(name, 50 + at / 100)),
  });
  for (const [part, source] of [
    ['own', own],
    ['other', other],
  ] as const)
    await buildStreetLevel({ directory, progress() {}, part }, [source]);
  const answersOf = (...parts: { name: string; number: number }[]) => {
    const level = openStreets(directory, citiesOf(directory), parts);
    const near = { lat: 52.5, lng: 13.4 };
    const answers = {
      addresses: level.addresses.search({ text: 'Marbex Quell 7, Berlin', limit: 1 }),
      streets: level.streets.search({ text: 'Marbex Quell', radiusKm: 5, limit: 1 }),
      pois: level.pois.nearest(near, { radiusKm: 5, name: 'Marbex', limit: 1 }),
    };
    level.close();
    return answers;
  };
  const alone = answersOf({ name: 'own', number: 5 });
  assert.equal(alone.addresses[0].street, 'Marbel Quell');
  assert.equal(alone.streets[0].name, 'Marbel Quell');
  assert.equal(alone.pois[0].name, 'Marbel');
  assert.deepEqual(answersOf({ name: 'own', number: 5 }, { name: 'other', number: 2 }), alone);
});
