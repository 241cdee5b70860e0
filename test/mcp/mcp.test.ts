/** The tools as the official SDK's own client sees them, over standard input and output and over HTTP. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { makeCurrent } from '../../src/build/versions.ts';
import { endpoints } from '../../src/endpoints/index.ts';
import { listKey } from '../../src/http/mcp-list.ts';
import { toolList } from '../../src/mcp/tool-list.ts';
import { parametersOf } from '../../src/mcp/tools.ts';
import { readManifest } from '../../src/store/manifest.ts';
import type { Manifest } from '../../src/store/manifest-format.ts';
import { type TestService, testService } from '../support/service.ts';
import { buildSmallDataset } from '../support/small-store.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const root = join(import.meta.dirname, '../..');

/** Parameters that have an answer, by tool. */
const questions: Record<string, Record<string, unknown>> = {
  find_place: { q: 'paris texas', limit: 2 },
  geocode_address: { q: '10 Downing Street', country: 'GB' },
  reverse_geocode: { lat: 52.5, lng: 13.4 },
  places_near: { lat: 35.69, lng: 139.69, radius: 20 },
  cities_of_country: { country: 'us', min_population: 1000 },
  points_of_interest: { lat: 51.5, lng: -0.13, category: 'restaurant' },
  find_street: { q: 'Downing Street', country: 'GB' },
  postal_code: { code: '75001', country: 'FR' },
  check_city: { city: 'Berlin', country: 'DE', postal_code: '10115' },
  time_at: { lat: 52.5, lng: 13.4, at: '2026-06-15T12:00:00Z' },
  sun_times: { lat: 52.5, lng: 13.4, date: '2026-06-15' },
  distance_between: { from_city: 'Berlin', to_lat: 48.85, to_lng: 2.35 },
  about_country: { code: 'DE' },
  list_countries: {},
  list_regions: { country: 'US', level: 2 },
  where_is_ip: { ip: '2.16.0.1' },
};
type Layers = Manifest['layers'];

/** Connects a client, and returns the layers of its questions. */
async function overStdio(t: TestContext, client: Client): Promise<Layers> {
  const data = temporaryDirectory(t);
  mkdirSync(join(data, 'small-1'));
  await buildSmallDataset(join(data, 'small-1'));
  await makeCurrent(data, 'small-1');
  const args = [join(root, 'src/main.ts'), '--data-directory', data, 'mcp'];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'inherit' }));
  t.after(() => client.close());
  return readManifest(join(data, 'small-1')).layers;
}

async function overHttp(t: TestContext, client: Client, headers?: Record<string, string>): Promise<TestService> {
  const service = await testService(t);
  await service.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = service.app.server.address() as AddressInfo;
  const url = new URL(`http://127.0.0.1:${port}/mcp`);
  const requestInit = { headers: headers ?? { 'X-API-Key': service.key } };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  t.after(() => client.close());
  return service;
}

const eras = { 'of 2025': {}, 'of 2026': { versionNegotiation: { mode: 'auto' } } } as const;
const protocolEras = { 'of 2025': 'legacy', 'of 2026': 'modern' } as const;
const newClient = (era: keyof typeof eras = 'of 2025') => new Client({ name: 'test', version: '1' }, eras[era]);

async function callEveryTool(client: Client, layers: Layers): Promise<void> {
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name }) => name),
    Object.keys(toolList),
  );
  for (const { name, title, description, inputSchema, annotations } of tools) {
    assert.ok(title && description && inputSchema.properties, name);
    assert.equal(annotations?.readOnlyHint, true);
    assert.ok(questions[name], `the tool ${name} is new; give it a question here`);
    for (const required of inputSchema.required ?? []) assert.ok(required in questions[name], `${name} ${required}`);
    const result = await client.callTool({ name, arguments: questions[name] });
    const [content] = result.content;
    assert.ok(content.type === 'text');
    const { layers: needed } = endpoints[toolList[name].endpoint];
    if (needed.some((layer) => !layers[layer])) {
      assert.equal(JSON.parse(content.text).code, 'dataset_missing');
      continue;
    }
    assert.ok(!result.isError, `${name}: ${content.text}`);
    assert.deepEqual(JSON.parse(content.text), result.structuredContent);
  }
}

