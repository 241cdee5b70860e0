/** The service as a plugin of another application, as docs/http.md shows it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import fastify from 'fastify';
import { defaultPlans, openKeys, openStore, whereabouts } from '../../src/server/index.ts';
import { buildSmallDataset } from '../support/small-store.ts';
import { temporaryDirectory } from '../support/temporary.ts';

test('faces of the service answer in an application that has routes and errors of its own', async (t) => {
  const directory = temporaryDirectory(t);
  await buildSmallDataset(directory);
  const keys = openKeys(join(temporaryDirectory(t), 'keys.sqlite'), { plans: defaultPlans });
  const { key } = await keys.create({ name: 'other application' }, 'test');
  const app = fastify();
  t.after(() => app.close());
  app.get('/hello', () => 'hello');
  app.post('/echo', (request) => request.body);
  app.register(whereabouts, {
    prefix: '/places',
    faces: ['v1', 'batch'],
    store: { current: openStore(directory) },
    keys,
    version: '1.0.0',
  });
  const ask = async (url: string, headers = {}, payload?: object) => {
    const {
      statusCode,
      headers: got,
      body,
    } = await app.inject({ url, headers, payload, method: payload ? 'POST' : 'GET' });
    return { status: statusCode, headers: got, body };
  };
  const withKey = { 'x-api-key': key };
  const country = await ask('/places/v1/country/DE', withKey);
  assert.equal(country.status, 200);
  assert.equal(JSON.parse(country.body).iso2, 'DE');
  assert.ok(country.headers['x-ratelimit-remaining']);
  const batch = await ask('/places/v1/batch', withKey, { requests: [{ endpoint: 'country/DE', params: {} }] });
  assert.equal(JSON.parse(batch.body).successful, 1);
  const refused = await ask('/places/v1/country/DE');
  assert.deepEqual([refused.status, JSON.parse(refused.body).code], [401, 'missing_api_key']);
  assert.equal(JSON.parse((await ask('/places/nowhere')).body).code, 'not_found');
  const slash = await ask('/places/v1/country/DE/', withKey);
  assert.deepEqual([slash.status, JSON.parse(slash.body).code], [404, 'not_found']);
  assert.equal((await ask('/places/status')).status, 404, 'a face that was not named');

  // What is the application's own stays so.
  const hello = await ask('/hello');
  assert.deepEqual([hello.body, hello.headers['x-request-id']], ['hello', undefined]);
  assert.deepEqual(JSON.parse((await ask('/echo', {}, { a: 1 })).body), { a: 1 });
  assert.equal(JSON.parse((await ask('/nowhere')).body).error, 'Not Found');
});
