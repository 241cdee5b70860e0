/** Texts that hold postal codes: which numbers are tried as one, and how a code and a place go together. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { complete, geocode } from '../../src/geocoding/geocode.ts';
import { postalSearch } from '../../src/geocoding/postal-codes.ts';
import weights from '../../src/geocoding/weights.json' with { type: 'json' };
import type { Store } from '../../src/store/store.ts';
import { openSmallStore } from '../support/small-store.ts';

let store: Store;
let remove: () => void;
before(async () => {
  ({ store, remove } = await openSmallStore());
});
after(() => remove());

type Area = { country: number; admin1: number; cost: number };

/** The answers to a text, and what was searched for besides its codes; a search finds the places of these names. */
function searched(text: string, country?: string, areas: Partial<Record<string, Area>> = {}) {
  const rests: string[] = [];
  const found = postalSearch(store, text, {
    country,
    near: undefined,
    admits: () => true,
    search(rest) {
      rests.push(rest);
      const places = store.places.named(rest, country ?? 'US').map((place) => ({ place, cost: 10 }));
      return areas[rest] ? [...places, areas[rest]] : places;
    },
  });
  return { rests, names: found?.hits.map(({ place, cost }) => [store.places.get(place).name, cost]) };
}

test('of a text of many parts only the last are searched as the town of an address', () => {
  const postal = Object.create(store.postal!);
  let looked = 0;
  postal.find = (country: string, code: string) => {
    looked++;
    return store.postal!.find(country, code);
  };
  const counting: Store = Object.create(store, { postal: { value: postal } });
  const lookUps = (text: string) => {
    looked = 0;
    geocode(counting, text, { layers: new Set(['place', 'postal']), fuzzy: true, limit: 1 });
    return looked;
  };
  const once = lookUps('1 a');
  assert.ok(once > 0);
  // Without a bound some 120 times as many, as each rest of the text was cut again.
  assert.ok(lookUps('1 a,'.repeat(50)) <= 15 * once, `${looked} look-ups, ${once} for one part`);
});

test('at most two numbers are tried as postal codes next to a name', () => {
  assert.deepEqual(searched('62701 Quux 75460'), { rests: ['Quux 75460', '62701 Quux'], names: undefined });
  assert.deepEqual(searched('SW1A 1AA Quux 75460').rests, ['Quux 75460', '1AA Quux 75460']);
});

test('numbers that are no code of any country, and codes without a word next to them, are not searched for', () => {
  assert.deepEqual(searched('12 Quux'), { rests: [], names: undefined });
  assert.deepEqual(searched('Quux'), { rests: [], names: undefined });
  assert.deepEqual(searched('62701 75460').rests, []);
});

test('a code that is usually written differently costs points', () => {
  assert.deepEqual(searched('62701').names, [['Springfield', 0]]);
  assert.deepEqual(searched('62701', 'US').names, [['Springfield', 0]]);
  assert.deepEqual(searched('627-01').names, [['Springfield', weights.unusualCode]]);
});

test('a code after the sign of its country is one of that country; one of letters of other scripts is none', () => {
  assert.deepEqual(searched('US-62701').names, [['Springfield', 0]]);
  assert.deepEqual(searched('zip 62701').names, [['Springfield', 0]]);
  assert.deepEqual(searched('zip 62701', 'US').names, [['Springfield', 0]]);
  assert.equal(searched('DE-62701').names, undefined);
  assert.equal(searched('zip 62701', 'DE').names, undefined);
  assert.deepEqual(searched('62701 Санкт').rests, ['Санкт']);
});

test('next to a code, its own place is meant', () => {
  assert.deepEqual(searched('62701 Springfield').names, [['Springfield', 10]]);
  assert.deepEqual(searched('Springfield, 62701').names, [['Springfield', 10]]);
});

test('a code may stand with its own country or region only: a place elsewhere does not lead to the code', () => {
  const us = store.gazetteer.countryNumber('US')!;
  const { admin1 } = store.places.get(store.places.named('Springfield', 'US')[0]);
  const areas = {
    Illinois: { country: us, admin1, cost: 0 },
    Texas: { country: us, admin1: admin1 + 1, cost: 0 },
    USA: { country: us, admin1: -1, cost: 0 },
    'some USA': { country: us, admin1: -1, cost: 40 },
  };
  assert.deepEqual(searched('62701 Illinois', undefined, areas).names, [['Springfield', 0]]);
  assert.deepEqual(searched('62701 USA', undefined, areas).names, [['Springfield', 0]]);
  assert.deepEqual(searched('62701 some USA', undefined, areas).names, [['Springfield', 40]]);
  assert.equal(searched('62701 Texas', undefined, areas).names, undefined);
  assert.equal(searched('75460 Springfield', undefined, areas).names, undefined);
});

test('a code with its country is the code, not the best known place of the country', () => {
  const layers = new Set(['country', 'place', 'postal'] as const);
  const [first, ...others] = geocode(store, '62701 USA', { layers, fuzzy: true, limit: 3 });
  assert.deepEqual([first.layer, first.postal?.postalCode, others], ['postal', '62701', []]);
});

test('a code that is being typed lists the codes that begin so, in a country or where it has a letter; else its first part', () => {
  const layers = new Set(['place', 'postal', 'street'] as const);
  const codes = (text: string, country?: string) =>
    complete(store, text, { layers, country, limit: 3 }).map(({ layer, postal }) => `${layer} ${postal?.postalCode}`);
  assert.deepEqual(codes('62', 'US'), ['postal 62701']);
  assert.deepEqual(codes('6270', 'US'), ['postal 62701']);
  assert.deepEqual(codes('100-', 'JP'), ['postal 100-0001']);
  assert.deepEqual(codes('6270'), []);
  assert.deepEqual(codes('6270', 'DE'), []);
  assert.deepEqual(codes('sw1'), ['postal SW1A']);
  assert.deepEqual(codes('SW1A 9', 'GB'), ['postal SW1A']);
});
