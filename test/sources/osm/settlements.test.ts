import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AddressCities } from '../../../src/sources/osm/address-cities.ts';
import { Settlements } from '../../../src/sources/osm/settlements.ts';

const square = (south: number, west: number, size: number) => [
  Float64Array.from([west, south, west + size, south, west + size, south + size, west, south + size, west, south]),
];
const none = new AddressCities();

test('a municipality of level 8 goes before one of 7; a district counts only when it is named like a city', () => {
  const settlements = new Settlements(
    [
      { level: 6, name: 'Landkreis', rings: square(50, 8, 1) },
      { level: 7, name: 'Verband', rings: square(50, 8, 0.5) },
      { level: 8, name: 'Gemeinde', rings: square(50, 8, 0.1) },
      { level: 6, name: 'Freie Stadt', rings: square(52, 8, 0.1) },
    ],
    [{ name: 'Freie Stadt', kind: 'city', lat: 52.05, lng: 8.05 }],
    none,
  );
  const city = (lat: number, lng: number) => settlements.find({ lat, lng }).city;
  assert.equal(city(50.05, 8.05), 'Gemeinde');
  assert.equal(city(50.3, 8.3), 'Verband');
  assert.equal(city(50.8, 8.8), undefined);
  assert.equal(city(52.01, 8.01), 'Freie Stadt');
});

test('a city state is its own city; its code tells the country where no country is closed', () => {
  const settlements = new Settlements(
    [{ level: 4, name: 'Wien', country: 'AT', rings: square(48, 16, 0.5) }],
    [{ name: 'Wien', kind: 'city', lat: 48.2, lng: 16.4 }],
    none,
    'DE',
  );
  assert.deepEqual(settlements.find({ lat: 48.4, lng: 16.05 }), { city: 'Wien', admin1: 'Wien', country: 'AT' });
  assert.deepEqual(settlements.find({ lat: 10, lng: 10 }), { city: undefined, admin1: undefined, country: 'DE' });
});

test('without boundaries the place whose reach is used least gives the name, across the antimeridian too', () => {
  const settlements = new Settlements(
    [],
    [
      { name: 'Stadt', kind: 'city', lat: 0, lng: 179.95 },
      { name: 'Dorf', kind: 'village', lat: 0, lng: -179.99 },
    ],
    none,
  );
  const city = (lng: number) => settlements.find({ lat: 0, lng }).city;
  assert.equal(city(179.96), 'Stadt');
  assert.equal(city(-179.995), 'Dorf');
  // 7.8 km from the city of reach 12, 2.2 km from the village of reach 3.
  assert.equal(city(-179.98), 'Dorf');
  assert.equal(city(-179.97), 'Dorf');
  assert.equal(city(179.5), undefined);
});

test('the vote of addresses needs three of a lead, and reaches the cells around when nothing else is known', () => {
  const cities = new AddressCities();
  const at = { lat: 47.005, lng: 9.005 };
  for (const name of ['A', 'B', 'A', 'A']) cities.add(name, at);
  assert.deepEqual([cities.at(at), cities.around(at)], [undefined, undefined]);
  cities.add('A', at);
  assert.equal(cities.at(at), 'A');
  assert.deepEqual([cities.isKnown('A'), cities.isKnown('B')], [true, false]);
  assert.equal(cities.at({ lat: 47.015, lng: 9.005 }), undefined);
  assert.equal(cities.around({ lat: 47.015, lng: 9.005 }), 'A');
  assert.equal(cities.around({ lat: 47.035, lng: 9.005 }), undefined);
});
