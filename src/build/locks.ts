/**
 * Locks of a data directory. They are the system's locks on a file, which end with their process however it ends: nothing
 * is left to judge by ids of processes that live again, or by the age of a file. SQLite takes them, as Node itself has none.
 */
import { accessSync, constants, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { hostname, constants as system } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Failure, systemReason, UsageError } from '../errors.ts';
import { lockFile } from '../store/sqlite/database.ts';

const retryMs = 20;
/** How long a change of the list of sources waits for another one. */
const listWaitMs = 30_000;
const sqliteCannotOpen = 14;

/**
 * Runs `work` as the only one that decides which dataset is current: a build, an update with its downloads, a rollback.
 * SIGTERM and SIGINT end the process where nothing else listens to them; the next build removes what was built so far.
 * Throws Failure when another one is running and does not end within `waitMs`, UsageError when nothing can be written.
 */
export async function withBuildLock<T>(dataDirectory: string, work: () => Promise<T>, waitMs = 0): Promise<T> {
  const holder = join(dataDirectory, '.build-holder');
  using lock = await takeWithin(waitMs, dataDirectory, '.build-lock.sqlite');
  if (!lock)
    throw new Failure(
      `another build${textOf(holder)} is running in this data directory; wait until it ends, or stop it`,
    );
  // Needed explicitly: the first process of a container ignores signals without a listener.
  const onSignal = (signal: 'SIGTERM' | 'SIGINT') => process.exit(128 + system.signals[signal]);
  const signals = (['SIGTERM', 'SIGINT'] as const).filter((signal) => process.listenerCount(signal) === 0);
  for (const signal of signals) process.on(signal, onSignal);
  try {
    describe(holder);
    return await work();
  } finally {
    for (const signal of signals) process.off(signal, onSignal);
  }
}

/** Runs `work` as the only one that changes the list of sources; waits for another one. Throws as above. */
export async function withListLock<T>(dataDirectory: string, work: () => Promise<T>): Promise<T> {
  using lock = await takeWithin(listWaitMs, dataDirectory, '.sources-lock.sqlite');
  if (!lock)
    throw new Failure(`the list of sources in ${dataDirectory} is being changed by another process; try again`);
  return await work();
}

/**
 * Runs `work` as the only pull into a data directory. It waits for another one however long that takes: transfers end at
 * a minimum speed, and what the other one has pulled need not be pulled again. Throws as above.
 */
export async function withPullLock<T>(dataDirectory: string, work: () => Promise<T>): Promise<T> {
  using _ = await takeWithin(Number.POSITIVE_INFINITY, dataDirectory, '.pull-lock.sqlite');
  return await work();
}

/** Takes a lock; undefined if another process has it for all of a time. */
async function takeWithin(waitMs: number, dataDirectory: string, name: string): Promise<ReturnType<typeof lockFile>> {
  const until = performance.now() + waitMs;
  for (;;) {
    const lock = take(dataDirectory, name);
    if (lock || performance.now() >= until) return lock;
    await wait(retryMs);
  }
}

/** Takes a lock; undefined while another process has it. */
function take(dataDirectory: string, name: string): ReturnType<typeof lockFile> {
  makeDataDirectory(dataDirectory);
  try {
    accessSync(dataDirectory, constants.W_OK);
    return lockFile(join(dataDirectory, name));
  } catch (error) {
    const isUnopened = (error as { errcode?: number }).errcode === sqliteCannotOpen;
    const reason = isUnopened ? 'no file can be created in it' : systemReason(error);
    throw new UsageError(
      `cannot build into ${dataDirectory}: ${reason}; make it writable for ${user()}, or name another with ` +
        '--data-directory',
    );
  }
}

/** Who holds the lock, for the message to others. It is written where it can be: a full disk is no reason not to begin. */
function describe(path: string): void {
  try {
    writeFileSync(path, `process ${process.pid} on ${hostname()}`);
  } catch {}
}

function textOf(path: string): string {
  try {
    return ` (${readFileSync(path, 'utf8')})`;
  } catch {
    return '';
  }
}

const user = () => (process.getuid ? `user ${process.getuid()}` : 'this user');

/**
 * Makes a data directory and those above it where they are missing. One after the other, as Node's own recursive way
 * never ends where the system takes no directories and says there is none (in /proc). Throws UsageError with the remedy.
 */
function makeDataDirectory(path: string): void {
  try {
    const missing: string[] = [];
    for (let at = path; !statSync(at, { throwIfNoEntry: false }); at = dirname(at)) missing.unshift(at);
    for (const directory of missing) mkdirSync(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw new UsageError(
      `the data directory ${path} cannot be created: ${systemReason(error)}; choose another with --data-directory`,
    );
  }
}
