import { closeSync, openSync, readFileSync, rmSync, statSync, utimesSync, writeSync } from 'node:fs';
import { constants, hostname } from 'node:os';
import { join } from 'node:path';
import { makeDataDirectory } from '../data-directory.ts';
import { UsageError } from '../errors.ts';
import { systemReason } from '../system-error.ts';

/** How often a build touches its lock, the age at which a lock counts as abandoned, and how soon it looks again, in ms. */
const heartbeatMs = 10_000;
const staleAfterMs = 60_000;
const retryMs = 5;
const ended = Symbol('ended');

/**
 * Runs `work` while holding the data directory's build lock: a file with the holder's machine and process id, touched
 * every ten seconds. A lock whose process has ended is taken over; one of another machine (or container, where process
 * ids are meaningless) after a minute without a touch. SIGTERM and SIGINT release it and end the process; the next
 * build removes what was built so far. Throws UsageError when another build is running, or nothing can be written.
 */
export async function withBuildLock<T>(dataDirectory: string, work: () => Promise<T>): Promise<T> {
  const path = join(dataDirectory, '.build-lock');
  try {
    makeDataDirectory(dataDirectory);
    take(path);
  } catch (error) {
    throw ['EACCES', 'EPERM', 'EROFS', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')
      ? new UsageError(
          `cannot build into ${dataDirectory}: ${unwritable(error)}; make it writable for ${user()}, or name another with ` +
            '--data-directory',
        )
      : error;
  }
  const heartbeat = setInterval(() => touch(path), heartbeatMs).unref();
  const release = () => {
    clearInterval(heartbeat);
    rmSync(path, { force: true });
  };
  // Needed explicitly: the first process of a container ignores signals without a listener.
  const onSignal = (signal: 'SIGTERM' | 'SIGINT') => {
    release();
    process.exit(128 + constants.signals[signal]);
  };
  process.once('SIGTERM', onSignal).once('SIGINT', onSignal);
  try {
    return await work();
  } finally {
    process.off('SIGTERM', onSignal).off('SIGINT', onSignal);
    release();
  }
}

function take(path: string): void {
  for (;;) {
    try {
      const file = openSync(path, 'wx');
      writeSync(file, `${process.pid} ${hostname()}`);
      closeSync(file);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = holderOf(path);
    if (holder === undefined) continue;
    if (holder !== ended)
      throw new UsageError(
        `another build (${holder}) is running in this data directory; wait until it ends, or stop it`,
      );
    removeAbandoned(path);
  }
}

/**
 * Several builds may find the same abandoned lock at once. One at a time looks again and removes it, as what it would
 * remove otherwise might be the new lock of another.
 */
function removeAbandoned(path: string): void {
  const guard = `${path}-abandoned`;
  try {
    closeSync(openSync(guard, 'wx'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const { mtimeMs = Date.now() } = statSync(guard, { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > staleAfterMs) rmSync(guard, { force: true });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMs);
    return;
  }
  try {
    if (holderOf(path) === ended) rmSync(path, { force: true });
  } finally {
    rmSync(guard, { force: true });
  }
}

/** The holder of the lock; `ended` when it has ended, undefined without a lock. */
function holderOf(path: string): string | typeof ended | undefined {
  try {
    const [pid, host] = readFileSync(path, 'utf8').split(' ');
    const isHeld = host === hostname() ? isAlive(Number(pid)) : Date.now() - statSync(path).mtimeMs < staleAfterMs;
    return isHeld ? `process ${pid} on ${host}` : ended;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  // Our own id: an earlier first process of this container had the same one.
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function touch(path: string): void {
  try {
    utimesSync(path, new Date(), new Date());
  } catch {
    // Whoever took the file away knows better; the build goes on.
  }
}

const user = () => (process.getuid ? `user ${process.getuid()}` : 'this user');

/** In a file system of the kernel (/proc) a folder that is there says of every new file that there is none. */
const unwritable = (error: unknown) =>
  (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'no file can be created in it' : systemReason(error);
