/** Distributes mutants to processes that run them, one process after the other. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Task } from './in-process.ts';
import type { Mutant } from './mutants.ts';
import type { MutationSet, Record } from './page.ts';

/** Runs mutants of a set and calls `done` with the outcome of each. Throws when the tests fail without a change. */
export async function run(
  mutants: readonly Mutant[],
  { tests, fresh, skip }: MutationSet,
  done: (record: Omit<Record, 'set'>) => void,
): Promise<void> {
  if (mutants.length === 0) return;
  const directory = mkdtempSync(join(tmpdir(), 'whereabouts-mutation-'));
  const [taskPath, coverage] = [join(directory, 'task.json'), join(directory, 'coverage.json')];
  const task: Task = {
    mutants: [...mutants],
    tests: [...tests],
    fresh,
    skip,
    coverage,
  };
  writeFileSync(taskPath, JSON.stringify(task));
  try {
    for (let from = 0; from < mutants.length; ) {
      const donePath = join(directory, `done-${from}`);
      writeFileSync(donePath, '');
      const records = new Progress(donePath, from, ({ at, survived, by, ran }) =>
        done({ ...plain(mutants[at]), survived, by, ran }),
      );
      const hasEnded = await inProcess([taskPath, donePath, String(from)], records);
      if (!existsSync(coverage)) throw new Error('the tests fail without a change');
      // The current mutant hung, or ended the process: the tests noticed it.
      if (!hasEnded && records.under)
        done({ ...plain(mutants[records.under.started]), survived: false, by: null, ran: true });
      from = hasEnded ? mutants.length : (records.under?.started ?? records.last) + 1;
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function plain({ at: _, ...mutant }: Mutant): Omit<Mutant, 'at'> {
  return mutant;
}

type Done = { at: number; survived: boolean; by: string | null; ran: boolean };

/** What a process has written about its mutants, read as it comes. */
class Progress {
  /** The current mutant, how long its tests take without a change, and when it started. */
  under: { started: number; ms: number } | undefined;
  last: number;
  since = Date.now();
  readonly #path: string;
  readonly #from: number;
  readonly #done: (done: Done) => void;
  #read = 0;
  /** Processor time when the current mutant was first late. */
  #usedBefore: number | undefined;

  constructor(path: string, from: number, done: (done: Done) => void) {
    this.#path = path;
    this.#from = from;
    this.last = from - 1;
    this.#done = done;
  }

  read(): void {
    const lines = readFileSync(this.#path, 'utf8').split('\n').slice(0, -1);
    for (const line of lines.slice(this.#read)) {
      const record = JSON.parse(line) as Done & { started?: number; ms: number };
      this.since = Date.now();
      this.#usedBefore = undefined;
      if (record.started === undefined) {
        this.#done(record);
        this.last = record.at;
        this.under = undefined;
      } else this.under = { started: record.started, ms: record.ms };
    }
    this.#read = lines.length;
  }

  /**
   * Whether the current mutant hangs, which its process cannot report itself in an endless loop: it has used ten times
   * the processor time of its tests. The first of a process opens its stores as well.
   */
  isHung(pid: number): boolean {
    if (this.under === undefined) return false;
    const seconds = (this.last < this.#from ? 30 : 3) + this.under.ms / 100;
    if (Date.now() - this.since < seconds * 1_000) return false;
    const used = processorSeconds(pid);
    this.#usedBefore ??= used;
    return used - this.#usedBefore > seconds;
  }
}

/** Processor time of a process so far. */
function processorSeconds(pid: number): number {
  const text = spawnSync('ps', ['-o', 'time=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim();
  const [seconds, minutes = 0, hours = 0] = text.split(/[:-]/).map(Number).reverse();
  return seconds + 60 * (minutes + 60 * hours);
}

/** Runs a task; returns whether it completed. */
function inProcess(args: readonly string[], progress: Progress): Promise<boolean> {
  const path = join(import.meta.dirname, 'in-process.ts');
  const child = spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const watch = setInterval(() => {
    progress.read();
    if (progress.isHung(child.pid!)) child.kill('SIGKILL');
  }, 500);
  return new Promise((resolve) => {
    child.on('exit', (code) => {
      clearInterval(watch);
      progress.read();
      resolve(code === 0);
    });
  });
}
