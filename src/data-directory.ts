import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from './errors.ts';
import { systemReason } from './system-error.ts';

/**
 * Makes a data directory and those above it where they are missing. One after the other, as Node's own recursive way
 * never ends where the system takes no directories and says there is none (in /proc). Throws UsageError with the remedy.
 */
export function makeDataDirectory(path: string): void {
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
