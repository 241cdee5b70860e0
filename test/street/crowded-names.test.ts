/** A name that more streets have than are examined for a text. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { StreetLevel } from '../../src/api/open.ts';
import { buildStreetLevel } from '../../src/build/layers/streets.ts';
import { buildSmallDataset } from '../support/small-store.ts';
import { sourceOf } from '../support/small-streets.ts';
import { citiesOf, openStreets } from '../support/street-engines.ts';

const directory = mkdtempSync(join(tmpdir(), 'whereabouts-crowded-'));
const letters = (at: number) => String.fromCharCode(97 + (at % 26), 97 + Math.floor(at / 26));
const house = (street: string, at: number) => ({
  ...{ street, houseNumber: '7', city: `Dorf Q${letters(at)}`, country: 'DE' },
  ...{ lat: 48 + at / 100, lng: 10 },
});
let level: StreetLevel;
before(async () => {
  await buildSmallDataset(directory);
  for (const name of readdirSync(directory)) if (/^(streets|pois).*\.sqlite$/.test(name)) rmSync(join(directory, name));
  const addresses = [
    ...Array.from({ length: 120 }, (_, at) => house('Linden Weg Nord', at)),
    house('Linden Weg', 121),
    ...Array.from({ length: 120 }, (_, at) => house('Alter Ulmen Weg', at)),
    house('Ulmen Weg', 122),
  ];
  await buildStreetLevel({ directory, progress() {} }, [sourceOf({ addresses })]);
  level = openStreets(directory, citiesOf(directory));
});
after(() => {
  level.close();
  rmSync(directory, { recursive: true });
});

const found = (text: string) =>
  level.addresses.search({ text, limit: 1 }).map(({ street, city, matchType }) => [street, city, matchType]);

test('the one whose whole name is in the text, beside other words, is among those that are examined', () => {
  assert.deepEqual(found('Linden Weg 7 Dorf'), [['Linden Weg', 'Dorf Qre', 'exact']]);
  assert.deepEqual(found('Dorf Linden Weg 7'), [['Linden Weg', 'Dorf Qre', 'exact']]);
  assert.deepEqual(found('7 Ulmen Weg Dorf'), [['Ulmen Weg', 'Dorf Qse', 'exact']]);
  assert.deepEqual(found('Ulmen Weg 7'), [['Ulmen Weg', 'Dorf Qse', 'exact']]);
});
