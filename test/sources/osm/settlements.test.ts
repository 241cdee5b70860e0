import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LatLng } from '../../../src/core/geo.ts';
import { AdminContext } from '../../../src/sources/osm/admin-context.ts';
import { Area } from '../../../src/sources/osm/area-relations.ts';
import {
  AddressCities,
  type AdminKnowledge,
  type CityInCell,
  cellAt,
  Settlements,
  tileAt,
} from '../../../src/sources/osm/settlements.ts';
import { Tables } from '../../../src/sources/tables.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const square = (south: number, west: number, size: number) => [
  Float64Array.from([west, south, west + size, south, west + size, south + size, west, south + size, west, south]),
];
const areaOf = (south: number, west: number, size: number) => new Area(square(south, west, size));
const knowing = (more: Partial<AdminKnowledge>) =>
  new Settlements({
    boundaries: [],
    places: [],
    addressCities: new AddressCities([], []),
    cityNames: new Set(),
    country: undefined,
    ...more,
  });

test('a municipality of level 8 goes before one of 7; a district counts only when it is named like a city', () => {
  const settlements = knowing({
    boundaries: [
      { level: 6, name: 'Landkreis', area: areaOf(50, 8, 1) },
      { level: 7, name: 'Verband', area: areaOf(50, 8, 0.5) },
      { level: 8, name: 'Gemeinde', area: areaOf(50, 8, 0.1) },
      { level: 6, name: 'Freie Stadt', area: areaOf(52, 8, 0.1) },
    ],
    cityNames: new Set(['Freie Stadt']),
  });
  const city = (lat: number, lng: number) => settlements.find({ lat, lng }).city;
  assert.equal(city(50.05, 8.05), 'Gemeinde');
  assert.equal(city(50.3, 8.3), 'Verband');
  assert.equal(city(50.8, 8.8), undefined);
  assert.equal(city(52.01, 8.01), 'Freie Stadt');
});

test('a city state is its own city; its code determines the country where no country is closed', () => {
  const settlements = knowing({
    boundaries: [{ level: 4, name: 'Wien', country: 'AT', area: areaOf(48, 16, 0.5) }],
    cityNames: new Set(['Wien']),
    country: 'DE',
  });
  assert.deepEqual(settlements.find({ lat: 48.4, lng: 16.05 }), { city: 'Wien', admin1: 'Wien', country: 'AT' });
  assert.deepEqual(settlements.find({ lat: 10, lng: 10 }), { city: undefined, admin1: undefined, country: 'DE' });
});

test('without boundaries the place nearest in proportion to its reach provides the name, across the antimeridian too', () => {
  const settlements = knowing({
    places: [
      { name: 'Stadt', kind: 'city', lat: 0, lng: 179.95 },
      { name: 'Dorf', kind: 'village', lat: 0, lng: -179.99 },
    ],
  });
  const city = (lng: number) => settlements.find({ lat: 0, lng }).city;
  assert.equal(city(179.96), 'Stadt');
  assert.equal(city(-179.995), 'Dorf');
  // 7.8 km from the city of reach 12, 2.2 km from the village of reach 3.
  assert.equal(city(-179.98), 'Dorf');
  assert.equal(city(-179.97), 'Dorf');
  assert.equal(city(179.5), undefined);
});

const inCell = (at: LatLng, city: string, count: number): CityInCell => ({ ...cellAt(at), ...at, city, count });
const anyone = () => true;

test('the vote of addresses needs three of a lead, and reaches the cells around when nothing else is known', () => {
  const at = { lat: 47.005, lng: 9.005 };
  const few = new AddressCities([inCell(at, 'A', 4), inCell(at, 'B', 2)], []);
  assert.deepEqual([few.at(at, anyone), few.around(at, anyone)], [undefined, undefined]);
  const cities = new AddressCities([inCell(at, 'A', 5), inCell(at, 'B', 2)], []);
  assert.equal(cities.at(at, anyone), 'A');
  assert.equal(cities.at({ lat: 47.015, lng: 9.005 }, anyone), undefined);
  assert.equal(cities.around({ lat: 47.015, lng: 9.005 }, anyone), 'A');
  assert.equal(cities.around({ lat: 47.035, lng: 9.005 }, anyone), undefined);
});

