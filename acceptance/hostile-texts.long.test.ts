/**
 * No text costs much more than others, in any interface: texts of up to 200 letters, changed at random towards more work.
 * Steps are counted, not time; `node bench/worst-queries.ts` prints the time of the worst.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDataset } from '../src/api/open.ts';
import { datasetMissing, defaultDataset } from '../test/support/dataset.ts';
import { countSteps, dearestTexts, interfacesOf } from '../test/support/hostile-texts.ts';
import { randomNumbers } from '../test/support/random-numbers.ts';

const directory = defaultDataset();
const rounds = Number(process.env.HOSTILE_ROUNDS ?? 120);
/** Steps that a text may take: more than the dearest of 120 rounds by a sixth to a third; a step takes about 0.2 µs. */
const maxSteps: Readonly<Record<string, number>> = {
  '/v1/search': 90_000,
  '/v1/search?layers=place': 35_000,
  '/v1/search?layers=address': 60_000,
  '/v1/search?layers=place,street,address,poi': 80_000,
  '/v1/autocomplete': 100_000,
  '/v1/autocomplete?layers=address': 80_000,
  '/v1/address': 80_000,
  '/v1/address?street=&city=': 45_000,
  '/nominatim/search': 55_000,
  '/photon/api': 120_000,
  '/photon/api?layer=house': 140_000,
  '/pelias/v1/autocomplete': 100_000,
};

test('no text takes an interface many more steps than others', {
  skip: directory === undefined && datasetMissing,
}, async (t) => {
  const store = openDataset(directory!);
  const steps = countSteps(store);
  const { interfaces, close } = await interfacesOf(store);
  t.after(close);
  for (const [path, ask] of Object.entries(interfaces)) {
    const costOf = async (text: string) => {
      const before = steps();
      await ask(text);
      return steps() - before;
    };
    const [{ text, cost }] = await dearestTexts(store, costOf, randomNumbers(3), (round) => round >= rounds);
    t.diagnostic(`${path}: ${cost} steps for ${text}`);
    assert.ok(cost <= maxSteps[path], `${path}: ${cost} steps, at most ${maxSteps[path]}, for ${text}`);
  }
});
