/** What the tools answer, and the keys they need. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testService } from '../support/service.ts';
import { newClient, overHttp } from './clients.ts';

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
  const resultsFor = async (more: object) => {
    const args = { q: 'paris', ...more };
    const { structuredContent } = await client.callTool({ name: 'find_place', arguments: args });
    return (structuredContent as { results: unknown[] }).results.length;
  };
  assert.deepEqual([await resultsFor({}), await resultsFor({ limit: 7 })], [5, 7]);
});

test('an argument that a tool does not have is an error that names those it has, as the answer would be without it; null is none', async (t) => {
  const client = newClient();
  await overHttp(t, client);
  for (const [name, args] of [
    ['geocode_address', { street: 'Hauptstr.', house_number: '3', city: 'Berlin' }],
    ['find_place', { q: 'berlin', country_code: 'DE' }],
    ['find_place', { q: 'berlin', constructor: 'x' }],
  ] as const) {
    const { isError, content } = await client.callTool({ name, arguments: args });
    assert.ok(isError);
    assert.match((content[0] as { text: string }).text, /has no argument .*; it takes q, country/);
  }
  for (const args of [{ q: 'berlin' }, { q: 'berlin', type: null }])
    assert.ok(!(await client.callTool({ name: 'find_place', arguments: args })).isError);
});

test('an address comes with its unit, components and verdict; one that the data lack with its town, which points to find_place', async (t) => {
  const client = newClient();
  await overHttp(t, client);
  // biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the test says it is.
  const answerTo = async (q: string): Promise<any> =>
    (await client.callTool({ name: 'geocode_address', arguments: { q } })).structuredContent;
  const { verdict, results } = await answerTo('Hauptstr. 3, Apt 7, Berlin');
  assert.equal(verdict, 'exact');
  assert.deepEqual([results[0].house_number, results[0].unit], ['3', 'Apt 7']);
  assert.ok(results[0].components.some(({ component }: { component: string }) => component === 'street'));
  const lacking = await answerTo('10 Rue de Nulle Part, Paris');
  assert.deepEqual(lacking.results, []);
  assert.equal(lacking.fallback.name, 'Paris');
  assert.match(lacking.hint, /find_place/);
  assert.ok(lacking.coverage);
});

test('reverse_geocode has the address of a house at the position', async (t) => {
  const client = newClient();
  const service = await overHttp(t, client);
  const [house] = (await service.ask('/v1/address?q=Hauptstr+3+Berlin')).body.results;
  const { structuredContent } = await client.callTool({
    name: 'reverse_geocode',
    arguments: { lat: house.lat, lng: house.lng },
  });
  const [at] = (structuredContent as { results: Record<string, unknown>[] }).results;
  assert.deepEqual([at.street, at.house_number, at.country], [house.street, '3', 'DE']);
});
