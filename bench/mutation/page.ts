/** docs/internal/mutation.md: how many changes the tests noticed, and why each of the others is none that they should. */
import { share, tableOf } from '../quality/page.ts';
import explanations from './explanations.json' with { type: 'json' };
import type { Mutant } from './mutants.ts';

/** Files that are changed and tests that go with them. */
export type MutationSet = {
  name: string;
  files: readonly string[];
  tests: readonly string[];
  /** Path prefixes of modules loaded afresh for each mutant; tests always are. */
  fresh: readonly string[];
  /** Suites and tests that are left out. */
  skip?: string;
};

/** A mutant that was run. `nth` counts the same change of the same line of code. */
export type Record = Omit<Mutant, 'at'> & {
  set: string;
  survived: boolean;
  /** The test file that noticed it; null where the process broke. */
  by: string | null;
  /** Whether a test runs the line at all. */
  ran: boolean;
};

type Listed = { name: string; mutants: readonly Mutant[] };

/** Sections of the page: tables by set and by file, and the survivors with the reason that explanations.json has. */
export function mutationPage(sets: readonly Listed[], records: readonly Record[]): string[] {
  const known = new Map(records.map((record) => [keyOf(record), record]));
  const tried = sets.map(({ name, mutants }) => ({
    name,
    count: mutants.length,
    // The line may have moved since.
    list: mutants.flatMap((mutant) => {
      const record = known.get(keyOf(mutant));
      return record ? { ...record, line: mutant.line } : [];
    }),
  }));
  const done = tried.filter(({ list }) => list.length > 0);
  const totals = done.map(({ name, count, list }) => [
    name,
    count,
    list.length,
    killed(list),
    share(killed(list), list.length),
    list.length === count ? 'all tried' : interval(killed(list), list.length),
  ]);
  const all = done.flatMap(({ list }) => list);
  const rows = [...Map.groupBy(all, ({ file }) => file)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([file, list]) => [`\`${file}\``, list.length, killed(list), share(killed(list), list.length)]);
  const survivors = done.flatMap(({ list }) => list.filter(({ survived }) => survived));
  return [
    tableOf(['set', 'changes', 'tried', 'noticed', 'share', '95 % of all'], totals),
    tableOf(['file', 'tried', 'noticed', 'share'], rows),
    '### Not noticed',
    tableOf(
      ['where', 'line', 'change', 'why no test has to'],
      survivors.map((record) => [
        `\`${record.file.replace('src/', '')}\` ${record.line}`,
        `\`${escaped(record.code)}\``,
        `\`${escaped(record.was.trim()) || ' '}\` → \`${escaped(record.is.trim())}\``,
        reasonOf(record),
      ]),
    ),
  ];
}

const keyOf = ({ file, code, was, is, nth }: Omit<Mutant, 'at' | 'line'>) => JSON.stringify([file, code, was, is, nth]);
const killed = (list: readonly Record[]) => list.filter(({ survived }) => !survived).length;
const escaped = (code: string) => code.replaceAll('|', '\\|');

/** Wilson's interval for the share of all, from a sample of that size. */
function interval(part: number, whole: number): string {
  const z = 1.96;
  const p = part / whole;
  const middle = p + (z * z) / (2 * whole);
  const half = z * Math.sqrt((p * (1 - p)) / whole + (z * z) / (4 * whole * whole));
  const [low, high] = [middle - half, middle + half].map((each) => (100 * each) / (1 + (z * z) / whole));
  return `${low.toFixed(1)}–${high.toFixed(1)} %`;
}

/** By the beginning of the line, with ` → ` and what it is changed to behind it where lines differ by that. */
function reasonOf({ file, code, was, is }: Record): string {
  const ofFile = (explanations as { [file: string]: { [code: string]: string } })[file] ?? {};
  const change = `${was.trim()} → ${is.trim()}`;
  const fitting = Object.entries(ofFile).filter(([start]) => {
    const [line, to] = start.split(' @ ');
    return code.startsWith(line) && (to === undefined || to === change);
  });
  return fitting.sort(([one], [other]) => other.length - one.length)[0]?.[1] ?? '**not explained**';
}
