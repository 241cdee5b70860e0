/** Street-level files of another program's schema, and what is no such file: refused with the remedy. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { createForWriting, finishWriting, openForReading } from '../../src/store/sqlite/database.ts';
import { temporaryDirectory } from '../support/temporary.ts';

test('a file of another schema, a broken one and a missing one are refused by name, with the remedy', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'whereabouts-database-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'streets-open.sqlite');
  finishWriting(createForWriting(path, 'CREATE TABLE sources (id INTEGER PRIMARY KEY)'), path);
  openForReading(path).close();
  const older = new DatabaseSync(path);
  older.exec('PRAGMA user_version = 0');
  older.close();
  assert.throws(() => openForReading(path), /streets-open\.sqlite .*schema 0, expected \d+.*build the dataset again/);
  writeFileSync(path, 'no database at all'.repeat(1000));
  assert.throws(() => openForReading(path), /streets-open\.sqlite cannot be opened .*build the dataset again/);
  assert.throws(() => openForReading(join(directory, 'none.sqlite')));
});

test('a file with a view, a trigger or a virtual table that is not ours is refused', (t) => {
  const directory = temporaryDirectory(t);
  const foreign = [
    'CREATE VIEW tiles AS WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n FROM c',
    'CREATE TRIGGER added AFTER INSERT ON sources BEGIN DELETE FROM sources; END',
    'CREATE VIRTUAL TABLE boxes USING rtree(id, west, east)',
    'CREATE TABLE tiles (id INTEGER, body BLOB GENERATED ALWAYS AS (zeroblob(900000000)))',
  ];
  for (const [at, statement] of foreign.entries()) {
    const path = join(directory, `streets-${at}.sqlite`);
    finishWriting(createForWriting(path, `CREATE TABLE sources (id INTEGER PRIMARY KEY); ${statement}`), path);
    assert.throws(
      () => openForReading(path),
      /streets-\d\.sqlite cannot be opened \(it has the (view|trigger|table) "/,
    );
  }
  const path = join(directory, 'names.sqlite');
  finishWriting(createForWriting(path, 'CREATE VIRTUAL TABLE terms USING fts5(name)'), path);
  openForReading(path).close();
});
