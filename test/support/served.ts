/** `whereabouts serve` as operators run it: a process of its own (or several) over the small dataset, on a free port. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { buildSmallDataset } from './small-store.ts';
import { temporaryDirectory } from './temporary.ts';

const main = join(import.meta.dirname, '../../src/main.ts');
const run = promisify(execFile);

/** Plans that a test comes to the end of, one with leases of 1,000 calls, and one that no test comes to the end of. */
export const servedPlans = {
  hundred: { callsPerDay: 100, callsPerSecond: 100_000, burst: 100_000, batchSize: 100 },
  thousand: { callsPerDay: 1000, callsPerSecond: 100_000, burst: 100_000, batchSize: 100 },
  million: { callsPerDay: 1_000_000, callsPerSecond: 1_000_000, burst: 1_000_000, batchSize: 100 },
  open: { callsPerDay: 1_000_000_000, callsPerSecond: 1_000_000, burst: 1_000_000, batchSize: 100 },
};

export type Line = { msg: string; pid: number; [name: string]: unknown };

export type Served = {
  url: string;
  port: number;
  metrics: string;
  child: ChildProcess;
  /** Lines of its log so far. */
  log: Line[];
  /** Resolves with the first line, past or to come, that fits. */
  logged(fits: (line: Line) => boolean): Promise<Line>;
  /** Sends SIGTERM and waits for the end; returns the exit code. */
  stop(): Promise<number | null>;
};

/** A line that has not been logged after this time is not logged at all. */
const maxLogMs = 180_000;

/** A data directory with the small dataset as `one`. */
export async function smallData(t: TestContext): Promise<string> {
  const directory = temporaryDirectory(t);
  await addDataset(directory, 'one');
  makeCurrent(directory, 'one');
  return directory;
}

export async function addDataset(dataDirectory: string, version: string): Promise<void> {
  const directory = join(dataDirectory, version);
  mkdirSync(directory);
  await buildSmallDataset(directory, { version });
}

/** Has `current` name a version, by rename as a build does. */
export function makeCurrent(dataDirectory: string, version: string): void {
  writeFileSync(join(dataDirectory, 'next'), version);
  renameSync(join(dataDirectory, 'next'), join(dataDirectory, 'current'));
}

function configured(dataDirectory: string, settings: object): string {
  const file = join(dataDirectory, 'settings.json');
  writeFileSync(file, JSON.stringify({ dataDirectory, plans: servedPlans, ...settings }));
  return file;
}

/** A test that begins with so little of a day left might end in the next one, when every key has its quota again. */
const maxTestMs = 240_000;
const isMidnightFar = () => Date.now() % 86_400_000 < 86_400_000 - maxTestMs;

/** Makes a key with the command line, on a day (UTC) that lasts longer than its test. */
export async function makeKey(
  dataDirectory: string,
  plan: string,
  settings: object = {},
  environment: NodeJS.ProcessEnv = {},
): Promise<string> {
  await until('the next day has come', isMidnightFar, 2 * maxTestMs);
  const config = configured(dataDirectory, settings);
  const args = [main, 'keys', 'create', '--plan', plan, '--json', '--config', config];
  const { stdout } = await run(process.execPath, args, { env: { ...process.env, ...environment } });
  return JSON.parse(stdout).key;
}

/** Starts `serve` and waits until it serves. */
export async function serve(
  t: TestContext,
  dataDirectory: string,
  settings: object = {},
  environment: NodeJS.ProcessEnv = {},
): Promise<Served> {
  const config = configured(dataDirectory, { port: 0, metrics: '127.0.0.1:0', maxLagMs: 0, ...settings });
  const child = spawn(process.execPath, [main, 'serve', '--config', config], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  });
  const log: Line[] = [];
  const watchers = new Set<() => void>();
  const tell = () => {
    for (const look of watchers) look();
  };
  createInterface(child.stdout!).on('line', (text) => {
    if (text.startsWith('{')) log.push(JSON.parse(text));
    tell();
  });
  child.once('exit', tell);
  const logged = (fits: (line: Line) => boolean) =>
    new Promise<Line>((resolve, reject) => {
      const end = (line: Line | undefined, fault: string) => {
        clearTimeout(timer);
        watchers.delete(look);
        if (line) resolve(line);
        else reject(new Error(`${fault}: ${JSON.stringify(log.slice(-3))}`));
      };
      const look = () => {
        const line = log.find(fits);
        if (line || child.exitCode !== null || child.signalCode !== null) end(line, 'the server ended');
      };
      const timer = setTimeout(() => end(undefined, 'no such line was logged'), maxLogMs);
      watchers.add(look);
      look();
    });
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    return child.exitCode;
  };
  t.after(async () => {
    const forced = setTimeout(() => child.kill('SIGKILL'), 20_000);
    await stop();
    clearTimeout(forced);
  });
  const { address, metrics } = await logged(({ msg }) => msg === 'serving');
  const url = address as string;
  return { url, port: Number(new URL(url).port), metrics: metrics as string, child, log, logged, stop };
}

/** Polls until a condition holds. Throws when it does not within `maxMs`. */
export async function until(what: string, holds: () => boolean | Promise<boolean>, maxMs = 120_000): Promise<void> {
  const end = performance.now() + maxMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`${what}: not within ${maxMs} ms`);
    await wait(25);
  }
}
