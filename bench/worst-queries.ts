/**
 * The slowest texts that a random search finds in each interface: prints the worst, with their processor time and the steps
 * that acceptance/hostile-texts.long.test.ts bounds: `node bench/worst-queries.ts [seconds for each [seed]]`. The time of a
 * text is the minimum of a few calls, so that collecting garbage and other programs count little.
 */
import { openDataset } from '../src/api/open.ts';
import { defaultDataset } from '../test/support/dataset.ts';
import { countSteps, dearestTexts, interfacesOf } from '../test/support/hostile-texts.ts';
import { randomNumbers } from './quality/samples.ts';

const [seconds = '30', seed = '1'] = process.argv.slice(2);
const directory = defaultDataset();
if (!directory) throw new Error('no dataset is built; run "npm run whereabouts -- build" first');
const store = openDataset(directory);
const steps = countSteps(store);

/** Processor time of a call in ms: the minimum of a few. */
async function cost(ask: (q: string) => unknown, q: string, calls = 3): Promise<number> {
  let min = Number.POSITIVE_INFINITY;
  for (let call = 0; call < calls; call++) {
    const before = process.cpuUsage();
    await ask(q);
    const { user, system } = process.cpuUsage(before);
    min = Math.min(min, (user + system) / 1000);
  }
  return min;
}

const { interfaces, close } = await interfacesOf(store);
for (const [path, ask] of Object.entries(interfaces)) {
  // Compiled code is what is measured.
  await dearestTexts(
    store,
    (text) => cost(ask, text, 10),
    randomNumbers(0),
    () => true,
  );
  const end = Date.now() + Number(seconds) * 1000;
  const costOf = (text: string) => cost(ask, text);
  const dearest = await dearestTexts(store, costOf, randomNumbers(Number(seed)), () => Date.now() >= end);
  console.log(path);
  for (const { text } of dearest.slice(0, 4)) {
    const before = steps();
    await ask(text);
    const taken = steps() - before;
    console.log(`  ${(await cost(ask, text, 9)).toFixed(1)} ms, ${taken} steps  ${text}`);
  }
}
await close();
