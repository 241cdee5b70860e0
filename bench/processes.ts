/** What processes take, with all that they started: processor time and memory, from /proc. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const ticks = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Fields of a process's `stat` behind its name; undefined where it is gone. */
function statOf(pid: number | string): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
  } catch {
    return undefined;
  }
}

/** Processes, and those that they started and that live. */
function withChildren(pids: readonly number[]): number[] {
  const parents = readdirSync('/proc').flatMap((name) => {
    const stat = /^\d+$/.test(name) ? statOf(name) : undefined;
    return stat ? [[Number(name), Number(stat[1])] as const] : [];
  });
  const found = new Set(pids);
  for (let size = 0; size < found.size; ) {
    size = found.size;
    for (const [pid, parent] of parents) if (found.has(parent)) found.add(pid);
  }
  return [...found];
}

/** Processor time so far, seconds; that of ended children counts once they were waited for. */
export const processorSeconds = (pids: readonly number[]): number =>
  withChildren(pids).reduce((sum, pid) => {
    const times = statOf(pid)?.slice(11, 15).map(Number) ?? [];
    return sum + times.reduce((one, other) => one + other, 0) / ticks;
  }, 0);

/** Memory, MB; pages that several processes share count once. */
export const memoryMb = (pids: readonly number[]): number =>
  withChildren(pids).reduce((sum, pid) => {
    try {
      return sum + Number(/^Pss: +(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024;
    } catch {
      return sum;
    }
  }, 0);
