/** The parts of serving that need no process of their own. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { hostAndPort, loadConfig, programVersion } from '../../../src/config.ts';
import { createMetrics, createSum, metricsText } from '../../../src/server/processes/metrics.ts';
import { startServing } from '../../../src/server/processes/process.ts';
import { createBackOff } from '../../../src/server/processes/supervisor.ts';
import { currentVersion } from '../../../src/store/manifest.ts';
import { startMailServer } from '../../support/mail-server.ts';
import { addDataset, smallData, until } from '../../support/served.ts';
import { testService } from '../../support/service.ts';

test('a process that ends at once is restarted with growing delays, one that ran for long at once', () => {
  const backOff = createBackOff();
  const waits = Array.from({ length: 12 }, () => backOff(10));
  assert.deepEqual(waits.slice(0, 4), [100, 200, 400, 800]);
  assert.equal(waits.at(-1), 30_000);
  assert.equal(backOff(3_600_000), 100);
  assert.equal(backOff(10), 200);
});

/** Lines of the values of a metric, without its prefix. */
const linesOf = (text: string, name: string) =>
  text.split('\n').flatMap((line) => (line.startsWith(`whereabouts_${name}{`) ? [line.slice(12)] : []));

test('every answer is counted by endpoint, status, profile and plan', async (t) => {
  const metrics = await createMetrics();
  const service = await testService(t, { record: metrics.record });
  await service.ask('/v1/countries');
  await service.ask('/v1/countries?variant=a');
  await service.ask('/v1/search');
  await service.ask('/v1/countries', { key: null });
  await service.batch([{ endpoint: 'countries', params: {} }]);
  await service.ask('/nothing');
  const text = await metricsText([await metrics.read(service.app.whereabouts)]);
  assert.deepEqual(linesOf(text, 'requests_total').sort(), [
    'requests_total{endpoint="batch",status="200",profile="default"} 1',
    'requests_total{endpoint="countries",status="200",profile="a"} 1',
    'requests_total{endpoint="countries",status="200",profile="default"} 1',
    'requests_total{endpoint="countries",status="401",profile="default"} 1',
    'requests_total{endpoint="other",status="404",profile="default"} 1',
    'requests_total{endpoint="search",status="400",profile="default"} 1',
  ]);
  assert.deepEqual(linesOf(text, 'plan_requests_total'), [
    'plan_requests_total{plan="open",status="200"} 3',
    'plan_requests_total{plan="open",status="400"} 1',
  ]);
});

test('metrics of several processes are summed in cumulative buckets; ended processes stay counted', async (t) => {
  const [one, two, gone] = [await createMetrics(), await createMetrics(), await createMetrics()];
  const { app } = await testService(t);
  const call = { endpoint: 'search', profile: 'default' as const };
  one.record(call, 200, 0.3);
  two.record(call, 200, 3);
  two.record(call, 404, 9999);
  gone.record(call, 200, 0.05);
  const [first, second, ended] = [
    await one.read(app.whereabouts),
    await two.read(app.whereabouts),
    await gone.read(app.whereabouts),
  ];
  const sum = await createSum();
  // As they come from other processes.
  const other = JSON.parse(JSON.stringify(second).replaceAll(`"pid":${process.pid}`, '"pid":8'));
  const text = await metricsText([first, other], { departed: sum([], ended.counts), restarts: 1 });
  const lines = text.split('\n');
  const bucket = (le: string, status = 200) =>
    linesOf(text, 'request_duration_seconds_bucket')
      .find((line) => line.includes(`le="${le}"`) && line.includes(`status="${status}"`))
      ?.split(' ')
      .at(-1);
  assert.deepEqual(
    ['0.0001', '0.0005', '0.0025', '0.005', '+Inf'].map((le) => bucket(le)),
    ['1', '2', '2', '3', '3'],
  );
  assert.equal(bucket('2.5', 404), '0');
  assert.equal(bucket('+Inf', 404), '1');
  const version = app.whereabouts.store.current!.manifest.version;
  for (const line of [
    'whereabouts_requests_total{endpoint="search",status="200",profile="default"} 3',
    'whereabouts_request_duration_seconds_count{endpoint="search",status="200"} 3',
    `whereabouts_dataset_info{dataset="${version}"} 2`,
    'whereabouts_key_store_up{pid="8"} 1',
    'whereabouts_processes 2',
    'whereabouts_process_restarts_total 1',
    `whereabouts_info{version="${programVersion}"} 1`,
  ]) {
    assert.ok(lines.includes(line), line);
  }
  for (const usual of ['process_open_fds', 'nodejs_eventloop_lag_seconds', 'nodejs_heap_size_used_bytes']) {
    assert.equal(lines.filter((line) => line.startsWith(`${usual}{`)).length, 2, usual);
  }
});