for (const era of Object.keys(eras) as (keyof typeof eras)[]) {
  test(`a client ${era} lists and calls every tool over standard input and output`, async (t) => {
    const client = newClient(era);
    const layers = await overStdio(t, client);
    assert.equal(client.getServerVersion()?.name, 'whereabouts');
    assert.equal(client.getProtocolEra(), protocolEras[era]);
    await callEveryTool(client, layers);
  });

  test(`a client ${era} lists and calls every tool over HTTP, each call for one of the key's`, async (t) => {
    const client = newClient(era);
    const service = await overHttp(t, client);
    const { layers } = service.holder.current!.manifest;
    assert.equal(client.getProtocolEra(), protocolEras[era]);
    await callEveryTool(client, layers);
    const { body } = await service.ask('/v1/usage');
    const answered = Object.values(toolList).filter(({ endpoint }) =>
      endpoints[endpoint].layers.every((layer) => layers[layer]),
    );
    assert.equal(body.used, 1 + answered.length, 'the list and each tool that the dataset has an answer for');
  });
}

test("an answer is the endpoint's, without what is unknown and without sources", async (t) => {
  const client = newClient();
  const service = await overHttp(t, client);
  const { structuredContent } = await client.callTool({ name: 'find_place', arguments: { q: 'berlin', limit: 1 } });
  const { query_ms, ...answer } = (await service.ask('/v1/search?q=berlin&limit=1')).body;
  assert.ok(Number.isInteger(query_ms));
  const [{ sources, ...result }] = answer.results;
  assert.ok(sources.length > 0);
  const known = Object.entries(result).filter(([, value]) => value !== null);
  assert.deepEqual(structuredContent, { ...answer, results: [Object.fromEntries(known)] });
});

test('a bad parameter is an error of the tool that says what was expected; an unknown tool one of the protocol', async (t) => {
  const client = newClient();
  await overHttp(t, client);
  const result = await client.callTool({ name: 'places_near', arguments: { lat: 95, lng: 0 } });
  assert.equal(result.isError, true);
  const [content] = result.content;
  assert.ok(content.type === 'text');
  const problem = JSON.parse(content.text);
  assert.equal(problem.code, 'invalid_parameter');
  assert.equal(problem.errors[0].parameter, 'lat');
  assert.match(problem.detail, /-90 to 90/);
  await assert.rejects(
    client.callTool({ name: 'nothing', arguments: {} }),
    /no tool "nothing"; expected one of find_place/,
  );
});

test('a key is needed, and may come as a bearer token', async (t) => {
  const service = await testService(t);
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const post = (more: Record<string, string>) =>
    service.ask('/mcp', { method: 'POST', key: null, headers: { ...headers, ...more }, body: ping });
  const refused = await post({});
  assert.equal(refused.status, 401);
  assert.equal(refused.body.code, 'missing_api_key');
  assert.ok(refused.headers['www-authenticate']);
  assert.equal((await post({ authorization: 'Bearer wab_nonsense' })).status, 401);
  const ways: Record<string, string>[] = [{ authorization: `Bearer ${service.key}` }, { 'x-api-key': service.key }];
  for (const way of ways) {
    const answer = await post(way);
    assert.equal(answer.status, 200);
    assert.match(answer.text, /"name":"find_place"/);
    assert.ok(answer.headers['ratelimit-policy']);
  }
});

test("a key's plan and restrictions hold: quota, endpoints, messages at once", async (t) => {
  const service = await testService(t);
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const post = (key: string, message: unknown) =>
    service.ask('/mcp', { method: 'POST', key, headers, body: JSON.stringify(message) });
  const search = (id: number) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'find_place', arguments: { q: 'berlin' } },
  });

  const tiny = service.makeKey({ plan: 'tiny' });
  for (let id = 1; id <= 5; id++) assert.match((await post(tiny, search(id))).text, /structuredContent/);
  assert.match((await post(tiny, search(6))).text, /quota_exceeded/);

  const restricted = service.makeKey({ endpoints: ['country'] });
  const list = await post(restricted, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
  assert.deepEqual(
    [...list.text.matchAll(/"name":"(\w+)"/g)].map(([, name]) => name),
    ['about_country'],
  );
  assert.match((await post(restricted, search(1))).text, /there is no tool/);

  const many = await post(
    service.key,
    Array.from({ length: 101 }, (_, id) => search(id)),
  );
  assert.equal(many.status, 400);
  assert.match(many.body.detail, /101 messages, at most 100/);
});

