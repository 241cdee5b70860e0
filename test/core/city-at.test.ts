/** Which city a position is in. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpoints } from '../../src/endpoints/index.ts';
import { ask } from '../support/ask.ts';
import { smallWorld } from '../support/small-world.ts';

/** Cities around a position by distance in km, on either side of it, and the first letter of the one that it is in. */
const cases: readonly (readonly [
  why: string,
  city: string,
  cities: readonly [name: string, km: number, people: number][],
])[] = [
  [
    'a large city reaches beyond a nearer small one',
    'P',
    [
      ['Neuilly', 3.2, 60_000],
      ['Paris', -4, 2_138_551],
    ],
  ],
  [
    'but does not cover the small one itself',
    'N',
    [
      ['Neuilly', 0.4, 60_000],
      ['Paris', -6, 2_138_551],
    ],
  ],
  [
    'in the countryside the nearest, not a city far away',
    'V',
    [
      ['City', 30, 500_000],
      ['Village', -4, 300],
    ],
  ],
  [
    'of two that reach equally far the first',
    'A',
    [
      ['A', 3, 300_000],
      ['B', 3, 300_000],
    ],
  ],
  [
    'of two beyond their reach the first',
    'A',
    [
      ['A', 30, 300],
      ['B', 30, 300],
    ],
  ],
  [
    'a village one stands in',
    'E',
    [
      ['Cranleigh', 2.293, 11_082],
      ['Ewhurst', -0.914, 1_653],
    ],
  ],
  // A circle of 2 km holds 13,823 people at 1,100 per km²; a village has 1.2 km.
  [
    'the reach of a village',
    'T',
    [
      ['Town', 2.9, 13_823],
      ['Village', -1.75, 0],
    ],
  ],
  [
    'the reach of a village',
    'V',
    [
      ['Town', 2.9, 13_823],
      ['Village', -1.73, 0],
    ],
  ],
  [
    'the reach of a city',
    'C',
    [
      ['City', 14.5, 345_575],
      ['Village', -1.75, 0],
    ],
  ],
  [
    'the reach of a city',
    'V',
    [
      ['City', 14.6, 345_575],
      ['Village', -1.74, 0],
    ],
  ],
  [
    'a reach and a half, and the nearest beyond',
    'T',
    [
      ['Town', 2.99, 13_823],
      ['Village', -1.81, 0],
    ],
  ],
  [
    'a reach and a half, and the nearest beyond',
    'V',
    [
      ['Town', 3.01, 13_823],
      ['Village', -1.81, 0],
    ],
  ],
];

test('a position is in the city that is nearest in relation to its reach, else in the nearest one', async (t) => {
  const lngOf = (at: number) => -170 + 30 * at;
  const places = cases.flatMap(([, , cities], at) =>
    cities.map(([name, km, population], number) => ({
      ...{ id: 10 * at + number + 1, name, population, lat: 10 + km / 111.195, lng: lngOf(at) },
      ...{ country: 'DE', timezone: 'Etc/UTC' },
    })),
  );
  const { store, close } = await smallWorld(places);
  t.after(close);
  for (const [at, [why, city, cities]] of cases.entries()) {
    const [found] = ask(endpoints.reverse, store, { lat: 10, lng: lngOf(at) }).results as { name: string }[];
    assert.equal(found.name[0], city, `${why}: ${JSON.stringify(cities)}`);
  }
});
