/** Files that many tests need and none changes: made once for a state of the sources, and found again by later runs. */
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const cache = join(root, 'node_modules', '.cache', 'whereabouts-tests');

/** A run that began under an earlier state of the sources may still read what it found. */
const maxUnusedMs = 3_600_000;

let state: string | undefined;

/** Names the state of all code that may have a part in such files, by size and time of change. */
function stateOfSources(): string {
  const sum = createHash('sha256').update(process.version);
  for (const file of globSync('{src,test/support,sources}/**/*.{ts,json,csv,tsv}', { cwd: root }).sort()) {
    const { size, mtimeMs } = statSync(join(root, file));
    sum.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return sum.digest('hex').slice(0, 16);
}

/** A directory of this name as `write` makes it; the first to ask for it has it written. */
export async function keptDirectory(name: string, write: (empty: string) => Promise<void>): Promise<string> {
  state ??= stateOfSources();
  const directory = join(cache, state, name);
  if (existsSync(directory)) return directory;
  mkdirSync(join(cache, state), { recursive: true });
  const made = mkdtempSync(join(cache, state, '.'));
  await write(made);
  try {
    renameSync(made, directory);
  } catch (error) {
    // Another process was first.
    if (!existsSync(directory)) throw error;
    rmSync(made, { recursive: true });
  }
  for (const other of readdirSync(cache)) {
    const path = join(cache, other);
    const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (other !== state && Date.now() - changed > maxUnusedMs) rmSync(path, { recursive: true, force: true });
  }
  return directory;
}
