import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../errors.ts';

/**
 * Runs `work` while holding the data directory's build lock, a file with the holder's process id. A lock whose
 * process is gone is taken over. Throws UsageError when another build is running.
 */
export async function withBuildLock<T>(dataDirectory: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(dataDirectory, { recursive: true });
  const path = join(dataDirectory, '.build-lock');
  take(path);
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

function take(path: string): void {
  for (;;) {
    try {
      const file = openSync(path, 'wx');
      writeSync(file, String(process.pid));
      closeSync(file);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = Number(readFileSync(path, 'utf8'));
    if (isAlive(holder))
      throw new UsageError(
        `another build (process ${holder}) is running in this data directory; wait for it, or stop it`,
      );
    rmSync(path, { force: true });
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
