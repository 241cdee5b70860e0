/** Small changes of a file of TypeScript that a test should notice. */
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/**
 * A change: `was` at an offset of the file becomes `is`; `line` is the line's number and `code` its text, in which the
 * same change may be the `nth`.
 */
export type Mutant = {
  file: string;
  at: number;
  was: string;
  is: string;
  line: number;
  code: string;
  nth: number;
};

/**
 * What is changed into what; types, imports, comments and texts in quotes stay as they are. Types are what Node blanks
 * out before it runs a file (`side: 1 | -1`): no change of them can change an answer. Nothing else is left out.
 */
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

/** A weight that is left out; 0 is one that was never fitted. */
const weightChanges: typeof changes = [[/(?<=: )-?[\d.]+(?=,?$)/gm, (was) => (Number(was) === 0 ? '10' : '0')]];

export function mutantsOf(file: string): Mutant[] {
  const text = readFileSync(join(root, file), 'utf8');
  const wanted = file.endsWith('.json') ? weightChanges : changes;
  const code = text.replace(
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'[^'\n]*'|^import [\s\S]*?;$|^(?:export )?type [\s\S]*?;$/gm,
    (skipped) => skipped.replace(/[^\n]/g, '\u0001'),
  );
  const run = file.endsWith('.ts') ? stripTypeScriptTypes(text) : text;
  const lines = text.split('\n');
  const seen = new Map<string, number>();
  return wanted.flatMap(([pattern, to]) =>
    [...code.matchAll(pattern)].flatMap(({ index, 0: was }) => {
      const line = text.slice(0, index).split('\n').length;
      const mutant = { file, was, is: to(was), line, code: lines[line - 1].trim() };
      const key = [mutant.code, was, mutant.is].join('\n');
      const nth = seen.get(key) ?? 0;
      seen.set(key, nth + 1);
      return run.slice(index, index + was.length) === was ? [{ ...mutant, at: index, nth }] : [];
    }),
  );
}
