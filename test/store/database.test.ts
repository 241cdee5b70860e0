/** Street-level files of another program's schema, and what is no such file: refused with the remedy. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { createForWriting, finishWriting, openForReading } from '../../src/store/sqlite/database.ts';

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
