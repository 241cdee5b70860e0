import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  closeSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { Deferred, type LookUps } from '../../src/store/store.ts';
import { listening } from '../support/listening.ts';
import { rawClient } from '../support/raw-client.ts';
import { type Answer, type AskOptions, noon, type TestService, testService } from '../support/service.ts';

const hourMs = 3_600_000;
const jsonType = { 'content-type': 'application/json' };

function directoryOf(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'jobs-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

const serviceWith = (t: TestContext | undefined, directory: string, keysPath = ':memory:', keptMs = 0) =>
  testService(t, { jobs: { directory: join(directory, 'jobs'), sweepMs: 10, keptMs }, keysPath });

const post = (service: TestService, body: unknown, options: AskOptions = {}) =>
  service.ask('/v1/jobs', { method: 'POST', headers: jsonType, body: JSON.stringify(body), ...options });

const postTable = (service: TestService, query: string, body: string, type = 'text/csv') =>
  service.ask(`/v1/jobs?${query}`, { method: 'POST', headers: { 'content-type': type }, body });

/** Asks for a job until something holds for it. */
async function jobWhen(
  service: TestService,
  { id }: { id: string },
  isSo: (job: Answer['body']) => boolean,
  key?: string,
): Promise<Answer['body']> {
  for (;;) {
    const { status, body } = await service.ask(`/v1/jobs/${id}`, key === undefined ? {} : { key });
    if (isSo(body)) return body;
    // On a busy machine it may ask more often than the key's plan allows.
    if (status === 429) service.clock.now++;
    await wait(1);
  }
}
const isDone = ({ state }: { state: string }) => state === 'done' || state === 'failed';

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

test('rows are answered in their order, each as its endpoint would', async (t) => {
  const service = await serviceWith(t, directoryOf(t));
  const rows = [{ code: 'DE' }, { code: 'XX' }, 'no object', { code: 'fr', explain: true }];
  const sent = await post(service, { endpoint: '/country', rows });
  assert.equal(sent.status, 202);
  assert.equal(sent.headers.location, `/v1/jobs/${sent.body.id}`);
  assert.deepEqual([sent.body.rows, sent.body.state, sent.body.result], [4, 'queued', null]);
  const job = await jobWhen(service, sent.body, isDone);
  assert.deepEqual([job.state, job.answered, job.found, job.without_result, job.failed], ['done', 4, 2, 0, 2]);
  assert.equal(job.expires_at, new Date(noon + 24 * hourMs).toISOString());
  const result = await service.ask(job.result);
  assert.equal(result.headers['content-type'], 'application/x-ndjson');
  const answers = linesOf(result.text);
  assert.deepEqual(
    answers.map(({ row, results, error }) => [row, results[0]?.iso2 ?? null, error?.split(':')[0] ?? null]),
    [
      [1, 'DE', null],
      [2, null, 'country_not_found'],
      [3, null, 'invalid_row'],
      [4, 'FR', null],
    ],
  );
  assert.equal((await service.ask('/v1/usage')).body.used, 4);
});

test('a table is sent as CSV, with columns that are mapped, and comes back with the columns of a result', async (t) => {
  const service = await serviceWith(t, directoryOf(t));
  const csv = 'name,land\n"Berlin",DE\n=cmd,DE\nonly one cell\n';
  const inBody = await post(service, {
    endpoint: 'search',
    csv,
    options: { map: { q: ['name'], country: ['land'] }, set: { fuzzy: 'false' }, limit_per_row: 1 },
  });
  const streamed = await postTable(service, 'endpoint=search&map=q%3Dname,country%3Dland&set=fuzzy%3Dfalse', csv);
  assert.deepEqual([inBody.status, streamed.status], [202, 202]);
  const texts = [];
  for (const { body } of [inBody, streamed]) {
    const { result } = await jobWhen(service, body, isDone);
    const answer = await service.ask(result);
    assert.match(answer.headers['content-disposition'], /attachment; filename="job-[0-9a-f]+\.csv"/);
    texts.push(answer.text);
  }
  assert.equal(texts[0], texts[1]);
  const [header, berlin, formula, short, end] = texts[0].split('\r\n');
  assert.match(header, /^name,land,result_id,result_name,.*,result_error,result_row$/);
  assert.match(berlin, /^Berlin,DE,\d+,Berlin,.*,,1$/);
  assert.match(formula, /^=cmd,DE,.*no_result,2$/);
  assert.match(short, /invalid_row.*,3$/);
  assert.equal(end, '');
});

test('numbers of a table may have a comma, as most of Europe writes them', async (t) => {
  const service = await serviceWith(t, directoryOf(t));
  const { body } = await postTable(service, 'endpoint=timezone', 'lat;lng\n48,137;11,575\n52,5;13\n');
  assert.equal((await jobWhen(service, body, isDone)).found, 2);
  assert.match((await service.ask(`/v1/jobs/${body.id}/result`)).text, /Europe\/Berlin.*Europe\/Berlin/s);
});

test('lines of JSON are received as they arrive, and a broken one fails alone', async (t) => {
  const service = await serviceWith(t, directoryOf(t));
  const deep = '['.repeat(200_000);
  const lines = `{"code":"DE"}\n\n{"code":\n${deep}\n{"code":"FR"}`;
  const { body } = await postTable(service, 'endpoint=country', lines, 'application/x-ndjson');
  const job = await jobWhen(service, body, isDone);
  assert.deepEqual([job.rows, job.found, job.failed], [4, 2, 2]);
});

test('only the owner of the key sees a job; it is deleted on request, and a day after its end', async (t) => {
  const directory = directoryOf(t);
  const service = await serviceWith(t, directory);
  const { body } = await post(service, { endpoint: 'country', rows: [{ code: 'DE' }] });
  await jobWhen(service, body, isDone);
  const other = service.makeKey();
  const url = `/v1/jobs/${body.id}`;
  for (const [method, path] of [
    ['GET', url],
    ['GET', `${url}/result`],
    ['DELETE', url],
  ] as const) {
    assert.equal((await service.ask(path, { method, key: other })).body.code, 'job_not_found');
  }
  assert.equal((await service.ask('/v1/jobs', { key: other })).body.count, 0);
  assert.equal((await service.ask('/v1/jobs')).body.results[0].id, body.id);
  const head = await service.ask(`${url}/result`, { method: 'HEAD' });
  assert.ok(Number(head.headers['content-length']) > 100 && head.text === '');
  const withBody = { method: 'DELETE', headers: jsonType, body: '{}' } as const;
  assert.equal((await service.ask(url, withBody)).body.deleted, true);
  for (const type of ['application/json', 'text/csv', 'multipart/form-data']) {
    const again = await service.ask(url, { ...withBody, headers: { 'content-type': type } });
    assert.equal(again.body.code, 'job_not_found', type);
  }

  const second = await post(service, { endpoint: 'country', rows: [{ code: 'DE' }] });
  await jobWhen(service, second.body, isDone);
  service.clock.now += 25 * hourMs;
  await jobWhen(service, second.body, ({ code }) => code === 'job_not_found');
  // It is gone for everybody before its files are.
  // With the folder of the key.
  while (readdirSync(join(directory, 'jobs')).length > 0) await nextTurn();
});

test('where the quota ends a job is paused, and goes on the next day', async (t) => {
  const service = await serviceWith(t, directoryOf(t));
  const key = service.makeKey({ plan: 'tiny' });
  const rows = Array.from({ length: 8 }, () => ({ code: 'DE' }));
  const { body } = await post(service, { endpoint: 'country', rows }, { key });
  const paused = await jobWhen(service, body, ({ state }) => state === 'paused', key);
  assert.deepEqual([paused.answered, paused.resumes_at], [5, '2026-06-16T00:00:00.000Z']);
  assert.match(paused.detail, /the 5 calls of this UTC day are used up/);
  const early = await service.ask(`/v1/jobs/${body.id}/result`, { key });
  assert.deepEqual([early.status, early.body.code], [409, 'job_not_done']);
  const partial = await service.ask(`/v1/jobs/${body.id}/result?partial=true`, { key });
  assert.equal(linesOf(partial.text).length, 5);
  service.clock.now += 12 * hourMs + 1000;
  const done = await jobWhen(service, body, isDone, key);
  assert.deepEqual([done.answered, done.found, done.detail], [8, 8, null]);
  const { text } = await service.ask(done.result, { key });
  assert.deepEqual(
    linesOf(text).map(({ row }) => row),
    [1, 2, 3, 4, 5, 6, 7, 8],
  );
  assert.equal((await service.ask('/v1/usage', { key })).body.used, 3);
});

test('a table that waits for calls has its header once, however often it is tried meanwhile, and few files', async (t) => {
  const directory = directoryOf(t);
  const service = await serviceWith(t, directory);
  const key = service.makeKey({ plan: 'tiny' });
  const { id: keyId } = await service.keys.find(key);
  await service.ask('/v1/batch', {
    ...{ method: 'POST', headers: jsonType, key },
    body: JSON.stringify({ requests: Array(5).fill({ endpoint: 'country/DE', params: {} }) }),
  });
  const { body } = await post(service, { endpoint: 'country', csv: 'code\nDE\nFR\n' }, { key });
  const folder = join(directory, 'jobs', String(keyId), body.id);
  const state = join(folder, 'state.json');
  const waits = () => existsSync(state) && JSON.parse(readFileSync(state, 'utf8')).retryAt > service.clock.now;
  for (let attempt = 1; attempt < 6; attempt++) {
    while (!waits()) await nextTurn();
    service.clock.now += 61_000;
  }
  while (!waits()) await nextTurn();
  assert.deepEqual(readdirSync(folder).sort(), ['input', 'job.json', 'lock', 'output', 'state.json']);
  service.clock.now += 12 * hourMs;
  const { result } = await jobWhen(service, body, isDone, key);
  const { text } = await service.ask(result, { key });
  assert.match(text, /^code,.*\r\nDE,.*,1\r\nFR,.*,2\r\n$/);
});

const manyRows = Array.from({ length: 3_000 }, (_, at) => ({ lat: (at % 170) - 85, lng: (at % 350) - 175 }));
const expectWhole = (text: string) =>
  assert.deepEqual(
    linesOf(text).map(({ row }) => row),
    manyRows.map((_, at) => at + 1),
  );

test('a job goes on after a stop, and after a kill from what was last written down', async (t) => {
  const directory = directoryOf(t);
  const keysPath = join(directory, 'keys.sqlite');
  const first = await serviceWith(undefined, directory, keysPath);
  const { body } = await post(first, { endpoint: 'reverse', rows: manyRows });
  await jobWhen(first, body, ({ answered }) => answered > 0);
  const killed = mkdtempSync(join(tmpdir(), 'jobs-killed-'));
  t.after(() => rmSync(killed, { recursive: true, force: true }));
  cpSync(directory, killed, { recursive: true });
  await first.close();

  const second = await serviceWith(t, directory, keysPath);
  const { key } = first;
  const stopped = await second.ask(`/v1/jobs/${body.id}`, { key });
  assert.ok(stopped.body.answered > 0 && stopped.body.answered < manyRows.length, 'it was stopped halfway');
  const done = await jobWhen(second, body, isDone, key);
  expectWhole((await second.ask(done.result, { key })).text);

  // What the killed process wrote behind its last state is no part of the result.
  const folder = join(killed, 'jobs', readdirSync(join(killed, 'jobs'))[0], body.id);
  appendFileSync(join(folder, 'output'), '{"row":999999,"resu');
  const state = JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8'));
  const lock = new DatabaseSync(join(folder, 'lock'));
  lock.exec('BEGIN EXCLUSIVE');
  const third = await serviceWith(t, killed, join(killed, 'keys.sqlite'));
  for (let turn = 0; turn < 200; turn++) await nextTurn();
  const held = await third.ask(`/v1/jobs/${body.id}`, { key });
  assert.equal(held.body.answered, state.answered, 'nobody else works on a job that a process has');
  lock.close();
  third.clock.now += 5_000;
  const mended = await jobWhen(third, body, isDone, key);
  expectWhole((await third.ask(mended.result, { key })).text);
});

test('two processes never answer the same job, whose rows are charged once', async (t) => {
  const directory = directoryOf(t);
  const keysPath = join(directory, 'keys.sqlite');
  const [one, two] = [await serviceWith(t, directory, keysPath), await serviceWith(t, directory, keysPath)];
  const keys = [one.key, two.key];
  const sent = await Promise.all(
    keys.map((key) => post(one, { endpoint: 'reverse', rows: manyRows.slice(0, 1_000) }, { key })),
  );
  for (const [at, { body }] of sent.entries()) {
    const key = keys[at];
    const done = await jobWhen(two, body, isDone, key);
    const { text } = await one.ask(done.result, { key });
    assert.deepEqual(new Set(linesOf(text).map(({ row }) => row)).size, 1_000);
    assert.equal(linesOf(text).length, 1_000);
    await two.keys.flush();
    // What a process knows of the calls of others may be a quarter of a second old.
    one.clock.now += 1_000;
    assert.equal((await one.ask('/v1/usage', { key })).body.used, 1_000);
  }
});

test('a job that is deleted while it runs stops, and costs no further rows', async (t) => {
  const directory = directoryOf(t);
  const service = await serviceWith(t, directory);
  const { body } = await post(service, { endpoint: 'reverse', rows: manyRows });
  await jobWhen(service, body, ({ answered }) => answered > 0);
  assert.equal((await service.ask(`/v1/jobs/${body.id}`, { method: 'DELETE' })).status, 200);
  const { used } = (await service.ask('/v1/usage')).body;
  assert.ok(used > 0 && used < manyRows.length);
  await nextTurn();
  assert.equal((await service.ask('/v1/usage')).body.used, used);
  const [keyFolder = ''] = readdirSync(join(directory, 'jobs'));
  assert.ok(!existsSync(join(directory, 'jobs', keyFolder, body.id)));
});

test('a job that another process deletes as it begins is no fault', async (t) => {
  const directory = directoryOf(t);
  const logged: string[] = [];
  const logger = { level: 'error', stream: { write: (line: string) => void logged.push(line) } };
  const jobs = { directory: join(directory, 'jobs'), sweepMs: 10 };
  const service = await testService(t, { jobs, logger });
  const { id: keyId } = await service.keys.find(service.key);
  for (let count = 0; count < 5; count++) {
    const { body } = await post(service, { endpoint: 'country', rows: [{ code: 'DE' }] });
    const folder = join(jobs.directory, String(keyId), body.id);
    while (!existsSync(join(folder, 'lock'))) await nextTurn();
    renameSync(folder, join(directory, 'gone'));
    rmSync(join(directory, 'gone'), { recursive: true });
  }
  assert.deepEqual(logged, []);
});

test('a revoked key ends its job', async (t) => {
  const directory = directoryOf(t);
  const service = await serviceWith(t, directory);
  const key = service.makeKey({ plan: 'tiny' });
  const { body } = await post(service, { endpoint: 'country', rows: Array(8).fill({ code: 'DE' }) }, { key });
  await jobWhen(service, body, ({ state }) => state === 'paused', key);
  const { id } = await service.keys.find(key);
  await service.keys.revoke(id, 'test');
  service.clock.now += 13 * hourMs;
  // Nobody can ask for it any more.
  const folder = join(directory, 'jobs', String(id), body.id);
  const hasFailed = () => readFileSync(join(folder, 'state.json'), 'utf8').includes('"state":"failed"');
  while (!hasFailed()) await nextTurn();
});

test('hostile and wrong bodies are refused with what is wrong, and leave nothing on the disk', async (t) => {
  const directory = directoryOf(t);
  const service = await serviceWith(t, directory);
  const refusals: [unknown, RegExp][] = [
    [{}, /endpoint/],
    [{ endpoint: 'nowhere', rows: [{}] }, /there is no endpoint "nowhere"/],
    [{ endpoint: 'search' }, /either "rows" or "csv"/],
    [{ endpoint: 'search', rows: [{ q: 'a' }], csv: 'q\na\n' }, /either "rows" or "csv"/],
    [{ endpoint: 'search', rows: 'q' }, /rows must be array/],
    [{ endpoint: 'search', rows: [] }, /there are no rows/],
    [{ endpoint: 'search', csv: 'q\n' }, /there are no rows/],
    [{ endpoint: 'search', csv: '' }, /there are no rows/],
    [{ endpoint: 'search', csv: 'town\nBerlin\n' }, /no column matches q/],
    [{ endpoint: 'search', csv: 'q\n"Berlin\n' }, /not CSV.*send the file again/],
    [{ endpoint: 'search', csv: 'q\nx\n', options: { map: { q: 'town' } } }, /options\/map\/q must be array/],
    [{ endpoint: 'search', csv: 'q\nx\n', options: { map: { q: ['nope'] } } }, /no column "nope"/],
    [{ endpoint: 'search', rows: [{}], options: { set: { lat: 1 } } }, /options\/set\/lat must be string/],
    [{ endpoint: 'search', csv: 'a\nx\n', options: { map: { q: ['a', 'A'] } } }, /^map has a column twice for q/],
    [{ endpoint: 'search', csv: 'a\nx\n' }, /name one with map q=<column>.* with set q=/],
    [{ endpoint: 'search', rows: [{}], options: { map: { q: ['x'.repeat(16_400)] } } }, /more than 16384 characters/],
    [{ endpoint: 'search', rows: [{}], options: { set: { q: 'x'.repeat(16_400) } } }, /more than 16384 characters/],
    [{ endpoint: 'search', rows: [{}], options: { set: { nope: '1' } } }, /no parameter "nope"/],
    [{ endpoint: 'search', rows: [{}], options: { limit_per_row: 11 } }, /limit_per_row/],
    [{ endpoint: 'search', rows: Array(100_001).fill(1) }, /more than 100000 rows/],
    [{ endpoint: '../../etc/passwd', rows: [{}] }, /there is no endpoint/],
    ['x'.repeat(100_000), /is a text, expected an object/],
    ['x'.repeat(3_000_000), /is a text, expected an object/],
    [
      { endpoint: 'search', rows: [{}], more: 'x'.repeat(3_000_000) },
      /more than 131072 characters besides rows and csv/,
    ],
    [{ endpoint: 'search', rows: [JSON.parse('['.repeat(40) + ']'.repeat(40))] }, /nests deeper than 32 levels/],
    [{ endpoint: 'search', csv: 5 }, /csv must be string/],
    [[], /endpoint/],
    [null, /object/],
  ];
  for (const [body, detail] of refusals) {
    const answer = await post(service, body);
    assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_body'], JSON.stringify(body).slice(0, 80));
    assert.match(answer.body.detail, detail);
  }
  assert.equal((await postTable(service, '', 'q\nx\n')).body.code, 'missing_parameter');
  for (const [type, start] of [
    ['application/x-ndjson', ''],
    ['text/csv', 'q\nx\n'],
  ]) {
    const empty = await postTable(service, 'endpoint=search', start + '\n'.repeat(1_000_001), type);
    assert.match(empty.body.detail, /more than 1000000 lines/);
  }
  const commas = await postTable(service, 'endpoint=search', `q\n${','.repeat(400_000)}`);
  assert.match(commas.body.detail, /a row has more than 262144 bytes/);
  const cells = await postTable(service, 'endpoint=search', `q\n${`${'a,'.repeat(30_000)}\n`.repeat(35)}`);
  assert.deepEqual([cells.status, cells.body.code], [400, 'invalid_body']);
  assert.match(cells.body.detail, /rows of the table have more than 1000000 cells without a column/);
  for (const again of ['endpoint=search', 'map=q%3Dq', 'set=q%3Dq']) {
    const { body } = await postTable(service, `endpoint=search&map=q%3Dq&set=q%3Dq&${again}`, 'q\nx\n');
    assert.match(body.detail, /^(endpoint|map|set) was given twice/);
  }
  assert.equal((await postTable(service, 'endpoint=search&limit_per_row=0', 'q\nx\n')).status, 400);
  assert.equal((await postTable(service, 'endpoint=search', 'PK\x03\x04', 'application/zip')).status, 415);
  assert.equal((await service.ask('/v1/jobs/..%2F..%2Fkeys')).body.code, 'job_not_found');
  const small = service.makeKey({ plan: 'tiny' });
  const large = await post(service, { endpoint: 'country', rows: Array(36).fill({ code: 'DE' }) }, { key: small });
  assert.match(large.body.detail, /send at most 35/);
  while (readdirSync(join(directory, 'jobs')).length > 0) await nextTurn();
  // None of them costs a call.
  assert.equal((await service.ask('/v1/usage')).body.used, 0);
});

test('public and former keys have no jobs, a key has ten at most, and a service without a directory has none', async (t) => {
  const service = await serviceWith(t, directoryOf(t));
  const row = { endpoint: 'country', rows: [{ code: 'DE' }] };
  const open = service.makeKey({ origins: ['https://example.org'] });
  const sent = await post(service, row, { key: open, headers: { ...jsonType, origin: 'https://example.org' } });
  assert.deepEqual([sent.status, sent.body.code], [403, 'key_not_allowed']);
  const limited = service.makeKey({ endpoints: ['jobs', 'search'] });
  assert.equal((await post(service, row, { key: limited })).body.code, 'key_not_allowed');
  for (let count = 0; count < 10; count++) assert.equal((await post(service, row)).status, 202);
  assert.deepEqual((await post(service, row)).body.code, 'rate_limited');
  const without = await testService(t);
  assert.equal((await post(without, row)).body.code, 'unavailable');
});

test('while the jobs of all keys take more of the disk than they may, a key may have no more than a little', async (t) => {
  const directory = join(directoryOf(t), 'jobs');
  const service = await testService(t, { jobs: { directory, sweepMs: 10, maxBytes: 30_000_000 } });
  const others = join(directory, '999', 'a'.repeat(24));
  mkdirSync(others, { recursive: true });
  writeFileSync(join(others, 'job.json'), JSON.stringify({ id: 'a'.repeat(24), keyId: 999, bytes: 30_000_000 }));
  const small = await post(service, { endpoint: 'country', rows: [{ code: 'DE' }] });
  assert.equal(small.status, 202);
  await jobWhen(service, small.body, isDone);
  const rows = Array.from({ length: 30 }, () => ({ code: 'DE', more: 'x'.repeat(50_000) }));
  for (let count = 0; count < 2; count++) {
    const refused = await post(service, { endpoint: 'country', rows });
    assert.deepEqual([refused.status, refused.body.code], [503, 'unavailable']);
    assert.match(
      refused.body.detail,
      /^the jobs of all keys take 3\d MB of this service's disk, at most 30 MB are kept for this plan; delete/,
    );
  }
  rmSync(others, { recursive: true });
  // What another process deletes is known with the next look.
  while ((await post(service, { endpoint: 'country', rows })).status !== 202) await nextTurn();
});

test('a table counts for its key by its announced length before its body has come, until its client goes; for others as it arrives', async (t) => {
  const directory = directoryOf(t);
  const { makeKey, port, key } = await listening(t, { jobs: { directory, maxBytes: 3e7 } });
  const head = 'POST /v1/jobs?endpoint=search HTTP/1.1\r\nHost: x\r\nContent-Type: text/csv\r\nX-API-Key: ';
  const sendHead = async (from: string, length: number) => {
    const client = await rawClient(port);
    client.write(`${head}${from}\r\nContent-Length: ${length}\r\n\r\n`);
    return client;
  };
  const sent = () => globSync('*/.arriving-*/sent', { cwd: directory });
  const first = await sendHead(key, 2_000_000);
  while (sent().length === 0) await nextTurn();
  const second = await sendHead(key, 1_000_001);
  assert.match((await second.answer())!.body, /the jobs of the key take 3 MB of this service's disk, at most 3 MB/);
  const announcing = [first, second];
  for (let count = 0; count < 20; count++) announcing.push(await sendHead(makeKey(), 2_900_000));
  while (sent().length < 21) await nextTurn();
  const other = await sendHead(makeKey(), 2_000_002);
  other.write(`q\n${'x'.repeat(999).concat('\n').repeat(2_000)}`);
  assert.equal((await other.answer())?.status, 202, 'what others only announce takes no room');
  for (const { socket } of [...announcing, other]) socket.destroy();
  while (sent().length > 0) await nextTurn();
  const third = await sendHead(key, 2);
  third.write('q\n');
  assert.match((await third.answer())!.body, /no rows/);
  third.socket.destroy();
});

test('tables that arrive are cut where there is no room for all of them, and free keys fill half of it', async (t) => {
  const directory = directoryOf(t);
  const { makeKey, port } = await listening(t, { jobs: { directory, maxBytes: 2e7 } });
  const row = `${'x'.repeat(999)}\n`;
  const arriving = async (plan: string) => {
    const client = await rawClient(port);
    client.write(
      `POST /v1/jobs?endpoint=search HTTP/1.1\r\nHost: x\r\nContent-Type: text/csv\r\nX-API-Key: ${makeKey({ plan })}\r\nContent-Length: 1900002\r\n\r\n`,
    );
    client.write(`q\n${row.repeat(1_800)}`);
    return client;
  };
  const free = [];
  for (let count = 0; count < 7; count++) free.push(await arriving('free'));
  const answers = await Promise.race(free.map((client) => client.answer()));
  assert.equal(answers?.status, 503);
  assert.match(
    answers!.body,
    /the jobs of all keys take 1\d MB of this service's disk, at most 10 MB are kept for this plan; delete/,
  );
  const paying = await arriving('open');
  paying.write(row.repeat(100));
  assert.equal((await paying.answer())?.status, 202);
  for (const { socket } of [...free, paying]) socket.destroy();
});

test('who goes as a table waits to be read leaves the queue', async (t) => {
  const runner = (await serviceWith(t, directoryOf(t))).app.whereabouts.jobs!;
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const reading = runner.inTurn(['a'], 60_000_000, () => end);
  const waiting = runner.inTurn(['b'], 60_000_000, async () => assert.fail('it is read'), response);
  response.destroy();
  response.emit('close');
  await assert.rejects(waiting, /the connection was closed/);
  resolve();
  await reading;
});

test('the jobs of a key take no more than its plan has calls for', async (t) => {
  const service = await testService(t, { jobs: { directory: directoryOf(t), sweepMs: 10 } });
  const key = service.makeKey({ plan: 'tiny' });
  const rows = Array.from({ length: 8 }, () => ({ code: 'DE', more: 'x'.repeat(50_000) }));
  const refused = await post(service, { endpoint: 'country', rows }, { key });
  assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited']);
  assert.equal((await post(service, { endpoint: 'country', rows: rows.slice(0, 5) }, { key })).status, 202);
});

test('the result of a job counts as other answers do, also one that is read at once', async (t) => {
  const service = await testService(t, {
    jobs: { directory: directoryOf(t), sweepMs: 1, keptMs: 0 },
    limits: { takenBytesPerSecond: 4_000, heldAnswerBytesPerCaller: 15_000 },
  });
  const resultOf = async (rows: number) => {
    const { body } = await post(service, { endpoint: 'country', rows: Array(rows).fill({ code: 'DE' }) });
    const { result } = await jobWhen(service, body, isDone);
    const { status, text } = await service.ask(result);
    return status === 200 ? text.length > 4_000 : status;
  };
  assert.equal(await resultOf(20), true);
  assert.equal(await resultOf(20), true, 'what was taken holds nothing');
  assert.equal(await resultOf(100), 429);
});

test('a result that is deleted as it is asked for is no error of ours', async (t) => {
  const directory = directoryOf(t);
  const service = await serviceWith(t, directory);
  const { body } = await post(service, { endpoint: 'country', rows: [{ code: 'DE' }] });
  const { result } = await jobWhen(service, body, isDone);
  const output = readdirSync(directory, { recursive: true }).find((name) => String(name).endsWith('/output'))!;
  rmSync(join(directory, String(output)));
  assert.equal((await service.ask(result)).body.code, 'job_not_found');
});

test('a job whose rows a bad disk has lost fails and says so, and a row that is cut fails alone', async (t) => {
  const directory = directoryOf(t);
  const service = await serviceWith(t, directory);
  const { body } = await postTable(service, 'endpoint=country', `code\n${'DE\n'.repeat(10)}`);
  await jobWhen(service, body, isDone);
  const folder = join(directory, 'jobs', String((await service.keys.find(service.key)).id));
  for (const [bytes, failed] of [
    [35, 0],
    [38, 1],
  ]) {
    const id = String(bytes).padStart(24, '0');
    mkdirSync(join(folder, id));
    const job = JSON.parse(readFileSync(join(folder, body.id, 'job.json'), 'utf8'));
    writeFileSync(join(folder, id, 'input'), readFileSync(join(folder, body.id, 'input')).subarray(0, bytes));
    writeFileSync(join(folder, id, 'job.json'), JSON.stringify({ ...job, id }));
    const ended = await jobWhen(service, { id }, isDone);
    assert.deepEqual([ended.state, ended.found, ended.failed], ['failed', 5, failed]);
    assert.match(ended.detail, /^[45] of its rows are no longer on the disk; send them again$/);
  }
});

/** The most processor time that this thread had between two turns of its event loop while something ran, ms. */
async function longestTurn(during: () => Promise<unknown>): Promise<number> {
  let isOver = false;
  let longest = 0;
  const watched = (async () => {
    while (!isOver) {
      const before = process.threadCpuUsage();
      await nextTurn();
      longest = Math.max(longest, process.threadCpuUsage(before).user / 1000);
    }
  })();
  try {
    await during();
  } finally {
    isOver = true;
    await watched;
  }
  return longest;
}

test('no body of a job keeps the thread from other requests', async (t) => {
  const service = await serviceWith(t, directoryOf(t));
  let names = '"code":"DE"';
  for (let at = 0; names.length < 8_000_000; at++) names += `,"${at.toString(36)}":1`;
  const rows = Array.from({ length: 95_000 }, (_, at) => `{"code":"DE","${at.toString(36)}":1}`).join();
  const csv = (text: string) => JSON.stringify({ endpoint: 'country', csv: text });
  const wide = csv(`code${',a'.repeat(4_000_000)}\nDE\n`);
  const bodies: [string, RegExp | undefined][] = [
    [`{"endpoint":"country","rows":[{${names}}]}`, undefined],
    [`{"endpoint":"country","rows":[${rows}]}`, undefined],
    [wide, /not CSV.*Max Record Size/],
    [
      JSON.stringify({ endpoint: 'search', rows: [{}], options: { map: { q: ['x'.repeat(130_000)] } } }),
      /more than 16384 characters/,
    ],
    [
      JSON.stringify({ endpoint: 'search', rows: [{}], options: { map: { q: ['x'.repeat(8_300_000)] } } }),
      /more than 131072 characters besides rows and csv/,
    ],
    [JSON.stringify({ endpoint: 'search', csv: `q,country\n${`a,${'Жx'.repeat(20_000)}\n`.repeat(50)}` }), undefined],
    [JSON.stringify({ endpoint: '/{a'.repeat(43_000), rows: [{}] }), /^there is no endpoint ".{60}";/],
    [`${JSON.stringify({ endpoint: 'country', csv: 'code\nDE' }).slice(0, -1)}${'\n'.repeat(8_000_000)}}`, undefined],
    [`${'\n'.repeat(8_000_000)}{"endpoint":"country","rows":[{"code":"DE"}]}`, undefined],
    [`{"endpoint":"country","rows":[${'\n'.repeat(8_000_000)}{"code":"DE"}]}`, undefined],
    [csv(`code\nDE\n${'\n'.repeat(1_000_000)}`), undefined],
    [csv(`code${',a'.repeat(1_000)}\nDE\n`), /the table has 1001 columns, expected at most 1000; leave some out/],
    [csv(`code,${'\x01'.repeat(6_000)}\nDE\n`), /names of columns of 36011 characters in JSON, expected at most 32768/],
  ];
  for (const [body, refusal] of bodies) {
    const longest = await longestTurn(async () => {
      const sent = await service.ask('/v1/jobs', { method: 'POST', headers: jsonType, body });
      assert.equal(sent.status, refusal ? 400 : 202, sent.text);
      if (refusal) assert.match(sent.body.detail, refusal);
      else await jobWhen(service, sent.body, ({ answered }) => answered > 0);
    });
    for (const { id } of (await service.ask('/v1/jobs')).body.results) {
      await service.ask(`/v1/jobs/${id}`, { method: 'DELETE' });
    }
    assert.ok(longest < 400, `${body.slice(0, 60)}… kept it for ${longest} ms`);
  }
});

test('tables that arrive together share the thread with others by turns', async (t) => {
  const service = await serviceWith(t, directoryOf(t));
  const table = `code\n${'DE\n'.repeat(15_000)}`;
  const rows = JSON.stringify({ endpoint: 'country', rows: Array(15_000).fill({ code: 'DE' }) });
  const upload = (at: number) =>
    at % 2 === 0
      ? postTable(service, 'endpoint=country', table)
      : service.ask('/v1/jobs', { method: 'POST', headers: jsonType, body: rows });
  await upload(0);
  const other = service.makeKey();
  const uploads = Promise.all(Array.from({ length: 9 }, (_, at) => upload(at)));
  let isOver = false;
  const ended = uploads.finally(() => {
    isOver = true;
  });
  let answers = 0;
  for (; !isOver; answers++) await service.ask('/v1/country/FR', { key: other, remoteAddress: '127.0.0.3' });
  for (const { status } of await ended) assert.equal(status, 202);
  assert.ok(answers > 100, `${answers} answers to another meanwhile`);
});

test('a name, a text and rows may be written with escapes, and are bounded as others', async (t) => {
  const service = await serviceWith(t, directoryOf(t));
  const send = (body: string) => service.ask('/v1/jobs', { method: 'POST', headers: jsonType, body });
  const long = 'x'.repeat(2_000_000);
  const { body: rows } = await send(`{"endpoint":"country","\\u0072o\\u0077s":[{"code":"${long}"},{"code":"DE"}]}`);
  const { failed, found } = await jobWhen(service, rows, isDone);
  assert.deepEqual([rows.rows, failed, found], [2, 1, 1]);
  const notes = ['\\ud83d\\ude00', '\\u0416', 'Ж', '😀', '\\\\', '\\/', 'x'];
  const cells = Array.from({ length: 6_000 }, (_, at) => `DE,${at}${notes[at % 7].repeat(1 + (at % 5))}`);
  const raw = ['code,note', ...cells].join('\\n');
  const { body: csv } = await send(`{"csv":"${raw}","endpoint":"country"}`);
  const { result } = await jobWhen(service, csv, isDone);
  const lines = (await service.ask(result)).text.trimEnd().split(/\r?\n/);
  assert.deepEqual(
    lines.map((line) => line.split(',').slice(0, 2).join()),
    JSON.parse(`"${raw}"`).split('\n'),
  );
});

test('a row full of marks keeps the thread no longer than another', async (t) => {
  const service = await serviceWith(t, directoryOf(t));
  const country = `a${'\u0301\u0323'.repeat(16_000)}`;
  const longest = await longestTurn(async () => {
    const { body } = await post(service, { endpoint: 'search', rows: [{ q: 'Berlin', country }] });
    const { failed } = await jobWhen(service, body, isDone);
    assert.equal(failed, 1);
  });
  assert.ok(longest < 150, `${longest} ms`);
});

test('a client that breaks off a table is no error of ours, and a table that is refused says why', async (t) => {
  const lines: string[] = [];
  const directory = directoryOf(t);
  const { port, key } = await listening(t, {
    jobs: { directory },
    logger: { level: 'info', stream: { write: (line) => void lines.push(line) } },
    logRequests: { withAddresses: false },
  });
  const client = await rawClient(port);
  const head = 'POST /v1/jobs?endpoint=search HTTP/1.1\r\nHost: x\r\nContent-Type: text/csv\r\nContent-Length: 1000';
  client.write(`${head}\r\nX-API-Key: ${key}\r\n\r\nq\nBerlin\n`);
  const sent = () => readdirSync(directory, { recursive: true }).find((name) => String(name).endsWith('sent'));
  while (!sent()) await nextTurn();
  assert.equal(statSync(join(directory, dirname(String(sent())))).mode & 0o077, 0, 'only the service may read it');
  client.socket.destroy();
  let answered: string | undefined;
  while ((answered = lines.find((line) => line.includes('"createJob"'))) === undefined) await nextTurn();
  assert.equal(JSON.parse(answered).status, 400);
  const other = await rawClient(port);
  other.write(`${head}000\r\nX-API-Key: ${key}\r\n\r\nq\n${'b\n'.repeat(499_999)}`);
  assert.match((await other.answer())!.body, /more than 100000 rows/);
  other.socket.destroy();
  assert.ok(!lines.join('').includes('internal error'));
});

test('a table goes on arriving while the disk is busy', async (t) => {
  const directory = directoryOf(t);
  const { app, port, key } = await listening(t, { jobs: { directory } });
  const connected = once(app.server, 'connection') as Promise<[Socket]>;
  const client = await rawClient(port);
  const [socket] = await connected;
  const rows = `${'berlin'.padEnd(99)}\n`.repeat(8_000);
  const head = 'POST /v1/jobs?endpoint=search HTTP/1.1\r\nHost: x\r\nContent-Type: text/csv\r\n';
  client.write(`${head}Content-Length: ${rows.length + 2}\r\nX-API-Key: ${key}\r\n\r\nq\n`);
  const sent = () => readdirSync(directory, { recursive: true }).find((name) => String(name).endsWith('sent'));
  while (!sent() || statSync(join(directory, String(sent()))).size === 0) await nextTurn();
  // All threads that could write wait for a pipe.
  const pipe = join(directory, 'pipe');
  spawnSync('mkfifo', [pipe]);
  const opened = Array.from({ length: 64 }, () => open(pipe));
  client.write(rows);
  for (let turns = 0; turns < 2_000 && socket.bytesRead < rows.length; turns++) await nextTurn();
  const arrived = socket.bytesRead;
  const writing = openSync(pipe, 'w');
  for (const each of opened) await (await each).close();
  closeSync(writing);
  assert.equal((await client.answer())?.status, 202);
  client.socket.destroy();
  assert.ok(arrived > rows.length, `${arrived} bytes`);
});

test('a table in chunks of a byte is refused, and the rest of it read, so that the connection goes on', async (t) => {
  const { port, key } = await listening(t, { jobs: { directory: directoryOf(t) } });
  const client = await rawClient(port);
  const head =
    'POST /v1/jobs?endpoint=search HTTP/1.1\r\nHost: x\r\nContent-Type: text/csv\r\nTransfer-Encoding: chunked';
  client.write(`${head}\r\nX-API-Key: ${key}\r\n\r\n${'1\r\na\r\n'.repeat(600)}`);
  while (!client.received().includes('chunks of less than 16 bytes')) await client.more();
  client.write(`${'1\r\na\r\n'.repeat(300)}0\r\n\r\nGET /health/live HTTP/1.1\r\nHost: x\r\n\r\n`);
  while (!client.received().includes('HTTP/1.1 200')) await client.more();
  client.socket.destroy();
});

test('the many jobs that an address sends with several keys wait for those of another, and small ones for no large one', async (t) => {
  const service = await serviceWith(t, directoryOf(t));
  const runner = service.app.whereabouts.jobs!;
  const order: string[] = [];
  const read = (network: string, key: string, ms: number, bytes: number) =>
    runner.inTurn([network, key], bytes, async () => {
      order.push(network);
      for (const until = performance.now() + ms; performance.now() < until; );
    });
  const attack = Array.from({ length: 12 }, (_, at) => read('many', `key ${at % 6}`, 2, 60_000_000));
  const others = [1, 2, 3].map(() => read('one', 'key 7', 0, 60_000_000));
  await Promise.all([...attack, read('small', 'key 8', 0, 1_000), ...others]);
  assert.deepEqual(order.slice(0, 5), ['many', 'small', 'one', 'one', 'one']);
});

test('of tables that wait a row is read before megabytes, those of a larger plan before free ones, and two small ones at once', async (t) => {
  const service = await serviceWith(t, directoryOf(t));
  const runner = service.app.whereabouts.jobs!;
  service.app.whereabouts.lanes.setShare('key paid', 16);
  const order: string[] = [];
  const ends: (() => void)[] = [];
  const read = (name: string, bytes: number) =>
    runner.inTurn([`address of ${name}`, `key ${name}`], bytes, () => {
      order.push(name);
      return new Promise<void>((end) => ends.push(end));
    });
  const sent = [...'abcd'].map((name) => read(name, 1_000_000));
  sent.push(read('row', 100), read('paid', 1_000_000), read('paid', 1_000_000));
  await nextTurn();
  assert.deepEqual(order, ['a', 'b']);
  while (order.length < sent.length) {
    ends.shift()!();
    await nextTurn();
  }
  assert.deepEqual(order, ['a', 'b', 'paid', 'paid', 'row', 'c', 'd']);
  for (const end of ends) end();
  await Promise.all(sent);
});

/** How many turns of the event loop something takes where each of them is long, as in a flood. */
async function longTurnsOf(work: Promise<unknown>): Promise<number> {
  let [turns, isOver] = [0, false];
  const over = work.finally(() => (isOver = true));
  for (; !isOver; turns++) {
    for (const until = performance.now() + 5; performance.now() < until; );
    await nextTurn();
  }
  await over;
  return turns;
}

test('the room, the list and the result of jobs wait for the disk a few times, however many there are', async (t) => {
  const directory = directoryOf(t);
  const service = await testService(t, { jobs: { directory, sweepMs: 1_000_000 } });
  const account = await service.keys.accountOf(1, noon);
  assert.ok(typeof account === 'object');
  const make = (keyId: number, count: number, outputBytes: number) => {
    const id = String(count).padStart(24, '0');
    const folder = join(directory, `${keyId}`, id);
    mkdirSync(folder, { recursive: true });
    const job = { id, keyId, endpoint: 'search', form: {}, rows: 1, bytes: 1, createdAt: noon };
    writeFileSync(join(folder, 'job.json'), JSON.stringify(job));
    writeFileSync(
      join(folder, 'state.json'),
      JSON.stringify({ state: 'done', answered: 1, outputBytes, endedAt: noon }),
    );
    writeFileSync(join(folder, 'output'), Buffer.alloc(outputBytes));
    return id;
  };
  for (let count = 0; count < 300; count++) make(1_000 + (count % 30), count, 10);
  const [first] = Array.from({ length: 9 }, (_, count) => make(account.key.id, count, count === 0 ? 8_000_000 : 10));
  const runner = service.app.whereabouts.jobs!;
  const room = await longTurnsOf(runner.checkRoom(account, '', { keyId: account.key.id, announced: 0, bytes: 0 }));
  const list = await longTurnsOf(service.ask('/v1/jobs'));
  const result = await longTurnsOf(service.ask(`/v1/jobs/${first}/result`));
  assert.ok(room < 40 && list < 40 && result < 60, `${room}, ${list} and ${result} turns`);
});

test('a table with more rows than the plan allows is read no further', async (t) => {
  const service = await serviceWith(t, directoryOf(t));
  const headers = { 'content-type': 'text/csv' };
  const body = `code\n${'DE\n'.repeat(100_000)}"cut`;
  const options = { method: 'POST', headers, body, key: service.makeKey({ plan: 'slow' }) } as const;
  const sent = await service.ask('/v1/jobs?endpoint=country', options);
  assert.match(sent.body.detail, /more than 7000 rows; the plan has 1000 calls a day and a job is kept for 7 days/);
  const values = JSON.stringify({ endpoint: 'country', rows: Array(60_000).fill({ 30: 0 }) });
  const { body: refused } = await service.ask('/v1/jobs', { ...options, headers: jsonType, body: values });
  assert.match(refused.detail, /more than 117000 values/);
});

test('a row of JSON that is too long or no object fails alone, and a body that is no JSON is refused', async (t) => {
  const service = await serviceWith(t, directoryOf(t));
  const send = (body: string) => service.ask('/v1/jobs', { method: 'POST', headers: jsonType, body });
  const long = JSON.stringify({ code: 'DE', more: 'x'.repeat(2_000_000) });
  const sent = await send(`{ "rows":
    [ {"code":
       "DE"}, ${long}, {"code":"F\\nR"}, {"code":"FR", "a":[1,[2,"],"],{"b":"\\\\"}]}, null, [], {"code":"DE"} ],
    "endpoint": "country" }`);
  assert.deepEqual([sent.status, sent.body.rows], [202, 7]);
  const { result } = await jobWhen(service, sent.body, isDone);
  assert.deepEqual(
    linesOf((await service.ask(result)).text).map(({ results, error }) => results[0]?.iso2 ?? error.slice(0, 40)),
    [
      'DE',
      'invalid_row: it has more than 65536 byte',
      'invalid_parameter: code is "F\\nR", expec',
      'FR',
      'invalid_row: it is not a JSON object of ',
      'invalid_row: it is not a JSON object of ',
      'DE',
    ],
  );
  const broken = await send('{"endpoint":"country","rows":[{"code":"DE"},,{"code":"FR"}]}');
  assert.deepEqual([broken.status, broken.body.code], [400, 'invalid_body']);
  assert.match(broken.body.detail, /the body is not JSON in UTF-8: Unexpected token/);
});

test('of jobs that arrive at the same moment a key has ten', async (t) => {
  const service = await serviceWith(t, directoryOf(t));
  const sent = await Promise.all(
    Array.from({ length: 30 }, () => postTable(service, 'endpoint=country', 'code\nDE\n')),
  );
  const taken = sent.filter(({ status }) => status === 202);
  assert.ok(taken.length <= 10, `${taken.length} were taken`);
  assert.ok(sent.every(({ status }) => status === 202 || status === 429));
});

test('a job whose result takes more than a tenth of the room ends, and leaves what it has', async (t) => {
  const service = await testService(t, {
    jobs: { directory: join(directoryOf(t), 'jobs'), sweepMs: 10, maxBytes: 20_000_000 },
  });
  const rows = Array.from({ length: 100_000 }, () => ({ code: 'DE' }));
  const { body } = await post(service, { endpoint: 'country', rows });
  const job = await jobWhen(service, body, isDone);
  assert.equal(job.state, 'failed');
  assert.match(job.detail, /^the jobs of the key take \d+ MB of this service's disk, at most 2 MB are kept; delete/);
  const partial = await service.ask(`/v1/jobs/${body.id}/result?partial=true`);
  assert.equal(linesOf(partial.text).length, job.answered);
  assert.match((await post(service, { endpoint: 'country', rows })).body.detail, /MB are kept; delete one/);
  const other = service.makeKey();
  assert.equal((await post(service, { endpoint: 'country', rows: [{ code: 'DE' }] }, { key: other })).status, 202);
});

test('long jobs of four keys leave room for those of others', async (t) => {
  const service = await serviceWith(t, directoryOf(t));
  const keys = Array.from({ length: 5 }, () => service.makeKey());
  const rows = Array.from({ length: 40_000 }, (_, at) => manyRows[at % manyRows.length]);
  const long = [];
  for (const key of keys.slice(0, 4)) long.push((await post(service, { endpoint: 'reverse', rows }, { key })).body);
  for (const [at, body] of long.entries()) await jobWhen(service, body, ({ answered }) => answered > 0, keys[at]);
  const short = await post(service, { endpoint: 'country', rows: [{ code: 'DE' }] }, { key: keys[4] });
  assert.equal((await jobWhen(service, short.body, isDone, keys[4])).state, 'done');
  for (const [at, { id }] of long.entries()) {
    const { body } = await service.ask(`/v1/jobs/${id}`, { key: keys[at] });
    assert.notEqual(body.state, 'done', 'a long job was over before');
    await service.ask(`/v1/jobs/${id}`, { method: 'DELETE', key: keys[at] });
  }
});

test('a job gives its place to others after any row, however long its rows take', async (t) => {
  const service = await serviceWith(t, directoryOf(t));
  const current = service.holder.current!;
  t.after(() => (service.holder.current = current));
  // Each row waits until the test lets it go on.
  let gate = Promise.withResolvers<void>();
  let isLet = false;
  let rows = 0;
  const lookUps: LookUps = {
    fetch() {
      rows++;
      return gate.promise;
    },
    within(search) {
      isLet = true;
      try {
        return search();
      } finally {
        isLet = false;
      }
    },
  };
  const countries = () => {
    if (isLet) return current.countries;
    throw new Deferred(lookUps);
  };
  service.holder.current = Object.create(current, { countries: { get: countries } });
  const keys = Array.from({ length: 5 }, () => service.makeKey());
  const job = (count: number, key: string) =>
    post(service, { endpoint: 'country', rows: Array(count).fill({ code: 'DE' }) }, { key });
  for (const key of keys.slice(0, 4)) await job(40, key);
  while (rows < 4) await nextTurn();
  const short = await job(1, keys[4]);
  const now = performance.now.bind(performance);
  t.mock.method(performance, 'now', () => now() + 3_000);
  for (let state = 'queued'; state !== 'done'; ) {
    // So that jobs are looked for meanwhile.
    for (let looks = 0; looks < 20; looks++)
      state = (await service.ask(`/v1/jobs/${short.body.id}`, { key: keys[4] })).body.state;
    gate.resolve();
    gate = Promise.withResolvers();
  }
  gate.resolve();
  assert.ok(rows < 4 * 20, `${rows} rows`);
});

test('what a kill or a bad disk leaves of a job keeps no other from going on', async (t) => {
  const directory = directoryOf(t);
  const service = await serviceWith(t, directory);
  const { keyId } = { keyId: (await service.keys.find(service.key)).id };
  const folder = (id: string) => {
    const path = join(directory, 'jobs', String(keyId), id);
    mkdirSync(path, { recursive: true });
    return path;
  };
  // Half removed; and written while the power was cut.
  writeFileSync(join(folder('0'.repeat(24)), 'input'), '{}\n');
  writeFileSync(join(folder('1'.repeat(24)), 'job.json'), '');
  const { body } = await post(service, { endpoint: 'country', rows: [{ code: 'DE' }] });
  assert.equal((await jobWhen(service, body, isDone)).state, 'done');
  assert.equal((await service.ask(`/v1/jobs/${'0'.repeat(24)}`)).body.code, 'job_not_found');
});

test('tables that a killed process was receiving count for seconds, those that still arrive until they are read', async (t) => {
  const directory = directoryOf(t);
  const { port, key } = await listening(t, { jobs: { directory, sweepMs: 1 } });
  const client = await rawClient(port);
  client.write(
    `POST /v1/jobs?endpoint=country HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: text/csv\r\nContent-Length: 8\r\n\r\ncode\n`,
  );
  const ofKey = join(directory, '1');
  const folders = () => (existsSync(ofKey) ? readdirSync(ofKey) : []);
  const isReceived = () => folders().some((folder) => existsSync(join(ofKey, folder, 'sent')));
  while (!isReceived()) await nextTurn();
  const [live] = folders();
  for (let at = 0; at < 10; at++) mkdirSync(join(ofKey, `.arriving-${String(at).padStart(24, '0')}`));
  const before = new Date(Date.now() - 20_000);
  for (const folder of folders()) utimesSync(join(ofKey, folder), before, before);
  while (folders().length > 1) await nextTurn();
  assert.deepEqual(folders(), [live]);
  client.write('DE\n');
  assert.equal((await client.answer())?.status, 202);
});

test('a job whose files cannot be read while it runs waits alone, and ends no process', async (t) => {
  const directory = directoryOf(t);
  const service = await serviceWith(t, directory);
  const { body } = await post(service, { endpoint: 'timezone', rows: manyRows });
  const state = join(directory, 'jobs', String((await service.keys.find(service.key)).id), body.id, 'state.json');
  while (!existsSync(state)) await nextTurn();
  rmSync(state);
  mkdirSync(state);
  const key = service.makeKey();
  const other = await post(service, { endpoint: 'timezone', rows: manyRows.slice(0, 20) }, { key });
  assert.equal((await jobWhen(service, other.body, isDone, key)).state, 'done');
});

test('rows that a full disk has no room for cost nothing, however often they are tried', {
  skip: !existsSync('/dev/full') && 'needs /dev/full',
}, async (t) => {
  const directory = directoryOf(t);
  const logged: string[] = [];
  const logger = { level: 'error', stream: { write: (line: string) => void logged.push(line) } };
  const service = await testService(t, { jobs: { directory: join(directory, 'jobs'), sweepMs: 1 }, logger });
  const folder = join(directory, 'jobs', String((await service.keys.find(service.key)).id));
  const { body } = await post(service, { endpoint: 'country', rows: Array(30).fill({ code: 'DE' }) });
  await jobWhen(service, body, isDone);
  const used = async () => (await service.ask('/v1/usage')).body.used;
  const before = await used();
  const id = '0'.repeat(24);
  mkdirSync(join(folder, id));
  symlinkSync('/dev/full', join(folder, id, 'output'));
  writeFileSync(join(folder, id, 'input'), readFileSync(join(folder, body.id, 'input')));
  const job = JSON.parse(readFileSync(join(folder, body.id, 'job.json'), 'utf8'));
  writeFileSync(join(folder, id, 'job.json'), JSON.stringify({ ...job, id }));
  for (let tries = 1; tries <= 3; tries++) {
    while (logged.length < tries) await nextTurn();
    service.clock.now += 6_000;
  }
  for (const line of logged) assert.match(line, /ENOSPC.*a job could not go on; it is tried again/);
  await service.ask(`/v1/jobs/${id}`, { method: 'DELETE' });
  assert.equal(await used(), before);
});

test('a key that has the number of an earlier one, as after a restored backup, has none of its jobs and pays for none', async (t) => {
  const directory = directoryOf(t);
  const before = await serviceWith(t, directory);
  const jobs = [];
  for (const plan of ['tiny', undefined])
    jobs.push(
      await post(
        before,
        { endpoint: 'country', rows: Array(8).fill({ code: 'DE' }) },
        { key: before.makeKey({ plan }) },
      ),
    );
  await before.app.close();
  const service = await serviceWith(t, directory);
  service.clock.now += 13 * hourMs;
  for (const { body } of jobs) {
    const key = service.makeKey();
    assert.deepEqual((await service.ask('/v1/jobs', { key })).body.results, []);
    assert.equal((await service.ask(`/v1/jobs/${body.id}/result?partial=true`, { key })).body.code, 'job_not_found');
    const state = join(directory, 'jobs', String((await service.keys.find(key)).id), body.id, 'state.json');
    const isOver = () => existsSync(state) && /"state":"(done|failed)"/.test(readFileSync(state, 'utf8'));
    while (!isOver()) await nextTurn();
    assert.equal((await service.ask('/v1/usage', { key })).body.used, 0);
  }
});

test('a clock that is wrong for a moment costs no job: none is forgotten, none waits for that time', async (t) => {
  const service = await serviceWith(t, directoryOf(t), undefined, 3_600_000);
  const done = await post(service, { endpoint: 'country', rows: [{ code: 'DE' }] });
  await jobWhen(service, done.body, isDone);
  service.clock.now += 8 * 24 * hourMs;
  const key = service.makeKey({ plan: 'tiny' });
  const paused = await post(service, { endpoint: 'country', rows: Array(8).fill({ code: 'DE' }) }, { key });
  await jobWhen(service, paused.body, ({ state }) => state === 'paused', key);
  service.clock.now -= 8 * 24 * hourMs;
  assert.equal((await service.ask((await jobWhen(service, done.body, isDone)).result)).status, 200);
  service.clock.now += 13 * hourMs;
  await jobWhen(service, paused.body, isDone, key);
});

test('a job whose files are damaged is listed as failed beside others, can be deleted, and is forgotten', async (t) => {
  const directory = directoryOf(t);
  const service = await serviceWith(t, directory);
  // Of a damaged one the folder's time counts.
  service.clock.now = Date.now();
  const folder = join(directory, 'jobs', String((await service.keys.find(service.key)).id));
  const ids: string[] = [];
  const damages = [
    ['job.json', '{"id":'],
    ['state.json', '{"id":'],
    ['state.json', 'null'],
    ['job.json', 'null'],
  ];
  for (const [file, text] of [...damages, []]) {
    const { body } = await post(service, { endpoint: 'country', rows: [{ code: 'DE' }] });
    await jobWhen(service, body, isDone);
    ids.push(body.id);
    if (file !== undefined) writeFileSync(join(folder, body.id, file), text);
  }
  const { results } = (await service.ask('/v1/jobs')).body;
  assert.deepEqual(
    ids.map((id) => results.find((each: { id: string }) => each.id === id).state),
    ['failed', 'failed', 'failed', 'failed', 'done'],
  );
  assert.match((await service.ask(`/v1/jobs/${ids[0]}`)).body.detail, /files are damaged; delete it/);
  assert.equal((await service.ask(`/v1/jobs/${ids[0]}`, { method: 'DELETE' })).status, 200);
  assert.ok(!existsSync(join(folder, ids[0])));
  service.clock.now = Date.now() + 25 * hourMs;
  while (existsSync(join(folder, ids[1]))) await nextTurn();
});
