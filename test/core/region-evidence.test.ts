/** The region of a position where the map errs, by the places around it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mapOf, type Ring, ring } from '../support/drawn-map.ts';

type Town = { eastKm: number; region: 'MO' | 'IL' | ''; population?: number };
type Case = { what: string; eastKm: number; towns: readonly Town[]; region: 'MO' | 'IL' };

/** A city of Missouri that the map has in Illinois, 3 km behind the border. */
const city: Town = { eastKm: 3, region: 'MO' };
const hamlet: Town = { eastKm: 3, region: 'MO', population: 0 };

const cases: readonly Case[] = [
  { what: 'a city across the border takes its surroundings with it', eastKm: 6, towns: [city], region: 'MO' },
  { what: 'not farther than its population reaches', eastKm: 9, towns: [city], region: 'IL' },
  { what: 'a hamlet not farther than a kilometre', eastKm: 4.1, towns: [hamlet], region: 'IL' },
  { what: 'but so far', eastKm: 3.9, towns: [hamlet], region: 'MO' },
  {
    what: 'not where a place that the map has right is nearer in proportion to its reach',
    ...{ eastKm: 6, towns: [city, { eastKm: 6.5, region: 'IL', population: 26_000 }], region: 'IL' },
  },
  { what: 'a place across the border is ignored', eastKm: 1.5, towns: [{ eastKm: -0.5, region: 'MO' }], region: 'IL' },
  { what: 'and so is one in no region', eastKm: 6, towns: [{ eastKm: 6.1, region: '' }], region: 'IL' },
  { what: 'without a place the map is right', eastKm: 6, towns: [], region: 'IL' },
  {
    what: 'close to the border a large city across it counts too',
    ...{ eastKm: 0.5, towns: [{ eastKm: -1.5, region: 'MO' }], region: 'MO' },
  },
  {
    what: 'with half the weight',
    ...{ eastKm: 0.5, region: 'IL' },
    towns: [
      { eastKm: -1.5, region: 'MO' },
      { eastKm: 3.5, region: 'IL' },
    ],
  },
];

test('a city that the map puts across the border takes its surroundings with it, as far as its population reaches', async (t) => {
  // Missouri lies west of longitude 0; each case is on a parallel of its own, half a degree from the next.
  const at = (row: number, eastKm: number) => {
    const lat = row / 2;
    return { lat, lng: eastKm / 111.195 / Math.cos((lat * Math.PI) / 180) };
  };
  const half = (west: number): Ring => ring(west, -1, west + 1, -1, west + 1, 9, west, 9);
  const { store } = await mapOf(t, {
    countries: { US: [[ring(-1, -1, 1, -1, 1, 9, -1, 9)]] },
    regions: [
      ['US', 'US-MO', [half(-1)]],
      ['US', 'US-IL', [half(0)]],
    ],
    places: cases.flatMap(({ towns }, row) =>
      towns.map(({ eastKm, region, population = 300_000 }, town) => ({
        ...{ id: 1000 + 10 * row + town, name: `Town ${row} ${town}`, ...at(row, eastKm) },
        ...{ country: 'US', admin1: region, population, timezone: '' },
      })),
    ),
  });
  const found = cases.map(({ what, eastKm }, row) => {
    const { isoCode } = store.regions.get(store.boundaries!.admin1At(at(row, eastKm)));
    return `${what}: ${isoCode}`;
  });
  assert.deepEqual(
    found,
    cases.map(({ what, region }) => `${what}: US-${region}`),
  );
});
