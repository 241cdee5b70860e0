/** Addresses of OpenStreetMap: their positions, streets, names and interpolation. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestMap } from '../../support/osm-writer.ts';
import { address, read, square } from './small-map.ts';

test('addresses come from nodes, closed ways and multipolygons, at their centroids', async (t) => {
  const house = square(10, 47, 9, 0.001);
  const outer = square(20, 48, 9, 0.003);
  const hole = square(30, 48.001, 9.001, 0.001);
  const { addresses } = await read(t, {
    nodes: [
      { id: 1, lat: 46.5, lng: 8.5, tags: address('Weg', '1', { 'addr:postcode': '9490' }) },
      ...house.nodes,
      ...outer.nodes,
      ...hole.nodes,
    ],
    ways: [
      { id: 1, nodes: house.ring, tags: address('Weg', '2') },
      { id: 2, nodes: outer.ring },
      { id: 3, nodes: hole.ring },
    ],
    relations: [
      {
        id: 1,
        members: [
          { type: 'way', id: 2, role: 'outer' },
          { type: 'way', id: 3, role: 'inner' },
        ],
        tags: { type: 'multipolygon', ...address('Weg', '3') },
      },
    ],
  });
  assert.deepEqual(
    addresses.map(({ houseNumber, lat, lng, sourceId }) => [houseNumber, lat.toFixed(6), lng.toFixed(6), sourceId]),
    [
      ['1', '46.500000', '8.500000', 'n1'],
      ['2', '47.000500', '9.000500', 'w1'],
      ['3', '48.001500', '9.001500', 'r1'],
    ],
  );
  assert.equal(addresses[0].postalCode, '9490');
});

test('the centroid of a building on the antimeridian is on it', async (t) => {
  const house = square(1, -17, 179.999, 0.002);
  const { addresses } = await read(t, {
    nodes: house.nodes,
    ways: [{ id: 1, nodes: house.ring, tags: address('Date Line', '1') }],
  });
  assert.equal(Math.abs(addresses[0].lng).toFixed(6), '180.000000');
  assert.equal(addresses[0].lat.toFixed(6), '-16.999000');
});

test('a list of house numbers is several houses, a range is one', async (t) => {
  const { addresses } = await read(t, {
    nodes: [
      { id: 1, lat: 1, lng: 1, tags: address('Weg', '12; 14,14') },
      { id: 2, lat: 1, lng: 1, tags: address('Weg', '12-14') },
      { id: 3, lat: 1, lng: 1, tags: address('Weg', ' 5 bis ') },
    ],
  });
  assert.deepEqual(
    addresses.map(({ houseNumber }) => houseNumber),
    ['12', '14', '12-14', '5 bis'],
  );
});

test('the street comes from the tag, else from a street relation, else a place takes its part', async (t) => {
  const at = { lat: 1, lng: 1 };
  const { addresses, dropped } = await read(t, {
    nodes: [
      { id: 1, ...at, tags: address('Own', '1') },
      { id: 2, ...at, tags: { 'addr:housenumber': '2' } },
      { id: 3, ...at, tags: { 'addr:housenumber': '3', 'addr:place': 'Weiler', 'addr:city': 'Stadt' } },
      { id: 4, ...at, tags: { 'addr:housenumber': '4', 'addr:city': 'Stadt' } },
    ],
    relations: [
      {
        id: 1,
        members: [
          { type: 'node', id: 1, role: 'house' },
          { type: 'node', id: 2, role: 'house' },
        ],
        tags: { type: 'associatedStreet', name: 'Relation' },
      },
    ],
  });
  assert.deepEqual(
    addresses.map(({ street, isPlace, houseNumber }) => [street, isPlace ?? false, houseNumber]),
    [
      ['Own', false, '1'],
      ['Relation', false, '2'],
      ['Weiler', true, '3'],
    ],
  );
  assert.deepEqual(dropped, { 'house number without street, place or quarter': 1 });
});

test('a mistyped street is that of the road beside the house, where no road has its own name', async (t) => {
  const road = (id: number, lat: number, name: string, length = 0.02) => ({
    nodes: [0, 1].map((end) => ({ id: 100 * id + end, lat, lng: 1 + length * end })),
    way: { id, nodes: [100 * id, 100 * id + 1], tags: { highway: 'residential', name } },
  });
  const roads = [
    road(1, 1, 'Bahnhofstraße'),
    road(2, 1.01, '13. Gasse'),
    road(3, 1.02, 'Eichenweg'),
    road(4, 1.1, 'Eschenweg'),
    // No road: a file of few of these around the Earth took a build minutes.
    road(5, 1.2, 'Lindenallee', 0.2),
  ];
  const houses: [lat: number, street: string, expected?: string][] = [
    [1.0005, 'Bahnhofstrase', 'Bahnhofstraße'],
    [1.0005, 'Bahnofstrasse', 'Bahnofstrasse'],
    [1.0015, 'Bahnhofstrase'],
    [1.0105, '14. Gasse'],
    [1.0205, 'Eschenweg'],
    [1.0205, 'Eichelweg', 'Eichenweg'],
    [1.2005, 'Lindenalle'],
  ];
  const { addresses } = await read(t, {
    nodes: [
      ...houses.map(([lat, street], id) => ({ id: id + 1, lat, lng: 1.011, tags: address(street, String(id)) })),
      ...roads.flatMap(({ nodes }) => nodes),
    ],
    ways: roads.map(({ way }) => way),
  });
  addresses.sort((a, b) => Number(a.houseNumber) - Number(b.houseNumber));
  for (const [at, [, street, expected = street]] of houses.entries()) {
    assert.equal(addresses[at].street, expected, street);
    assert.deepEqual(addresses[at].otherStreetNames, expected === street ? undefined : [street]);
  }
});

test('names in other languages are kept next to the main one', async (t) => {
  const { addresses, streets, pois } = await read(t, {
    nodes: [
      {
        id: 1,
        lat: 60.1,
        lng: 24.9,
        tags: { ...address('Mannerheimintie', '1'), 'addr:street:sv': 'Mannerheimvägen' },
      },
      {
        id: 2,
        lat: 60.2,
        lng: 24.9,
        tags: { amenity: 'theatre', name: 'Teatteri', 'name:sv': 'Teater', old_name: 'Vanha;Gamla' },
      },
    ],
    ways: [
      { id: 1, nodes: [1, 2], tags: { highway: 'primary', name: 'Mannerheimintie', 'name:sv': 'Mannerheimvägen' } },
    ],
  });
  assert.deepEqual(addresses[0].otherStreetNames, ['Mannerheimvägen']);
  assert.deepEqual(streets[0].otherNames, ['Mannerheimvägen']);
  assert.deepEqual(pois[0].otherNames, ['Teater', 'Vanha', 'Gamla']);
});

test('an interpolation way yields a range between each two numbered nodes', async (t) => {
  const map = (kind: string): TestMap => ({
    nodes: [
      { id: 1, lat: 1, lng: 1, tags: address('Main St', '1', { 'addr:postcode': '10001' }) },
      { id: 2, lat: 1, lng: 1.001 },
      { id: 3, lat: 1, lng: 1.002, tags: address('Main St', '9') },
      { id: 4, lat: 1, lng: 1.003, tags: address('Main St', '21a') },
    ],
    ways: [{ id: 5, nodes: [1, 2, 3, 4], tags: { 'addr:interpolation': kind } }],
  });
  const { interpolations } = await read(t, map('odd'));
  assert.deepEqual(
    interpolations.map(({ street, from, to, step, postalCode, line }) => ({
      street,
      from,
      to,
      step,
      postalCode,
      line: [...line],
    })),
    [
      { street: 'Main St', from: 1, to: 9, step: 2, postalCode: '10001', line: [1, 1, 1.001, 1, 1.002, 1] },
      { street: 'Main St', from: 9, to: 21, step: 2, postalCode: undefined, line: [1.002, 1, 1.003, 1] },
    ],
  );
  assert.equal((await read(t, map('all'))).interpolations[0].step, 1);
  assert.deepEqual((await read(t, map('alphabetic'))).dropped, {
    'interpolation other than odd, even or all': 1,
  });
});
