/** A part is not searched for three words that its streets have, but no street together; streets are found as without the filter. */
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { buildStreetLevel } from '../../src/build/layers/streets.ts';
import { openStreetFiles } from '../../src/store/sqlite/street-level.ts';
import { buildSmallDataset } from '../support/small-store.ts';
import { sourceOf } from '../support/small-streets.ts';
import { temporaryDirectory } from '../support/temporary.ts';

type Clause = Parameters<ReturnType<typeof openStreetFiles>['streets'][number]['matching']>[0][number];

const address = (street: string, city: string, more: { otherStreetNames?: string[]; postalCode?: string } = {}) => ({
  ...{ street, houseNumber: '7', city, country: 'DE', lat: 48, lng: 10, ...more },
});
type Address = ReturnType<typeof address>;

/** The part made of some addresses, and the same as an older program wrote it, or one with other dictionaries. */
async function partsOf(t: Parameters<typeof temporaryDirectory>[0], addresses: readonly Address[]) {
  const directory = temporaryDirectory(t);
  await buildSmallDataset(directory);
  await buildStreetLevel({ directory, progress() {}, part: 'new' }, [sourceOf({ addresses: [...addresses] })]);
  const copies = {
    old: "DELETE FROM filters WHERE name LIKE 'triples %' OR name LIKE 'broad %'",
    other: "UPDATE filters SET name = name || 'x' WHERE name LIKE 'triples %' OR name LIKE 'broad %'",
  };
  for (const [name, sql] of Object.entries(copies)) {
    const path = join(directory, `streets-open-${name}.sqlite`);
    copyFileSync(join(directory, 'streets-open-new.sqlite'), path);
    const file = new DatabaseSync(path);
    assert.ok(Number(file.prepare(sql).run().changes) === 2, 'there are the filters');
    file.close();
  }
  return ['new', 'old', 'other'].map((name) => {
    const { streets, close } = openStreetFiles(directory, [{ name, number: 1 }]);
    t.after(close);
    return streets[0];
  });
}

test('a part whose streets have three words, but none all of them, is not searched', async (t) => {
  const [part, old, other] = await partsOf(t, [
    address('Station Road', 'Garbator'),
    address('Mill Lane', 'Garbator'),
    address('Station Lane', 'Linpelste'),
    address('Old Church Lane', 'Garbator'),
    address('Old Mill Street', 'Garbator'),
    address('Church Street', 'Garbator'),
    address('Ringstraße', 'Bad Kalbor', { otherStreetNames: ['Rue Ronde du Grand Ancien Marché Neuf'] }),
  ]);
  const no: Clause[][] = [
    [['station'], ['lane'], ['garbator']],
    [{ wholeName: ['stationlane'] }, ['garbator']],
    [['old'], ['church'], ['street'], ['garbator']],
  ];
  for (const clauses of no) {
    assert.deepEqual(
      [part, old, other].map((one) => one.mayMatch(clauses)),
      [false, true, true],
      JSON.stringify(clauses),
    );
    assert.deepEqual(old.matching(clauses, 10), []);
  }
  const yes: Clause[][] = [
    [['station'], ['road'], ['garbator']],
    [['road'], ['station'], ['garbator']],
    [['station'], ['rd'], ['garbator']],
    [{ wholeName: ['stationlane', 'stationroad'] }, ['garbator']],
    [['old'], ['church'], ['lane'], ['garbator']],
    [['garbator'], ['church'], ['lane'], ['old']],
    [['ring'], ['str'], ['kalbor']],
    [['ring'], ['bad'], ['kalbor']],
    [['ring'], ['marche'], ['kalbor']],
    [['station'], ['road'], ['germany']],
    [['station'], ['road'], ['garbator'], { country: 'DE' }],
  ];
  for (const clauses of yes) {
    assert.ok(part.mayMatch(clauses), JSON.stringify(clauses));
    assert.equal(old.matching(clauses, 10).length, 1, JSON.stringify(clauses));
    assert.deepEqual(part.matching(clauses, 10), old.matching(clauses, 10), JSON.stringify(clauses));
  }
});

test('streets are found as without the filter, whatever their names and settlements are', async (t) => {
  let state = 7;
  const random = (below: number) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const pick = <T>(list: readonly T[]) => list[random(list.length)];
  const words = [
    'Station',
    'Mill',
    'Old',
    'Saint',
    'North',
    'Kalbor',
    'Ring',
    'Bad',
    'Mühl',
    '5',
    'Bayern',
    'T',
    'Sixth',
    'Second',
  ];
  const ends = [' Lane', ' Road', ' Street', 'straße', 'weg', ' Ave', ' St'];
  const cities = ['Garbator', 'Bad Kalbor', 'Saint Ring', 'Kalbor', 'Mill', 'Neustadt am Kalbor', 'Old North Mill'];
  const name = () => Array.from({ length: 1 + random(3) }, () => pick(words)).join(' ') + pick(ends);
  // With many houses, as the filter's size is bounded by that of the file.
  const addresses = Array.from({ length: 400 }, () => {
    const more = {
      ...(random(4) === 0 && { otherStreetNames: [name()] }),
      postalCode: pick(['10115', 'SW1A 2AA', 'road 5']),
    };
    const street = address(name(), pick(cities), more);
    return Array.from({ length: 100 }, (_, at) => ({ ...street, houseNumber: `${at + 1}`, lat: 48 + at / 1000 }));
  }).flat();
  const [part, old] = await partsOf(t, addresses);
  const typed =
    'station sixth 6 second 2nd mill mil old saint st north n kalbor ring bad muhl muehl 5 bayern bavaria t lane ln road rd street str strasse weg ave avenue garbator neustadt germany 10115 sw1a ringstrasse nowhere';
  const all = typed.split(' ');
  let [excluded, found] = [0, 0];
  for (let question = 0; question < 4000; question++) {
    const clauses: Clause[] = Array.from({ length: 2 + random(4) }, () =>
      Array.from({ length: 1 + random(2) }, () => pick(all)),
    );
    if (random(5) === 0)
      clauses[0] = { wholeName: [pick(['stationlane', 'millroad', 'saintkalborstreet', 'ringstrasse'])] };
    if (random(8) === 0) clauses.push({ country: 'DE' });
    const expected = old.matching(clauses, 2000);
    if (expected.length > 0) found++;
    if (!part.mayMatch(clauses)) {
      excluded++;
      assert.deepEqual(expected, [], JSON.stringify(clauses));
    }
    for (const limit of [3, 2000])
      assert.deepEqual(part.matching(clauses, limit), expected.slice(0, limit), JSON.stringify(clauses));
  }
  assert.ok(excluded > 300 && found > 1000, `${excluded} excluded, ${found} found`);
});
