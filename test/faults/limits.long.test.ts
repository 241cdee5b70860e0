/** Exhausted resources: descriptors, disk, connections. The service continues with what it has. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { suite, type TestContext, test } from 'node:test';
import { addDataset, type Line, makeCurrent, makeKey, servedPlans, smallData, until } from '../support/served.ts';

const main = join(import.meta.dirname, '../../src/main.ts');
const noLimits = process.platform === 'win32' && 'needs ulimit';

/** Starts `serve` under a limit of the shell, such as `-n 80`. */
async function serveWithin(t: TestContext, data: string, limit: string, settings: object = {}) {
  const config = join(data, 'settings.json');
  writeFileSync(config, JSON.stringify({ dataDirectory: data, port: 0, maxLagMs: 0, plans: servedPlans, ...settings }));
  const args = ['-c', `ulimit ${limit} && exec "$0" "$@"`, process.execPath, main, 'serve', '--config', config];
  const child = spawn('sh', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const log: Line[] = [];
  createInterface(child.stdout!).on('line', (text) => log.push(JSON.parse(text)));
  await until('it serves', () => log.some(({ msg }) => msg === 'serving'));
  const url = log.find(({ msg }) => msg === 'serving')!.address as string;
  return { child, log, url, port: Number(new URL(url).port) };
}

const isAlive = async (url: string) => {
  const headers = { connection: 'close' };
  const answer = await fetch(`${url}/health/live`, { headers, signal: AbortSignal.timeout(5000) }).catch(
    () => undefined,
  );
  return answer?.status === 200;
};

function open(port: number, localAddress: string): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    socket.on('error', () => {});
    socket.once('connect', () => resolve(socket)).once('close', () => resolve(socket));
  });
}

suite('what runs out', { concurrency: false, skip: noLimits }, () => {
  test('descriptors: a new dataset is refused, the old one stays, and service recovers when some are free again', async (t) => {
    const data = await smallData(t);
    // Of which it listens on 128.
    const { child, log, url, port } = await serveWithin(t, data, '-n 202');
    await addDataset(data, 'two');
    // A silent connection is closed after ten seconds, and a busy service takes longer: closed ones are replaced.
    let sockets: Socket[] = [];
    const fill = async () => {
      const held = sockets.filter(({ destroyed }) => !destroyed);
      const more = Array.from({ length: 150 - held.length }, () => open(port, '127.0.0.1'));
      sockets = [...held, ...(await Promise.all(more))];
    };
    await until('no descriptor is free', async () => {
      await fill();
      return !(await isAlive(url));
    });
    makeCurrent(data, 'two');
    await until('it is refused', async () => {
      await fill();
      return log.some(({ msg }) => /cannot be opened; the old one stays/.test(msg));
    });
    for (const socket of sockets) socket.destroy();
    await until('it answers', () => isAlive(url));
    child.kill('SIGHUP');
    await until('it is taken up', () =>
      log.some(({ msg, dataset }) => msg === 'switched to a new dataset' && dataset === 'two'),
    );
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });

  test('disk: every request is answered while usage cannot be written, and a log line says so', async (t) => {
    const data = await smallData(t);
    const key = await makeKey(data, 'open');
    // Room for SQLite's shared memory (32 KB), and not for a log of changes of more than a few pages.
    const { child, log, url } = await serveWithin(t, data, '-f 72', { signUp: 'closed' });
    const ask = async () => {
      const headers = { 'x-api-key': key, connection: 'close' };
      return (await fetch(`${url}/v1/distance?from_lat=0&from_lng=0&to_lat=1&to_lng=1`, { headers })).status;
    };
    await until('the log says so', async () => {
      assert.equal(await ask(), 200);
      return log.some(({ msg }) => /could not be written/.test(msg));
    });
    for (let attempt = 0; attempt < 50; attempt++) assert.equal(await ask(), 200);
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });

  test('connections: 2,000 silent ones from 40 addresses leave others served', async (t) => {
    const data = await smallData(t);
    const key = await makeKey(data, 'open');
    const { url, port } = await serveWithin(t, data, '-n 16384', { maxConnections: 12_000 });
    const count = Number(process.env.IDLE ?? 2000);
    const addresses = Array.from({ length: 40 }, (_, at) => `127.0.1.${at + 1}`);
    const sockets = await Promise.all(Array.from({ length: count }, (_, at) => open(port, addresses[at % 40])));
    t.after(() => sockets.forEach((socket) => void socket.destroy()));
    // A silent one is closed after ten seconds, which on a busy machine may be over before all is asked.
    let openSockets = 0;
    const times: number[] = [];
    for (let attempt = 0; attempt < 200; attempt++) {
      openSockets = Math.max(openSockets, sockets.filter(({ destroyed }) => !destroyed).length);
      const from = performance.now();
      const headers = { 'x-api-key': key, connection: 'close' };
      const answer = await fetch(`${url}/v1/country/DE`, { headers });
      assert.equal(answer.status, 200);
      times.push(performance.now() - from);
    }
    t.diagnostic(`${openSockets} idle connections, p99 ${times.sort((one, other) => one - other)[197].toFixed(1)} ms`);
    assert.ok(openSockets > 0);
  });
});
