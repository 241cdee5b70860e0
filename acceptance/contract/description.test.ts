/** The open paths, and whether real answers are what the OpenAPI description says. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import Schema from 'typebox/schema';
import { cases } from './expected-fields.ts';
import { profiles, type Served, serve, skip } from './served.ts';

suite('description', { skip }, () => {
  let served: Served;
  before(async () => {
    served = await serve();
  });
  after(() => served.close());

  test('/, /docs, /openapi.json, /health and /status need no key', async () => {
    for (const path of ['/', '/docs', '/openapi.json', '/health/live', '/health/ready', '/status']) {
      assert.equal((await served.ask(path, {}, { key: null })).status, 200, path);
    }
    const { body } = await served.ask('/status', {}, { key: null });
    assert.equal(body.status, 'ok');
    for (const layer of ['world', 'zones', 'boundaries', 'postal', 'ip', 'addresses', 'streets', 'pois']) {
      assert.ok(Object.values(body.dataset.layers[layer].records).every(Number.isInteger), layer);
    }
    for (const source of body.dataset.sources) assert.ok(source.id && source.licence && source.attribution, source.id);
  });

  test('every answer on the real dataset is what /openapi.json says, in every profile', async () => {
    const { body: api } = await served.ask('/openapi.json');
    const { components } = api;
    for (const { path, queries } of cases) {
      const { schema } = api.paths[path].get.responses[200].content['application/json'];
      for (const profile of profiles) {
        for (const { code, ...parameters } of queries) {
          const isInPath = path.includes('{');
          const query = isInPath || code === undefined ? parameters : { code, ...parameters };
          const { body } = await served.ask(`/v1${path.replace('{code}', String(code))}`, query, { profile });
          const [, errors] = Schema.Errors({ components, ...schema }, body);
          assert.deepEqual(errors, [], `${path} in ${profile}: ${JSON.stringify(query)}`);
        }
      }
    }
  });

  test('every endpoint of the specification is described and served below /v1, and every one is a GET but /batch', async () => {
    const { body: api } = await served.ask('/openapi.json');
    assert.deepEqual(api.servers, [{ url: '/v1' }]);
    const described = new Set(Object.keys(api.paths));
    for (const { path } of cases) {
      assert.ok(described.has(path), path);
      assert.deepEqual(
        Object.keys(api.paths[path]).filter((key) => key !== 'parameters'),
        ['get'],
      );
      assert.equal((await served.ask(path.replace('{code}', 'DE'))).status, 404, 'not without /v1');
    }
    assert.deepEqual(Object.keys(api.paths['/batch']), ['post']);
    assert.equal(cases.length, 18);
  });

  test('types never change inside a profile: fields that are null for one record have their type for others', async () => {
    const ask = async (ip: string) => (await served.ask('/v1/ip', { ip })).body;
    const [whole, partly] = [await ask('8.8.8.8'), await ask('2001:4860:4860::8888')];
    assert.deepEqual(Object.keys(whole), Object.keys(partly));
    assert.deepEqual([typeof whole.city, partly.city], ['string', null]);
  });
});
