/**
 * Whether the tests notice when the code is wrong: changes one thing at a time in a copy of the checkout (a comparison
 * turned, a number off by one, a condition left out), runs tests, and says which changes none of them noticed. Stryker
 * has no runner for node:test that keeps types stripped. `mutation/sets.json` says which tests go with which files.
 *   node bench/mutation.ts run <set> <file for records>    runs what the records lack, one line for each mutant
 *   node bench/mutation.ts again <set> <file for records>  runs the survivors again, after a test was added
 *   node bench/mutation.ts page <file of records> …        writes docs/internal/mutation.md
 * Tests stand in stages, quick ones first: what one stage kills is not brought to the next. A stage that is named after
 * `acceptance` asks the built dataset.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../src/config.ts';
import { type Mutant, mutantsOf } from './mutation/mutants.ts';
import { mutationPage, type Record } from './mutation/page.ts';
import sets from './mutation/sets.json' with { type: 'json' };
import { replacePart } from './quality/page.ts';
import { draw, randomNumbers } from './quality/samples.ts';

const root = join(import.meta.dirname, '..');
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
  run(
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

function run(
  mutants: readonly Mutant[],
  stages: readonly string[][],
  done: (record: Omit<Record, 'set'>) => void,
): void {
  const copy = mkdtempSync(join(tmpdir(), 'whereabouts-mutation-'));
  try {
    for (const file of execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n')) {
      if (/^(?:src|test|acceptance|sources|package\.json|bench\/quality)/.test(file))
        cpSync(join(root, file), join(copy, file));
    }
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    for (const { at, ...mutant } of mutants) {
      const path = join(copy, mutant.file);
      const text = readFileSync(path, 'utf8');
      writeFileSync(path, text.slice(0, at) + mutant.is + text.slice(at + mutant.was.length));
      const survived = stages.every((tests) => passes(copy, tests));
      writeFileSync(path, text);
      done({ ...mutant, survived });
    }
  } finally {
    rmSync(copy, { recursive: true });
  }
}

function passes(copy: string, tests: readonly string[]): boolean {
  const { status } = spawnSync(
    process.execPath,
    ['--test', '--test-isolation=none', ...globSync(tests as string[], { cwd: copy })],
    {
      cwd: copy,
      env: {
        ...process.env,
        NODE_COMPILE_CACHE: join(tmpdir(), 'whereabouts-mutation-cache'),
        WHEREABOUTS_DATA_DIRECTORY: loadConfig().dataDirectory,
      },
      timeout: 120_000,
      // A mutant that never ends its loop never hears a milder one either.
      killSignal: 'SIGKILL',
    },
  );
  return status === 0;
}
