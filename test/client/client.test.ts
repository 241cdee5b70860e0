/** The client against the running service, both committed and published. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { generateApi, methods } from '../../packages/client/generate.ts';
import { operations } from '../../packages/client/src/api.ts';
import type * as committed from '../../packages/client/src/index.ts';
import { createClient, WhereaboutsApiError } from '../../packages/client/src/index.ts';
import { errorTable } from '../../src/errors.ts';
import { testService } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);
const tsc = (...args: string[]) => run(join(root, 'node_modules/.bin/tsc'), args, { cwd: root });

async function running(t: TestContext, options: Parameters<typeof testService>[1] = {}) {
  const service = await testService(t, options);
  await service.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = service.app.server.address() as AddressInfo;
  return { ...service, baseUrl: `http://127.0.0.1:${port}` };
}

test('the committed client matches the description', async (t) => {
  const { ask } = await testService(t);
  const { body } = await ask('/openapi.json', { key: null });
  const written = readFileSync(join(root, 'packages/client/src/api.ts'), 'utf8');
  assert.equal(
    generateApi(body) === written,
    true,
    'packages/client/src/api.ts is out of date: node packages/client/generate.ts',
  );
});

test('the client compiles in strict mode, and wrong uses of it do not', async () => {
  await tsc('-p', 'packages/client/tsconfig.json');
});

test('every operation of the description is a method that the service answers', async (t) => {
  const { baseUrl, key, ask } = await running(t);
  const client = createClient({ baseUrl, apiKey: key, retries: 0 });
  const parameters: Record<string, object> = {
    search: { q: 'paris, texas & "co"' },
    autocomplete: { q: 'spr' },
    cities: { country: 'us' },
    nearby: { lat: 35.69, lng: 139.69 },
    reverse: { lat: 52.5, lng: 13.4 },
    country: { code: 'DE' },
    countryArea: { code: 'DE' },
    adminArea: { iso_code: 'DE-BE' },
    place: { id: 2950159 },
    placeArea: { id: (await client.search({ q: 'germany' })).results[0].id },
    admin: { country: 'US' },
    postal: { code: '75001', country: 'FR' },
    validate: { city: 'Berlin', country: 'DE' },
    timezone: { lat: 52.5, lng: 13.4 },
    sun: { lat: 52.5, lng: 13.4 },
    distance: { from_city: 'Berlin', to_lat: 48.85, to_lng: 1e-7 },
    ip: { ip: '2.16.0.1' },
    address: { q: '10 Downing Street' },
    streets: { q: 'Downing Street' },
    pois: { lat: 51.5, lng: -0.13 },
    batch: { requests: [{ endpoint: 'country/DE', params: {} }] },
  };
  const { body } = await ask('/openapi.json', { key: null });
  const described = Object.values<Record<string, { operationId?: string; tags?: string[] }>>(body.paths)
    .flatMap((item) => methods.map((method) => item[method] ?? {}))
    .filter(({ operationId, tags }) => operationId && !tags?.some((tag) => ['Account', 'Admin', 'Tiles'].includes(tag)))
    .map(({ operationId }) => operationId);
  assert.deepEqual(Object.keys(operations), described);
  for (const name of Object.keys(operations) as (keyof typeof operations)[]) {
    const method = client[name] as (parameters?: object) => Promise<{ query_ms: number }>;
    try {
      const answer = await method(parameters[name]);
      assert.ok(Number.isInteger(answer.query_ms), name);
    } catch (error) {
      // The small dataset may lack street-level layers; the call has arrived nevertheless.
      const lacking = error instanceof WhereaboutsApiError && (/job/i.test(name) ? 'unavailable' : 'dataset_missing');
      if (!lacking || error.code !== lacking) throw error;
    }
  }
});

test('answers are those of the service, in every variant and form', async (t) => {
  const { baseUrl, key } = await running(t);
  const client = createClient({ baseUrl: `${baseUrl}/v1/`, apiKey: key });
  const { results } = await client.search({ q: 'paris', country: 'US' });
  assert.equal(results[0].id, 4717560);
  const asA = createClient({ baseUrl, apiKey: key, variant: 'a' });
  const [near] = (await asA.nearby({ lat: 35.69, lng: 139.69 })).results;
  assert.deepEqual(Object.keys(near).includes('id'), false);
  const { features } = await asA.geojson('cities', { country: 'DE', limit: 1 });
  assert.deepEqual(features[0].geometry, { type: 'Point', coordinates: [13.41, 52.52] });
  assert.match(await asA.csv('countries', {}), /^iso2,iso3,name\r\n/);
  const batch = await client.batch({ requests: [{ endpoint: 'country/FR', params: {} }] });
  assert.equal(batch.count, 1);
  assert.equal((await createClient({ baseUrl }).ready()).status, 'ok', 'no key is needed for what is open');
});

test('a job is sent, followed to its end, fetched and deleted', async (t) => {
  const { baseUrl, key } = await running(t, { jobs: { directory: temporaryDirectory(t), sweepMs: 20 } });
  const client = createClient({ baseUrl, apiKey: key });
  const csv = 'town\r\nBerlin\r\nNowhere at all\r\n';
  let job = await client.createJob({ endpoint: 'search', csv, options: { map: { q: ['town'] } } });
  assert.deepEqual(
    (await client.jobs()).results.map(({ id }) => id),
    [job.id],
  );
  while (job.result === null) {
    assert.notEqual(job.state, 'failed');
    job = await client.job({ id: job.id });
  }
  assert.deepEqual([job.rows, job.found, job.without_result], [2, 1, 1]);
  assert.match(await client.jobResult({ id: job.id }), /^town,.*\r\nBerlin,.*\r\nNowhere at all,/);
  assert.equal((await client.deleteJob({ id: job.id })).deleted, true);
  await assert.rejects(client.jobResult({ id: job.id, partial: true }), { code: 'job_not_found' });
});

test('a job whose answer is lost is not sent again', async (t) => {
  let requests = 0;
  const baseUrl = await otherServer(t, (request) => {
    requests++;
    request.socket.destroy();
  });
  await assert.rejects(createClient({ baseUrl }).createJob({ endpoint: 'search', rows: [{ q: 'x' }] }), TypeError);
  assert.equal(requests, 1);
});

test('an error is a typed error with everything in the problem document', async (t) => {
  const { baseUrl, key } = await running(t);
  const client = createClient({ baseUrl, apiKey: key });
  await assert.rejects(client.nearby({ lat: 95, lng: 200 }, { requestId: 'my-request' }), (error) => {
    assert.ok(error instanceof WhereaboutsApiError);
    assert.equal(error.status, 400);
    assert.equal(error.code, 'invalid_parameter');
    assert.deepEqual(
      error.errors.map(({ parameter }) => parameter),
      ['lat', 'lng'],
    );
    assert.equal(error.requestId, 'my-request');
    assert.equal(error.message, error.problem?.detail);
    return true;
  });
  await assert.rejects(createClient({ baseUrl }).countries(), { code: 'missing_api_key', status: 401 });
});

test('an answer that is not a problem document is an error too', async (t) => {
  const baseUrl = await otherServer(t, (_request, response) => response.writeHead(502).end('<html>'));
  const unexpected = { status: 502, code: 'unexpected_answer', errors: [], problem: undefined };
  await assert.rejects(createClient({ baseUrl }).status(), unexpected);
  for (const cut of ['{"code":"unav', 'null', '']) {
    const problem = await otherServer(t, (_request, response) =>
      response.writeHead(502, { 'Content-Type': 'application/problem+json' }).end(cut),
    );
    await assert.rejects(createClient({ baseUrl: problem }).status(), unexpected);
  }
});

test('an answer 200 that is no JSON, and a problem document of other types, are errors too', async (t) => {
  const page = await otherServer(t, (_request, response) => response.end('<html>Sign in'));
  const client = createClient({ baseUrl: page });
  const unexpected = { name: 'WhereaboutsApiError', status: 200, code: 'unexpected_answer', message: /than JSON; is/ };
  await assert.rejects(client.status(), unexpected);
  await assert.rejects(client.geojson('cities', { country: 'DE' }), unexpected);
  const strange = await otherServer(t, (_request, response) =>
    response.writeHead(400, { 'Content-Type': 'application/problem+json' }).end('{"detail":{},"code":5,"errors":"x"}'),
  );
  const fault = { status: 400, code: 'unexpected_answer', errors: [], message: /no problem document/ };
  await assert.rejects(createClient({ baseUrl: strange }).status(), fault);
});

test('no more than 100 MB of an answer are unpacked, whatever its status', async (t) => {
  const packed = gzipSync(Buffer.alloc(101_000_000, ' '), { level: 1 });
  for (const status of [200, 400]) {
    const baseUrl = await otherServer(t, (_request, response) => {
      response.writeHead(status, { 'Content-Encoding': 'gzip' }).end(packed);
    });
    const refused = { status, code: 'unexpected_answer', message: /more than 100 MB/ };
    await assert.rejects(createClient({ baseUrl }).status(), refused);
  }
});

/** A server other than the service; closed after the test. */
async function otherServer(t: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A client with a `fetch` that sees each answer before the client does. */
const watched = (options: committed.ClientOptions, onResponse: (response: Response) => void) =>
  createClient({
    ...options,
    async fetch(input, init) {
      const response = await fetch(input, init);
      onResponse(response);
      return response;
    },
  });

test('a redirect is an error, and where it leads does not get the key', async (t) => {
  let asked = 0;
  const location = await otherServer(t, (_request, response) => {
    asked++;
    response.end('{}');
  });
  const baseUrl = await otherServer(t, (_request, response) => response.writeHead(302, { location }).end());
  await assert.rejects(createClient({ baseUrl, apiKey: 'wab_x' }).status(), { status: 302 });
  assert.equal(asked, 0);
});

test('an identifier that leads to another path is refused: one job of nothing or dots would be the list of all', async (t) => {
  const { baseUrl, key } = await running(t, { jobs: { directory: temporaryDirectory(t) } });
  const client = createClient({ baseUrl, apiKey: key });
  for (const id of ['', '.', '..']) await assert.rejects(client.job({ id }), /no identifier/);
  for (const id of ['...', '%2e', './', '?']) await assert.rejects(client.job({ id }), { status: 404 });
});

test('after 429 the call is retried when Retry-After says, and succeeds', async (t) => {
  const { baseUrl, makeKey, clock } = await running(t);
  const statuses: number[] = [];
  const client = watched({ baseUrl, apiKey: makeKey({ plan: 'slow' }) }, (response) => {
    statuses.push(response.status);
    clock.now += 1000 * Number(response.headers.get('retry-after') ?? 0);
  });
  for (let call = 0; call < 4; call++) await client.countries();
  assert.deepEqual(statuses, [200, 200, 200, 429, 200]);
});

test('the client does not wait until tomorrow: the exhausted quota is reported at once', async (t) => {
  const { baseUrl, makeKey } = await running(t);
  let answers = 0;
  const client = watched({ baseUrl, apiKey: makeKey({ plan: 'tiny' }) }, () => answers++);
  for (let call = 0; call < 5; call++) await client.countries();
  await assert.rejects(client.countries(), (error) => {
    assert.ok(error instanceof WhereaboutsApiError);
    assert.equal(error.code, 'quota_exceeded');
    assert.equal(error.retryAfterSeconds, 43_200);
    return true;
  });
  assert.equal(answers, 6);
});

test('503 is retried until the service is up, as often as allowed', async (t) => {
  const { baseUrl, key, holder } = await running(t);
  const store = holder.current;
  holder.current = undefined;
  let answers = 0;
  const impatient = watched({ baseUrl, apiKey: key, retries: 0 }, () => answers++);
  await assert.rejects(impatient.countries(), { status: 503, code: 'unavailable', retryAfterSeconds: 1 });
  assert.equal(answers, 1);
  const patient = watched({ baseUrl, apiKey: key }, () => {
    if (++answers === 3) holder.current = store;
  });
  assert.ok((await patient.countries()).count > 0);
  assert.equal(answers, 4);
});

test('a call is aborted by its signal, also while it waits', async (t) => {
  const { baseUrl, key, holder } = await running(t);
  const reason = new Error('enough');
  const aborted = AbortSignal.abort(reason);
  await assert.rejects(createClient({ baseUrl, apiKey: key }).countries({}, { signal: aborted }), reason);
  const store = holder.current;
  holder.current = undefined;
  t.after(() => {
    holder.current = store;
  });
  const controller = new AbortController();
  const client = watched({ baseUrl, apiKey: key }, () => setImmediate(() => controller.abort(reason)));
  await assert.rejects(client.countries({}, { signal: controller.signal }), reason);
});

test('an attempt without an answer in time is a TimeoutError', async (t) => {
  const baseUrl = await otherServer(t, () => {});
  await assert.rejects(createClient({ baseUrl, timeoutMs: 20 }).status(), { name: 'TimeoutError' });
});

test('a failed connection is retried', async (t) => {
  let requests = 0;
  const baseUrl = await otherServer(t, (request, response) => {
    if (++requests === 1) request.socket.destroy();
    else response.setHeader('Content-Type', 'application/json').end('{"status":"ok","query_ms":0}');
  });
  assert.equal((await createClient({ baseUrl }).live()).status, 'ok');
  assert.equal(requests, 2);
});

test('an answer that breaks off is requested again', async (t) => {
  let requests = 0;
  const baseUrl = await otherServer(t, (request, response) => {
    const body = '{"status":"ok","query_ms":0}';
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
    if (++requests > 1) response.end(body);
    else response.write(body.slice(0, 10), () => request.socket.destroy());
  });
  assert.equal((await createClient({ baseUrl }).live()).status, 'ok');
  assert.equal(requests, 2);
  requests = 0;
  await assert.rejects(createClient({ baseUrl, retries: 0 }).live(), TypeError);
  assert.equal(requests, 1);
});

test('every code of the error table is one of the client', async () => {
  const written = readFileSync(join(root, 'packages/client/src/api.ts'), 'utf8');
  for (const code of Object.keys(errorTable)) assert.ok(written.includes(`'${code}'`), code);
});

test('the published package has no dependencies, compiles and works', async (t) => {
  const manifest = JSON.parse(readFileSync(join(root, 'packages/client/package.json'), 'utf8'));
  assert.equal(manifest.dependencies ?? manifest.peerDependencies, undefined);
  const directory = temporaryDirectory(t);
  await tsc('-p', 'packages/client/tsconfig.build.json', '--outDir', directory);
  const published: typeof committed = await import(pathToFileURL(join(directory, 'index.js')).href);
  assert.match(readFileSync(join(directory, 'index.d.ts'), 'utf8'), /createClient/);
  const { baseUrl, key } = await running(t);
  assert.equal((await published.createClient({ baseUrl, apiKey: key }).country({ code: 'de' })).iso3, 'DEU');
});
