/**
 * Disks that are slow or may not be written: what can be answered is answered, what cannot be stored is refused in one
 * line.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { suite, type TestContext, test } from 'node:test';
import { type Line, makeKey, servedPlans, smallData, until } from '../support/served.ts';

const main = join(import.meta.dirname, '../../src/main.ts');
const mayMount = spawnSync('unshare', ['--mount', 'true']).status === 0;
const throttle = '/sys/fs/cgroup/blkio';
const mayThrottle = spawnSync('test', ['-w', join(throttle, 'blkio.throttle.write_iops_device')]).status === 0;

/** Starts `serve` behind a line of the shell that ends in `exec "$0" "$@"`. */
async function serveBehind(t: TestContext, data: string, line: string, settings: object = {}) {
  const config = join(data, 'settings.json');
  writeFileSync(config, JSON.stringify({ dataDirectory: data, port: 0, maxLagMs: 0, plans: servedPlans, ...settings }));
  const child = spawn('sh', ['-c', line, process.execPath, main, 'serve', '--config', config], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  const log: Line[] = [];
  let errors = '';
  child.stderr!.setEncoding('utf8').on('data', (text) => (errors += text));
  createInterface(child.stdout!).on('line', (text) => log.push(JSON.parse(text)));
  await until('it serves or has ended', () => log.some(({ msg }) => msg === 'serving') || child.exitCode !== null);
  return { child, log, errors: () => errors, url: log.find(({ msg }) => msg === 'serving')?.address as string };
}

/** Slower than any disk on sale: a spinning one does 80 writes a second. */
const writesPerSecond = 20;
const signUps = Number(process.env.SIGN_UPS ?? 50);

suite('disks', { concurrency: false }, () => {
  const skip = !mayMount && 'needs the right to mount';
  test('a volume that is read-only from the start: one line says so', { skip }, async (t) => {
    const data = await smallData(t);
    const readOnly = `mount --bind "${data}" "${data}" && mount -o remount,bind,ro "${data}"`;
    const line = `exec unshare --mount sh -c '${readOnly} && exec "$0" "$@"' "$0" "$@"`;
    const { child, errors } = await serveBehind(t, data, line);
    assert.equal(child.exitCode, 2);
    assert.match(
      errors(),
      /^whereabouts: .* cannot be opened .*the volume is read-only; make the data directory writable.*\n$/,
    );
  });

  const skipSlow = !mayThrottle && 'needs the right to throttle devices (cgroup blkio)';
  test('a slow disk: requests are answered, and what was acknowledged survives a kill', {
    skip: skipSlow,
  }, async (t) => {
    const data = await smallData(t);
    const key = await makeKey(data, 'open', { signUp: 'open' });
    const group = join(throttle, `whereabouts-${process.pid}`);
    mkdirSync(group);
    const { dev } = statSync(data);
    const device = `${(dev >> 8) & 0xfff}:${(dev & 0xff) | ((dev >> 12) & 0xfff00)}`;
    writeFileSync(join(group, 'blkio.throttle.write_iops_device'), `${device} ${writesPerSecond}`);
    const { child, url } = await serveBehind(t, data, `echo $$ > ${group}/cgroup.procs && exec "$0" "$@"`, {
      signUp: 'open',
      trustedProxies: ['127.0.0.1'],
    });
    const acknowledged: string[] = [];
    let left = signUps;
    const signUp = async () => {
      while (left-- > 0) {
        const headers = { 'content-type': 'application/json', 'x-forwarded-for': `203.0.${left >> 8}.${left & 255}` };
        const answer = await fetch(`${url}/account/sign-up`, { method: 'POST', body: '{}', headers });
        assert.equal(answer.status, 201);
        acknowledged.push(((await answer.json()) as { key: string }).key);
      }
    };
    const times: number[] = [];
    let isOver = false;
    const ask = async () => {
      while (!isOver) {
        const from = performance.now();
        const answer = await fetch(`${url}/v1/country/DE`, { headers: { 'x-api-key': key } });
        assert.equal(answer.status, 200);
        await answer.arrayBuffer();
        times.push(performance.now() - from);
      }
    };
    const asking = ask();
    await Promise.all(Array.from({ length: 4 }, signUp));
    isOver = true;
    await asking;
    child.kill('SIGKILL');
    await once(child, 'exit');
    rmdirSync(group);
    const again = await serveBehind(t, data, 'exec "$0" "$@"');
    for (const made of acknowledged) {
      assert.equal((await fetch(`${again.url}/v1/usage`, { headers: { 'x-api-key': made } })).status, 200);
    }
    times.sort((one, other) => one - other);
    const at = (share: number) => times[Math.floor(times.length * share)].toFixed(0);
    const sentence = `${times.length} requests beside ${signUps} sign-ups on ${writesPerSecond} writes a second`;
    t.diagnostic(`${sentence}: median ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(0.9999)} ms`);
    again.child.kill('SIGTERM');
    assert.deepEqual(await once(again.child, 'exit'), [0, null]);
  });
});
