/** Compression of answers while others are being compressed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import { createCompressor } from '../../src/server/compressor.ts';
import { testService } from '../support/service.ts';

const large = Buffer.alloc(100_000, 'a few words ');
const caller = (network: string) => ({ network, key: 'k' });

test('large bodies are compressed one at a time, shared among callers; the rest of a caller with many is sent uncompressed', async () => {
  let now = 0;
  const compress = createCompressor(() => {
    now += 10;
    return now;
  });
  const done: string[] = [];
  const ask = (name: string) =>
    compress(caller(name), large, 'br')?.then((body) => done.push(`${name} ${body.length}`));
  const own = Array.from({ length: 20 }, () => ask('a'));
  assert.equal(own.filter((answer) => answer === undefined).length, 11);
  const other = ask('b');
  assert.ok(other);
  await other;
  assert.ok(done.length < 9, done.join());
  await Promise.all(own);
  assert.equal(done.length, 10);
});

test('small bodies are compressed at once', async () => {
  const compress = createCompressor();
  const bodies = Array.from({ length: 15 }, () => compress(caller('a'), Buffer.alloc(4096, 'x'), 'gzip'));
  for (const body of bodies) assert.ok((await body)!.length < 4096);
});

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