test('at a town’s edge the municipality decides, then the other houses of the street, then the neighbours', () => {
  const west = { level: 8, name: 'West', area: areaOf(47, 9, 0.05) };
  const east = { level: 8, name: 'East', area: areaOf(47, 9.05, 0.05) };
  const inWest = { lat: 47.005, lng: 9.0499 };
  const inEast = { lat: 47.005, lng: 9.0501 };
  const addressCities = new AddressCities(
    [inCell({ lat: 47.005, lng: 9.0495 }, 'Westdorf', 3), inCell(inEast, 'East', 90)],
    [
      { street: 'Weg', city: 'East', lat: 47.005, lng: 9.0502 },
      { street: 'Weg', city: 'Westheim', lat: 47.005, lng: 9.045 },
    ],
  );
  const settlements = knowing({ boundaries: [west, east], addressCities });
  const city = (at: LatLng, street?: string) => settlements.find(at, street).city;
  // Most neighbours within some hundred metres are of the other town, and so is the nearest house of the street.
  assert.equal(city(inWest), 'Westdorf');
  assert.equal(city(inWest, 'Weg'), 'Westheim');
  assert.equal(city(inWest, 'Gasse'), 'Westdorf');
  assert.equal(city({ lat: 47.04, lng: 9.01 }), 'West');
  assert.equal(city(inEast, 'Weg'), 'East');
  // Without boundaries the street's nearest house goes before most neighbours.
  assert.equal(knowing({ addressCities }).find({ lat: 47.005, lng: 9.0451 }, 'Weg').city, 'Westheim');
});

const house = (at: LatLng, city: string): Parameters<AdminContext['add']>[0] => ({
  type: 'n',
  id: 1,
  tags: { 'addr:housenumber': '1', 'addr:city': city },
  ...at,
});

test('what is known reaches over the borders of tiles, around the world too, with any memory', (t) => {
  for (const memoryBytes of [1e9, 1]) {
    const surroundings = new AdminContext(new Tables(temporaryDirectory(t), memoryBytes), 'FJ');
    surroundings.addBoundary({ level: 8, name: 'Insel' }, square(-17, 179.5, 1));
    surroundings.addBoundary({ level: 8, name: 'Land' }, square(46.6, 8.6, 0.8));
    surroundings.add({ type: 'n', id: 2, tags: { place: 'city', name: 'Ort' }, lat: 9.99, lng: 179.99 });
    const corner = { lat: 29.995, lng: 19.995 };
    for (const city of ['A', 'B', 'A', 'B', 'A', 'A', 'A']) surroundings.add(house(corner, city));
    surroundings.finish();
    const positions: [LatLng, string | undefined][] = [
      [{ lat: -16.5, lng: 179.9 }, 'Insel'],
      [{ lat: -16.5, lng: -179.9 }, 'Insel'],
      [{ lat: -16.5, lng: -179.4 }, undefined],
      [{ lat: 46.9, lng: 8.9 }, 'Land'],
      [{ lat: 47.1, lng: 8.9 }, 'Land'],
      [{ lat: 46.9, lng: 9.1 }, 'Land'],
      [{ lat: 47.1, lng: 9.1 }, 'Land'],
      [{ lat: 10.01, lng: -179.99 }, 'Ort'],
      [{ lat: 10.01, lng: 179.99 }, 'Ort'],
      [corner, 'A'],
      [{ lat: 30.005, lng: 20.005 }, 'A'],
      [{ lat: 30.025, lng: 20.005 }, undefined],
    ];
    positions.sort(([a], [b]) => tileAt(a) - tileAt(b));
    for (const [at, city] of positions) {
      const found = surroundings.at(at);
      assert.deepEqual([found.city, found.country], [city, 'FJ'], `${at.lat} ${at.lng} with ${memoryBytes} bytes`);
    }
  }
});

test('a city is trusted that three addresses name, or one when it is a place or a boundary', (t) => {
  const surroundings = new AdminContext(new Tables(temporaryDirectory(t), 1e9));
  for (const city of ['Often', 'Often', 'Often', 'Twice', 'Twice', 'Hamlet', 'Town'])
    surroundings.add(house({ lat: 1, lng: 1 }, city));
  surroundings.add({ type: 'n', id: 2, tags: { place: 'hamlet', name: 'Hamlet' }, lat: 50, lng: 50 });
  surroundings.addBoundary({ level: 8, name: 'Town' }, square(0, 0, 1));
  surroundings.finish();
  const candidates = ['Often', 'Twice', 'Hamlet', 'Town', 'Never'];
  assert.deepEqual(
    candidates.filter((city) => surroundings.isCity(city)),
    ['Often', 'Hamlet', 'Town'],
  );
});
