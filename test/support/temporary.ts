/** Files of a test in a directory of their own, which goes when the test ends. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

export function temporaryDirectory(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'whereabouts-test-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Writes a file into a new temporary directory and returns its path. */
export function temporaryFile(t: TestContext, name: string, content: string | Uint8Array): string {
  const path = join(temporaryDirectory(t), name);
  writeFileSync(path, content);
  return path;
}
