/** The common words of all files are compared with a mistyped one in memory, with the same result as by look-ups in each file. */
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

const streets = (street: string, count: number) =>
  Array.from({ length: count }, (_, village) => ({
    ...{ street, houseNumber: '7', city: `Dorf ${village}`, country: 'DE' },
    ...{ lat: 48 + village / 300, lng: 10 + village / 300 },
  }));

test('similar words are the same with the common words in memory', async (t) => {
  const directory = temporaryDirectory(t);
  await buildSmallDataset(directory);
  const build = (part: string, addresses: ReturnType<typeof streets>) =>
    buildStreetLevel({ directory, progress() {}, part }, [sourceOf({ addresses })]);
  // `linden` is common in both, `minden` in one, where the other has it once; `winden` and `lindenn` are rare.
  await build('one', [...streets('Linden Weg', 20), ...streets('Minden Weg', 8), ...streets('Winden Weg', 7)]);
  await build('two', [...streets('Linden Weg', 12), ...streets('Minden Weg', 1), ...streets('Lynden Weg', 9)]);
  const names = ['one', 'two'];
  const oneEdit = (prefix: string, word: string, before = 20) => {
    const { streets, close } = openStreetFiles(
      directory,
      names.map((name, at) => ({ name: prefix + name, number: at + 1 })),
    );
    // A little of the words is read with each mistyped one.
    for (let at = 0; at < before; at++)
      for (const { vocabulary } of streets) vocabulary.oneEdit('q'.repeat((at % 20) + 3));
    const found = streets.map(({ vocabulary }) => vocabulary.oneEdit(word).sort());
    close();
    return found;
  };
  const changed = (prefix: string, sql: string) => {
    for (const name of names) {
      const path = join(directory, `streets-open-${prefix}${name}.sqlite`);
      copyFileSync(join(directory, `streets-open-${name}.sqlite`), path);
      const file = new DatabaseSync(path);
      file.exec(sql);
      file.close();
    }
  };
  // The files of an older program.
  changed('old-', "DELETE FROM filters WHERE name = 'rare'");
  for (const word of ['lnden', 'linden', 'minden', 'xinden', 'wnden', 'lindden', 'lyden', 'weg', 'nowhere', '7'])
    assert.deepEqual(oneEdit('', word), oneEdit('old-', word), word);
  assert.deepEqual(oneEdit('', 'xinden'), [
    [
      ['linden', 20],
      ['minden', 8],
      ['winden', 7],
    ],
    [
      ['linden', 12],
      ['minden', 1],
    ],
  ]);
  // Common words are found without look-ups in the files; the rare ones are not.
  changed('emptied-', 'DELETE FROM spelling');
  assert.deepEqual(oneEdit('emptied-', 'xinden'), [
    [
      ['linden', 20],
      ['minden', 8],
    ],
    [['linden', 12]],
  ]);
  // While they are read, the files are asked.
  for (const before of [0, 1, 2, 3, 4, 5]) {
    assert.deepEqual(oneEdit('', 'xinden', before), oneEdit('', 'xinden'), `${before}`);
    if (before < 2) assert.deepEqual(oneEdit('emptied-', 'xinden', before), [[], []]);
  }
  // A file is only asked for the words that its filter has.
  changed('unfiltered-', "UPDATE filters SET bits = zeroblob(32) WHERE name = 'rare'");
  assert.deepEqual(oneEdit('unfiltered-', 'xinden'), oneEdit('emptied-', 'xinden'));
  // Of very many common words none are in memory.
  const withMore = (prefix: string, count: number) =>
    changed(
      prefix,
      `DELETE FROM spelling; INSERT INTO words (id, word, documents) WITH RECURSIVE more(n) AS
         (SELECT 1 UNION ALL SELECT n + 1 FROM more WHERE n < ${count}) SELECT 1000000 + n, 'zz' || n, 9 FROM more`,
    );
  withMore('many-', 100);
  assert.deepEqual(oneEdit('many-', 'xinden', 80), oneEdit('emptied-', 'xinden'));
  withMore('very-many-', 2 ** 16);
  assert.deepEqual(oneEdit('very-many-', 'xinden', 80), [[], []]);
});
