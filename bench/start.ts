/**
 * The cost of a start: processor time (user and system) and memory of `serve`, from its beginning to its first answer.
 *
 *     node bench/start.ts --data data --runs 7
 *
 * The first run fills the cache of compiled code and is not counted.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: { data: { type: 'string', default: 'data' }, runs: { type: 'string', default: '7' } },
});
const root = join(import.meta.dirname, '..');
/** Clock ticks a second, as Linux has them for user programs. */
const ticksPerSecond = 100;

/** Starts once; returns seconds of processor time and MB (2^20) resident at the first answer. */
async function startOnce(): Promise<{ seconds: number; residentMb: number }> {
  const args = ['bin/whereabouts.js', 'serve', '--port', '0', '--data-directory', options.data];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface(child.stdout!)) {
    const { msg, address } = JSON.parse(line) as { msg: string; address: string };
    if (msg !== 'serving') continue;
    const answer = await fetch(`${address}/health/ready`);
    if (answer.status !== 200) throw new Error(`/health/ready answered ${answer.status}`);
    break;
  }
  const [, , ...fields] = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1].split(' ');
  const resident = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1];
  // Fields 14 and 15 of proc_pid_stat(5); field 3 is the first after the name.
  const ticks = Number(fields[9]) + Number(fields[10]);
  // Long enough for the compiled code to be written for the next start.
  await new Promise((resolve) => setTimeout(resolve, 2500));
  child.kill('SIGTERM');
  await once(child, 'exit');
  return { seconds: ticks / ticksPerSecond, residentMb: Number(resident) / 1024 };
}

await startOnce();
const runs: Awaited<ReturnType<typeof startOnce>>[] = [];
for (let run = 0; run < Number(options.runs); run++) runs.push(await startOnce());
const median = (values: number[]) => values.sort((one, other) => one - other)[values.length >> 1];
console.log(`processor time  ${median(runs.map(({ seconds }) => seconds)).toFixed(2)} s`);
console.log(`resident        ${median(runs.map(({ residentMb }) => residentMb)).toFixed(0)} MB`);
