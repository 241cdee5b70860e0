/** Messages to `/mcp`: what they cost, how many come at once, and what is refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { testService } from '../support/service.ts';
import { openSmallStore } from '../support/small-store.ts';
import { tools } from './clients.ts';

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
  const text = JSON.stringify({ ...wide, params: { name: 'find_place', arguments: 'a'.repeat(1_000_000) } });
  const before = process.threadCpuUsage();
  const refused = await service.ask('/mcp', { method: 'POST', key, headers, body: text });
  assert.match(refused.body.detail, /1000000 arguments, at most 100/);
  assert.equal(
    (await service.ask('/mcp', { method: 'POST', key, headers, body: `"${'a'.repeat(1_000_000)}"` })).status,
    400,
  );
  const { user } = process.threadCpuUsage(before);
  assert.ok(user < 250_000, `two long texts took ${user} µs`);
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

test('a message has few values beside the arguments of a tool, as its error would name each', async (t) => {
  const service = await testService(t);
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const clientInfo = { name: 'x', version: '1', icons: Array(4_900).fill(0) };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  const post = (method: string, params: object) =>
    service.ask('/mcp', { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) });
  const call = { name: 'x', _meta: { 'io.modelcontextprotocol/clientInfo': clientInfo }, arguments: {} };
  for (const [method, wrong] of [
    ['initialize', params],
    ['ping', params],
    ['tools/call', call],
  ] as const) {
    const refused = await post(method, wrong);
    assert.equal(refused.status, 400);
    assert.match(
      refused.body.detail,
      /a message of 49\d\d values, at most 200 are allowed beside the arguments of a tool/,
    );
  }
  const requests = Array(100).fill({ endpoint: 'search', params: { q: 'x' } });
  assert.equal((await post('tools/call', { name: 'find_place', arguments: { q: 'berlin', requests } })).status, 200);
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

test('each message of a request is answered in a turn of its own', async (t) => {
  const service = await testService(t);
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const params = { name: 'about_country', arguments: { code: 'DE' } };
  const post = (count: number) => {
    const messages = Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params }));
    return service.ask('/mcp', { method: 'POST', headers, body: JSON.stringify(messages) });
  };
  // The protocol's code is loaded with the first.
  await post(1);
  let isDone = false;
  const answered = post(100).finally(() => {
    isDone = true;
  });
  let turns = 0;
  for (; !isDone; turns++) await nextTurn();
  assert.equal((await answered).text.match(/structuredContent/g)?.length, 100);
  assert.ok(turns >= 100, `${turns} turns`);
});

test('a list of messages in a list is no message, and none of them is answered', async (t) => {
  const service = await testService(t);
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const params = { name: 'about_country', arguments: { code: 'DE' } };
  const messages = Array.from({ length: 90 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params }));
  for (const body of [[messages], [messages[0], messages], [[]], [], [[messages]]]) {
    const { status, text } = await service.ask('/mcp', { method: 'POST', headers, body: JSON.stringify(body) });
    assert.equal(status, 400, text);
    assert.match(text, /"code":-32600/);
  }
  assert.equal((await service.ask('/v1/usage')).body.used, 0);
});

test('a tool that waits for its turn while another dataset is taken up answers from that one', async (t) => {
  const service = await testService(t, { limits: { sliceMs: 0 } });
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const params = { name: 'find_street', arguments: { q: 'Hauptstrasse' } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const post = () => service.ask('/mcp', { method: 'POST', headers, body });
  const [{ current }, other] = [service.holder, await openSmallStore({ version: 'small-4' })];
  service.holder.current = other.store;
  await post();
  let answered = 0;
  const pending = Array.from({ length: 20 }, () => post().finally(() => answered++));
  // Each message has a turn, and its tool another one later.
  while (answered === 0) await nextTurn();
  service.holder.current = current;
  other.remove();
  for (const { text } of await Promise.all(pending)) assert.match(text, /"structuredContent"/);
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
  const all = tools.length;
  assert.deepEqual(await list(1), [1, all]);
  assert.deepEqual(await list('x"\n'), ['x"\n', all]);
  assert.deepEqual(await list(1, restricted), [1, 1]);
  assert.deepEqual(await list(2, restricted), [2, 1]);
  assert.equal((await service.ask('/v1/usage')).body.used, 2);
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

test('a response among the messages changes nothing of their bounds and turns', async (t) => {
  const service = await testService(t, { limits: { heldAnswerBytesPerCaller: 10_000 } });
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const params = { name: 'find_place', arguments: { q: 'berlin' } };
  const post = (count: number) => {
    const messages = Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params }));
    const body = JSON.stringify([{ jsonrpc: '2.0', id: 777, result: {} }, ...messages]);
    return service.ask('/mcp', { method: 'POST', headers, body });
  };
  const two = await post(2);
  assert.deepEqual([two.status, two.text.match(/structuredContent/g)?.length], [200, 2]);
  assert.equal((await post(60)).status, 429);
  assert.ok((await service.ask('/v1/usage')).body.used < 30, 'the rest was not worked on');
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
  while (service.app.whereabouts.lanes.waiting < 60) await new Promise<void>((resolve) => process.nextTick(resolve));
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
