/** Names that mean something else first: what an alternative name costs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import weights from '../../src/geocoding/weights.json' with { type: 'json' };
import { type SmallPlace, smallWorld } from '../support/small-world.ts';
import { found, judgingWorld } from './judging-world.ts';

test('a part of a whole name scores lower, and an edited alternative name of an area lower than the exact one', async (t) => {
  const world = await judgingWorld(t);
  const worth = (text: string, wanted: string) =>
    found(world, text).find(({ name }) => name === wanted)?.parts.aliasWorth ?? assert.fail(text);
  assert.ok(worth('oklahoma city', 'Oklahoma region') < 0);
  assert.equal(worth('Oklahoma, City', 'Oklahoma region') + 0, 0);
  assert.equal(worth('deutschland', 'Germany country'), -weights.otherAreaName);
  assert.equal(worth('deutchland', 'Germany country'), -weights.otherAreaName - weights.editedAlias);
});

const place = (id: number, country: string, name: string, population: number, more: Partial<SmallPlace> = {}) => ({
  ...{ id, name, country, population, timezone: 'Etc/UTC', lat: id * 3 - 60, lng: id * 10 - 170 },
  ...more,
});

test('an alternative name costs more the better known its namesake is, less where the names are similar', async (t) => {
  const called = ['Guangsho', 'Cantonya', 'Canton', 'Xantonia', 'Cantonia Cantonia', 'Cxxxxxxxxa', 'Elsewhere'];
  const otherNames = 'Cantonia,Teenie,Nobody,Lamar County,Deutschland,Germany,Bavaria';
  const { store, close } = await smallWorld(
    [
      place(1, 'US', 'Cantonia', 70_000),
      place(2, 'US', 'Teenie', 1_000, { admin1: 'TX', admin2: '277' }),
      place(5, 'US', 'Lamarville', 900_000, { admin1: 'TX', admin2: '277' }),
      place(3, 'FR', 'Nobodys', 150_000, { otherNames: 'Nobody' }),
      place(4, 'DE', 'Munich', 1_300_000, { admin1: '02' }),
      ...called.map((name, at) => place(10 + at, 'FR', name, 9_000_000, { otherNames })),
    ],
    undefined,
    [],
    {
      regions: [
        { country: 'US', code: 'TX', name: 'Texas' },
        { country: 'US', parent: 'TX', code: '277', name: 'Lamar County' },
        { country: 'DE', code: '02', name: 'Bavaria' },
      ],
      countryNames: new Map([['DE', ['Deutschland']]]),
    },
  );
  t.after(close);
  const cost = (text: string, main: string, layers?: Parameters<typeof found>[2]) => {
    const candidate = found(store, text, layers, 20).find(({ name }) => name === `${main} FR`);
    return -weights.knownName - (candidate ?? assert.fail(`${text}: ${main}`)).parts.aliasWorth;
  };
  const per = (prominence: number, similarity: number) =>
    weights.despiteNamesake * (1 - weights.similarAlias * similarity) * (prominence - weights.namesakeProminence);
  const people = (count: number) => 10 * Math.log10(count);
  for (const [text, main, points] of [
    ['cantonia', 'Guangsho', per(people(70_000), 0)],
    ['cantonia', 'Cantonya', per(people(70_000), 7 / 8)],
    ['cantonia', 'Canton', per(people(70_000), 6 / 8)],
    ['cantonia', 'Xantonia', per(people(70_000), 7 / 8)],
    ['cantonia', 'Cantonia Cantonia', per(people(70_000), 8 / 17)],
    ['cantonia', 'Cxxxxxxxxa', per(people(70_000), 2 / 10)],
    // Small places and alternative names are no namesakes, nor are parts of regions, or countries by another name.
    ['teenie', 'Elsewhere', 0],
    ['nobody', 'Elsewhere', 0],
    ['deutschland', 'Elsewhere', 0],
    ['lamar county', 'Elsewhere', 0],
  ] as const) {
    const found = cost(text, main);
    assert.ok(Math.abs(found - points) < 1e-4, `${text} of ${main}: ${found}, not ${points}`);
  }
  // Countries and regions are, where they may be answers.
  assert.ok(cost('germany', 'Elsewhere') > per(weights.countryPrior + 60, 0));
  const places = { layers: new Set(['place'] as const) };
  assert.equal(cost('germany', 'Elsewhere', places), 0);
  assert.ok(cost('bavaria', 'Elsewhere') > 0 && cost('bavaria', 'Elsewhere', places) === 0);
});

test('a region’s name means its city where that is the city’s name without `City` and the city holds much of the region', async (t) => {
  const world = await judgingWorld(t);
  const isShort = (worldOf: Parameters<typeof found>[0], text: string, name: string) =>
    (found(worldOf, text).find((each) => each.name === name) ?? assert.fail(text)).parts.aliasWorth === 0;
  for (const [name, text, expected] of [
    ['New York City US.NY', 'new york', true],
    ['New York City US.NY', 'nyc', false],
    ['Oklahoma City US.OK', 'oklahoma', false],
    ['Wexby City CU', 'wexby', false],
    ['Quarterly City US.QU', 'quarterly', true],
    ['Fifthly City US.FI', 'fifthly', false],
  ] as const)
    assert.equal(isShort(world, text, name), expected, `${name} ${text}`);
  // In another language, but not any name of a city in the region, of a region elsewhere, or that few call it by.
  const otherNames = 'Genova,Genovia,Genoveva';
  const { store, close } = await smallWorld(
    [
      place(1, 'DE', 'Genove', 200_000, { admin1: '10', otherNames }),
      place(2, 'DE', 'Xanten', 200_000, { admin1: '10', otherNames }),
      place(3, 'DE', 'Parve', 2_000, { admin1: '11', otherNames: 'Parva' }),
      place(4, 'DE', 'Chattogram', 300_000, { admin1: '12', otherNames: 'Chittagong' }),
      place(5, 'DE', 'Fenibar', 200_000, { admin1: '12' }),
    ],
    undefined,
    [],
    {
      regions: [
        { country: 'DE', code: '10', name: 'Genova' },
        { country: 'DE', code: '11', name: 'Parva' },
        { country: 'DE', code: '12', name: 'Chittagong' },
      ],
    },
  );
  t.after(close);
  for (const [name, text, expected] of [
    ['Genove DE.10', 'genova', true],
    ['Genove DE.10', 'genovia', false],
    ['Xanten DE.10', 'genova', false],
    ['Parve DE.11', 'parva', false],
    // Unlike its region's name, it needs to hold more of that.
    ['Chattogram DE.12', 'chittagong', true],
  ] as const)
    assert.equal(isShort(store, text, name), expected, `${name} ${text}`);
});