test("all definitions together take at most 12 KB of a model's context, and a list has five results", async (t) => {
  const client = newClient();
  await overHttp(t, client);
  const { tools } = await client.listTools();
  assert.ok(JSON.stringify(tools).length <= 12_000);
  assert.equal(parametersOf('cities_of_country', { country: 'US' }).limit, 5);
  assert.equal(parametersOf('cities_of_country', { country: 'US', limit: 7 }).limit, 7);
});

test('unknown arguments of a tool are not passed on', async (t) => {
  const client = newClient();
  await overHttp(t, client);
  const args = { q: 'berlin', type: 'nonsense' };
  assert.ok(!(await client.callTool({ name: 'find_place', arguments: args })).isError);
});

test('the list of tools costs a call, and a request may ask for it once', async (t) => {
  const service = await testService(t);
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const key = service.makeKey({ plan: 'tiny' });
  const post = (message: unknown) =>
    service.ask('/mcp', { method: 'POST', key, headers, body: JSON.stringify(message) });
  const list = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/list' });
  const names = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`a${index}`, '']));
  const wide = { jsonrpc: '2.0', id: 0, method: 'tools/call', params: { name: 'find_place', arguments: names } };
  assert.match((await post(wide)).body.detail, /101 arguments, at most 100/);
  for (let id = 1; id <= 5; id++) assert.match((await post(list(id))).text, /"name":"find_place"/);
  assert.match((await post(list(6))).text, /"error":.*quota_exceeded/);
  for (const messages of [
    [list(1), list(2)],
    [list(1), { jsonrpc: '2.0', id: 2, method: 'ping' }, list(3)],
  ]) {
    const refused = await post(messages);
    assert.equal(refused.status, 400);
    assert.match(refused.body.detail, /several messages "tools\/list", at most one/);
  }
});

test('other requests are answered while the messages of one are', async (t) => {
  const service = await testService(t, { limits: { sliceMs: 0 } });
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const message = {
    jsonrpc: '2.0',
    method: 'tools/call',
    params: { name: 'about_country', arguments: { code: 'DE' } },
  };
  const body = JSON.stringify(Array.from({ length: 100 }, (_, id) => ({ ...message, id })));
  let isDone = false;
  const answered = service.ask('/mcp', { method: 'POST', headers, body }).finally(() => {
    isDone = true;
  });
  const used = new Set<number>();
  while (!isDone) {
    await nextTurn();
    used.add((await service.ask('/v1/usage')).body.used);
  }
  assert.equal((await answered).text.match(/structuredContent/g)?.length, 100);
  assert.ok(used.size > 10, `uses seen: ${[...used]}`);
});

test('a cached list has the id of each request, and the tools of each key', async (t) => {
  const service = await testService(t);
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const restricted = service.makeKey({ endpoints: ['country'] });
  const list = async (id: unknown, key = service.key) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' });
    const { text } = await service.ask('/mcp', { method: 'POST', key, headers, body });
    const { id: answered, result } = JSON.parse(text.replace(/^event: message\ndata: /, ''));
    return [answered, result.tools.length];
  };
  const all = Object.keys(toolList).length;
  assert.deepEqual(await list(1), [1, all]);
  assert.deepEqual(await list('x"\n'), ['x"\n', all]);
  assert.deepEqual(await list(1, restricted), [1, 1]);
  assert.deepEqual(await list(2, restricted), [2, 1]);
  assert.equal((await service.ask('/v1/usage')).body.used, 2);
});

test('only a hash of a request for the list is remembered', () => {
  const keys = [
    listKey([['mcp-session-id', 'secret']], { method: 'tools/list' }, null),
    listKey([['mcp-session-id', 'other']], { method: 'tools/list' }, null),
    listKey([['mcp-session-id', 'secret']], { method: 'tools/list', params: { _meta: { token: 'secret' } } }, null),
    listKey([['mcp-session-id', 'secret']], { method: 'tools/list' }, ['country']),
  ];
  for (const key of keys) assert.match(key, /^[0-9a-f]{64}$/);
  assert.equal(new Set(keys).size, keys.length);
});

