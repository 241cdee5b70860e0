/** Address tags of countries that number houses in other ways than along streets. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { readStreets } from '../../../src/sources/source-kinds.ts';
import { pbfFile, type TestMap } from '../../support/osm-writer.ts';
import { sharedData } from '../../support/shared-data.ts';
import { collect } from '../../support/street-batches.ts';
import { temporaryFile } from '../../support/temporary.ts';

type Tags = Record<string, string>;
const tagged = (tags: Tags): Tags => Object.fromEntries(Object.entries(tags).map(([key, to]) => [`addr:${key}`, to]));

/** Tags without a number of a house: nothing is read, and nothing said. */
const nothing = '';

/** Reads a file in which each row's tags, with those that all share, are of one node, far from the others. */
async function assertRead(t: TestContext, shared: Tags, rows: readonly (readonly [Tags, string])[]): Promise<void> {
  const nodes = rows.map(([tags], at) => ({
    id: at + 1,
    lat: 10 + at / 2,
    lng: 20,
    tags: tagged({ ...shared, ...tags }),
  }));
  const path = temporaryFile(t, 'x.osm.pbf', pbfFile({ nodes }));
  const { addresses, dropped } = await collect((options) => readStreets('osm-pbf', path, options));
  const reasons: Record<string, number> = {};
  for (const [at, [tags, expected]] of rows.entries()) {
    const found = addresses.filter(({ sourceId }) => sourceId === `n${at + 1}`);
    const numbers = found.map(({ houseNumber, otherNumbers }) =>
      otherNumbers ? `${houseNumber} (${otherNumbers.join(', ')})` : houseNumber,
    );
    // Street and numbers, other numbers in brackets; or the reason why there are none.
    if (found.length > 0) assert.equal(`${found[0].street}: ${numbers.join('; ')}`, expected, JSON.stringify(tags));
    else if (expected !== nothing) reasons[expected] = (reasons[expected] ?? 0) + 1;
  }
  assert.deepEqual(dropped, reasons);
}

test('Japanese houses are numbered by chōme, block and house of a quarter', async (t) => {
  const japan = { province: '東京都', city: '千代田区' };
  const rows: [Tags, string][] = [
    [{ quarter: '霞が関', neighbourhood: '3丁目', block_number: '1', housenumber: '1' }, '霞が関: 3-1-1'],
    [{ neighbourhood: '霞が関三丁目', block_number: '1', housenumber: '1' }, '霞が関: 3-1-1'],
    [{ quarter: '千駄ヶ谷五丁目', block_number: '24', housenumber: '2' }, '千駄ヶ谷: 5-24-2'],
    [{ neighbourhood: '西新宿1', block_number: '18', housenumber: '5' }, '西新宿: 1-18-5'],
    [{ quarter: '八丁堀', neighbourhood: '二丁目', block_number: '24', housenumber: '2' }, '八丁堀: 2-24-2'],
    [{ quarter: '本町', neighbourhood: '二十一丁目', block_number: '3' }, '本町: 21-3'],
    [{ suburb: '三田', neighbourhood: '1', block_number: '13', housenumber: '3' }, '三田: 1-13-3'],
    // A quarter without chōme, a block without house, and a building's name instead of the house.
    [{ neighbourhood: '宇田川町', block_number: '28', housenumber: '15' }, '宇田川町: 28-15'],
    [{ quarter: '神田神保町', neighbourhood: '1丁目', block_number: '1' }, '神田神保町: 1-1'],
    [{ neighbourhood: '弥生町2丁目', block_number: '26-9', housenumber: 'ハイツ2階' }, '弥生町: 2-26-9'],
    // The street is where the house stands, not what it is numbered by.
    [{ street: '八重洲通り', quarter: '京橋', neighbourhood: '1', block_number: '7', housenumber: '2' }, '京橋: 1-7-2'],
    [{ street: '大手町2丁目', housenumber: '3-1' }, '大手町: 2-3-1'],
    [{ street: '外堀通り', housenumber: '中央区日本橋本石町１－３－１' }, '日本橋本石町: 1-3-1'],
  ];
  await assertRead(t, japan, rows);
});

