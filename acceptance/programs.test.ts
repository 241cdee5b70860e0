/** Over the default dataset: every endpoint as a tool, as CSV and GeoJSON, through the client, and for a file of rows. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { parse } from 'csv-parse/sync';
import { createClient } from '../packages/client/src/index.ts';
import { openDataset } from '../src/api/open.ts';
import { endpoints } from '../src/endpoints/index.ts';
import { geocode } from '../src/geocode/geocode.ts';
import { tools as allTools, endpointOfTool } from '../test/mcp/clients.ts';
import type { Endpoint } from '../test/support/ask.ts';
import { datasetMissing, defaultDataset } from '../test/support/dataset.ts';
import { testService } from '../test/support/service.ts';
import { temporaryDirectory } from '../test/support/temporary.ts';

const dataset = defaultDataset();
const skip = dataset === undefined ? datasetMissing : false;

/** Parameters that have an answer, by endpoint. */
const questions: Record<string, Record<string, string | number>> = {
  search: { q: 'Montevideo' },
  autocomplete: { q: 'montev' },
  cities: { country: 'UY' },
  nearby: { lat: -34.9058, lng: -56.1913 },
  reverse: { lat: -34.9058, lng: -56.1913 },
  countries: {},
  countriesAll: {},
  country: { code: 'UY' },
  admin: { country: 'UY' },
  postal: { code: '10115', country: 'DE' },
  validate: { city: 'Berlin', country: 'DE', postal_code: '10115' },
  timezone: { lat: -34.9058, lng: -56.1913, at: '2026-06-15T12:00:00Z' },
  sun: { lat: -34.9058, lng: -56.1913, date: '2026-06-15' },
  distance: { from_city: 'Montevideo', to_city: 'Buenos Aires' },
  ip: { ip: '8.8.8.8' },
  address: { q: 'Avenida 18 de Julio 1234', country: 'UY' },
  streets: { q: '18 de Julio' },
  pois: { lat: -34.9058, lng: -56.1913, radius: 2 },
};

async function running(t: TestContext) {
  const store = openDataset(dataset!);
  t.after(() => store.close());
  const service = await testService(t, { store: { current: store } });
  await service.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = service.app.server.address() as AddressInfo;
  return { ...service, store, baseUrl: `http://127.0.0.1:${port}` };
}

test("the official SDK's client calls every tool, and each has an answer", { skip }, async (t) => {
  const { baseUrl, key } = await running(t);
  const client = new Client({ name: 'acceptance', version: '1' });
  const requestInit = { headers: { 'X-API-Key': key } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), { requestInit }));
  t.after(() => client.close());
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name }) => name),
    allTools,
  );
  for (const name of allTools) {
    const query = questions[endpointOfTool[name]];
    const { isError, structuredContent } = await client.callTool({ name, arguments: query });
    assert.ok(!isError, `${name}: ${JSON.stringify(structuredContent)}`);
    const { count = 1 } = structuredContent as { count?: number };
    assert.ok(count > 0, `${name} found nothing`);
  }
});

test('every list is the same as CSV, and every list of points as GeoJSON', { skip }, async (t) => {
  const { baseUrl, key, ask: request } = await running(t);
  const client = createClient({ baseUrl, apiKey: key });
  const { paths } = (await request('/openapi.json', { key: null })).body;
  for (const [name, { path }] of Object.entries(endpoints)) {
    const { parameters } = paths[path].get as { parameters: { name: string; schema: { enum: string[] } }[] };
    const formats = parameters.find((each) => each.name === 'format')?.schema.enum;
    if (!formats) continue;
    const ask = client[name as 'search'];
    const { results } = await ask(questions[name] as { q: string });
    const rows = parse(await client.csv(name as 'search', questions[name] as { q: string }), { columns: true });
    assert.equal(rows.length, results.length, name);
    assert.deepEqual(Object.keys(rows[0] as object), Object.keys(results[0]), name);
    if (!formats.includes('geojson')) continue;
    const { features } = await client.geojson(name as 'search', questions[name] as { q: string });
    assert.deepEqual(
      features.map(({ geometry }) => geometry?.coordinates),
      results.map(({ lat, lng }) => [lng, lat]),
      name,
    );
  }
});

test('addresses that a file of rows names are found where they stand', { skip }, async (t) => {
  const directory = temporaryDirectory(t);
  const [input, output] = ['in.csv', 'out.csv'].map((name) => join(directory, name));
  writeFileSync(input, 'street,number,cc\nAvenida 18 de Julio,1234,uy\nNo Such Street At All,1,uy\n');
  const store = openDataset(dataset!);
  t.after(() => store.close());
  const summary = await geocode({
    store,
    endpoint: endpoints.address as Endpoint,
    input,
    output,
    map: new Map([
      ['q', ['street', 'number']],
      ['country', ['cc']],
    ]),
    fixed: {},
    prefix: 'r_',
    delimiter: ',',
    limitPerRow: 1,
    isResumed: false,
    onBug: (_row, error) => {
      throw error;
    },
  });
  assert.deepEqual(summary, {
    endpoint: '/address',
    found: 1,
    withoutResult: 1,
    failed: 0,
    resumedAt: 1,
    exact: 1,
    partial: 0,
    layers: {},
    matchTypes: { exact: 1 },
  });
  const [found, missing] = parse(readFileSync(output), { columns: true }) as Record<string, string>[];
  assert.equal(found.r_house_number, '1234');
  assert.ok(Math.abs(Number(found.r_lat) + 34.9059) < 0.001 && Math.abs(Number(found.r_lng) + 56.1894) < 0.001);
  assert.equal(missing.r_error, 'no_result');
});
