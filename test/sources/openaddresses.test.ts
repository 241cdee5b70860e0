import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { readStreets } from '../../src/sources/source-kinds.ts';
import { sharedData } from '../support/shared-data.ts';
import { collect } from '../support/street-batches.ts';
import { temporaryDirectory, temporaryFile } from '../support/temporary.ts';
import { zipFile } from '../support/zip-writer.ts';

const header = 'LON,LAT,NUMBER,STREET,UNIT,CITY,DISTRICT,REGION,POSTCODE,ID,HASH\n';
const rows = `${header}-122.2371548,37.7468954,516,CENTRE CT,APT 2,ALAMEDA,,,94502,74-1332,52e6
9.5,47.1,12a,"Straße ""Am See""",,Vaduz,,LI-11,9490,,
`;
const expected = [
  {
    houseNumber: '516',
    street: 'CENTRE CT',
    city: 'ALAMEDA',
    admin1: undefined,
    postalCode: '94502',
    country: undefined,
    lat: 37.7468954,
    lng: -122.2371548,
    sourceId: '52e6',
  },
  {
    houseNumber: '12a',
    street: 'Straße "Am See"',
    city: 'Vaduz',
    admin1: 'LI-11',
    postalCode: '9490',
    country: undefined,
    lat: 47.1,
    lng: 9.5,
    sourceId: undefined,
  },
];
const read = (path: string) => collect((options) => readStreets('openaddresses', path, options));

test('CSV is read plain, with a byte order mark, gzipped and zipped', async (t) => {
  for (const [name, bytes] of [
    ['a.csv', rows],
    ['a.csv', `\ufeff${rows}`],
    ['a.csv.gz', gzipSync(rows)],
    ['a.zip', zipFile({ 'README.md': 'text', 'summary/a.csv': 'other\n', 'a.csv': rows })],
  ] as const) {
    assert.deepEqual((await read(temporaryFile(t, name, bytes))).addresses, expected, name);
  }
});

test('country and state come from the folders inside a zip', async (t) => {
  const zip = zipFile({ 'us/ca/alameda.csv': rows, 'li/countrywide.csv': rows });
  const { addresses } = await read(temporaryFile(t, 'a.zip', zip));
  assert.deepEqual(
    addresses.map(({ country, admin1 }) => [country, admin1]),
    [
      ['US', 'CA'],
      ['US', 'LI-11'],
      ['LI', undefined],
      ['LI', 'LI-11'],
    ],
  );
});

test('GeoJSON features, one a line, yield the same records', async (t) => {
  const feature = (properties: object, coordinates: number[]) =>
    JSON.stringify({ type: 'Feature', properties, geometry: { type: 'Point', coordinates } });
  const lines = `${[
    feature(
      {
        hash: '52e6',
        number: '516',
        street: 'CENTRE CT',
        unit: 'APT 2',
        city: 'ALAMEDA',
        region: '',
        postcode: '94502',
      },
      [-122.2371548, 37.7468954],
    ),
    feature(
      { number: '12a', street: 'Straße "Am See"', city: 'Vaduz', region: 'LI-11', postcode: '9490' },
      [9.5, 47.1],
    ),
  ].join('\n')}\n`;
  for (const [name, bytes] of [
    ['a.geojson', lines],
    ['a.geojson.gz', gzipSync(lines)],
    ['a.zip', zipFile({ 'a.geojson': lines })],
  ] as const) {
    assert.deepEqual((await read(temporaryFile(t, name, bytes))).addresses, expected, name);
  }
});

test('a folder of two letters that is not OpenAddresses’ own names no country', async (t) => {
  const directory = temporaryDirectory(t);
  for (const [path, country] of [
    ['in/alameda.csv', undefined],
    ['oa/countrywide.csv', undefined],
    ['us/ca/alameda.csv', 'US'],
    ['li/countrywide.csv', 'LI'],
    ['fr/75/statewide.csv', 'FR'],
    ['uk/countrywide.csv', undefined],
    ['de/berlin-addresses-state.csv', 'DE'],
  ] as const) {
    mkdirSync(join(directory, dirname(path)), { recursive: true });
    writeFileSync(join(directory, path), rows);
    assert.equal((await read(join(directory, path))).addresses[0].country, country, path);
  }
});