test('requests are logged where configured, without key, query or address; the address only on request', async (t) => {
  const written = async (withAddresses: boolean) => {
    const lines: string[] = [];
    const stream = { write: (line: string) => lines.push(line) };
    const service = await testService(t, { logRequests: { withAddresses }, logger: { level: 'info', stream } });
    await service.ask('/v1/search?q=secret-place', { remoteAddress: '203.0.113.9' });
    const found = lines.filter((line) => line.includes('"answered"'));
    assert.equal(found.length, 1);
    assert.ok(!found[0].includes(service.key) && !found[0].includes('secret-place'));
    return JSON.parse(found[0]);
  };
  const line = await written(false);
  assert.equal(line.path, '/v1/search');
  assert.equal(line.endpoint, 'search');
  assert.equal(typeof line.ms, 'number');
  assert.equal('address' in line, false);
  assert.equal(JSON.stringify(line).includes('203.0.113.9'), false);
  assert.equal((await written(true)).address, '203.0.113.9');
});

test('addresses of metrics are read with host and port, also IPv6', () => {
  assert.deepEqual(hostAndPort('127.0.0.1:9464'), { host: '127.0.0.1', port: 9464 });
  assert.deepEqual(hostAndPort('[::1]:9464'), { host: '::1', port: 9464 });
  for (const wrong of ['9464', 'localhost', 'localhost:99999']) assert.equal(hostAndPort(wrong), undefined);
});

test('settings are shown without passwords, and unlikely ones cause a warning', async () => {
  const config = async (command: string, settings: Record<string, string>) => {
    const env = Object.fromEntries(Object.entries(settings).map(([name, value]) => [`WHEREABOUTS_${name}`, value]));
    const program = join(import.meta.dirname, '../../../src/main.ts');
    return promisify(execFile)(process.execPath, [program, 'config', command], { env: { ...process.env, ...env } });
  };
  const secrets = {
    KEYS: 'redis://user:hunter2@keys.example:6379/0, redis://user:hunter2@two:6379',
    OPENADDRESSES_TOKEN: 'oa.hunter2',
    SMTP_URL: 'smtps://user:hunter2,3@mail.example.org',
    QUOTA_WEBHOOK: 'https://hooks.example.org/services/hunter2',
  };
  const warned = async (settings: Record<string, string>) =>
    (await config('check', settings)).stderr.match(/^warning: /gm)?.length ?? 0;
  const unprotected = 'rediss://keys.example.org, redis://localhost:6379, redis://user:secret@127.0.0.1:6379';
  const [{ stdout }, ...warnings] = await Promise.all([
    config('show', secrets),
    warned({}),
    warned({ METRICS: '0.0.0.0:9464', WHEN_KEYS_AWAY: 'allow' }),
    warned({ KEYS: 'redis://keys.example.org' }),
    warned({ KEYS: unprotected }),
    warned({ KEYS: 'rediss://one:6379,redis://two:6379' }),
  ]);
  const shown = JSON.parse(stdout);
  assert.equal(shown.keys, 'redis://user:***@keys.example:6379/0,redis://user:***@two:6379');
  assert.deepEqual([shown.openaddressesToken, shown.quotaWebhook, shown.host], ['***', '***', '127.0.0.1']);
  assert.equal(shown.smtpUrl, 'smtps://user:***@mail.example.org');
  assert.deepEqual(warnings, [0, 2, 1, 0, 1]);
});

