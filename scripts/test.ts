/**
 * Runs the files of tests that match patterns, all of a folder in one process: what the service is made of is loaded,
 * compiled and optimized once for a folder, and not for each file. Folders are run side by side, as many as there are
 * processors. What begins with "--" is for node:test. A file that is run alone has a process of its own: node --test FILE.
 */
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import module from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';

const flags = process.argv.slice(2).filter((argument) => argument.startsWith('--'));
const patterns = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const folders = Object.values(
  Object.groupBy(globSync(patterns, { exclude: ['**/node_modules/**'] }).sort(), dirname),
) as string[][];
const env = { NODE_COMPILE_CACHE: module.getCompileCacheDir(), ...process.env };

const sums = { tests: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0 };
let failures = '';

async function run(files: readonly string[]): Promise<void> {
  const args = [...flags, join(import.meta.dirname, 'test-folder.ts'), ...files];
  const child = spawn(process.execPath, args, { env, stdio: ['inherit', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  const [output, failing = ''] = (await text(child.stdout)).split('✖ failing tests:');
  process.stdout.write(output);
  const counts = [...output.matchAll(/^ℹ (\w+) (\d+)$/gm)].filter(([, name]) => name in sums);
  for (const [, name, count] of counts) sums[name as keyof typeof sums] += Number(count);
  failures += failing;
  const status = await ended;
  if (counts.length > 0 && (status === 0 || failing)) return;
  sums.fail++;
  failures += `\nThe process that ran ${files.join(' ')} broke off.\n`;
}

const started = performance.now();
const waiting = folders.values();
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (const files of waiting) await run(files);
  }),
);
for (const [name, count] of Object.entries({ ...sums, duration_ms: performance.now() - started })) {
  console.log(`ℹ ${name} ${count}`);
}
if (failures) console.log(`\n✖ failing tests:${failures}`);
if (failures || sums.tests === 0) process.exitCode = 1;
