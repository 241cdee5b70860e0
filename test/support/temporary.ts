/** Files of a test in a directory of their own, which goes when the test ends. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

export function temporaryDirectory(t: TestContext, parent = tmpdir()): string {
  const directory = mkdtempSync(join(parent, 'whereabouts-test-'));
  // A program that is ended after it may still write there.
  t.after(() => rmSync(directory, { recursive: true, force: true, maxRetries: 10 }));
  return directory;
}

/** One in memory where there is such a place: a busy disk keeps nothing waiting that writes there. */
export const memoryDirectory = (t: TestContext): string =>
  temporaryDirectory(t, existsSync('/dev/shm') ? '/dev/shm' : tmpdir());

/** Writes a file into a new temporary directory and returns its path. */
export function temporaryFile(t: TestContext, name: string, content: string | Uint8Array): string {
  const path = join(temporaryDirectory(t), name);
  writeFileSync(path, content);
  return path;
}
