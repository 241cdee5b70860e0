import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Entry } from '../../scripts/landmarks/list-formats.ts';
import type { List } from '../../scripts/landmarks/lists.ts';
import { ListIndex } from '../../scripts/landmarks/matching.ts';
import { type Cells, faults, landmarkOf, readTable, tableFiles, tableText } from '../../scripts/landmarks/table.ts';

const folder = join(import.meta.dirname, '../../sources/landmarks');
const kinds = new Set(Object.keys(JSON.parse(readFileSync(join(folder, 'kinds.json'), 'utf8'))));

const colosseum: Cells = {
  id: '1',
  name: 'Colosseum',
  other_names: 'it:Colosseo|Flavian Amphitheatre',
  kind: 'ruins',
  country: 'IT',
  lat: '41.89',
  lng: '12.492',
  bbox: '',
  accuracy_m: '300',
  rank: '1',
  checked_against: '',
};
const row = (cells: Partial<Cells> = {}) => landmarkOf('sights', { ...colosseum, ...cells });

test('The table has no fault', () => {
  const rows = Object.keys(tableFiles).flatMap((file) => readTable(folder, file));
  assert.deepEqual(faults(rows, kinds), []);
});

test('A file is written as it was read', () => {
  for (const file of Object.keys(tableFiles)) {
    const rows = readTable(folder, file);
    if (rows.length > 0) assert.equal(tableText(rows), readFileSync(join(folder, `${file}.csv`), 'utf8'));
  }
});

test('Each fault of a row is told', () => {
  const cases: [Partial<Cells>, RegExp][] = [
    [{ id: '10000' }, /the id is not a number from 1 to 9999/],
    [{ name: ' Colosseum' }, /blanks around it/],
    [{ other_names: 'it:Colosseo|' }, /an empty other name/],
    [{ other_names: 'italian:Colosseo' }, /not a language of BCP 47: 'italian:Colosseo'/],
    [{ other_names: 'Colosseo|Colosseo' }, /an other name twice/],
    [{ kind: 'arena' }, /the kind arena is not in kinds.json/],
    [{ country: 'Italy' }, /not of two capital letters/],
    [{ lat: '91' }, /lat is not within -90 and 90: '91'/],
    [{ lng: '' }, /lng is not within -180 and 180: ''/],
    [{ bbox: '12 41 13' }, /bbox is not west, south, east, north/],
    [{ accuracy_m: '0' }, /accuracy_m is not a positive number/],
    [{ rank: '6' }, /rank is not 1 to 5/],
  ];
  for (const [cells, message] of cases) {
    const found = faults([row(cells)], kinds);
    assert.equal(found.length, 1, `${Object.keys(cells)}: ${found.join('; ')}`);
    assert.match(found[0], message);
  }
  assert.match(faults([row({ id: '2' }), row({ name: 'Other' })], kinds).join(), /1 Other: not sorted by id/);
  assert.match(faults([row(), row({ id: '2' })], kinds).join(), /2 Colosseum: also in sights as 1/);
});

test('A list confirms a row by its name in any language or a similar one, at its place alone', () => {
  const entry = (name: string, lat: number, lng: number): Entry => ({ names: [name], lat, lng });
  const list = (name: string, entries: Entry[]): List => ({ name, slackKm: 0.3, entries });
  const index = new ListIndex([
    list('same', [entry('Colosseo', 41.8905, 12.4925), entry('Colosseo', 40, 9)]),
    list('similar', [entry('Arena of the Flavian Amphitheatre', 41.891, 12.493)]),
    list('elsewhere', [entry('Colosseum', 41.95, 12.5)]),
    list('neighbour', [entry('Arch of Constantine', 41.8898, 12.4906)]),
    { ...list('stations', [entry('Colosseo', 41.891, 12.492)]), confirms: ({ cells }) => cells.kind === 'station' },
  ]);
  const found = index.matches(row()).map(({ list, isConfirmed }) => [list.name, isConfirmed]);
  assert.deepEqual(found.sort(), [
    ['elsewhere', false],
    ['same', true],
    ['similar', true],
  ]);
});

test('The name of the place that two sights are in does not make them one', () => {
  const oldCity = landmarkOf('heritage', {
    ...colosseum,
    id: '10000',
    name: 'Old City of Bern',
    other_names: 'de:Berner Altstadt',
    kind: 'quarter',
    lat: '46.948',
    lng: '7.45',
  });
  const sight = (name: string): Entry => ({ names: [name], lat: 46.95, lng: 7.452 });
  const lists: List[] = ['Rosengarten Bern', 'Bern', 'Old City Bern'].map((name) => ({
    name,
    slackKm: 0.3,
    entries: [sight(name)],
  }));
  const bern = { name: 'places', slackKm: 1.5, isOfPlaces: true, entries: [sight('Bern')], confirms: () => false };
  const found = new ListIndex([...lists, bern]).matches(oldCity);
  assert.deepEqual(
    found.map(({ list }) => list.name),
    ['Old City Bern'],
  );
});

test('An area is confirmed by any position within its box or its shape', () => {
  const lake = landmarkOf('water', {
    ...colosseum,
    id: '25000',
    name: 'Lake Garda',
    other_names: '',
    kind: 'lake',
    lat: '45.6',
    lng: '10.68',
    bbox: '10.5 45.4 10.9 45.9',
  });
  const shape = [[[10.5, 45.4] as const, [10.9, 45.4] as const, [10.9, 45.9] as const, [10.5, 45.9] as const]];
  const index = new ListIndex([
    { name: 'points', slackKm: 1, entries: [{ names: ['Lake Garda'], lat: 45.8, lng: 10.85 }] },
    { name: 'shapes', slackKm: 1, entries: [{ names: ['Lake Garda'], lat: 45.4, lng: 10.5, shape }] },
  ]);
  const found = index.matches(lake);
  assert.deepEqual(
    found.map(({ isConfirmed }) => isConfirmed),
    [true, true],
  );
  assert.equal(found.find(({ list }) => list.name === 'shapes')?.km, 0);
});
