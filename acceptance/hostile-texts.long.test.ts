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
const rounds = Number(process.env.HOSTILE_ROUNDS ?? 60);
/** Steps that a text may take: a sixth to a third more than the dearest of 120 rounds was, and a third more since places may cost that; a step takes about 0.2 µs. */
const maxSteps: Readonly<Record<string, number>> = {
  '/v1/search': 120_000,
  '/v1/search?layers=place': 47_000,
  '/v1/search?layers=address': 110_000,
  '/v1/search?layers=place,street,address,poi': 110_000,
  '/v1/autocomplete': 135_000,
  '/v1/autocomplete?layers=address': 110_000,
  '/v1/address': 110_000,
  '/v1/address?street=&city=': 60_000,
  '/nominatim/search': 75_000,
  '/photon/api': 120_000,
  '/photon/api?layer=house': 125_000,
  '/pelias/v1/autocomplete': 135_000,
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
