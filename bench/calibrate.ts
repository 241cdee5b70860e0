/**
 * The confidence of an answer of /search: the share of right first answers by the cost of their words, over cases of
 * all tables and names that are not a place's, one in five. `node bench/calibrate.ts` writes
 * `src/geocoding/calibration.json`, made of the training half, and the table of the held-out half in docs/search.md.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { search } from '../src/endpoints/search.ts';
import { calibrated } from '../src/geocoding/calibration.ts';
import { openDataset } from '../src/store/open.ts';
import { fold } from '../src/text/fold.ts';
import { ask } from '../test/support/ask.ts';
import { defaultDataset } from '../test/support/dataset.ts';
import { share, tableOf } from './quality/page.ts';
import { type Answer, type Case, isTraining } from './quality/place-cases.ts';
import { placeTables } from './quality/place-tables.ts';
import { draw, randomNumbers } from './quality/samples.ts';

const perTable = Number(process.argv[2] ?? 300);
const directory = defaultDataset();
if (!directory) throw new Error('no dataset is built; run "npm run whereabouts -- build" first');
const store = openDataset(directory);
const random = randomNumbers(5);
const letters = 'abcdefghijklmnopqrstuvwxyz';

/** Names of places with four letters replaced, alone and before a country: no answer is right. */
function absent(count: number): Case[] {
  const cases: Case[] = [];
  while (cases.length < count) {
    const { name, country } = store.places.get(Math.floor(random() * store.places.size));
    const signs = [...fold(name)];
    if (signs.length < 6) continue;
    for (let edits = 0; edits < 4; edits++) {
      signs[Math.floor(random() * signs.length)] = letters[Math.floor(random() * letters.length)];
    }
    const context = cases.length % 2 === 0 ? '' : `, ${store.countries.get(country)?.name}`;
    cases.push({ query: `${signs.join('')}${context}`, wanted: 'nothing', isRight: () => false });
  }
  return cases;
}

type Judged = { cost: number; isRight: boolean };

/** The first answer to a case; undefined where there is none, or none that the gazetteer gave. */
function judged({ query, isRight }: Case): Judged | undefined {
  const { results, explain } = ask(search, store, { q: query, limit: 1, explain: true }) as {
    results: Answer[];
    explain?: { answers: { contributions: Record<string, number> }[] };
  };
  const parts = explain?.answers[0]?.contributions;
  if (!results[0] || !parts || !['place', 'country', 'region', 'subregion'].includes(results[0].layer ?? ''))
    return undefined;
  return { cost: -(parts.textMatch + parts.contextMatch + parts.nameMatch), isRight: isRight(results[0]) };
}

const tables = placeTables(store).filter(({ name }) => !name.startsWith('sugg') && name !== 'relevance table');
const present = tables.flatMap(({ cases }) => draw(cases, perTable, random));
const all = [...present, ...absent(Math.round(present.length / 4))];
const halves = [true, false].map((isFirst) =>
  all.filter((each) => isTraining(each) === isFirst).flatMap((each) => judged(each) ?? []),
);

/** Shares of right answers by cost, never rising with the cost: neighbours that would break this rule are merged. */
function monotone(cases: readonly Judged[]): { cost: number; share: number }[] {
  const pools: { cost: number; right: number; count: number }[] = [];
  for (const { cost, isRight } of cases.toSorted((left, right) => left.cost - right.cost)) {
    pools.push({ cost, right: isRight ? 1 : 0, count: 1 });
    for (;;) {
      const [before, last] = pools.slice(-2);
      if (!last || before.right / before.count > last.right / last.count) break;
      pools.splice(-2, 2, {
        cost: last.cost,
        right: before.right + last.right,
        count: before.count + last.count,
      });
    }
  }
  return pools.map(({ cost, right, count }) => ({ cost, share: (right + 0.5) / (count + 1) }));
}

/** The confidence at each of these costs; between them it is interpolated linearly. */
const costs = [0, 3, 6, 9, 12, 15, 20, 25, 30, 40, 50, 60, 70, 80, 98];
const pools = monotone(halves[0]);
const points = costs.map((cost) => {
  const pool = pools.find((each) => each.cost >= cost) ?? pools[pools.length - 1];
  return [cost, cost === 0 ? 100 : Math.min(99, Math.round(100 * pool.share))] as const;
});
writeFileSync(
  join(import.meta.dirname, '../src/geocoding/calibration.json'),
  `[${points.map((point) => `[${point.join(', ')}]`).join(', ')}]\n`,
);

const bands = [
  [100, 100],
  [95, 99],
  [90, 94],
  [80, 89],
  [70, 79],
  [60, 69],
  [50, 59],
  [30, 49],
  [1, 29],
] as const;
const rows = bands.flatMap(([from, to]) => {
  const inBand = halves[1].filter(({ cost }) => {
    const sure = calibrated(cost, points);
    return sure >= from && sure <= to;
  });
  const right = inBand.filter(({ isRight }) => isRight).length;
  return inBand.length === 0
    ? []
    : [[from === to ? `${from}` : `${from}–${to}`, inBand.length, share(right, inBand.length)]];
});
const table = tableOf(['confidence', 'answers', 'right'], rows);
console.log(JSON.stringify(points));
console.log(table);
const page = join(import.meta.dirname, '../docs/search.md');
const [begin, end] = ['<!-- made by bench/calibrate.ts -->', '<!-- end -->'];
const text = readFileSync(page, 'utf8');
const [from, to] = [text.indexOf(begin), text.indexOf(end)];
if (from < 0 || to < from) throw new Error(`docs/search.md has no "${begin}" with an "${end}" after it`);
writeFileSync(page, `${text.slice(0, from)}${begin}\n\n${table}\n\n${text.slice(to)}`);
