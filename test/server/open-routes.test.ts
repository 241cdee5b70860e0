import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, suite, test } from 'node:test';
import Schema from 'typebox/schema';
import { endpoints } from '../../src/endpoints/index.ts';
import { errorTable } from '../../src/errors.ts';
import { type TestService, testService } from '../support/service.ts';

suite('what is open without a key', () => {
  let service: TestService;
  before(async () => {
    service = await testService(undefined);
  });
  after(() => service.close());
  const ask = (url: string) => service.ask(url, { key: null });

  test('/, /docs, /openapi.json, /health/* and /status answer without a key', async () => {
    for (const url of ['/', '/docs', '/docs/errors', '/openapi.json', '/health/live', '/health/ready', '/status']) {
      assert.equal((await ask(url)).status, 200, url);
    }
  });

  test('/status names version, dataset, layers with counts and dates, and sources with licence and attribution', async () => {
    const { body } = await ask('/status');
    assert.equal(body.status, 'ok');
    assert.equal(body.version, '0.0.0-test');
    assert.equal(body.dataset.version, 'small-1');
    assert.deepEqual(body.dataset.layers.postal, {
      records: { postal_codes: 9, postal_rows: 9 },
      sources: [
        { id: 'geonames-postal', vintage: null },
        { id: 'australian-postcodes', vintage: '2024' },
      ],
    });
    const { coverage } = body.dataset;
    assert.deepEqual(coverage.DE, {
      postal: { records: 2, level: 'partial', share: 0 },
      addresses: { records: 14, level: 'partial' },
      streets: { records: 2, level: 'partial' },
      pois: { records: 6, level: 'partial' },
      outlines: { records: 1, level: 'partial', share: 0.5, missing: ['DE-BY'] },
    });
    const none = { records: 0, level: 'none' };
    assert.deepEqual(coverage.XK, { postal: none, addresses: none, streets: none, pois: none });
    const ids = new Set(body.dataset.sources.map(({ id }: { id: string }) => id));
    for (const { sources } of Object.values<{ sources: { id: string }[] }>(body.dataset.layers)) {
      for (const { id } of sources) assert.ok(ids.has(id), id);
    }
    for (const source of body.dataset.sources) assert.ok(source.licence && source.attribution, source.id);
  });

  test('the pages load nothing from elsewhere, and their policy forbids it', async () => {
    for (const url of ['/', '/docs', '/docs/errors']) {
      const { text, headers } = await ask(url);
      assert.match(headers['content-security-policy'], /default-src 'none'/);
      for (const [, address] of text.matchAll(/(?:src|href)="([^"]+)"/g)) {
        assert.match(address, /^[/#]/, `${url} loads ${address}`);
        assert.equal((await ask(address)).status, 200, address);
      }
      assert.doesNotMatch(text, /<script>|style=|onclick/);
    }
  });

  test('docs/errors.md explains exactly the codes there are, with their status, and `type` leads there', async () => {
    const markdown = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');
    const explained = Object.fromEntries(
      [...markdown.matchAll(/^## (\w+)\nStatus (\d+)\./gm)].map(([, code, status]) => [code, Number(status)]),
    );
    assert.deepEqual(
      explained,
      Object.fromEntries(Object.entries(errorTable).map(([code, { status }]) => [code, status])),
    );
    const page = (await ask('/docs/errors')).text;
    for (const code of Object.keys(errorTable)) assert.ok(page.includes(`<h2 id="${code}">`), code);
    for (const code of Object.keys(errorTable)) {
      const { status, text } = await ask(`/docs/errors/${code}`);
      assert.equal(status, 200, code);
      assert.ok(text.includes(`<h1 id="${code}">`) && text.includes(`Status ${explained[code]}.`), code);
    }
    const { type } = (await ask('/v1/countries')).body;
    assert.equal(type, '/docs/errors/missing_api_key');
    assert.match((await ask(type)).text, /X-API-Key/);
  });
});

suite('/openapi.json', () => {
  let service: TestService;
  before(async () => {
    service = await testService(undefined);
  });
  after(() => service.close());

  test('describes exactly the paths that are served', async () => {
    const { body } = await service.ask('/openapi.json');
    assert.equal(body.openapi, '3.1.0');
    const expected = [
      ...Object.values(endpoints).map(({ path }) => path),
      '/usage',
      '/batch',
      '/jobs',
      '/jobs/{id}',
      '/jobs/{id}/result',
      '/status',
      '/health/live',
      '/health/ready',
      '/account/sign-up',
      '/account/sign-up/confirm',
      '/account/key',
      '/account/key/rotate',
      '/account/key/revoke',
      '/admin/keys',
      '/admin/keys/{id}',
      '/admin/keys/{id}/revoke',
      '/admin/usage',
      '/admin/log',
      '/tiles/{layer}.json',
      '/tiles/{layer}/{z}/{x}/{y}.mvt',
    ];
    assert.deepEqual(Object.keys(body.paths).sort(), expected.sort());
  });

  test('says what every path may answer to an address that is too long', async () => {
    const { body } = await service.ask('/openapi.json');
    for (const [path, item] of Object.entries(body.paths as Record<string, Record<string, { responses?: object }>>)) {
      for (const { responses } of Object.values(item)) if (responses) assert.ok('414' in responses, path);
    }
  });

  test('has an example of every answer', async () => {
    const { body } = await service.ask('/openapi.json');
    type Response = { content?: Record<string, { example?: unknown }> };
    type Item = Record<string, { responses?: Record<string, Response> }>;
    const missing: string[] = [];
    const check = (place: string, { content = {} }: Response) => {
      // Bytes are not for reading.
      for (const [type, { example }] of Object.entries(content))
        if (!example && !type.includes('vector-tile')) missing.push(`${place} ${type}`);
    };
    for (const [path, item] of Object.entries(body.paths as Record<string, Item>))
      for (const [method, { responses = {} }] of Object.entries(item))
        for (const [status, response] of Object.entries(responses)) check(`${method} ${path} ${status}`, response);
    for (const [status, response] of Object.entries<Response>(body.components.responses)) check(status, response);
    assert.deepEqual(missing, []);
  });

  test('has a tag, and says that it comes compressed or not', async () => {
    const ask = (encoding: string) =>
      service.inject({ url: '/openapi.json', headers: { 'accept-encoding': encoding } });
    for (const encoding of ['br', 'gzip', 'identity'])
      assert.equal((await ask(encoding)).headers.vary, 'Accept-Encoding');
    const etag = String((await ask('br')).headers.etag);
    const again = await service.ask('/openapi.json', { headers: { 'if-none-match': etag } });
    assert.equal(again.status, 304);
  });

  test('every reference leads somewhere, and operation names are unique', async () => {
    const { body, text } = await service.ask('/openapi.json');
    for (const [, pointer] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const target = pointer.split('/').reduce((part, key) => part?.[key], body);
      assert.ok(target, pointer);
    }
    const names = [...text.matchAll(/"operationId":"(\w+)"/g)].map(([, name]) => name);
    assert.equal(new Set(names).size, names.length);
  });

  test('describes every parameter that the endpoints read, and how the variants differ', async () => {
    const { body } = await service.ask('/openapi.json');
    for (const { path, parameters } of Object.values(endpoints)) {
      const described = body.paths[path].get.parameters.map(({ name }: { name?: string }) => name);
      for (const name of Object.keys(parameters.default.properties))
        assert.ok(described.includes(name), `${path} ${name}`);
    }
    const distance = body.paths['/distance'].get.parameters;
    assert.match(
      distance.find(({ name }: { name?: string }) => name === 'from_lat').description,
      /Profile b: required/,
    );
  });

  test('answers and errors are what the description says, in each profile', async () => {
    const { body: api } = await service.ask('/openapi.json');
    const check = (component: string, answer: unknown) => {
      const schema = { components: api.components, $ref: `#/components/schemas/${component}` };
      const [, errors] = Schema.Errors(schema, answer);
      assert.deepEqual(errors, [], component);
    };
    const component = (name: string, variant: string) => {
      const own = `${name}Variant${variant.toUpperCase()}`;
      return own in api.components.schemas ? own : name;
    };
    for (const variant of ['default', 'a', 'b']) {
      const headers = { 'x-api-variant': variant };
      check(component('Country', variant), (await service.ask('/v1/country/DE', { headers })).body);
      check(component('Usage', variant), (await service.ask('/v1/usage', { headers })).body);
      const batch = await service.batch([{ endpoint: 'country/DE', params: {} }], { headers });
      check(component('Batch', variant), batch.body);
      check('Problem', (await service.ask('/v1/countries?limit=x', { headers })).body);
    }
  });
});
