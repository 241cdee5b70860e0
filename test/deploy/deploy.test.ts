/** Alert rules and dashboard against our metrics; limits of the proxy. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createMetrics, metricsText } from '../../src/server/processes/metrics.ts';
import { testService } from '../support/service.ts';

const deploy = join(import.meta.dirname, '../../deploy');
const chart = join(deploy, 'helm/whereabouts');
const alerts = join(chart, 'alerts.yaml');

test('alert rules and dashboard query existing metrics', async (t) => {
  const metrics = await createMetrics({ hasEngine: true });
  const { app } = await testService(t, { record: metrics.record });
  const served = await metricsText([await metrics.read(app.whereabouts)]);
  const names = new Set([...served.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
  for (const file of [alerts, join(deploy, 'monitoring/grafana-dashboard.json')]) {
    const metrics = readFileSync(file, 'utf8').match(/whereabouts_\w+/g)!;
    assert.ok(metrics.length > 5);
    for (const name of metrics) assert.ok(names.has(name.replace(/_bucket$/, '')), `${file}: ${name}`);
  }
});

test('the proxy passes on few tables of an address at once, and keeps none', () => {
  const site = readFileSync(join(deploy, 'nginx.conf'), 'utf8');
  const [, location] = /^ *location = \/v1\/jobs \{\n([^}]*)\}/m.exec(site)!;
  const [, zone, tables] = /^ *limit_conn (\w+) (\d+);$/m.exec(location)!;
  assert.match(site, new RegExp(`^limit_conn_zone \\$network zone=${zone}:\\d+m;$`, 'm'));
  assert.ok(Number(tables) <= 4);
  assert.match(location, /^ *proxy_request_buffering off;$/m);
});

test('what a client takes back counts for its address until it is answered', () => {
  const site = readFileSync(join(deploy, 'nginx.conf'), 'utf8');
  assert.match(site, /^ {4}proxy_ignore_client_abort on;$/m);
  assert.equal(site.match(/proxy_ignore_client_abort/g)?.length, 1);
});

test('proxies pass on every body that the service reads', async (t) => {
  const [, megabytes] = /^ {4}client_max_body_size (\d+)m;$/m.exec(readFileSync(join(deploy, 'nginx.conf'), 'utf8'))!;
  assert.equal(Number(megabytes) * 2 ** 20, (await testService(t)).app.whereabouts.limits.bodyBytes);
  // Of a bound of its own Caddy makes an empty 502.
  assert.doesNotMatch(readFileSync(join(deploy, 'Caddyfile'), 'utf8'), /^\s*max_size/m);
});

test('the proxy has few large bodies of an address at once, and small ones as it has requests', () => {
  const site = readFileSync(join(deploy, 'nginx.conf'), 'utf8');
  const [, lines] =
    /^map "\$request_method \$content_length \$http_transfer_encoding" \$sender \{\n *default \$network;\n(.*?)^\}/ms.exec(
      site,
    )!;
  const free = Array.from(lines.matchAll(/"~(.*)" "";/g), ([, pattern]) => new RegExp(pattern));
  assert.equal(free.length, 2);
  const counts = (sent: string) => !free.some((pattern) => pattern.test(sent));
  for (const sent of ['POST 32000 ', 'POST 40000 ', 'GET 1048576 ', 'POST  chunked', 'GET  Chunked', 'POST 5 chunked'])
    assert.ok(counts(sent), sent);
  // By HTTP/2 a body needs to announce nothing.
  assert.ok(counts('POST  '));
  for (const sent of ['POST 31999 ', 'PATCH 9999 ', 'GET  ', 'DELETE  ']) assert.ok(!counts(sent), sent);
  assert.match(site, /^limit_conn_zone \$sender zone=bodies:\d+m;$/m);
  assert.match(site, /^ {4}limit_conn bodies 8;$/m);
});

test('proxies keep a connection to the service for each request that forty addresses may have in progress: new ones wait to be accepted', async (t) => {
  const site = readFileSync(join(deploy, 'nginx.conf'), 'utf8');
  const [, connections] = /^ *limit_conn addresses (\d+);$/m.exec(site)!;
  const [, kept] = /^ *keepalive (\d+);$/m.exec(site)!;
  const [, keptByCaddy] = /^\t*keepalive_idle_conns_per_host (\d+)$/m.exec(
    readFileSync(join(deploy, 'Caddyfile'), 'utf8'),
  )!;
  const { limits } = (await testService(t)).app.whereabouts;
  assert.equal(Number(connections), limits.proxiedRequestsPerAddress);
  for (const most of [kept, keptByCaddy]) assert.ok(Number(most) >= 40 * Number(connections), most);
});

test('the proxy replaces each header that the service believes of it', () => {
  const site = readFileSync(join(deploy, 'nginx.conf'), 'utf8');
  const files = globSync('src/server/**/*.ts', { cwd: join(import.meta.dirname, '../..') });
  const read = (file: string) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8');
  const headers = new Set(files.flatMap((file) => read(file).match(/x-forwarded-\w+/g) ?? []));
  assert.ok(headers.size > 1);
  for (const header of ['x-forwarded-for', ...headers])
    assert.match(site, new RegExp(`^ {4}proxy_set_header ${header} \\$(remote_addr|scheme|host);$`, 'im'), header);
});

test('Caddy waits longer for a body than the service, whose 408 it then passes on: its own end is an empty 200', async (t) => {
  const { app } = await testService(t);
  const [, seconds] = /^\t+read_body (\d+)s$/m.exec(readFileSync(join(deploy, 'Caddyfile'), 'utf8'))!;
  assert.ok(Number(seconds) * 1000 > app.server.requestTimeout && app.server.requestTimeout > 0);
});

test('the proxy counts the connections of an IPv6 network of 64 bits as one', () => {
  const site = readFileSync(join(deploy, 'nginx.conf'), 'utf8');
  const [, pattern] = /^ {4}"~(\^\(\?<start>.*\$)" \$start;$/m.exec(site)!;
  const bytes = String.fromCharCode(0x20, 0x01, 0x0d, 0xb8, 0, 10, 0xff, 13);
  const startOf = (address: string) => new RegExp(pattern).exec(address)?.groups?.start;
  assert.deepEqual([startOf(`${bytes}12345678`), startOf('1234')], [bytes, undefined]);
  assert.equal(site.match(/^limit_conn_zone \$network /gm)?.length, 2);
});

test('Caddy speaks HTTP/1.1 alone: each of 250 streams of a connection would be one to the service', () => {
  assert.match(readFileSync(join(deploy, 'Caddyfile'), 'utf8'), /^\t\tprotocols h1$/m);
});

test('the proxy asks no further worker for an answer that is only slow', () => {
  const [, read] = /^ {4}proxy_read_timeout (\d+)s;$/m.exec(readFileSync(join(deploy, 'nginx.conf'), 'utf8'))!;
  const [, next] = /^ {4}proxy_next_upstream_timeout (\d+)s;$/m.exec(readFileSync(join(deploy, 'nginx.conf'), 'utf8'))!;
  assert.ok(Number(next) < Number(read));
});

test('the proxy keeps no answer on its disk that a client does not take', () => {
  const site = readFileSync(join(deploy, 'nginx.conf'), 'utf8');
  assert.match(site, /^server \{[^}]*^ {4}proxy_max_temp_file_size 0;$/m);
});
