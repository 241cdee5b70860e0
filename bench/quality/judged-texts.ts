/**
 * How honest the confidence of `/search` is, over the queries of `../shared/data/queries`: the share right by class, the
 * texts that name nothing but are answered, and the precision of answers by confidence:
 * `node bench/quality/judged-texts.ts [misses to print [class]]`. Misses are printed of the half for fitting only.
 */
import { openDataset } from '../../src/api/open.ts';
import { search } from '../../src/endpoints/search.ts';
import { ask } from '../../test/support/ask.ts';
import { defaultDataset } from '../../test/support/dataset.ts';
import { share } from './page.ts';
import type { Answer } from './place-cases.ts';
import { type SharedQuery, sharedQueries } from './shared-queries.ts';

const printed = Number(process.argv[2] ?? 0);
const only = process.argv[3] ?? '';
const directory = defaultDataset();
if (!directory) throw new Error('no dataset is built; run "npm run whereabouts -- build" first');
const store = openDataset(directory);
const halves = ['fit', 'report'] as const;

type Judged = SharedQuery & { first: (Answer & { confidence: number }) | undefined; right: boolean };

const judged: Judged[] = sharedQueries()
  .filter(({ group }) => group.includes(only))
  .map((each) => {
    const [first] = ask(search, store, { q: each.query, limit: 1 }).results as (Answer & { confidence: number })[];
    return { ...each, first, right: first === undefined ? each.isNothing : each.isRight(first) };
  });

const row = (name: string, cell: (half: readonly Judged[]) => string) =>
  console.log(`| ${[name, ...halves.map((half) => cell(judged.filter((each) => each.half === half)))].join(' | ')} |`);

row('typed texts: right', (all) =>
  shareOf(
    all.filter(({ isNothing }) => !isNothing),
    ({ right }) => right,
  ),
);
for (const group of new Set(judged.map((each) => each.group))) {
  row(group, (all) =>
    shareOf(
      all.filter((each) => each.group === group),
      ({ right }) => right,
    ),
  );
}
row('texts that name nothing: not answered', (all) => shareOf(nothing(all), ({ first }) => first === undefined));
row('texts that name nothing: answered with 90 and more', (all) => shareOf(nothing(all), isFrom(90)));
row('precision at 90 and more', (all) => shareOf(all.filter(isFrom(90)), ({ right }) => right));
row('precision at 90 to 99', (all) =>
  shareOf(
    all.filter((each) => isFrom(90)(each) && !isFrom(100)(each)),
    isTrue,
  ),
);
row('precision at 100', (all) => shareOf(all.filter(isFrom(100)), isTrue));
row('right answers that have 90 and more', (all) =>
  shareOf(
    all.filter((one) => one.first && one.right),
    isFrom(90),
  ),
);

const misses = judged.filter(({ right, half, first, isNothing }) =>
  half === 'fit' && isNothing ? (first?.confidence ?? 0) >= 50 : !right && half === 'fit',
);
for (const { query, group, first } of misses.slice(0, printed)) {
  const got = first ? `${first.name}, ${first.admin1}, ${first.country} ${first.layer} ${first.confidence}` : 'nothing';
  console.log(`    ${group} | ${query} → ${got}`);
}

function isTrue({ right }: Judged): boolean {
  return right;
}

function nothing(all: readonly Judged[]): Judged[] {
  return all.filter(({ isNothing }) => isNothing);
}

function isFrom(confidence: number): (one: Judged) => boolean {
  return ({ first }) => first !== undefined && first.confidence >= confidence;
}

function shareOf(all: readonly Judged[], isCounted: (one: Judged) => boolean): string {
  return `${share(all.filter(isCounted).length, all.length)} of ${all.length}`;
}
