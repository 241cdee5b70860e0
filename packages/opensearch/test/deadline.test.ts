/** Look-ups at clusters that take connections and do not answer, or not in time: they end, are counted, and other nodes are asked. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { endpoints } from '../../../src/endpoints/index.ts';
import { createMetrics, metricsText } from '../../../src/server/processes/metrics.ts';
import { readManifest, streetLayerNames } from '../../../src/store/manifest.ts';
import { StreetsUnavailable, whenFound } from '../../../src/store/store.ts';
import { ask as askInProcess } from '../../../test/support/ask.ts';
import { connect } from '../src/connection.ts';
import { indexSchema } from '../src/documents.ts';
import { openStreetEngine } from '../src/index.ts';
import { datasetOf, serviceOf } from './support/search-service.ts';

const deadlineMs = 300;
/** Reads without an answer after which the others are refused. */
const failuresToOpen = 5;

/** A cluster that knows what it has, and hangs when it is asked for it, or answers oddly; resolves with its address and the look-ups it got. */
async function hangingCluster(
  t: TestContext,
  directory: string,
  answers: readonly string[] = [],
  answerTo?: (asked: string) => Promise<string>,
) {
  const { version, builtAt, layers, sources } = readManifest(directory);
  const street = Object.fromEntries(streetLayerNames.map((name) => [name, layers[name]!]));
  const parts = [{ number: 0, streets: { sources: [], records: 1 }, pois: { sources: [], records: 1 } }];
  const facts = { schema: indexSchema, version, changes: 0, builtAt, layers: street, sources, parts, isWhole: true };
  const lookUps: string[] = [];
  const server = createServer(async (request, response) => {
    if (!request.url!.includes('_mapping')) {
      const asked = await text(request);
      lookUps.push(asked);
      if (answerTo) return response.setHeader('content-type', 'application/json').end(await answerTo(asked));
      if (answers.length === 0) return undefined;
      const answer = answers[lookUps.length % answers.length];
      return response.setHeader('content-type', answer.startsWith('<') ? 'text/html' : 'application/json').end(answer);
    }
    response.setHeader('content-type', 'application/json');
    return response.end(JSON.stringify({ 'streets-1': { mappings: { _meta: facts } } }));
  });
  return { address: `${await listening(t, server)}/streets`, lookUps };
}

