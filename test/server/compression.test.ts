/** Compression of answers while others are being compressed. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { brotliDecompressSync } from 'node:zlib';
import { testService } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

test('every answer is whole, whether it was compressed or not', async (t) => {
  const service = await testService(t);
  const plain = await service.ask('/v1/countries/all?limit=250');
  const answers = await Promise.all(
    Array.from({ length: 60 }, () =>
      service.inject({
        method: 'GET',
        url: '/v1/countries/all?limit=250',
        headers: { 'x-api-key': service.key, 'accept-encoding': 'br' },
      }),
    ),
  );
  for (const { headers, rawPayload } of answers) {
    const body = headers['content-encoding'] === 'br' ? brotliDecompressSync(rawPayload) : rawPayload;
    assert.deepEqual(JSON.parse(body.toString()).results, plain.body.results);
  }
});

/** Keeps all threads of the pool, in which answers are compressed, until it is called. */
function keepPool(t: TestContext): () => Promise<void> {
  const path = join(temporaryDirectory(t), 'nobody-writes');
  execFileSync('mkfifo', [path]);
  const reading = Array.from({ length: Number(process.env.UV_THREADPOOL_SIZE ?? 4) }, () => open(path));
  return async () => {
    const writing = openSync(path, 'r+');
    for (const each of await Promise.all(reading)) await each.close();
    closeSync(writing);
  };
}

test('two answers are compressed at once, however small they are, in the time of their callers', async (t) => {
  let answered = 0;
  const service = await testService(t, { record: () => void answered++ });
  const freePool = keepPool(t);
  const count = t.mock.method(service.app.whereabouts.lanes, 'count');
  const asked = Array.from({ length: 6 }, (_, index) =>
    service.inject({
      method: 'GET',
      url: '/v1/search?q=berlin&limit=100&explain=true',
      remoteAddress: `127.0.0.${index + 2}`,
      headers: { 'x-api-key': service.makeKey(), 'accept-encoding': 'gzip' },
    }),
  );
  while (answered < 6) await nextTurn();
  await Promise.all(asked.slice(2));
  await freePool();
  const encodings = (await Promise.all(asked)).map(({ headers }) => headers['content-encoding']);
  assert.deepEqual(encodings, ['gzip', 'gzip', undefined, undefined, undefined, undefined]);
  const counted = count.mock.calls.filter(({ arguments: [caller] }) => caller.includes('127.0.0.2'));
  assert.ok(counted.reduce((sum, { arguments: [, ms] }) => sum + ms, 0) > 0.5);
});

test('no answer waits until another is compressed: what is too much at once is sent as it is', async (t) => {
  let answered = 0;
  const service = await testService(t, { record: () => void answered++ });
  const search = { endpoint: 'search', params: { q: 'berlin', limit: '100', explain: 'true' } };
  const ended: string[] = [];
  const batch = async (remoteAddress: string, count: number) => {
    const { statusCode, headers } = await service.inject({
      method: 'POST',
      url: '/v1/batch',
      remoteAddress,
      headers: { 'x-api-key': service.makeKey(), 'content-type': 'application/json', 'accept-encoding': 'gzip' },
      payload: JSON.stringify({ requests: Array(count).fill(search) }),
    });
    ended.push(`${remoteAddress} ${statusCode} ${headers['content-encoding'] ?? 'as it is'}`);
  };
  const freePool = keepPool(t);
  const first = batch('127.0.0.2', 100);
  while (answered < 1) await nextTurn();
  const others = [batch('127.0.0.2', 100), batch('127.0.0.3', 100), batch('127.0.0.4', 1)];
  while (answered < 4) await nextTurn();
  for (let turns = 0; turns < 1_000 && ended.length < 2; turns++) await nextTurn();
  const early = ended.toSorted();
  await freePool();
  await Promise.all([first, ...others]);
  assert.deepEqual(early, ['127.0.0.2 200 as it is', '127.0.0.3 200 as it is']);
  assert.deepEqual(ended.slice(2).sort(), ['127.0.0.2 200 gzip', '127.0.0.4 200 gzip']);
  await batch('127.0.0.3', 100);
  assert.equal(ended.at(-1), '127.0.0.3 200 gzip');
});
