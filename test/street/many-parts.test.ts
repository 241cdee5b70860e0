/** Many parts are queried like one: no more streets are examined, and no part that cannot answer. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { searchable } from '../../src/api/open.ts';
import { buildStreetLevel } from '../../src/build/layers/streets.ts';
import type { LatLng } from '../../src/core/geo.ts';
import { openStreetFiles } from '../../src/store/sqlite/street-level.ts';
import type { CityNames } from '../../src/store/store.ts';
import { buildSmallDataset } from '../support/small-store.ts';
import { sourceOf } from '../support/small-streets.ts';
import { citiesOf, openStreets } from '../support/street-engines.ts';

type Clause = Parameters<ReturnType<typeof openStreetFiles>['streets'][number]['matching']>[0][number];

const noPlaces: CityNames = { resolve: () => undefined, countriesNamed: () => [], regionsNamed: () => [] };

const cities = ['Aldheim', 'Brunwald', 'Corvingen', 'Dornfurt', 'Elzmark', 'Falkbach'];
const parts = cities.map((name, at) => ({ name: name.toLowerCase(), number: at + 1 }));
const directory = mkdtempSync(join(tmpdir(), 'whereabouts-many-parts-'));

before(async () => {
  await buildSmallDataset(directory);
  for (const [at, { name }] of parts.entries()) {
    // A street of one name in 30 to 180 villages; another one in 60, which is longer than those of all others in one part only;
    // and one that is longer in few villages of the first part, and in more of each further one.
    const houses = (street: string, count: number, village: number) =>
      ['7', '9', '11'].slice(0, count).map((houseNumber) => ({
        ...{ street, houseNumber, city: village === 0 ? cities[at] : `Dorf ${village}`, country: 'DE' },
        ...{ lat: 48 + at + village / 300, lng: 10 + village / 300 },
      }));
    const villages = (count: number) => Array.from({ length: count }, (_, village) => village);
    const addresses = [
      ...villages(30 * (at + 1)).flatMap((village) => houses('Lindenstraße', 3, village)),
      ...villages(60).flatMap((village) => houses('Ulmenweg', at === 4 ? 3 : 1, village)),
      ...villages(30).flatMap((village) => houses('Eschenweg', village <= at ? 3 : 1, village)),
    ];
    await buildStreetLevel({ directory, progress() {}, part: name }, [sourceOf({ addresses })]);
  }
});
after(() => rmSync(directory, { recursive: true }));

test('the most prominent streets of all parts are of the first classes, of one class the first of each part', (t) => {
  const { streets, close } = openStreetFiles(directory, parts);
  t.after(close);
  const { addresses } = searchable({ streets, pois: [] }, noPlaces);
  const at = ({ lat, lng }: LatLng) => `${lat.toFixed(6)},${lng.toFixed(6)}`;
  const questions: [text: string, clauses: Clause[]][] = [
    ['Lindenstraße', [{ wholeName: ['lindenstrasse'] }]],
    ['Ulmenweg', [{ wholeName: ['ulmenweg'] }]],
    ['Eschenweg', [{ wholeName: ['eschenweg'] }]],
    ['Corvingen Lindenstraße', [['linden'], ['corvingen']]],
    ['Nowhere', [['nowhere']]],
  ];
  for (const [text, clauses] of questions) {
    const ranked = streets.flatMap((file, part) => {
      const ids = file.matching(clauses, 10_000);
      const first = (own: number) => ids.findIndex((id) => file.prominence(id) === own);
      return ids.map((id, at) => ({ part, id, own: file.prominence(id), place: at - first(file.prominence(id)) }));
    });
    ranked.sort((a, b) => a.own - b.own || a.place - b.place || a.part - b.part);
    const first = ranked.slice(0, 48).map(({ part, id }) => at(streets[part].street(id)));
    assert.deepEqual(addresses.search({ text, limit: 1000 }).map(at).sort(), first.sort(), text);
  }
});

test('of a name in many parts no more streets are examined than in one', () => {
  const level = openStreets(directory, citiesOf(directory), parts);
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
  for (const [at, { vocabulary }] of streets.entries()) {
    const { oneEdit } = vocabulary;
    vocabulary.oneEdit = (word) => {
      if (word === 'lindn') queried.push(at);
      return oneEdit(word);
    };
  }
  const { addresses } = searchable({ streets, pois: [] }, noPlaces);
  // The city may be mistyped too.
  for (const text of ['Lindnstraße, Corvingen', 'Lindnstraße, Corvngen']) {
    queried.length = 0;
    const [{ street, city }] = addresses.search({ text, limit: 1 });
    assert.deepEqual([street, city], ['Lindenstraße', 'Corvingen']);
    assert.deepEqual([...new Set(queried)], [2], text);
  }
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
  const { streets: found } = searchable({ streets, pois: [] }, noPlaces);
  const named = (text: string) => found.search({ text, radiusKm: 25, limit: 5, fuzzy: false }).map(({ name }) => name);
  assert.deepEqual(named('Nowhere L'), []);
  assert.equal(asked, 0);
  assert.deepEqual(new Set(named('Linden st')), new Set(['Lindenstraße']));
  assert.equal(asked, parts.length);
});
