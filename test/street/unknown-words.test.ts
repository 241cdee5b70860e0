/** Of a mistyped text, only the words are corrected that no name of any part has, as long as that finds the house. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { StreetLevel } from '../../src/api/open.ts';
import { buildStreetLevel } from '../../src/build/layers/streets.ts';
import { buildSmallDataset } from '../support/small-store.ts';
import { sourceOf } from '../support/small-streets.ts';
import { citiesOf, openStreets } from '../support/street-engines.ts';

const streetsOf: Record<string, readonly string[]> = {
  Aldheim: ['Lindenstraße', 'Buchenweg'],
  Aldhein: ['Lindenstraße', 'Linderplatz'],
  Corvingen: ['Ulmenweg', 'Lindenstraße'],
  Dornfurt: ['Eichenweg'],
  Zobelsk: ['Елецкая улица', 'улица Мясникова'],
};
const parts = Object.keys(streetsOf).map((name, at) => ({ name: name.toLowerCase(), number: at + 1 }));
const directory = mkdtempSync(join(tmpdir(), 'whereabouts-unknown-words-'));

before(async () => {
  await buildSmallDataset(directory);
  for (const [at, [city, streets]] of Object.entries(streetsOf).entries()) {
    const addresses = streets.map((street, each) => ({
      ...{ street, houseNumber: '7', city, country: 'DE', lat: 48 + at, lng: 10 + each / 300 },
    }));
    await buildStreetLevel({ directory, progress() {}, part: parts[at].name }, [sourceOf({ addresses })]);
  }
});
const levels = new Map<typeof parts, StreetLevel>();
after(() => {
  for (const level of levels.values()) level.close();
  rmSync(directory, { recursive: true });
});

function found(text: string, opened = parts): string[] {
  const level = levels.getOrInsertComputed(opened, () => openStreets(directory, citiesOf(directory), opened));
  const answers = level.addresses.search({ text, limit: 10 });
  return answers.map(({ street, houseNumber, city }) => `${street} ${houseNumber}, ${city}`).sort();
}

test('a word that some name has stays as it was typed', () => {
  assert.deepEqual(found('Lindnstraße 7, Aldhein'), ['Lindenstraße 7, Aldhein']);
  assert.deepEqual(found('Lindnstraße 7, Aldheim'), ['Lindenstraße 7, Aldheim']);
  assert.deepEqual(found('Lindenstraße 7, Corvngen'), ['Lindenstraße 7, Corvingen']);
  // It is like both cities.
  assert.deepEqual(found('Lindenstraße 7, Aldhei'), ['Lindenstraße 7, Aldheim', 'Lindenstraße 7, Aldhein']);
});

test('it is corrected after all where the text has no house otherwise', () => {
  assert.deepEqual(found('Linderstraße 7, Aldheim'), ['Lindenstraße 7, Aldheim', 'Lindenstraße 7, Aldhein']);
  assert.deepEqual(found('Linderstraße 7, Corvngen'), ['Lindenstraße 7, Corvingen']);
});

test('a correction that one part alone has is found, also next to a word that another one has', () => {
  assert.deepEqual(found('Ulmnweg 7'), ['Ulmenweg 7, Corvingen']);
  assert.deepEqual(found('Eichnweg 7, Dornfrt'), ['Eichenweg 7, Dornfurt']);
});

test('a part that is added and removed changes no other answer', () => {
  const [, ...without] = parts;
  const texts = ['Lindnstraße 7, Aldhein', 'Ulmnweg 7, Corvingen', 'Eichnweg 7', 'Linderstraße 7, Corvngen'];
  for (const text of texts) assert.deepEqual(found(text, without), found(text), text);
  assert.deepEqual(found('Buchnweg 7', without), []);
  assert.deepEqual(found('Buchnweg 7'), ['Buchenweg 7, Aldheim']);
});

test('a letter that Latin writes with several may be missing, extra, wrong or swapped with the next', () => {
  for (const typed of ['Елецка', 'Елецкаяя', 'Елецкаж', 'Елеякая', 'Елекцая', 'Елецская'])
    assert.deepEqual(found(`${typed} улица 7`), ['Елецкая улица 7, Zobelsk'], typed);
  for (const typed of ['Мсяникова', 'Мяснкиова', 'Мясниква'])
    assert.deepEqual(found(`улица ${typed} 7`), ['улица Мясникова 7, Zobelsk'], typed);
});

test('the towns that a text may name are looked up only where its words as a whole find no house', () => {
  let lookedUp = 0;
  const cities = citiesOf(directory);
  const resolve: typeof cities.resolve = (...asked) => {
    lookedUp++;
    return cities.resolve(...asked);
  };
  const level = openStreets(directory, { ...cities, resolve }, parts);
  const [{ city }] = level.addresses.search({ text: 'Lindnstraße 7, Aldheim', limit: 10 });
  level.close();
  assert.equal(city, 'Aldheim');
  assert.equal(lookedUp, 0);
});
