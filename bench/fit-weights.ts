/**
 * Fits the weights of place search: tries each weight a little smaller and larger, keeps what makes more first answers
 * right over the training half of all tables, and repeats until nothing does or time is up. Prints right answers of
 * both halves before and after, and writes `src/geocoding/weights.json` with `--write` where the held-out half did not
 * lose:
 *   node bench/fit-weights.ts [--minutes=20] [--only=search|suggest] [--weights=a,b] [--cap=cases of a table] [--write]
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openDataset } from '../src/api/open.ts';
import weights from '../src/geocoding/weights.json' with { type: 'json' };
import { defaultDataset } from '../test/support/dataset.ts';
import { isTraining } from './quality/place-cases.ts';
import { type PlaceTable, placeTables } from './quality/place-tables.ts';

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    only: { type: 'string', default: 'search' },
    weights: { type: 'string', default: '' },
    cap: { type: 'string', default: '400' },
    write: { type: 'boolean', default: false },
  },
});
const directory = defaultDataset();
if (!directory) throw new Error('no dataset is built; run "npm run whereabouts -- build" first');
const store = openDataset(directory);
const end = Date.now() + Number(options.minutes) * 60_000;

type Name = keyof typeof weights;
const table: Record<Name, number> = weights;
const isSuggestion = (name: string) => name.startsWith('sugg');
/** Weights of addresses have tables of their own. */
const ofAddresses = new Set<string>(
  'streetName houseExact houseInterpolated inRange doorOfHouse sameLetters unexplainedWord'.split(' '),
);
const chosen = new Set(options.weights.split(',').filter((name) => name !== ''));
const fitted = (Object.keys(weights) as Name[]).filter((name) =>
  chosen.size > 0 ? chosen.has(name) : !ofAddresses.has(name) && isSuggestion(name) === (options.only === 'suggest'),
);

/**
 * Tables that answer by the weights in question; large ones in part, so that a round takes minutes. Two letters say too
 * little.
 */
const all = placeTables(store).filter(
  ({ name }) => isSuggestion(name) === (options.only === 'suggest') && name !== 'suggestions after 2 letters',
);
/** Tables that are short, or need many cases to show a difference. */
const uncapped = new Set([
  'as people type them',
  'relevance table',
  'own name',
  'typo alone',
  'countries',
  'regions alone',
]);
const training = all.map((each) => {
  const cases = each.cases.filter(isTraining);
  return { ...each, cases: uncapped.has(each.name) ? cases : cases.slice(0, Number(options.cap)) };
});
const heldOut = all.map((each) => ({ ...each, cases: each.cases.filter((one) => !isTraining(one)) }));

/** Queries of people and required results count more than generated cases. */
const written: Record<string, number> = { 'as people type them': 4, 'relevance table': 4, countries: 2 };

const misses = (tables: readonly PlaceTable[], maxMisses = Number.POSITIVE_INFINITY) => {
  let missed = 0;
  for (const { name, cases, answers } of tables) {
    for (const { query, isRight } of cases) {
      if (!answers(query).some(isRight)) missed += written[name] ?? 1;
      if (missed > maxMisses) return missed;
    }
  }
  return missed;
};
const perTable = (tables: readonly PlaceTable[]) => new Map(tables.map((each) => [each.name, misses([each])]));

const before = perTable(heldOut);
let fewest = misses(training);
console.log(`${fitted.length} weights; misses of the training half: ${fewest}`);
const steps = new Map<Name, number>(fitted.map((name) => [name, Math.max(0.1, Math.abs(table[name]) * 0.25)]));
for (let isBetter = true; isBetter && Date.now() < end; ) {
  isBetter = false;
  for (const name of fitted) {
    if (Date.now() > end) break;
    const was = table[name];
    const step = steps.get(name)!;
    for (const tried of [was + step, was - step]) {
      table[name] = Math.round(tried * 100) / 100;
      const missed = misses(training, fewest);
      if (missed < fewest) {
        console.log(`${name} ${was} -> ${table[name]}: ${missed}`);
        [fewest, isBetter] = [missed, true];
        break;
      }
      table[name] = was;
    }
    if (table[name] === was) steps.set(name, step / 2);
  }
}

const after = perTable(heldOut);
console.log('misses of the held-out half, before and after:');
for (const [name, missed] of after) console.log(`${name.padEnd(28)} ${before.get(name)} -> ${missed}`);
const sum = (counts: Map<string, number>) => [...counts.values()].reduce((total, missed) => total + missed, 0);
console.log(`${sum(before)} -> ${sum(after)}`);
if (options.write && sum(after) <= sum(before)) {
  writeFileSync(join(import.meta.dirname, '../src/geocoding/weights.json'), `${JSON.stringify(table, null, 2)}\n`);
}
