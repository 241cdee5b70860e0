/** Compression of answers while others are being compressed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import { testService } from '../support/service.ts';

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
