/** Logs without a reader: a terminal that is closed, a pipe without a reader, a reader that sleeps. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { smallData, until } from '../../support/served.ts';

const main = join(import.meta.dirname, '../../../src/main.ts');
const terminal = join(import.meta.dirname, '../../support/terminal.py');
const hasPython = spawnSync('python3', ['--version']).status === 0;

type Run = { child: ChildProcess; written: () => string; url: string };

/** Starts `serve` with each request logged; `command` runs it. Resolves when it serves. */
async function start(t: TestContext, command: readonly string[], settings: object = {}): Promise<Run> {
  const dataDirectory = await smallData(t);
  const config = join(dataDirectory, 'settings.json');
  writeFileSync(config, JSON.stringify({ dataDirectory, port: 0, logRequests: true, shutdownSeconds: 2, ...settings }));
  const [program, ...args] = [...command, process.execPath, main, 'serve', '--config', config];
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  t.after(() => child.kill('SIGKILL'));
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

  test('a pipe whose reader sleeps: SIGTERM is heeded', async (t) => {
    const { child, url } = await start(t, []);
    child.stdout!.pause();
    // More than a pipe holds.
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all(Array.from({ length: 100 }, () => isAlive(url)));
      assert.ok(answers.every(Boolean));
    }
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });

  const writer = `
    const { openLog } = await import(${JSON.stringify(import.meta.resolve('../../../src/server/processes/log.ts'))});
    const log = openLog();
    for (let line = 0; line < 20_000; line++) log.write(JSON.stringify({ line, text: 'x'.repeat(500) }) + '\\n');
    await log.drain();
    console.error(process.memoryUsage().external < 50e6 ? 'done' : 'kept');
    process.exit(0);`;

  test('a pipe whose reader sleeps and a full disk block no request, and what is buffered for them is bounded', async (t) => {
    const full = openSync('/dev/full', 'w');
    t.after(() => closeSync(full));
    for (const output of ['pipe', full] as const) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', writer], {
        stdio: ['ignore', output, 'pipe'],
      });
      let errors = '';
      child.stderr!.setEncoding('utf8').on('data', (text) => (errors += text));
      const [code] = await once(child, 'exit');
      assert.deepEqual([code, errors], [0, 'done\n']);
      child.stdout?.destroy();
    }
  });

  test('lost lines are counted in the log as soon as there is room', async () => {
    const child = spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `${writer.replace('process.exit(0);', '')}
      setInterval(() => log.write('{"msg":"later"}\\n'), 20);`,
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    await once(child.stderr!, 'data');
    let text = '';
    for await (const chunk of child.stdout!) {
      text += chunk;
      if (text.includes('"dropped"')) break;
    }
    child.kill('SIGKILL');
    assert.match(text, /"dropped":1\d{4},"msg":"log lines were lost/);
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
