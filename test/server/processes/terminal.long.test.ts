/** Logs without a reader: a terminal that is closed, a pipe without a reader, a reader that sleeps. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { freePort } from '../../support/free-port.ts';
import { smallData, until } from '../../support/served.ts';

const main = join(import.meta.dirname, '../../../src/main.ts');
const terminal = join(import.meta.dirname, '../../support/terminal.py');
const hasPython = spawnSync('python3', ['--version']).status === 0;

type Run = { child: ChildProcess; written: () => string; url: string };

/** A process of `serve` with each request logged; `command` runs it. */
async function spawned(
  t: TestContext,
  command: readonly string[],
  settings: object = {},
  output: 'pipe' | number = 'pipe',
): Promise<ChildProcess> {
  const dataDirectory = await smallData(t);
  const config = join(dataDirectory, 'settings.json');
  writeFileSync(config, JSON.stringify({ dataDirectory, port: 0, logRequests: true, shutdownSeconds: 2, ...settings }));
  const [program, ...args] = [...command, process.execPath, main, 'serve', '--config', config];
  const child = spawn(program, args, { stdio: ['pipe', output, 'ignore'] });
  t.after(() => child.kill('SIGKILL'));
  return child;
}

/** Starts one whose log is read. Resolves when it serves. */
async function start(t: TestContext, command: readonly string[], settings: object = {}): Promise<Run> {
  const child = await spawned(t, command, settings);
  let written = '';
  child.stdout!.setEncoding('utf8').on('data', (text) => (written += text));
  const address = () => /serving\b.*?(http:\/\/[\d.:]+)/.exec(written) ?? /(http:\/\/[\d.:]+).*"serving"/.exec(written);
  await until(`it serves: ${written}`, () => address() !== null);
  return { child, written: () => written, url: address()![1] };
}

const isAlive = async (url: string) =>
  (await fetch(`${url}/health/live`, { headers: { connection: 'close' }, signal: AbortSignal.timeout(180_000) }))
    .status === 200;

/** Processor time of a process so far, in ticks. */
const ticksOf = (pid: number) => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return Number(fields[11]) + Number(fields[12]);
};

suite('a log that cannot be written', { concurrency: false }, () => {
  for (const workers of [1, 2]) {
    test(`closing the terminal that it was started from ends the service with ${workers}`, {
      skip: !hasPython && 'needs python3',
    }, async (t) => {
      const { child, written, url } = await start(t, ['python3', terminal, 'controlling'], { workers });
      assert.ok(await isAlive(url));
      child.stdin!.end();
      await once(child, 'close');
      assert.match(written(), /^exit 0$/m);
      await assert.rejects(isAlive(url));
    });

    test(`a terminal that is gone without a signal leaves ${workers} serving, at rest, and stopped by SIGTERM`, {
      skip: !hasPython && 'needs python3',
    }, async (t) => {
      const { child, written, url } = await start(t, ['python3', terminal, 'output'], { workers });
      const pid = Number(/pid (\d+)/.exec(written())![1]);
      child.stdin!.end();
      for (let attempt = 0; attempt < 200; attempt++) assert.ok(await isAlive(url));
      const before = ticksOf(pid);
      // A turn of the clock in which it has nothing to do.
      await until('time passes', () => false, 1000).catch(() => {});
      assert.ok(ticksOf(pid) - before < 50, 'it spins');
      process.kill(pid, 'SIGTERM');
      await once(child, 'close');
      assert.match(written(), /^exit 0$/m);
    });
  }

  test('a pipe whose reader is gone', async (t) => {
    const { child, url } = await start(t, []);
    child.stdout!.destroy();
    for (let attempt = 0; attempt < 50; attempt++) assert.ok(await isAlive(url));
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });

  /** Asks a thousand times for what there is not, by 4,000 letters: more than is buffered. */
  const ask = async (url: string) => {
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all(Array.from({ length: 100 }, () => fetch(`${url}/${'x'.repeat(4_000)}`)));
      for (const answer of answers) assert.equal((await answer.text()) && answer.status, 404);
    }
  };

  test('a pipe whose reader sleeps blocks no request, lost lines are counted as soon as there is room, and SIGTERM is heeded', async (t) => {
    const { child, written, url } = await start(t, []);
    child.stdout!.pause();
    await ask(url);
    child.stdout!.resume();
    const lost = () => /"dropped":(\d+),"msg":"log lines were lost/.exec(written());
    await until('there is room', async () => (await isAlive(url)) && lost() !== null);
    assert.ok(Number(lost()![1]) > 500, `what is buffered is bounded: ${lost()![1]} lost`);
    child.stdout!.pause();
    await ask(url);
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });

  test('a full disk blocks no request', async (t) => {
    const full = openSync('/dev/full', 'w');
    t.after(() => closeSync(full));
    const port = await freePort();
    const child = await spawned(t, [], { port }, full);
    const url = `http://127.0.0.1:${port}`;
    await until('it serves', () => isAlive(url).catch(() => false));
    await ask(url);
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });

  test('on a terminal the log is lines for people', { skip: !hasPython && 'needs python3' }, async (t) => {
    const { child, written } = await start(t, ['python3', terminal, 'output']);
    assert.match(written(), /^\d\d:\d\d:\d\d serving {2}address=http:/m);
    assert.doesNotMatch(written(), /^\{/m);
    child.stdin!.end();
    process.kill(Number(/pid (\d+)/.exec(written())![1]), 'SIGTERM');
    await once(child, 'close');
  });
});
