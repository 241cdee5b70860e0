/**
 * Whether the tests notice when the code is wrong: changes one thing at a time in a copy of the checkout (a comparison
 * turned, a number off by one, a condition left out), runs tests, and says which changes none of them noticed. Stryker
 * has no runner for node:test that keeps types stripped. `mutation/sets.json` says which tests go with which files.
 *   node bench/mutation.ts run <set> <file for records>    runs what the records lack, one line for each mutant
 *   node bench/mutation.ts again <set> <file for records>  runs the survivors again, after a test was added
 *   node bench/mutation.ts page <file of records> …        writes docs/internal/mutation.md
 * Tests stand in stages, quick ones first: what one stage kills is not brought to the next. Those of `acceptance` ask the
 * built dataset. The code must be called by the tests themselves, not through a store (mutation/in-process.ts).
 */
import { spawn } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Mutant, mutantsOf } from './mutation/mutants.ts';
import { mutationPage, type Record } from './mutation/page.ts';
import sets from './mutation/sets.json' with { type: 'json' };
import { replacePart } from './quality/page.ts';
import { draw, randomNumbers } from './quality/samples.ts';

const root = join(import.meta.dirname, '..');
/** Mutants that one process runs before another takes over: their modules stay in its memory. */
const perProcess = 10;
/** A mutant that takes longer never ends. */
const mostSeconds = 90;
const [task, ...names] = process.argv.slice(2);
if (task === 'page') {
  replacePart('mutation', mutationPage(names.flatMap(recordsOf)), 'mutation.md');
} else {
  const [name, path] = names;
  const set = sets.find((each) => each.name === name);
  if (!set || !path) throw new Error('usage: node bench/mutation.ts run|again <set> <records>, or page <records> …');
  const mutants = draw(globSync(set.files, { cwd: root }).sort().flatMap(mutantsOf), set.most, randomNumbers(1));
  const known = recordsOf(path);
  const isKnown = (mutant: Mutant) =>
    known.some((record) => isOf(record, mutant) && !(task === 'again' && record.survived));
  await run(
    mutants.filter((mutant) => !isKnown(mutant)),
    set.stages,
    (record) => appendFileSync(path, `${JSON.stringify({ set: name, ...record })}\n`),
  );
}

/** The records of a file, of two for one mutant the later one. */
function recordsOf(path: string): Record[] {
  if (!existsSync(path)) return [];
  const all = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record);
  return all.filter((record, at) => !all.slice(at + 1).some((later) => isOf(later, record)));
}

function isOf(
  record: Record,
  { file, code, was, is, nth }: Pick<Record, 'file' | 'code' | 'was' | 'is' | 'nth'>,
): boolean {
  return record.file === file && record.code === code && record.was === was && record.is === is && record.nth === nth;
}

async function run(
  mutants: readonly Mutant[],
  patterns: readonly string[][],
  done: (record: Omit<Record, 'set'>) => void,
): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'whereabouts-mutation-'));
  const stages = patterns.map((stage) => globSync(stage, { cwd: root }).sort());
  try {
    for (let from = 0; from < mutants.length; ) {
      const [taskPath, donePath] = [join(directory, 'task.json'), join(directory, `done-${from}`)];
      const some = mutants.slice(from, from + perProcess);
      writeFileSync(taskPath, JSON.stringify({ mutants: some, stages, from: 0 }));
      writeFileSync(donePath, '');
      const ended = await inProcess(taskPath, donePath);
      const records = readFileSync(donePath, 'utf8')
        .trim()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as { at?: number; started?: number; survived?: boolean });
      if (records.length === 0) throw new Error('the tests fail without a change');
      for (const { at, survived } of records) if (at !== undefined) done({ ...plain(some[at]), survived: survived! });
      const last = records[records.length - 1].started;
      // The one that was under way hung, or took the process with it: that was noticed.
      if (!ended && last !== undefined) done({ ...plain(some[last]), survived: false });
      from += ended ? some.length : (last ?? some.length - 1) + 1;
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function plain({ at: _, ...mutant }: Mutant): Omit<Mutant, 'at'> {
  return mutant;
}

/** Runs a task; whether it came to its end in time. */
function inProcess(taskPath: string, donePath: string): Promise<boolean> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'mutation/in-process.ts'), taskPath, donePath], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  let size = 0;
  const watch = setInterval(() => {
    const now = statSync(donePath).size;
    if (now === size && now > 0) child.kill('SIGKILL');
    size = now;
  }, mostSeconds * 1000);
  return new Promise((resolve) => {
    child.on('exit', (code) => {
      clearInterval(watch);
      resolve(code === 0);
    });
  });
}
