/** Which parts of a label were typed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpoints } from '../../src/endpoints/index.ts';
import { ask } from '../support/ask.ts';
import { smallWorld } from '../support/small-world.ts';

const regions = [
  { country: 'DE', code: '02', name: 'Bavaria' },
  { country: 'DE', code: '05', name: 'Hesse' },
  { country: 'US', code: 'TX', name: 'Texas' },
  { country: 'IT', code: '07', name: 'Lazio' },
];
const place = (name: string, where: string, otherNames = '') => {
  const [country, admin1 = ''] = where.split('.');
  return { name, country, admin1, otherNames, lat: 49, lng: 8, population: 50_000, timezone: 'Europe/Berlin' };
};
const places = [
  place('München', 'DE.02'),
  place('Paris', 'US.TX'),
  place('Gießen', 'DE.05'),
  place('Grossräschen', 'DE'),
  place('Sao Paulo', 'BR'),
  place('Sag\u0303uari', 'BR'),
  place('Spring Spring', 'US'),
  place('Rome', 'IT.07', 'Roma'),
].map((each, at) => ({ ...each, id: at + 1 }));

test('what was typed is found in the label whatever its case and diacritics', async (t) => {
  const { store, close } = await smallWorld(places, undefined, undefined, { regions });
  t.after(close);
  const typed = (label: string, q: string) => {
    const results = ask(endpoints.autocomplete, store, { q }).results as { label: string; highlight: number[] }[];
    const { highlight } =
      results.find((each) => each.label === label) ?? assert.fail(`${q}: ${JSON.stringify(results)}`);
    return highlight.flatMap((start, at) => (at % 2 === 0 ? [label.slice(start, highlight[at + 1])] : []));
  };
  assert.deepEqual(typed('München, Bavaria, DE', 'munch'), ['Münch']);
  assert.deepEqual(typed('Paris, Texas, US', 'paris tex'), ['Paris', 'Tex']);
  assert.deepEqual(typed('Gießen, Hesse, DE', 'giess'), ['Gieß'], 'one letter for two');
  assert.deepEqual(typed('Grossräschen, DE', 'grossra'), ['Grossrä'], 'plain letters, then another');
  assert.deepEqual(typed('Sao Paulo, BR', 'sao pa'), ['Sao', 'Pa']);
  assert.deepEqual(typed('Sag\u0303uari, BR', 'sag'), ['Sag\u0303'], 'a letter with the mark that belongs to it');
  assert.deepEqual(typed('Spring Spring, US', 'spring'), ['Spring'], 'each word once');
  assert.deepEqual(typed('Rome, Lazio, IT', 'roma'), [], 'found by another name');
});
