/**
 * Writes src/server/faces/openapi-examples.json: what a service over the default dataset in data/ answers to the example of
 * each operation, lists shortened. Run it by hand when answers change: `node scripts/record-openapi-examples.ts`.
 */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { formatsOf } from '../src/api/answer-body.ts';
import type { Endpoint } from '../src/endpoints/endpoint.ts';
import { endpoints } from '../src/endpoints/index.ts';
import { describeParameters } from '../src/server/faces/openapi.ts';
import { exampleOf } from '../src/server/faces/portal/operations.ts';
import { currentVersion } from '../src/store/manifest.ts';

const shownKey = 'wab_EXAMPLEonlyNotARealKeyAtAll00000000';
const data = mkdtempSync(join(tmpdir(), 'examples-'));
const version = currentVersion('data')!;
symlinkSync(resolve('data', version), join(data, version));
cpSync('data/current', join(data, 'current'));
process.on('exit', () => rmSync(data, { recursive: true }));

const program = ['--data-directory', data];
/** The answer of a command, from JSON. */
const run = (...words: string[]) =>
  JSON.parse(spawnSync(process.execPath, ['src/main.ts', ...program, ...words], { encoding: 'utf8' }).stdout);
const apiKey: string = run('keys', 'create', '--json', '--name', 'example').key;
const adminKey: string = run('keys', 'create', '--json', '--admin').key;
const server = spawn(process.execPath, ['src/main.ts', ...program, 'serve', '--port', '0'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
process.on('exit', () => server.kill());
let base = '';
for await (const line of createInterface(server.stdout)) {
  base = /"address":"([^"]+)"/.exec(line)?.[1] ?? '';
  if (base !== '') break;
}
server.stdout.resume();

type Examples = Record<string, Record<string, unknown>>;
const examples: Examples = {};

/** Sends the request, and keeps the answer under its status (of GET endpoints: 200) and media type. */
async function record(operation: string, path: string, init: RequestInit = {}, key = apiKey): Promise<Response> {
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
  const response = await fetch(new URL(path, base), { ...init, headers });
  if (!response.ok) throw new Error(`${operation}: ${response.status} ${await response.text()}`);
  const type = response.headers.get('content-type')!.split(';')[0];
  const text = (await response.clone().text()).replaceAll(/wab_[0-9A-Za-z]{36}/g, shownKey);
  const name = `${response.status} ${type}`;
  const lines: Record<string, number> = { 'text/csv': 2, 'application/x-ndjson': 1 };
  (examples[operation] ??= {})[name] =
    type in lines ? text.split('\n').slice(0, lines[type]).join('\n') : shorten(JSON.parse(text));
  return response;
}

/** Lists and tables cut to two entries, and a ring of an outline to three positions and the one that closes it. */
function shorten(value: unknown): unknown {
  if (Array.isArray(value)) {
    const isRing = Array.isArray(value[0]) && typeof value[0][0] === 'number';
    const isBox = value.length === 4 && value.every((each) => typeof each === 'number');
    return (isRing ? [...value.slice(0, 3), value[0]] : isBox ? value : value.slice(0, 2)).map(shorten);
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.slice(0, entries.length > 40 ? 2 : 40).map(([name, item]) => [name, shorten(item)]),
  );
}

for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
  const parameters = describeParameters(endpoint);
  const url = new URL(exampleOf({ id: name, path: endpoint.path, parameters, method: 'GET' }).url, base);
  if (endpoint.path.endsWith('/area')) url.searchParams.set('tolerance', '10000');
  await record(name, url.href);
  for (const format of formatsOf(endpoint)) {
    url.searchParams.set('format', format);
    await record(name, url.href);
  }
}
const json = (method: string, body: object = {}) => ({ method, body: JSON.stringify(body) });
await record(
  'batch',
  '/v1/batch',
  json('POST', {
    requests: [
      { endpoint: '/country/DE', params: {} },
      { endpoint: 'postal', params: { code: '10115', country: 'DE' } },
    ],
  }),
);
for (const rows of [{ rows: [{ code: 'DE' }, { code: 'NO' }] }, { csv: 'code\nDE\nNO\n' }]) {
  const job = { endpoint: 'country', ...rows };
  const { id } = await (await record('createJob', '/v1/jobs', json('POST', job))).json();
  while ((await (await record('job', `/v1/jobs/${id}`)).json()).state !== 'done');
  await record('jobs', '/v1/jobs');
  await record('jobResult', `/v1/jobs/${id}/result`);
  await record('deleteJob', `/v1/jobs/${id}`, { method: 'DELETE', body: '{}' });
}
await record('usage', '/v1/usage');
await record('tileJson', '/tiles/streets.json');
await record('status', '/status');
await record('live', '/health/live');
await record('ready', '/health/ready');
await record('signUpMode', '/account/sign-up');
const { key } = await (await record('signUp', '/account/sign-up', json('POST'))).json();
examples.signUp['202 application/json'] = { sent: true, query_ms: 4 };
examples.confirmSignUp = { '201 application/json': examples.signUp['201 application/json'] };
await record('key', '/account/key', {}, key);
await record('changeKey', '/account/key', json('PATCH', { name: 'shop' }), key);
const rotated = await (await record('rotateKey', '/account/key/rotate', json('POST', { grace_hours: 24 }), key)).json();
await record('revokeKey', '/account/key/revoke', json('POST'), rotated.key);
await record('adminKeys', '/admin/keys', {}, adminKey);
const created = await (await record('adminCreateKey', '/admin/keys', json('POST', { name: 'shop' }), adminKey)).json();
await record('adminChangeKey', `/admin/keys/${created.id}`, json('PATCH', { plan: 'pro' }), adminKey);
await record('adminRevokeKey', `/admin/keys/${created.id}/revoke`, json('POST'), adminKey);
await record('adminUsage', '/admin/usage', {}, adminKey);
await record('adminLog', '/admin/log', {}, adminKey);

writeFileSync('src/server/faces/openapi-examples.json', `${JSON.stringify(examples, null, 2)}\n`);
spawnSync('node_modules/.bin/biome', ['format', '--write', 'src/server/faces/openapi-examples.json']);
process.exit();