test('the replies to several messages come in one response, in order, without those to notifications', async (t) => {
  const service = await testService(t);
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const post = (body: unknown) => service.ask('/mcp', { method: 'POST', headers, body: JSON.stringify(body) });
  const { text } = await post([
    { jsonrpc: '2.0', id: 'a', method: 'tools/list' },
    { jsonrpc: '2.0', method: 'notifications/x' },
    { jsonrpc: '2.0', id: 'b', method: 'ping' },
  ]);
  assert.deepEqual(
    [...text.matchAll(/"id":"(\w)"/g)].map(([, id]) => id),
    ['a', 'b'],
  );
  assert.equal((await post([{ jsonrpc: '2.0', method: 'notifications/x' }])).status, 202);
  const refused = await post([{ jsonrpc: '2.0', id: 1, method: 'ping' }, 5]);
  assert.equal(refused.status, 400);
  assert.match(refused.text, /-32600/);
});

test('an id, method or name may have 256 characters', async (t) => {
  const service = await testService(t);
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const long = 'x'.repeat(257);
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'find_place', arguments: { q: 'x' } },
  };
  for (const wrong of [{ id: long }, { method: long }, { params: { name: long } }]) {
    const body = JSON.stringify({ ...message, ...wrong });
    const { status, body: problem } = await service.ask('/mcp', { method: 'POST', headers, body });
    assert.deepEqual([status, problem.code], [400, 'invalid_body']);
    assert.match(problem.detail, /too long, at most 256 characters/);
  }
});

test('the replies to several messages are bounded while they are made, and until they are read', async (t) => {
  const service = await testService(t, { limits: { heldAnswerBytesPerCaller: 10_000 } });
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const post = (count: number) => {
    const params = { name: 'find_place', arguments: { q: 'berlin' } };
    const messages = Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params }));
    return service.ask('/mcp', { method: 'POST', headers, body: JSON.stringify(messages) });
  };
  const used = async () => (await service.ask('/v1/usage')).body.used;
  const { status, text } = await post(2);
  assert.ok(status === 200 && text.length < 10_000, `${status}, ${text.length} bytes`);
  const before = await used();
  assert.equal((await post(60)).status, 429);
  assert.ok((await used()) - before < 30, 'the rest was not worked on');
  assert.equal((await post(2)).status, 200);
});

test('the messages of one address do not delay another', async (t) => {
  const service = await testService(t, { limits: { sliceMs: 0 } });
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  const post = (remoteAddress?: string) =>
    service.ask('/mcp', { method: 'POST', headers, body, ...(remoteAddress ? { remoteAddress } : {}) });
  await post();
  let done = 0;
  const many = Array.from({ length: 60 }, () => post().then(() => done++));
  while (service.app.load().waiting < 60) await new Promise<void>((resolve) => process.nextTick(resolve));
  assert.equal((await post('127.0.0.3')).status, 200);
  assert.ok(done < 30, `${done} of 60`);
  await Promise.all(many);
});

test('what is not a message is refused, and other methods than POST are not allowed', async (t) => {
  const service = await testService(t);
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const post = (body: string, more: Record<string, string> = {}) =>
    service.ask('/mcp', { method: 'POST', headers: { ...headers, ...more }, body });
  for (const body of ['', 'no', '{}', '[]', '{"jsonrpc":"2.0"}']) assert.equal((await post(body)).status, 400, body);
  const numbers = await post('[1,2,3]');
  assert.equal(numbers.status, 400);
  assert.equal(numbers.body.error.code, -32_600);
  assert.equal((await post('{}', { 'content-type': 'text/plain' })).status, 415);
  const get = await service.ask('/mcp');
  assert.equal(get.status, 405);
  assert.equal(get.headers.allow, 'POST, OPTIONS');
  const preflight = await service.ask('/mcp', { method: 'OPTIONS', key: null });
  assert.equal(preflight.status, 204);
  assert.match(preflight.headers['access-control-allow-headers'], /Mcp-Protocol-Version/);
});
