import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAirports, readDbStations, readRrad, readSeaPorts } from '../../src/sources/default-data.ts';
import { collect } from '../support/street-batches.ts';
import { temporaryFile } from '../support/temporary.ts';

const station = (
  id: string,
  street: string | undefined,
  location: object | undefined = { latitude: 48, longitude: 11 },
) =>
  JSON.stringify({
    type: 'station',
    id,
    name: `Station ${id}`,
    location,
    address: { city: 'Ort', zipcode: '90513 ', street },
  });

test('stations: street and number are parted, with and without a blank', async (t) => {
  const lines = [
    station('1', 'Bahnhofstr. 27'),
    station('2', 'Heidestr.1'),
    station('3', 'Zum Achimer Bahnhof 1a'),
    station('4', 'Markt 1 a'),
    station('5', 'Weserstr.5-9'),
    station('6', 'Kurfürstendamm 129a-b'),
    station('7', 'Straße des 17. Juni 135'),
    station('8', 'Am Bahnhof'),
    station('9', undefined),
    JSON.stringify({ id: '10', name: 'Nirgends' }),
  ];
  const path = temporaryFile(t, 'data.ndjson', `${lines.join('\n')}\n`);
  const { addresses, pois, dropped } = await collect((options) => readDbStations(path, options));
  assert.deepEqual(
    addresses.map(({ street, houseNumber }) => [street, houseNumber]),
    [
      ['Bahnhofstr.', '27'],
      ['Heidestr.', '1'],
      ['Zum Achimer Bahnhof', '1a'],
      ['Markt', '1 a'],
      ['Weserstr.', '5-9'],
      ['Kurfürstendamm', '129a-b'],
      ['Straße des 17. Juni', '135'],
    ],
  );
  assert.equal(addresses[0].postalCode, '90513');
  assert.equal(pois.length, 9);
  assert.deepEqual(dropped, { 'station address without a house number': 2, 'station without a position': 1 });
});

test('addresses of rrad: the number stands first, streets without one are dropped', async (t) => {
  const row = (address1: string) => ({
    address1,
    city: 'Washington',
    state: 'DC',
    postalCode: '20020',
    coordinates: { lat: 38.8, lng: -76.9 },
  });
  const path = temporaryFile(
    t,
    'all.json',
    JSON.stringify({ addresses: [row('1745 T Street Southeast'), row('Cato Road')] }),
  );
  const { addresses, dropped } = await collect((options) => readRrad(path, options));
  assert.deepEqual(addresses, [
    {
      houseNumber: '1745',
      street: 'T Street Southeast',
      city: 'Washington',
      admin1: 'DC',
      postalCode: '20020',
      country: 'US',
      lat: 38.8,
      lng: -76.9,
    },
  ]);
  assert.deepEqual(dropped, { 'address without a house number': 1 });
});

test('airports and ports are points of interest with their codes', async (t) => {
  const airport = {
    ident: 'LSZH',
    name: 'Zurich Airport',
    latitude_deg: '47.458056',
    longitude_deg: '8.548056',
    iso_country: 'CH',
    municipality: 'Zurich',
    gps_code: 'LSZH',
    iata_code: 'ZRH',
  };
  const nowhere = { ...airport, latitude_deg: '-0.000005', longitude_deg: '-0.000017' };
  const rows = [airport, { ...airport, latitude_deg: '' }, nowhere];
  const airports = temporaryFile(t, 'airports.json', JSON.stringify(rows));
  const air = await collect((options) => readAirports(airports, options));
  assert.deepEqual(
    air.pois.map(({ name, otherNames, category, country }) => [name, otherNames, category, country]),
    [['Zurich Airport', ['ZRH', 'LSZH'], 'transport', 'CH']],
  );
  assert.deepEqual(air.dropped, { 'airport without a position': 2 });
  const ports = temporaryFile(
    t,
    'ports.json',
    JSON.stringify({
      DEHAM: { name: 'Hamburg', city: 'Hamburg', coordinates: [9.99, 53.55] },
      USPEF: { name: 'Port Everglades', coordinates: [-80.12, 26.09] },
      XXNIX: { name: 'Nowhere' },
    }),
  );
  const sea = await collect((options) => readSeaPorts(ports, options));
  assert.deepEqual(
    sea.pois.map(({ name, otherNames, country, lat }) => [name, otherNames, country, lat]),
    [
      ['Port of Hamburg', ['Hamburg', 'DEHAM'], 'DE', 53.55],
      ['Port Everglades', ['USPEF'], 'US', 26.09],
    ],
  );
  assert.deepEqual(sea.dropped, { 'port without a position': 1 });
});

test('broken files are refused', async (t) => {
  for (const read of [readAirports, readDbStations, readRrad, readSeaPorts]) {
    const path = temporaryFile(t, 'x.json', '{"id": ');
    await assert.rejects(
      collect((options) => read(path, options)),
      { name: 'SourceError', message: /expected/ },
    );
  }
});