async function listening(t: TestContext, server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('answers that are none, as a proxy or a broken cluster may give, are no answers', async (t) => {
  const directory = await datasetOf(t, '20260101T000000Z');
  const odd = [
    'null',
    '{"responses":[null]}',
    '{"responses":[]}',
    '{}',
    '[',
    '<html>',
    '{"responses":[{"hits":{"hits":[null]}}]}',
  ];
  const { address, lookUps } = await hangingCluster(t, directory, odd);
  const engine = await openStreetEngine(address, { onChange() {}, deadlineMs: 1_000 });
  t.after(() => engine.close());
  const { ask } = serviceOf(t, directory, engine);
  for (let asked = 0; lookUps.length < odd.length; asked++) {
    assert.equal((await ask(`/v1/address?q=Hauptstra%C3%9Fe+${asked + 1}+Berlin`)).status, 503);
    const search = await ask(`/v1/search?q=Hauptstra%C3%9Fe+${asked + 1}+Berlin`);
    assert.deepEqual([search.status, search.headers['x-incomplete']], [200, 'streets']);
  }
});

test('an answer without end is none, and one that is packed, which nobody asked for', async (t) => {
  const answers = { '/long': `{}${' '.repeat(33 * 2 ** 20)}`, '/packed': gzipSync('{}') };
  const server = createServer(({ url }, response) => {
    if (url === '/packed') response.setHeader('content-encoding', 'gzip');
    response.setHeader('content-type', 'application/json').end(answers[url as keyof typeof answers]);
  });
  const connection = await connect(await listening(t, server));
  t.after(() => connection.close());
  await assert.rejects(connection.read({ method: 'GET', path: '/long' }, undefined, 1_000), StreetsUnavailable);
  await assert.rejects(connection.read({ method: 'GET', path: '/packed' }, undefined, 100), StreetsUnavailable);
});

test('look-ups end with the time of the request, which the engine gets; answers without them say so', async (t) => {
  const directory = await datasetOf(t, '20260101T000000Z');
  const { address, lookUps } = await hangingCluster(t, directory);
  const metrics = await createMetrics({ hasEngine: true });
  const engine = await openStreetEngine(address, { onChange() {}, onLookUp: metrics.recordLookUp, deadlineMs });
  t.after(() => engine.close());
  const { ask, app } = serviceOf(t, directory, engine, { record: metrics.record });
  const read = async () => metricsText([await metrics.read(app.whereabouts, engine)]);
  assert.match(await read(), /whereabouts_street_engine_up\{pid="\d+"\} 1\n/);

  const search = await ask('/v1/search?q=Hauptstra%C3%9Fe+7+Berlin');
  assert.equal(search.status, 200);
  assert.equal(search.headers['x-incomplete'], 'streets');
  assert.equal(search.headers['cache-control'], 'no-store');
  assert.equal(search.headers.etag, undefined);
  const told = [...lookUps[0].matchAll(/"timeout":"(\d+)ms"/g)].map(([, ms]) => Number(ms));
  assert.ok(told.length > 0 && told.every((ms) => ms > 0 && ms <= deadlineMs), lookUps[0]);

  const country = await ask('/v1/country/DE');
  assert.deepEqual([country.status, country.headers['x-incomplete']], [200, undefined]);
  // At once, as a check of what is served, which is answered, ends a row of failures.
  const numbers = Array.from({ length: failuresToOpen }, (_, at) => at + 1);
  for (const { status, headers, body } of await Promise.all(
    numbers.map((number) => ask(`/v1/address?q=Hauptstra%C3%9Fe+${number}+Berlin`)),
  )) {
    assert.deepEqual([status, body.code], [503, 'unavailable']);
    assert.ok(headers['retry-after']);
  }
  const before = lookUps.length;
  assert.equal((await ask('/v1/address?q=Hauptstra%C3%9Fe+9+Berlin')).status, 503);
  assert.equal(lookUps.length, before, 'refused without asking');
  // What the files have is answered at once.
  for (const path of ['/v1/autocomplete?q=berli', '/v1/search?q=berlin', '/v1/reverse?lat=52.48&lng=13.35']) {
    const { status, body } = await ask(path);
    assert.equal(status, 200, path);
    assert.match(JSON.stringify(body.results), /Berlin/, path);
  }
  const typed = await ask('/v1/autocomplete?q=Hauptstra%C3%9Fe+7');
  assert.deepEqual([typed.status, typed.headers['x-incomplete']], [200, 'streets']);
  const served = await read();
  assert.match(served, /whereabouts_street_engine_refusing\{pid="\d+"\} 1\n/);
  assert.match(served, /whereabouts_street_lookups_total\{outcome="failed"\} 6\n/);
  assert.match(served, /whereabouts_street_lookups_total\{outcome="refused"\} [1-9]/);
  assert.match(served, /whereabouts_street_lookup_duration_seconds_count\{outcome="failed"\} 6\n/);
  assert.match(served, /whereabouts_incomplete_answers_total\{endpoint="search"\} 1\n/);
});

test('an answer without street-level data is nowhere taken for the whole', async (t) => {
  const directory = await datasetOf(t, '20260101T000000Z');
  const { address } = await hangingCluster(t, directory);
  const engine = await openStreetEngine(address, { onChange() {}, deadlineMs });
  t.after(() => engine.close());
  const { ask, app } = serviceOf(t, directory, engine);
  const q = 'Hauptstraße 7 Berlin';
  const requests = [{ endpoint: 'search', params: { q } }];
  for (const [path, payload] of [
    [`/photon/api?q=${encodeURIComponent(q)}`],
    [`/nominatim/search?q=${encodeURIComponent(q)}`],
    ['/pelias/v1/reverse?point.lat=52.48&point.lon=13.35'],
    ['/v1/batch', { requests }],
  ] as const) {
    const { status, headers } = await ask(path, {}, payload);
    assert.deepEqual([status, headers['x-incomplete'], headers['cache-control']], [200, 'streets', 'no-store'], path);
  }
  const tool = { name: 'reverse_geocode', arguments: { lat: 52.48, lng: 13.35 } };
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: tool };
  const { body } = await ask('/mcp', { accept: 'application/json, text/event-stream' }, message);
  assert.match(JSON.stringify(body), /street-level data cannot be reached/);
  // The rows of a job and of a file.
  const rowOf = () => askInProcess(endpoints.search, app.whereabouts.store.current!, { q });
  await assert.rejects(async () => whenFound(rowOf), StreetsUnavailable);
});

