/**
 * How often the first answer of /search is the right one, and how often a suggestion comes in time, over tables made
 * from the dataset: `node bench/quality/places.ts [misses to print [table]]`. Misses are printed of the training half only.
 */
import { openDataset } from '../../src/api/open.ts';
import { defaultDataset } from '../../test/support/dataset.ts';
import { isTraining } from './place-cases.ts';
import { type PlaceTable, placeTables } from './place-tables.ts';

const printed = Number(process.argv[2] ?? 0);
const only = process.argv[3] ?? '';
const directory = defaultDataset();
if (!directory) throw new Error('no dataset is built; run "npm run whereabouts -- build" first');
const store = openDataset(directory);
for (const table of placeTables(store)) if (table.name.includes(only)) report(table);

/** Prints a row: each half's number of cases and the share that is right, and misses of the training half. */
function report({ name, cases, answers }: PlaceTable): void {
  const halves = { train: { queries: 0, right: 0 }, 'held out': { queries: 0, right: 0 } };
  const misses: string[] = [];
  const start = performance.now();
  for (const each of cases) {
    const half = isTraining(each) ? halves.train : halves['held out'];
    half.queries++;
    const found = answers(each.query);
    if (found.some(each.isRight)) half.right++;
    else if (half === halves.train) {
      const got = found.map(({ name, admin1, country }) => `${name}, ${admin1}, ${country}`).join('; ');
      misses.push(`${each.query} (${each.wanted}) → ${got || 'nothing'}`);
    }
  }
  const cell = ({ queries, right }: { queries: number; right: number }) =>
    `${right} of ${queries} (${((100 * right) / Math.max(1, queries)).toFixed(1)}%)`;
  const ms = ((performance.now() - start) / Math.max(1, cases.length)).toFixed(2);
  console.log(
    `${name.padEnd(28)} | ${cell(halves.train).padEnd(22)} | ${cell(halves['held out']).padEnd(22)} | ${ms} ms`,
  );
  for (const miss of misses.slice(0, printed)) console.log(`    ${miss}`);
}
