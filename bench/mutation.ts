/**
 * Whether the tests notice when the code is wrong: changes one thing at a time in a copy of the checkout (a comparison
 * turned, a number off by one, a condition left out, a pattern's flag dropped), runs tests, and prints the changes that no
 * test noticed. Stryker has no runner for node:test that keeps types stripped.
 *   node bench/mutation.ts '<glob of files>' '<globs of tests>' [mutants at most [seed]]
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { draw, randomNumbers } from './quality/samples.ts';

const root = join(import.meta.dirname, '..');
const [filePattern, testPattern, most = '100', seed = '1'] = process.argv.slice(2);
if (!testPattern) throw new Error("usage: node bench/mutation.ts '<files>' '<tests>' [most [seed]]");

type Mutant = { file: string; at: number; was: string; is: string };

/** What is changed into what; types, imports, comments and messages stay as they are. */
const changes: readonly (readonly [pattern: RegExp, to: (was: string) => string])[] = [
  [/ (?:===|!==) /g, (was) => (was.includes('!') ? ' === ' : ' !== ')],
  [/ (?:<=|>=) /g, (was) => was.replace('=', '')],
  [/ [<>] (?=[\w(-])/g, (was) => `${was.trimEnd()}= `],
  [/ && /g, () => ' || '],
  [/ \|\| /g, () => ' && '],
  [/(?<=[\w)\]]) \+ (?=[\w(])/g, () => ' - '],
  [/(?<=[\w)\]]) - (?=[\w(])/g, () => ' + '],
  [/(?<=[ (,[:-])\d+(?:\.\d+)?(?=[ ),;\]])/g, (was) => String(Number(was) + 1)],
  [/\btrue\b|\bfalse\b/g, (was) => (was === 'true' ? 'false' : 'true')],
  [/\.some\(|\.every\(/g, (was) => (was === '.some(' ? '.every(' : '.some(')],
  [/(?<=[( ])!(?=[\w(])/g, () => ''],
  [/(?<=if \()(?=[^)]*\))/g, () => 'false && '],
];

function mutantsOf(file: string): Mutant[] {
  const text = readFileSync(join(root, file), 'utf8');
  const code = text.replace(
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|^import [\s\S]*?;$|^(?:export )?type [\s\S]*?;$/gm,
    (skipped) => skipped.replace(/[^\n]/g, '\u0001'),
  );
  return changes.flatMap(([pattern, to]) =>
    [...code.matchAll(pattern)].map(({ index, 0: was }) => ({ file, at: index, was, is: to(was) })),
  );
}

const files = globSync(filePattern.split(' '), { cwd: root });
const tests = globSync(testPattern.split(' '), { cwd: root });
const mutants = draw(files.flatMap(mutantsOf), Number(most), randomNumbers(Number(seed)));
const copy = mkdtempSync(join(tmpdir(), 'whereabouts-mutation-'));
try {
  for (const file of execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n')) {
    if (/^(?:src|test|sources|package\.json|bench\/quality)/.test(file)) cpSync(join(root, file), join(copy, file));
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  let killed = 0;
  for (const { file, at, was, is } of mutants) {
    const path = join(copy, file);
    const text = readFileSync(join(root, file), 'utf8');
    writeFileSync(path, text.slice(0, at) + is + text.slice(at + was.length));
    const { status } = spawnSync(process.execPath, ['--test', '--test-isolation=none', ...tests], {
      cwd: copy,
      timeout: 120_000,
      // A mutant that never ends its loop never hears a milder one either.
      killSignal: 'SIGKILL',
    });
    writeFileSync(path, text);
    if (status !== 0) killed++;
    else {
      const line = text.slice(0, at).split('\n').length;
      console.log(`${file}:${line}: "${was.trim()}" as "${is.trim()}": ${text.split('\n')[line - 1].trim()}`);
    }
  }
  console.log(`${killed} of ${mutants.length} mutants noticed`);
} finally {
  rmSync(copy, { recursive: true });
}
