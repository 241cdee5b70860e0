/** `whereabouts start`, the first command of a newcomer and that of the container. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { addDataset, smallData } from '../../support/served.ts';

const main = join(import.meta.dirname, '../../../src/main.ts');

/** Everything that `start` writes until it serves, with its exit code when it is stopped. */
async function start(t: TestContext, settings: object) {
  const dataDirectory = await smallData(t);
  const config = join(dataDirectory, 'settings.json');
  writeFileSync(config, JSON.stringify({ dataDirectory, port: 0, ...settings }));
  const child = spawn(process.execPath, [main, 'start', '--config', config], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout!)) {
    lines.push(line);
    if (line.includes('"msg":"serving"')) break;
  }
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  return { text: lines.join('\n'), code };
}

test('on a computer of its own a newcomer gets a key with the request to try it', async (t) => {
  const { text, code } = await start(t, {});
  assert.match(text, /curl -H 'X-API-Key: wab_\w+' 'http:\/\/127\.0\.0\.1:\d+\/v1\//);
  assert.equal(code, 0);
});

test('where others can reach the service no key is made, so that none stands in its log', async (t) => {
  for (const settings of [{ host: '0.0.0.0' }, { trustedProxies: ['10.0.0.1'] }, { host: '0.0.0.0', workers: 2 }]) {
    const { text, code } = await start(t, settings);
    assert.match(text, /keys create/);
    assert.equal(text.includes('wab_'), false, text);
    assert.equal(code, 0);
  }
});

test('a port that is taken, for the service or its metrics, is reported in one line with the remedy', async (t) => {
  const dataDirectory = await smallData(t);
  const taken = createServer().listen(0, '127.0.0.1');
  t.after(() => taken.close());
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  for (const workers of ['1', '2']) {
    const args = [main, 'serve', '--data-directory', dataDirectory, '--port', String(port), '--workers', workers];
    const { stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 180_000 });
    assert.equal(status, 2);
    assert.match(stderr, /^whereabouts: cannot listen on 127\.0\.0\.1, port \d+: .*EADDRINUSE.*--port\n$/);
    const withMetrics = [...args, '--port', '0', '--metrics', `127.0.0.1:${port}`];
    const metrics = spawnSync(process.execPath, withMetrics, { encoding: 'utf8', timeout: 180_000 });
    assert.equal(metrics.status, 2);
    assert.match(metrics.stderr, /^whereabouts: metrics cannot be served: .*EADDRINUSE.*--metrics\n$/);
  }
  // Before a dataset is built for it.
  const first = join(dataDirectory, 'first');
  const args = [main, 'start', '--data-directory', first, '--port', String(port)];
  const { stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 180_000 });
  assert.deepEqual([status, existsSync(first)], [2, false]);
  assert.match(stderr, /^whereabouts: cannot listen on [^\n]*--port\n$/);
});

test('a signal that comes before anything is served ends the service, also as the first process of a container', async (t) => {
  const dataDirectory = await smallData(t);
  // Sends the signal to itself when the program begins to listen to it.
  const sender = join(dataDirectory, 'sender.cjs');
  const script = "process.on('newListener', (name) => name === 'SIGHUP' && process.kill(process.pid, 'SIGTERM'));";
  writeFileSync(sender, script);
  for (const workers of ['1', '2']) {
    const args = [main, 'serve', '--data-directory', dataDirectory, '--port', '0', '--workers', workers];
    const { status, signal } = spawnSync(process.execPath, ['--require', sender, ...args], { timeout: 180_000 });
    assert.deepEqual([status, signal], [0, null]);
  }
});

test('a dataset that becomes current while the service starts is served', async (t) => {
  const dataDirectory = await smallData(t);
  await addDataset(dataDirectory, 'two');
  // As a build does, after the service has read which one is current and before it watches for changes.
  const changer = join(dataDirectory, 'changer.cjs');
  const [current, next] = ['current', 'next'].map((name) => JSON.stringify(join(dataDirectory, name)));
  writeFileSync(
    changer,
    `const fs = require('node:fs'); const { watch } = fs;
    fs.watch = (...given) => {
      if (fs.readFileSync(${current}, 'utf8') === 'one') {
        fs.writeFileSync(${next}, 'two');
        fs.renameSync(${next}, ${current});
      }
      return watch(...given);
    };
    require('node:module').syncBuiltinESMExports();`,
  );
  const args = ['--require', changer, main, 'serve', '--data-directory', dataDirectory, '--port', '0'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], timeout: 180_000 });
  t.after(() => child.kill('SIGKILL'));
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout!)) {
    lines.push(line);
    if (line.includes('switched to a new dataset')) break;
  }
  assert.match(lines.at(-1)!, /"dataset":"two","before":"one"/, lines.join('\n'));
});
