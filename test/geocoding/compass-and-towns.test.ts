/** Points of the compass beside a country or city, and airports by other names of their town. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { endpoints } from '../../src/endpoints/index.ts';
import type { Store } from '../../src/store/store.ts';
import { ask } from '../support/ask.ts';
import type { NamedFeature } from '../support/build-layer.ts';
import { smallWorld } from '../support/small-world.ts';

const airport = (name: string, iata: string, knownNames: readonly string[], more: Partial<NamedFeature> = {}) => ({
  layer: 'airport' as const,
  kind: 'airport',
  source: 'test',
  sourceId: iata,
  name,
  knownNames: [...knownNames],
  otherNames: [],
  namesIn: { iata },
  country: 'IT',
  region: undefined,
  lat: 41.8,
  lng: 12.2,
  prominence: 70,
  ...more,
});

let store: Store;
let close: () => Promise<void>;
before(async () => {
  const italy = { lat: 41.9, lng: 12.5, country: 'IT', timezone: 'Europe/Rome', admin1: '' };
  const france = { ...italy, country: 'FR', lat: 48.9, lng: 2.3 };
  const america = { ...italy, country: 'US', lat: 35.4, lng: -80.7, admin1: 'NC' };
  const territory = { ...italy, country: 'NC', lat: -22, lng: 166 };
  ({ store, close } = await smallWorld(
    [
      { ...italy, id: 1, name: 'Rome', otherNames: 'Roma,Rom', population: 2_800_000, featureCode: 'PPLC' },
      { ...italy, id: 2, name: 'Northern Caves', lat: 44, population: 900 },
      { ...italy, id: 3, name: 'Carlentini Nord', lat: 37, population: 900 },
      { ...france, id: 4, name: 'Paris', population: 2_100_000, featureCode: 'PPLC' },
      { ...america, id: 5, name: 'Raleigh', population: 400_000, featureCode: 'PPLA' },
      { ...france, id: 20, name: 'Exetera', population: 100_000, admin1: '53', lat: 44, lng: 1 },
      { ...france, id: 21, name: 'Plimoth', population: 900, admin1: '53', lat: 44.1, lng: 1 },
      { ...france, id: 22, name: 'Plimoth', population: 9_000, admin1: '54', lat: 44, lng: 1.1 },
      { ...france, id: 23, name: 'Torkay', population: 9_000, admin1: '54', lat: 43.9, lng: 1 },
      { ...america, id: 29, name: 'Salt Angels', otherNames: 'LX', population: 900_000 },
      { ...territory, id: 30, name: 'Lx North Carolina', population: 500 },
      // Known elsewhere by its main name, and a connector that is a country's code.
      { ...america, id: 24, name: 'Sanjago', population: 9_000_000 },
      { ...italy, id: 25, name: 'Compostella', otherNames: 'Sanjago', population: 90_000 },
      { ...italy, id: 26, name: 'Torre Sanjago', population: 70_000 },
      { ...america, id: 27, name: 'Crosbia', population: 50_000 },
      { ...italy, country: 'IM', id: 28, name: 'Crosbia', population: 900 },
      { ...territory, id: 7, name: 'Koumac', population: 9000, admin1: '01' },
      { ...territory, id: 6, name: 'Noumea', population: 90_000, admin1: '00' },
      ...Array.from({ length: 25 }, (_, at) => ({
        ...territory,
        id: 100 + at,
        name: `Aa${String.fromCharCode(97 + at)}`,
        population: 9,
        admin1: String(10 + at),
      })),
    ],
    undefined,
    [
      airport('Leonardo da Vinci', 'FCO', ['Rome Airport']),
      airport('Fco Airport', 'XYZ', [], { country: 'US', region: 'NC', lat: 35.4, lng: -80.7 }),
      airport('Concord', 'USA', ['USA'], { country: 'US', region: 'NC', lat: 35.4, lng: -80.7 }),
    ],
    {
      regions: [
        { country: 'US', code: 'NC', name: 'North Carolina' },
        { country: 'FR', code: '53', name: 'Devonia' },
        { country: 'FR', code: '54', name: 'Avonia' },
        { country: 'NC', code: '00', name: 'South Province' },
        { country: 'NC', code: '01', name: 'West' },
        // Enough provinces that the word is left out.
        ...Array.from({ length: 25 }, (_, at) => ({
          country: 'NC',
          code: String(10 + at),
          name: `Aa${String.fromCharCode(97 + at)} Province`,
        })),
      ],
    },
  ));
});
after(() => close());

const first = (q: string) => {
  const [row] = ask(endpoints.search, store, { q }).results as { name: string; layer: string; confidence: number }[];
  return row && [row.name, row.confidence >= 40];
};

for (const [q, name] of [
  ['northern italy', 'Italy'],
  ['south of france', 'France'],
  ['nord italy', 'Italy'],
  ['west rome', 'Rome'],
  ['rome sentrum', 'Rome'],
  ['flughafen rom', 'Leonardo da Vinci'],
  ['aeroporto di roma', 'Leonardo da Vinci'],
  ['north carolina usa', 'North Carolina'],
  // largestBeside: a town beside those of a region that is not much smaller.
  ['torkay devonia', 'Torkay'],
  ['FCO airport', 'Leonardo da Vinci'],
  ['LX North Carolina', 'Salt Angels'],
  ['LX North Carolina', 'Salt Angels'],
  ['sanjago italy', 'Compostella'],
])
  test(`${q} is ${name}`, () => assert.deepEqual(first(q), [name, true]));

for (const [q, wanted] of [
  // contextBeside: a town of the region comes before a larger namesake beside it.
  ['plimoth devonia', { lat: 44.1 }],
  // A connector at the end, as which it says nothing, is a country's code.
  ['crosbia, im', { country: 'IM' }],
] as const)
  test(`${q} is that of the region or country`, () => {
    assert.partialDeepStrictEqual((ask(endpoints.search, store, { q }).results as object[])[0], wanted);
  });

test('the town of an address is found before its code and country', () => {
  for (const [text, name] of [
    ['12 Zobel Ave, Raleigh, NC 27601, USA', 'Raleigh'],
    ['12 Zobel Ave, Northern Caves, NC M5V 3L9, United States', 'North Carolina'],
    ['3 Zobel St, Paris SW1A 2AA, France', 'Paris'],
    ['Zobel 3, Rome 105 57, Italy', 'Rome'],
    ['Zobel 3, Rome 105-0057, Italy', 'Rome'],
  ])
    assert.equal(first(text)?.[0], name, text);
});
