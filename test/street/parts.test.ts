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

test('what two parts both have is one answer, the better of two streets, and what differs stays', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'whereabouts-parts-'));
  t.after(() => rmSync(directory, { recursive: true }));
  await buildSmallDataset(directory);
  const named = (name: string | undefined, lat: number, category: 'restaurant' | 'shop' = 'restaurant') => {
    return { name, category, lat, lng: 13.4 };
  };
  const road = (name: string, lat: number, city = 'Berlin') => {
    const lines = [Float64Array.of(13.4, lat - 0.001, 13.4, lat + 0.001)];
    return { name, highwayType: 'residential', city, country: 'DE', lat, lng: 13.4, lines };
  };
  const at = (houseNumber: string, street: string, lat: number, city = 'Berlin') => ({
    ...house(street, lat),
    houseNumber,
    city,
  });
  const own = {
    addresses: [at('7a', 'Seestr.', 52.5), at('9', 'Seestr.', 52.501), at('11', 'Uferweg', 52.502)],
    pois: [
      named('Marbel', 52.5),
      named('Zobel', 52.501),
      named('Ulme', 52.502),
      named(undefined, 52.503),
      named(undefined, 52.504),
    ],
    streets: [road('Seestraße', 52.5), road('Am Steg', 52.501, 'Spandau')],
  };
  const other = {
    // The same house 20 m away, the next number, another street and one 100 m away.
    addresses: [
      at('7A', 'Seestraße', 52.50018),
      at('9b', 'Seestraße', 52.501),
      at('11', 'Ulmenweg', 52.502),
      at('9', 'Seestraße', 52.5019),
    ],
    // The same point 20 m away, another category, 100 m away; unnamed ones 2 and 20 m away.
    pois: [
      named('Marbel', 52.50018),
      named('Zobel', 52.501, 'shop'),
      named('Ulme', 52.5029),
      named(undefined, 52.50302),
      named(undefined, 52.50418),
    ],
    streets: [road('Seestr.', 52.5), road('Am Steg', 52.501, 'Berlin'), road('Seestraße', 52.54)],
  };
  for (const [part, records] of Object.entries({ own, other }))
    await buildStreetLevel({ directory, progress() {}, part }, [sourceOf(records)]);
  const level = openStreets(directory, citiesOf(directory), [
    { name: 'own', number: 5 },
    { name: 'other', number: 2 },
  ]);
  t.after(() => level.close());
  const near = { lat: 52.499, lng: 13.4 };
  const answers = (limit: number) => ({
    addresses: level.addresses
      .nearest(near, { maxKm: 2, limit })
      .map(({ street, houseNumber }) => `${street} ${houseNumber}`),
    pois: level.pois.nearest(near, { radiusKm: 2, limit }).map(({ name, category }) => `${name} ${category}`),
    streets: level.streets.nearest(near, { maxKm: 10, limit }).map(({ name, city, lat }) => `${name} ${city} ${lat}`),
    named: level.streets.search({ text: 'Seestraße', limit, radiusKm: 10 }).map(({ name, lat }) => `${name} ${lat}`),
  });
  const all = {
    addresses: ['Seestr. 7a', 'Seestraße 9b', 'Seestr. 9', 'Seestraße 9', 'Ulmenweg 11', 'Uferweg 11'],
    pois: ['Marbel', 'Zobel', 'Zobel', 'Ulme', 'Ulme', null, null, null].map(
      (name, at) => `${name} ${at === 1 ? 'shop' : 'restaurant'}`,
    ),
    streets: ['Seestr. Berlin 52.5', 'Am Steg Berlin 52.501', 'Am Steg Spandau 52.501', 'Seestraße Berlin 52.54'],
    named: ['Seestraße 52.54', 'Seestr. 52.5'],
  };
  assert.deepEqual(answers(20), all);
  assert.deepEqual(
    answers(2),
    Object.fromEntries(Object.entries(all).map(([layer, list]) => [layer, list.slice(0, 2)])),
  );
});
