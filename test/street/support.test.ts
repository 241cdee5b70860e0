/** Which records belong to a place whose name they do not have. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { searchable } from '../../src/api/open.ts';
import { buildStreetLevel } from '../../src/build/layers/streets.ts';
import { openStreetFiles } from '../../src/store/sqlite/street-level.ts';
import type { Place } from '../../src/store/store.ts';
import { buildSmallDataset } from '../support/small-store.ts';
import { sourceOf } from '../support/small-streets.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const place = (name: string, population: number, km: number, type: Place['type'] = 'city'): Place => ({
  index: 0,
  layer: 'place',
  id: population,
  name,
  country: 'IE',
  admin1: -1,
  admin2: -1,
  lat: km / 111.2,
  lng: 0,
  timezone: 'Europe/Dublin',
  population,
  type,
  source: 'made',
});
const places = [
  place('Dublin', 1_000_000, 0),
  place('Suburbia', 90_000, 20),
  place('Rival', 700_000, 20),
  place('Half', 500_000, 20),
  place('Hamlet', 300, 20),
  place('Quarter', 40_000, 20, 'suburb'),
];
const names = {
  resolve: (city: string) => places.find(({ name }) => name === city.split(',')[0]),
  countriesNamed: (name: string) => ({ france: ['FR'], reunion: ['RE'], germany: ['DE'] })[name.toLowerCase()] ?? [],
  regionsNamed: () => [],
};
/** Cases: a place, how far north of Dublin a record of it lies, in a settlement by its own data, and whether the place has it. */
type Case = readonly [place: string, km: number, city: string | undefined, isConfirmed: boolean];

/** A search of houses 7 of streets of their own, without a world. */
async function addressesOf(
  t: TestContext,
  houses: readonly { country: string; lat: number; city?: string; street?: string; houseNumber?: string }[],
) {
  const directory = temporaryDirectory(t);
  await buildSmallDataset(directory);
  const addresses = houses.map((house, at) => ({ street: streetOf(at), houseNumber: '7', lng: 0, ...house }));
  await buildStreetLevel({ directory, progress() {}, part: 'made' }, [sourceOf({ addresses })]);
  const files = openStreetFiles(directory, [{ name: 'made', number: 1 }]);
  t.after(files.close);
  return searchable(files, names).addresses;
}
/** None is an edit away from another. */
const streetOf = (at: number) =>
  `${['amsel', 'drossel', 'falken', 'habicht', 'ibis', 'meisen', 'pirol', 'star'][at]}weg`;

/** Whether the place in an address is confirmed of the house that is found. */
async function assertConfirmed(t: TestContext, cases: readonly Case[]): Promise<void> {
  const houses = cases.map(([, km, city]) => ({ country: 'IE', lat: km / 111.2, ...(city !== undefined && { city }) }));
  const found = await addressesOf(t, houses);
  for (const [at, [place, km, city, isConfirmed]] of cases.entries()) {
    const text = `7 ${streetOf(at)}, ${place}`;
    const [house] = found.search({ text, limit: 1, hasComponents: true, admitsContradiction: true });
    const status = house.components?.find(({ component }) => component === 'city')?.status;
    assert.equal(status, isConfirmed ? 'confirmed' : 'contradicted', `${text}, ${km} km north, of ${city}`);
  }
}

test('a metropolis has its suburbs within the radius of its population, and no city of its own size', (t) =>
  assertConfirmed(t, [
    ['Dublin', 20, 'Suburbia', true],
    ['Dublin', 22, 'Suburbia', true],
    ['Dublin', 24, 'Suburbia', false],
    ['Dublin', 30, 'Suburbia', false],
    ['Dublin', 20, 'Rival', false],
    ['Dublin', 20, 'Half', true],
    ['Dublin', 11, 'Rival', true],
    ['Dublin', 20, 'Unknown', true],
  ]));

test('a village has what is nearer to it than to the own settlement, a suburb what is within 12 km', (t) =>
  assertConfirmed(t, [
    ['Hamlet', 21, 'Dublin', true],
    ['Hamlet', 9, 'Dublin', false],
    ['Quarter', 30, 'Dublin', true],
    ['Quarter', 33, 'Dublin', false],
    ['Suburbia', 30, undefined, true],
    ['Suburbia', 33, undefined, false],
  ]));

test('the street of a town that lacks the house is rather meant than that house in another town', async (t) => {
  const row = { country: 'IE', street: 'Bahnhofplatz' };
  const found = await addressesOf(t, [
    { ...row, city: 'Half', lat: 20 / 111.2, houseNumber: '9' },
    { ...row, city: 'Rival', lat: 40 / 111.2 },
  ]);
  const [first, ...others] = found.search({ text: 'Bahnhofplatz 7 Half', limit: 3, admitsContradiction: true });
  assert.deepEqual([first.city, first.houseNumber, others.length], ['Half', null, 0]);
});

test('a territory is part of its state, and of no other', async (t) => {
  const cases = [
    ['RE', 'France', true],
    ['FR', 'France', true],
    ['FR', 'Reunion', false],
    ['DE', 'France', false],
  ] as const;
  const found = await addressesOf(
    t,
    cases.map(([country], at) => ({ country, lat: at, city: 'Ort' })),
  );
  for (const [at, [country, named, isIn]] of cases.entries()) {
    // A street that differs in a letter may have the place that this one lacks.
    const [house] = found.search({ text: `7 ${streetOf(at)}, Ort, ${named}`, limit: 1, hasComponents: true });
    const part = house?.components?.find(({ component }) => component === 'country');
    const isConfirmed = house?.country === country && part?.input === named && part.status === 'confirmed';
    assert.equal(isConfirmed, isIn, `${named} of ${country}`);
  }
});
