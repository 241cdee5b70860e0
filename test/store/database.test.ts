/** Street-level files of another program's schema, and what is no such file: refused with the remedy. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { openDataset } from '../../src/api/open.ts';
import { openStreetFiles } from '../../src/store/sqlite/street-level.ts';
import { buildSmallDataset } from '../support/small-store.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** A dataset whose file of streets a test changes, by a statement or whole. */
async function changeable(t: TestContext) {
  const directory = temporaryDirectory(t);
  await buildSmallDataset(directory);
  const path = join(directory, 'streets-open.sqlite');
  const change = (statement: string) => {
    using database = new DatabaseSync(path);
    database.exec(statement);
  };
  return { directory, path, change, open: () => openStreetFiles(directory).close() };
}

test('a file of another schema, a broken one and a missing one are refused by name, with the remedy', async (t) => {
  const { directory, path, change, open } = await changeable(t);
  open();
  change('PRAGMA user_version = 0');
  assert.throws(open, /streets-open\.sqlite .*schema 0, expected \d+.*build the dataset again/);
  writeFileSync(path, 'no database at all'.repeat(1000));
  assert.throws(open, /streets-open\.sqlite cannot be opened .*build the dataset again/);
  rmSync(path);
  assert.throws(() => openDataset(directory), /streets-open\.sqlite/);
});

test('a file with a view, a trigger or a virtual table that is not ours is refused', async (t) => {
  const { change, open } = await changeable(t);
  for (const [create, drop] of [
    ['VIEW boxes AS WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n FROM c', 'VIEW boxes'],
    ['TRIGGER added AFTER INSERT ON sources BEGIN DELETE FROM sources; END', 'TRIGGER added'],
    ['VIRTUAL TABLE boxes USING rtree(id, west, east)', 'TABLE boxes'],
    ['TABLE boxes (id INTEGER, body BLOB GENERATED ALWAYS AS (zeroblob(900000000)))', 'TABLE boxes'],
  ]) {
    change(`CREATE ${create}`);
    assert.throws(open, /streets-open\.sqlite cannot be opened \(it has the (view|trigger|table) "/, create);
    change(`DROP ${drop}`);
  }
  change('CREATE VIRTUAL TABLE boxes USING fts5(name)');
  open();
});