test('the number of workers is a whole number or auto, and keys are an address', () => {
  const load = (environment: Record<string, string>) => loadConfig({ environment });
  assert.equal(load({ WHEREABOUTS_WORKERS: 'auto' }).workers, 'auto');
  assert.equal(load({ WHEREABOUTS_WORKERS: '4' }).workers, 4);
  for (const [name, value] of [
    ['WORKERS', 'many'],
    ['WORKERS', '0'],
    ['KEYS', 'localhost:6379'],
    ['METRICS', 'here'],
    ['WHEN_KEYS_AWAY', 'perhaps'],
    ['LOG_REQUESTS', 'yes'],
  ]) {
    assert.throws(() => load({ [`WHEREABOUTS_${name}`]: value }), new RegExp(`WHEREABOUTS_${name}`));
  }
});

/** A process that serves the small dataset, without being one; `messages` are what it logged. */
async function served(t: TestContext, settings: object = {}) {
  const dataDirectory = await smallData(t);
  const version = currentVersion(dataDirectory)!;
  const messages: string[] = [];
  const write = (line: string) => void messages.push(JSON.parse(line).msg);
  const serving = await startServing(
    loadConfig({ environment: {}, overrides: { dataDirectory, port: 0, ...settings } }),
    {
      directory: join(dataDirectory, version),
      log: { write } as unknown as Parameters<typeof startServing>[1]['log'],
      signUp: { mode: 'open' },
    },
  );
  t.after(serving.stop);
  return { ...serving, dataDirectory, version, messages };
}

test('a dataset that is opened again, as SIGHUP asks, is not logged as a switch', async (t) => {
  const { take, dataDirectory, version, messages } = await served(t);
  await addDataset(dataDirectory, 'newer');
  for (const next of ['newer', 'newer', version]) await take(next);
  assert.deepEqual(messages, [
    'switched to a new dataset',
    'opened the same dataset again',
    'switched to a new dataset',
  ]);
});

test('a mail goes to the address that it was sent to, which is not read as anything else', async (t) => {
  const { url: smtpUrl, received } = await startMailServer(t);
  const mailFrom = 'Whereabouts <keys@example.org>';
  const plans = { free: { callsPerDay: 1, callsPerSecond: 1_000, burst: 1_000, batchSize: 1 } };
  const addresses = ['a@example.org', '=?utf-8?q?victim?=@example.org', 'x,y@example.org'];
  for (const quotaMail of addresses) {
    const { address } = await served(t, { quotaMail, smtpUrl, mailFrom, plans });
    const asJson = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
    const { key } = (await (await fetch(`${address}/account/sign-up`, asJson)).json()) as { key: string };
    const answer = await fetch(`${address}/v1/country/DE`, { headers: { 'x-api-key': key } });
    assert.deepEqual([answer.status, (await answer.text()).length > 0], [200, true]);
    await until('the mail', () => received.length > addresses.indexOf(quotaMail));
  }
  assert.deepEqual(
    received.map(({ to }) => to),
    addresses.map((address) => [address === 'x,y@example.org' ? '"x,y"@example.org' : address]),
  );
});

test('further listeners of a port: more than one connection is accepted a turn of the event loop, all with the buffers of the server, and a stop waits for them', {
  skip: process.platform !== 'linux' && 'other systems share a port otherwise',
}, async (t) => {
  const { address, stop } = await served(t);
  const { hostname, port } = new URL(address);
  let accepted = 0;
  const buffered = new Set<number>();
  const onSocket = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    if (socket.localPort !== Number(port)) return;
    accepted++;
    buffered.add(socket.readableHighWaterMark);
  };
  subscribe('net.server.socket', onSocket);
  t.after(() => unsubscribe('net.server.socket', onSocket));
  const clients = Array.from({ length: 200 }, () => connect(Number(port), hostname).on('error', () => {}));
  await nextTurn();
  let turns = 0;
  for (; accepted < clients.length; turns++) await nextTurn();
  assert.ok(turns < clients.length / 2, `${turns} turns`);
  assert.deepEqual([...buffered], [8_192]);
  for (const client of clients) client.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
  for (const client of clients) assert.match(String(await once(client, 'data')), /^HTTP\/1\.1 200/);
  const closed = stop();
  for (const client of clients) client.destroy();
  await closed;
});
