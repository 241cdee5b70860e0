/** What a loss of power leaves of keys: the log of the database as far as it was brought to the disk. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { temporaryDirectory } from '../support/temporary.ts';

const changer = join(import.meta.dirname, '../support/key-changer.ts');
const isThere = spawnSync('strace', ['-qq', '-e', 'trace=none', 'true']).status === 0;

/** The bytes of the log that were on the disk when each change was acknowledged, by the calls of the process. */
function syncedBytes(calls: string): Map<string, number> {
  const synced = new Map<string, number>();
  let [written, onDisk] = [0, 0];
  for (const call of calls.split('\n')) {
    const write = /pwrite64\(\d+<[^>]*-wal>, .*, (\d+), (\d+)\) = \d+$/.exec(call);
    if (write) written = Math.max(written, Number(write[1]) + Number(write[2]));
    if (/f(data)?sync\(\d+<[^>]*-wal>\)/.test(call)) onDisk = written;
    const change = /write\(1<[^>]*>, "acknowledged (\w+)/.exec(call)?.[1];
    if (change !== undefined) synced.set(change, onDisk);
  }
  return synced;
}

test('a change of a key that was acknowledged survives a loss of power', {
  skip: !isThere && 'needs strace, and the right to trace',
}, (t) => {
  const directory = temporaryDirectory(t);
  const path = join(directory, 'keys.db');
  const log = join(directory, 'calls');
  const trace = ['-f', '-qq', '-y', '-s', '40', '-e', 'trace=pwrite64,write,fsync,fdatasync', '-o', log];
  const { stderr } = spawnSync('strace', [...trace, process.execPath, changer, path], { encoding: 'utf8' });
  const synced = syncedBytes(readFileSync(log, 'utf8'));
  assert.deepEqual([...synced.keys()], ['create', 'rotate', 'plan', 'revoke'], stderr);
  const is: Record<string, (key: Record<string, unknown>) => boolean> = {
    create: ({ name }) => name === 'first',
    rotate: ({ rotatedAt }) => (rotatedAt as unknown[]).length === 1,
    plan: ({ plan }) => plan === 'large',
    revoke: ({ revokedAt }) => revokedAt !== null,
  };
  for (const [change, bytes] of synced) {
    const after = join(directory, change);
    cpSync(path, after);
    cpSync(`${path}-wal`, `${after}-wal`);
    truncateSync(`${after}-wal`, bytes);
    const database = new DatabaseSync(after);
    const records = database.prepare('SELECT record FROM records').all();
    database.close();
    assert.ok(records.length === 1 && is[change](JSON.parse(records[0].record as string)), `${change} is lost`);
  }
});
