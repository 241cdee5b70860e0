/** The streets of a name that many streets have are looked up without the search index, with the same result. */
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

/** Streets of a name, more of them in some villages than houses, so that names alternate in the order of prominence. */
const streets = (street: string, count: number) =>
  Array.from({ length: count }, (_, village) =>
    Array.from({ length: 1 + ((village * count) % 5) }, (_, house) => ({
      ...{ street, houseNumber: `${house + 1}`, city: `Dorf ${village}`, country: 'DE' },
      ...{ lat: 48 + village / 300, lng: 10 + village / 300 },
    })),
  ).flat();

test('common names are looked up by a table of each file', async (t) => {
  const directory = temporaryDirectory(t);
  await buildSmallDataset(directory);
  const addresses = [
    ...streets('Lindenweg', 150),
    ...streets('Ulmenweg', 40),
    ...streets('Ahornweg', 8),
    ...streets('Eschenweg', 7),
    ...streets('Erlenweg', 1),
  ];
  await buildStreetLevel({ directory, progress() {}, part: 'new' }, [sourceOf({ addresses })]);
  /** A copy of the part, changed. */
  const changed = (part: string, sql: string) => {
    const path = join(directory, `streets-open-${part}.sqlite`);
    copyFileSync(join(directory, 'streets-open-new.sqlite'), path);
    const file = new DatabaseSync(path);
    file.exec(sql);
    file.close();
  };
  // Without the names every look-up asks the search index.
  changed('old', 'DELETE FROM whole_names');
  changed('emptied', "INSERT INTO street_terms (street_terms) VALUES ('delete-all')");
  const [fresh, old, emptied] = ['new', 'old', 'emptied'].map((name) => {
    const opened = openStreetFiles(directory, [{ name, number: 1 }]);
    t.after(opened.close);
    return (names: string[], limit: number) => opened.streets[0].matching([{ wholeName: names }], limit);
  });
  const questions = [
    ['lindenweg'],
    ['ulmenweg'],
    ['ahornweg', 'ulmenweg'],
    ['ulmenweg', 'lindenweg', 'ulmenweg'],
    ['lindenweg', 'eschenweg', 'nowhere'],
    ['eschenweg', 'erlenweg'],
    ['nowhere'],
  ];
  for (const names of questions)
    for (const limit of [1, 5, 8, 30, 40, 48, 63, 64, 65, 200])
      assert.deepEqual(fresh(names, limit), old(names, limit), `${names}, ${limit}`);
  assert.equal(old(['lindenweg', 'ulmenweg'], 300).length, 190);
  assert.deepEqual(old(['ahornweg'], 5), fresh(['ahornweg'], 5));
  // Without its search index the file still has the streets of common names.
  assert.deepEqual(emptied(['lindenweg'], 64), old(['lindenweg'], 64));
  assert.deepEqual(emptied(['ulmenweg', 'ahornweg'], 100), old(['ulmenweg', 'ahornweg'], 100));
  assert.deepEqual(emptied(['eschenweg'], 10), []);
});

test('points are not searched for in cells that a file does not have', async (t) => {
  const directory = temporaryDirectory(t);
  await buildSmallDataset(directory);
  const pois = [{ name: 'Krone', category: 'restaurant' as const, lat: 48, lng: 10 }];
  await buildStreetLevel({ directory, progress() {}, part: 'one' }, [sourceOf({ pois })]);
  const found = (lat: number) => {
    const { pois, close } = openStreetFiles(directory, [{ name: 'one', number: 1 }]);
    const { length } = pois[0].matching([{ around: [{ lat, lng: 10 }], km: 1 }]);
    close();
    return length;
  };
  const change = (sql: string) => {
    const file = new DatabaseSync(join(directory, 'pois-open-one.sqlite'));
    file.exec(sql);
    file.close();
  };
  assert.deepEqual([found(48), found(48.005), found(49)], [1, 1, 0]);
  change("UPDATE filters SET bits = zeroblob(32) WHERE name = 'cells'");
  assert.deepEqual([found(48), found(49)], [0, 0]);
  // A file of an older program has no filter of cells.
  change("DELETE FROM filters WHERE name = 'cells'");
  assert.deepEqual([found(48), found(49)], [1, 0]);
});
