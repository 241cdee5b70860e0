/** Many parts are queried like one: no more streets are examined, and no part that cannot answer. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { buildStreetLevel } from '../../src/build/layers/streets.ts';
import { mostProminent } from '../../src/geocoding/address/candidates.ts';
import { Corrections } from '../../src/geocoding/address/corrections.ts';
import { searchableStreets } from '../../src/geocoding/address/street-search.ts';
import { cityNames } from '../../src/geocoding/resolve-city.ts';
import { openWorld } from '../../src/store/packed/world.ts';
import { openStreetFiles } from '../../src/store/sqlite/street-level.ts';
import { queryWords } from '../../src/text/words.ts';
import { buildSmallDataset } from '../support/small-store.ts';
import { sourceOf } from '../support/small-streets.ts';
import { openStreets } from '../support/street-engines.ts';

type Clause = Parameters<ReturnType<typeof openStreetFiles>['streets'][number]['matching']>[0][number];

const cities = ['Aldheim', 'Brunwald', 'Corvingen', 'Dornfurt', 'Elzmark', 'Falkbach'];
const parts = cities.map((name, at) => ({ name: name.toLowerCase(), number: at + 1 }));
const directory = mkdtempSync(join(tmpdir(), 'whereabouts-many-parts-'));

before(async () => {
  await buildSmallDataset(directory);
  for (const [at, { name }] of parts.entries()) {
    // A street of one name in 30 to 180 villages; another one in 60, which is longer than those of all others in one part only.
    const houses = (street: string, count: number, village: number) =>
      ['7', '9', '11'].slice(0, count).map((houseNumber) => ({
        ...{ street, houseNumber, city: village === 0 ? cities[at] : `Dorf ${village}`, country: 'DE' },
        ...{ lat: 48 + at + village / 300, lng: 10 + village / 300 },
      }));
    const villages = (count: number) => Array.from({ length: count }, (_, village) => village);
    const addresses = [
      ...villages(30 * (at + 1)).flatMap((village) => houses('Lindenstraße', 3, village)),
      ...villages(60).flatMap((village) => houses('Ulmenweg', at === 4 ? 3 : 1, village)),
    ];
    await buildStreetLevel({ directory, progress() {}, part: name }, [sourceOf({ addresses })]);
  }
});
after(() => rmSync(directory, { recursive: true }));

test('the most prominent streets of all parts are of the first classes, of one class the first of each part', (t) => {
  const { streets, close } = openStreetFiles(directory, parts);
  t.after(close);
  const questions: Clause[][] = [
    [{ wholeName: ['lindenstrasse'] }],
    [['linden'], ['dorf']],
    [['ulmen'], ['dorf']],
    [['linden'], ['3', 'corvingen']],
    [['nowhere']],
  ];
  for (const clauses of questions) {
    const ranked = streets.flatMap((file, part) => {
      const ids = file.matching(clauses, 10_000);
      const first = (own: number) => ids.findIndex((id) => file.prominence(id) === own);
      return ids.map((id, at) => ({ part, id, own: file.prominence(id), place: at - first(file.prominence(id)) }));
    });
    ranked.sort((a, b) => a.own - b.own || a.place - b.place || a.part - b.part);
    const all = ranked.map(({ part, id }) => ({ part, id }));
    for (const limit of [1, 5, 48, 300, 1000])
      assert.deepEqual(
        mostProminent(streets, clauses, limit),
        all.slice(0, limit),
        `${limit} of ${JSON.stringify(clauses)}`,
      );
  }
});

test('of a name in many parts no more streets are examined than in one', () => {
  const level = openStreets(directory, cityNames(openWorld(directory)), parts);
  let looked = 0;
  const found = level.addresses.search({ text: 'Lindenstraße 7', limit: 10 }, ({ candidates }) => {
    looked = candidates;
  });
  level.close();
  assert.equal(found.length, 10);
  assert.equal(looked, 48);
});

test('only parts that have all other words are queried for corrections of a mistyped one', (t) => {
  const { streets, close } = openStreetFiles(directory, parts);
  t.after(close);
  const queried: number[] = [];
  const counting = streets.map(({ number, vocabulary }, at) => ({
    number,
    vocabulary: {
      ...vocabulary,
      oneEdit(word: string) {
        if (word === 'lindn') queried.push(at);
        return vocabulary.oneEdit(word);
      },
    },
  }));
  const text = 'Lindnstraße, Corvingen';
  const [name] = new Corrections(counting).of(queryWords(text), text);
  assert.ok(name.includes('linden'), name.join());
  assert.deepEqual(queried, [2]);
  // The city may be mistyped too.
  queried.length = 0;
  const both = 'Lindnstraße, Corvngen';
  assert.ok(new Corrections(counting).of(queryWords(both), both).some((word) => word.includes('corvingen')));
  assert.deepEqual(queried, [2]);
});

test('one letter or two are completed only where a part has the other words', (t) => {
  const { streets, close } = openStreetFiles(directory, parts);
  t.after(close);
  let asked = 0;
  for (const { vocabulary } of streets) {
    const { withPrefix } = vocabulary;
    vocabulary.withPrefix = (text) => {
      asked++;
      return withPrefix(text);
    };
  }
  const { search } = searchableStreets(streets);
  const named = (text: string) => search({ text, radiusKm: 25, limit: 5, fuzzy: false }).map(({ name }) => name);
  assert.deepEqual(named('Nowhere L'), []);
  assert.equal(asked, 0);
  assert.deepEqual(new Set(named('Linden st')), new Set(['Lindenstraße']));
  assert.equal(asked, parts.length);
});