test('a quarter or neighbourhood takes the part of the street only where there is none', async (t) => {
  const rows: [Tags, string][] = [
    [{ quarter: 'Al Seef', block_number: '436', street: 'Road 3618', housenumber: '173' }, 'Road 3618: 173'],
    [{ quarter: 'Centro', street: 'Rua Um', housenumber: '5' }, 'Rua Um: 5'],
    [{ neighbourhood: 'Quadra 12', housenumber: '5' }, 'Quadra 12: 5'],
    [{ neighbourhood: 'Centro' }, nothing],
    [{ housenumber: '5' }, 'house number without street, place or quarter'],
  ];
  await assertRead(t, {}, rows);
});

test('Czech and Slovak houses are known by their number of the village and by that of the street', async (t) => {
  const rows: [Tags, string][] = [
    [{ housenumber: '137/25', conscriptionnumber: '137', streetnumber: '25' }, 'Husova: 137/25 (137, 25)'],
    [{ conscriptionnumber: '137', streetnumber: '25' }, 'Husova: 137/25 (137, 25)'],
    [{ conscriptionnumber: '137' }, 'Husova: 137'],
    [{ streetnumber: '25' }, 'Husova: 25'],
    [{ provisionalnumber: '12' }, 'Husova: ev. 12'],
    [{ housenumber: 'ev.12', provisionalnumber: '12' }, 'Husova: ev.12'],
    [{ housenumber: 'ev.12/4', provisionalnumber: '12', streetnumber: '4' }, 'Husova: ev.12/4 (ev. 12, 4)'],
  ];
  await assertRead(t, { street: 'Husova' }, rows);
});

test('lists yield each number, letters alone belong to the previous number, and a house without number has its name', async (t) => {
  const rows: [Tags, string][] = [
    [{ housenumber: '51c,d,e' }, 'Weg: 51c; 51d; 51e'],
    [{ housenumber: '12 a;b; 14' }, 'Weg: 12 a; 12 b; 14'],
    [{ housenumber: '12,a' }, 'Weg: 12; a'],
    [{ housename: 'Rose Cottage' }, 'Weg: Rose Cottage'],
    [{ housename: 'Rose Cottage', housenumber: '4' }, 'Weg: 4'],
  ];
  await assertRead(t, { street: 'Weg' }, rows);
});

test('flats behind a door are neither numbers of houses nor addresses of their own', async (t) => {
  const rows: [Tags, string][] = [
    [{ housenumber: '10', flats: '1-14;16' }, 'Weg: 10'],
    [{ housenumber: '10', flats: ';1-2', unit: 'B', door: '3' }, 'Weg: 10'],
    [{ flats: '1-14;16' }, nothing],
    [{ housenumber: ';' }, 'house number without a number'],
  ];
  await assertRead(t, { street: 'Weg' }, rows);
});

test('a quarter has the names of its place node', async (t) => {
  const house = { 'addr:quarter': '恵比寿', 'addr:neighbourhood': '1丁目', 'addr:block_number': '20' };
  const map: TestMap = {
    nodes: [
      { id: 1, lat: 35.646, lng: 139.714, tags: { place: 'quarter', name: '恵比寿', 'name:en': 'Ebisu' } },
      { id: 2, lat: 34.646, lng: 135.714, tags: { place: 'quarter', name: '恵比寿', 'name:en': 'Another' } },
      { id: 3, lat: 35.647, lng: 139.712, tags: { ...house, 'addr:housenumber': '22' } },
    ],
  };
  const path = temporaryFile(t, 'x.osm.pbf', pbfFile(map));
  const { addresses } = await collect((options) => readStreets('osm-pbf', path, options));
  assert.deepEqual(
    addresses.map(({ street, otherStreetNames, houseNumber }) => [street, otherStreetNames, houseNumber]),
    [['恵比寿', ['Ebisu'], '1-20-22']],
  );
});

test('of the addresses of central Tokyo nearly all are read', async (t) => {
  const path = sharedData(t, 'osm/jp-tokyo.osm.pbf');
  if (!path) return;
  const { addresses } = await collect((options) => readStreets('osm-pbf', path, options));
  assert.ok(addresses.length >= 140, String(addresses.length));
  const ministry = addresses.find(({ sourceId }) => sourceId === 'n443603568');
  assert.deepEqual([ministry?.street, ministry?.houseNumber, ministry?.city], ['霞が関', '1-2-2', '千代田区']);
});
