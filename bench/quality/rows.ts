/** Rows of the tables of docs/internal/quality.md: the share of each half of the cases that is right. */
import { share } from './page.ts';
import { isTraining } from './place-cases.ts';

/** Prints a row; `isRight` returns undefined for what is no case. */
export type PrintRow = <T>(
  name: string,
  cases: Iterable<T>,
  key: (one: T) => string,
  isRight: (one: T) => boolean | undefined,
) => void;

/** Prints rows whose name contains `only`, each with at most `maxMisses` misses of the training half. */
export function rowPrinter(maxMisses: number, only: string): PrintRow {
  return (name, cases, key, isRight) => {
    if (!name.includes(only)) return;
    const halves = { true: { queries: 0, right: 0 }, false: { queries: 0, right: 0 } };
    const misses: unknown[] = [];
    for (const one of cases) {
      const right = isRight(one);
      if (right === undefined) continue;
      const half = halves[`${isTraining({ query: key(one) })}`];
      half.queries++;
      if (right) half.right++;
      else if (half === halves.true) misses.push(one);
    }
    const cell = ({ queries, right }: { queries: number; right: number }) => `${share(right, queries)} of ${queries}`;
    console.log(`| ${name} | ${cell(halves.true)} | ${cell(halves.false)} |`);
    for (const miss of misses.slice(0, maxMisses)) console.log(`    ${JSON.stringify(miss)}`);
  };
}
