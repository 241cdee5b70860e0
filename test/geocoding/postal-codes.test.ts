/** Texts that hold postal codes: which numbers are tried as one, and how a code and a place go together. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { endpoints } from '../../src/endpoints/index.ts';
import { complete, geocode } from '../../src/geocoding/geocode.ts';
import weights from '../../src/geocoding/weights.json' with { type: 'json' };
import type { Store } from '../../src/store/store.ts';
import { postalOf } from '../postal/small-postal.ts';
import { ask } from '../support/ask.ts';
import { openSmallStore } from '../support/small-store.ts';

let store: Store;
let remove: () => void;
before(async () => {
  ({ store, remove } = await openSmallStore());
});
after(() => remove());

/** The places of the codes that a text holds, with what the words beside them cost; undefined where the text means no code. */
function searched(text: string, country?: string, world = store) {
  const trace: NonNullable<Parameters<typeof geocode>[3]> = {};
  const options = { layers: new Set(['place', 'postal'] as const), fuzzy: true, limit: 3, ...(country && { country }) };
  const hits = geocode(world, text, options, trace);
  return hits.some(({ postal }) => postal)
    ? trace.answers!.map(({ ref, contributions }) => [world.places.get(ref).name, -contributions.textMatch])
    : undefined;
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
  const names = (text: string) => searched(text)?.map(([name]) => name);
  assert.deepEqual(names('SW1A Springfield 62701'), ['Springfield']);
  assert.equal(names('SW1A 1AA Springfield 62701'), undefined);
});

test('numbers that are no code of any country, and codes without a word next to them, are not searched for', () => {
  for (const text of ['12 Springfield', 'Springfield', '62701 75460']) assert.equal(searched(text), undefined, text);
});

test('a code that is usually written differently costs points', () => {
  assert.deepEqual(searched('62701'), [['Springfield', 0]]);
  assert.deepEqual(searched('62701', 'US'), [['Springfield', 0]]);
  assert.deepEqual(searched('627-01'), [['Springfield', weights.unusualCode]]);
});

test('a code after the sign of its country is one of that country', () => {
  assert.deepEqual(searched('US-62701'), [['Springfield', 0]]);
  assert.deepEqual(searched('zip 62701'), [['Springfield', 0]]);
  assert.deepEqual(searched('zip 62701', 'US'), [['Springfield', 0]]);
  assert.equal(searched('DE-62701'), undefined);
  assert.equal(searched('zip 62701', 'DE'), undefined);
});

test('next to a code, its own place or country is meant: a place elsewhere does not lead to the code', () => {
  const costs = ['62701 Springfield', 'Springfield, 62701', '62701 United States', '62701 Illinois'].map((text) => {
    const [[name, cost], ...others] = searched(text)!;
    assert.deepEqual([name, others], ['Springfield', []], text);
    return Number(cost);
  });
  assert.deepEqual(costs.slice(0, 3), [0, 0, 0]);
  assert.ok(costs[3] > 0, 'by its region a place is meant less surely');
  for (const text of ['62701 Texas', '75460 Springfield']) assert.equal(searched(text), undefined, text);
});

test('a code may stand with its own region only, of which its place need not be one of the largest', async (t) => {
  const place = (id: number, name: string, population: number, admin1: string) => ({
    ...{ id, name, population, admin1, country: 'CH', timezone: 'Europe/Zurich', lat: 47, lng: 7 + id / 100 },
  });
  const large = Array.from({ length: 40 }, (_, at) => place(at + 2, `Gross ${at}`, 90_000 + at, '1'));
  const small = [place(1, 'Klein', 10, '1'), place(98, '7000', 9_000, '1'), place(99, 'Fern', 10, '2')];
  const { store: world } = await postalOf(t, [...small, ...large], {
    regions: ['Zobelia', 'Bernia'].map((name, at) => ({ country: 'CH', code: `${at + 1}`, name })),
    rows: ['CH\t8001\tKlein\t\t\t\t\t\t\t47\t7.01\t6'],
  });
  assert.deepEqual(searched('8001 Zobelia', undefined, world)![0], ['Klein', 0]);
  assert.equal(searched('8001 Bernia', undefined, world), undefined);
  assert.equal(searched('8001 7000', undefined, world), undefined, 'a number beside it is no name');
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

test('a code is found beside the name that its own record has, which no place has', async (t) => {
  const place = {
    id: 1,
    name: 'North Collins',
    lat: 42.6,
    lng: -78.9,
    country: 'CA',
    timezone: 'America/Toronto',
    population: 900,
  };
  const row = (code: string, name: string) =>
    ['CA', code, name, 'Ontario', 'ON', '', '', '', '', 42.5, -78.8, 4].join('\t');
  const rows = [row('K1A', 'Collins Center'), row('K2A', 'Gowanda')];
  const { store: world } = await postalOf(t, [place], { rows });
  const options = { layers: new Set(['place', 'postal'] as const), fuzzy: true, limit: 1 };
  const [hit] = geocode(world, 'K1A Collins Center', options);
  assert.deepEqual([hit.layer, hit.postal?.place, hit.confidence], ['postal', 'Collins Center', 100]);
  const [first] = ask(endpoints.search, world, { q: 'K1A Collins Center', layers: 'place,postal' }).results as {
    name: string;
  }[];
  assert.equal(first.name, 'Collins Center');
  assert.equal(geocode(world, 'K1A Collins Center Country', options)[0].postal?.place, 'Collins Center');
  for (const text of ['K1A Gowanda', 'K1A Collins Center Nowhere'])
    assert.ok(!(geocode(world, text, options)[0]?.confidence >= 90), text);
});