test('of a collection the addresses are read, with country and state from the folders, and no other layer', async (t) => {
  const feature = (number: string, [lng, lat]: number[]) =>
    `${JSON.stringify({ type: 'Feature', properties: { number, street: 'A' }, geometry: { type: 'Point', coordinates: [lng, lat] } })}\n`;
  const collection = zipFile({
    'us/wa/clark-addresses-county.geojson': feature('1', [-122.6, 45.6]),
    'us/wa/clark-addresses-county.geojson.meta': '{"license":false}',
    'us/wa/clark-buildings-county.geojson': feature('2', [-122.6, 45.6]),
    'us/wa/clark-parcels-county.geojson': feature('3', [-122.6, 45.6]),
    'ca/bc/province-centerlines-roads.geojson': feature('4', [-123, 49]),
    'li/countrywide-addresses-country.geojson': feature('5', [9.5, 47.1]),
  });
  const { addresses, dropped } = await read(temporaryFile(t, 'collection-us-west.zip', collection));
  assert.deepEqual(
    addresses.map(({ houseNumber, country, admin1 }) => [houseNumber, country, admin1]),
    [
      ['1', 'US', 'WA'],
      ['5', 'LI', undefined],
    ],
  );
  assert.deepEqual(dropped, {});
});

test('lists in place of values are no values, however deep they are', async (t) => {
  const deep = '['.repeat(200_000) + ']'.repeat(200_000);
  const feature = (number: string, coordinates: string) =>
    `{"type":"Feature","properties":{"number":${number},"street":"A"},"geometry":{"type":"Point","coordinates":${coordinates}}}`;
  const lines = [feature(deep, '[1,2]'), feature('"1"', deep), feature('2', '[1,2]')].join('\n');
  const { addresses, dropped } = await read(temporaryFile(t, 'a.geojson', lines));
  assert.equal(addresses.length, 1);
  assert.deepEqual(dropped, { 'address without a house number': 1, 'address without a position on Earth': 1 });
});

test('rows without number, street or position are dropped with their reasons', async (t) => {
  const text = `${header}1,1,0,A,,,,,,,\n1,1,,A,,,,,,,\n1,1,5,,,,,,,,\n0,0,5,A,,,,,,,\nx,1,5,A,,,,,,,\n1,95,5,A,,,,,,,\n1,1,5,A\n1,1,5,A,,,,,,,\n`;
  const { addresses, dropped } = await read(temporaryFile(t, 'a.csv', text));
  assert.equal(addresses.length, 1);
  assert.deepEqual(dropped, {
    'address without a house number': 2,
    'address without a street': 1,
    'address without a position on Earth': 3,
    "row that does not have the header's 11 fields": 1,
  });
});

const zip = zipFile({ 'us/ca/alameda.csv': rows.repeat(50) });
const refusals: [string, string, string | Buffer, RegExp][] = [
  ['an empty file', 'a.csv', '', /is empty/],
  [
    'a table of something else',
    'a.csv',
    'id;name\n1;x\n',
    /the header is 'id;name', expected OpenAddresses CSV with a column 'LON'/,
  ],
  ['a web page', 'a.csv', '<html>\n<body>503</body>\n</html>\n', /it looks like a web page/],
  ['a table cut in a row', 'a.csv', rows.slice(0, -20), /truncated in its last row, 3/],
  ['a table cut in a quoted text', 'a.csv', rows.slice(0, rows.indexOf('Am See')), /found Quote Not Closed/],
  ['a gzip cut short', 'a.csv.gz', gzipSync(rows).subarray(0, 60), /truncated.*unexpected end of file/],
  ['a zip cut short', 'a.zip', zip.subarray(0, zip.length - 30), /truncated zip/],
  ['a zip without a table', 'a.zip', zipFile({ 'a.txt': 'x' }), /zip that has no file of the expected kind/],
  [
    'GeoJSON cut short',
    'a.geojson',
    '{"type":"Feature","properties":{"number":"1"',
    /line 1: expected one GeoJSON feature per line/,
  ],
];
for (const [what, name, bytes, message] of refusals) {
  test(`${what} is refused`, async (t) => {
    const path = temporaryFile(t, name, bytes);
    await assert.rejects(read(path), { name: 'SourceError', message });
  });
}

test('a zip whose bytes are damaged is refused', async (t) => {
  const bytes = Buffer.from(zip);
  bytes.fill(0x55, 60, 90);
  await assert.rejects(read(temporaryFile(t, 'a.zip', bytes)), {
    name: 'SourceError',
    message: /damaged or truncated/,
  });
});

// 5,306 and 4,913 rows (Python's csv module); 174 of the second have no number, one row of each is not a place on Earth.
for (const [county, count] of [
  ['alameda', 5305],
  ['santa_clara', 4738],
] as const) {
  test(`${county} county: every row with number and position is an address in California`, async (t) => {
    const path = sharedData(t, `openaddresses/oa-output-${county}/${county}/us/ca/${county}.csv`);
    if (!path) return;
    const { addresses } = await read(path);
    assert.equal(addresses.length, count);
    assert.ok(addresses.every(({ country, admin1 }) => country === 'US' && admin1 === 'CA'));
  });
}
