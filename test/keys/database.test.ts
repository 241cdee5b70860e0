/** A database that several programs share: steps that are whole or nothing, and what waits for a lock. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { openDatabase } from '../../src/keys/sqlite/sqlite-keys.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** Our own connection, which adds numbers, and that of another program. */
function shared(t: TestContext) {
  const path = join(temporaryDirectory(t), 'numbers.db');
  const database = openDatabase(path, (connection) => connection.exec('CREATE TABLE numbers (value INTEGER)'));
  const other = new DatabaseSync(path);
  let isOpen = true;
  const close = () => {
    if (isOpen) database.close();
    isOpen = false;
  };
  t.after(() => {
    close();
    other.close();
  });
  const insert = (value: number) => database.connection.prepare('INSERT INTO numbers VALUES (?)').run(value);
  const values = () =>
    other
      .prepare('SELECT value FROM numbers')
      .all()
      .map(({ value }) => value);
  return { database, other, close, insert, values };
}

test('a step that throws changes nothing, and a fault of the program stays what it is', (t) => {
  const { database, insert, values } = shared(t);
  const fault = new TypeError('a bug');
  const broken = () =>
    database.write(() => {
      insert(1);
      throw fault;
    });
  assert.throws(broken, fault);
  assert.deepEqual(values(), []);
  assert.equal(database.connection.isTransaction, false);
  assert.equal(
    database.write(() => insert(2).changes),
    1,
  );
  assert.deepEqual(values(), [2]);
});

test('without a lock a step is done at once, during one it waits, and steps keep their order', async (t) => {
  const { database, other, insert, values } = shared(t);
  const add = (value: number) => database.write(() => insert(value).changes);
  assert.equal(add(1), 1);
  other.exec('BEGIN IMMEDIATE');
  const waiting = [add(2), add(3), add(4)];
  for (const step of waiting) assert.ok(step instanceof Promise);
  other.exec('ROLLBACK');
  assert.deepEqual(await Promise.all(waiting), [1, 1, 1]);
  assert.deepEqual(values(), [1, 2, 3, 4]);
  assert.equal(add(5), 1);
});

test('a step that has waited long enough is refused, those with more time wait on', async (t) => {
  const { database, other, insert, values } = shared(t);
  other.exec('BEGIN IMMEDIATE');
  const patient = database.write(() => insert(1).changes);
  const hurried = database.write(() => insert(2).changes, { lockWaitMs: 0 });
  await assert.rejects(Promise.resolve(hurried), { code: 'unavailable', message: /nothing was changed/ });
  other.exec('ROLLBACK');
  assert.equal(await patient, 1);
  assert.deepEqual(values(), [1]);
});

test('steps that wait when the database is closed are refused', async (t) => {
  const { database, other, close, insert, values } = shared(t);
  other.exec('BEGIN IMMEDIATE');
  const refused = assert.rejects(Promise.resolve(database.write(() => insert(1))), /closed/);
  close();
  await refused;
  other.exec('ROLLBACK');
  assert.deepEqual(values(), []);
});

test('a table that cannot be made is an error at opening', (t) => {
  const path = join(temporaryDirectory(t), 'broken.db');
  assert.throws(() => openDatabase(path, (connection) => connection.exec('CREATE TABLE')), /incomplete input/);
});