test('searches that are sent again, as others found too much beside them, have what is left of the time', async (t) => {
  const directory = await datasetOf(t, '20260101T000000Z');
  const { address, lookUps } = await hangingCluster(t, directory, [], async (asked) => {
    await wait(30);
    const { ids } = JSON.parse(asked.split('\n')[0]);
    if (ids) return JSON.stringify({ docs: ids.map((_id: string) => ({ _id, found: false })) });
    const bodies = asked.split('\n').filter((_, at) => at % 2 === 1);
    const responses = bodies.map((line) => {
      // A search that is sent alone finds nothing.
      const found = line.includes('"_name"') ? JSON.parse(line).size : 0;
      return { hits: { hits: Array.from({ length: found }, (_, at) => ({ _id: `0.${at}` })) } };
    });
    return JSON.stringify({ responses });
  });
  const engine = await openStreetEngine(address, { onChange() {}, deadlineMs: 30_000 });
  t.after(() => engine.close());
  await serviceOf(t, directory, engine).ask('/v1/address?q=Hauptstra%C3%9Fe+7+Berlin');
  const left = lookUps.flatMap((asked) => /"timeout":"(\d+)ms"/.exec(asked)?.[1] ?? []).map(Number);
  assert.ok(left.length >= 3, `${left}`);
  for (const [at, ms] of left.entries()) assert.ok(at === 0 || ms < left[at - 1], `${left}`);
});

test('a node that answers pings and no look-up is left out alone: the other one is asked', async (t) => {
  const asked: string[][] = [[], []];
  const nodes = asked.map((paths, at) =>
    createServer((request, response) => {
      response.setHeader('content-type', 'application/json');
      const isPing = request.url!.startsWith('/_nodes');
      if (!isPing) paths.push(request.url!);
      if (isPing || at === 1) response.end(JSON.stringify({ nodes: {}, _nodes: { total: 2, failed: 0 } }));
    }),
  );
  const address = await Promise.all(nodes.map((server) => listening(t, server)));
  // Too short for the other node to be asked as well.
  const connection = await connect(address.join(), { deadlineMs: 140 });
  t.after(() => connection.close());
  const read = (path: string, limitMs?: number) => connection.read({ method: 'GET', path }, undefined, limitMs);
  const first = await Promise.allSettled(Array.from({ length: 4 * failuresToOpen }, () => read('/first')));
  assert.ok(first.some(({ status }) => status === 'rejected'));
  assert.equal(connection.isRefusing, false);
  for (let at = 0; at < 4; at++) await read('/then', 60_000);
  // By their paths, as a first one may arrive at a busy node after its reader has given up.
  assert.deepEqual(
    asked.map((paths) => paths.filter((path) => path === '/then').length),
    [0, 4],
  );
});

test('all nodes are late, and one never comes back: look-ups that wait for its copies are sent to those of the others', async (t) => {
  const lateMs = 150;
  const servers = [0, 1, 2].map((at) => {
    let isLate = true;
    return createServer(async (request, response) => {
      response.setHeader('content-type', 'application/json');
      const { pathname, searchParams } = new URL(request.url!, 'http://node');
      if (at === 0) return;
      if (pathname === '/_nodes/_local') {
        if (isLate) await wait(lateMs);
        isLate = false;
        response.end(JSON.stringify({ nodes: { [`id-${at}`]: {} } }));
      } else if (pathname.startsWith('/_nodes')) response.end(JSON.stringify({ _nodes: { total: 3, failed: 1 } }));
      else if (searchParams.get('preference')?.startsWith('_prefer_nodes:id-')) response.end('{}');
    });
  });
  const address = await Promise.all(servers.map((server) => listening(t, server)));
  const connection = await connect(address.join(), { deadlineMs: 10_000 });
  t.after(() => connection.close());
  const preferring = (preference: string) => ({ path: `/?preference=${preference}` });
  // More than are sent to another node for being slow.
  const reads = Array.from({ length: 30 }, () => connection.read({ method: 'GET', path: '/', preferring }));
  assert.deepEqual(await Promise.all(reads), Array(30).fill({}));
});
