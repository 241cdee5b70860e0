import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { fetchChanges } from '../../src/download/osm-changes.ts';
import { UsageError } from '../../src/errors.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { startFileServer } from './file-server.ts';

test('the changes after an extract’s own are fetched in order, once', async (t) => {
  const server = await startFileServer(Buffer.from(''));
  t.after(() => server.close());
  const state = (sequence: number) => `#Sat\nsequenceNumber=${sequence}\ntimestamp=2024-03-01T21\\:20\\:00Z\n`;
  server.files.set('/li-updates/state.txt', state(1001));
  for (const path of ['000/000/999', '000/001/000', '000/001/001']) {
    server.files.set(`/li-updates/${path}.osc.gz`, `change ${path}`);
  }
  const directory = temporaryDirectory(t);
  const baseUrl = new URL('/li-updates', server.url).href;
  const fetched = await fetchChanges({ baseUrl, sequence: 998, directory });
  assert.deepEqual(fetched.state, { sequence: 1001, timestamp: '2024-03-01T21:20:00Z' });
  assert.deepEqual(
    fetched.files.map((file) => readFileSync(file, 'utf8')),
    ['change 000/000/999', 'change 000/001/000', 'change 000/001/001'],
  );
  const again = await fetchChanges({ baseUrl, sequence: 1000, directory });
  assert.deepEqual(
    again.files.map((file) => basename(file)),
    ['000-001-001.osc.gz'],
  );
  assert.deepEqual((await fetchChanges({ baseUrl, sequence: 1001, directory })).files, []);

  await assert.rejects(fetchChanges({ baseUrl, sequence: 2000, directory }), (error: Error) => {
    return error instanceof UsageError && /same publisher/.test(error.message);
  });
  server.files.set('/li-updates/state.txt', state(90_000));
  await assert.rejects(fetchChanges({ baseUrl, sequence: 1, directory }), /download the extract again/);
  server.files.set('/li-updates/state.txt', '<html></html>');
  await assert.rejects(fetchChanges({ baseUrl, sequence: 1, directory }), /sequenceNumber/);
});
