/** The publishers' files next to the project (see README), on the project's own machines only. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** Path of a file under ../shared/data; skips the test and returns `undefined` where it is absent. */
export function sharedData(t: TestContext, file: string): string | undefined {
  const path = join(import.meta.dirname, '../../../shared/data', file);
  if (existsSync(path)) return path;
  t.skip(`needs ../shared/data/${file}`);
  return undefined;
}
