/**
 * Whether the tests notice when the code is wrong: changes one thing at a time in a copy of the checkout (a comparison
 * turned, a number off by one, a condition or a weight left out), runs tests, and says which changes none of them noticed.
 * Stryker has no runner for node:test that keeps types stripped. `mutation/sets.json` says which tests go with which files.
 *   node bench/mutation.ts run <set> <file for records> [count [files [tests]]]  runs what the records lack
 *   node bench/mutation.ts again <set> <file for records> …                     runs survivors again as well
 *   node bench/mutation.ts page <file of records> …                             writes docs/internal/mutation.md
 * `count` mutants are drawn; `files` (a part) and `tests` (a pattern) say of which paths alone.
 * Cases that run the changed line run until one fails: first files that noticed much in little time (mutation/in-process.ts).
 */
import { appendFileSync, existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Mutant, mutantsOf } from './mutation/mutants.ts';
import { type MutationSet, mutationPage, type Record } from './mutation/page.ts';
import { run } from './mutation/run.ts';
import allSets from './mutation/sets.json' with { type: 'json' };
import { replacePart } from './quality/page.ts';
import { draw, randomNumbers } from './quality/samples.ts';

const root = join(import.meta.dirname, '..');
const sets: readonly MutationSet[] = allSets;
const [task, ...names] = process.argv.slice(2);
if (task === 'page') {
  const lists = sets.map((set) => ({ name: set.name, mutants: mutantsOfSet(set) }));
  replacePart('mutation', mutationPage(lists, names.flatMap(recordsOf)), 'mutation.md');
} else {
  const [name, path, count = 'Infinity', files = '', tests = ''] = names;
  const set = sets.find((each) => each.name === name);
  if (!set || !path) throw new Error('usage: node bench/mutation.ts run|again <set> <records>, or page <records> …');
  const known = recordsOf(path);
  const isKnown = (mutant: Mutant) =>
    known.some((record) => isOf(record, mutant) && !(task === 'again' && record.survived));
  const mutants = draw(mutantsOfSet(set), Number(count), randomNumbers(1));
  await run(
    mutants.filter((mutant) => mutant.file.includes(files) && !isKnown(mutant)),
    {
      ...set,
      tests: globSync([...set.tests], { cwd: root })
        .filter((path) => new RegExp(tests).test(path))
        .sort(),
    },
    (record) => appendFileSync(path, `${JSON.stringify({ set: name, ...record })}\n`),
  );
}

function mutantsOfSet({ files }: MutationSet): Mutant[] {
  return globSync([...files], { cwd: root })
    .sort()
    .flatMap(mutantsOf);
}

/** The records of a file; the later one of two for the same mutant. */
function recordsOf(path: string): Record[] {
  if (!existsSync(path)) return [];
  const all = new Map<string, Record>();
  for (const line of readFileSync(path, 'utf8').trim().split('\n')) {
    const record = JSON.parse(line) as Record;
    all.set(JSON.stringify([record.file, record.code, record.was, record.is, record.nth]), record);
  }
  return [...all.values()];
}

function isOf(
  record: Record,
  { file, code, was, is, nth }: Pick<Record, 'file' | 'code' | 'was' | 'is' | 'nth'>,
): boolean {
  return record.file === file && record.code === code && record.was === was && record.is === is && record.nth === nth;
}
