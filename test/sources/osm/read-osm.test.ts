import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestMap, TestNode } from '../../support/osm-writer.ts';
import { address, read, square } from './small-map.ts';

test('pieces of a street are one street in a settlement, and streets of other settlements their own', async (t) => {
  const nodes = [0, 1, 2, 3].map((index) => ({ id: index + 1, lat: 47, lng: 9 + index * 0.001 }));
  const far = [0, 1].map((index) => ({ id: index + 11, lat: 48, lng: 9 + index * 0.001 }));
  const places = [
    { id: 21, lat: 47.001, lng: 9, tags: { place: 'town', name: 'Hier' } },
    { id: 22, lat: 48.001, lng: 9, tags: { place: 'village', name: 'Dort' } },
  ];
  const street = (type: string) => ({ highway: type, name: 'Hauptstraße' });
  const { streets } = await read(t, {
    nodes: [...nodes, ...far, ...places],
    ways: [
      { id: 1, nodes: [1, 2], tags: street('service') },
      { id: 2, nodes: [2, 3, 4], tags: street('residential') },
      { id: 3, nodes: [11, 12], tags: street('primary') },
    ],
  });
  assert.deepEqual(
    streets.map(({ name, city, highwayType, lines }) => [
      name,
      city,
      highwayType,
      lines.map((line) => line.length / 2),
    ]),
    [
      ['Hier', 'Hier', 'town', []],
      ['Dort', 'Dort', 'village', []],
      ['Hauptstraße', 'Hier', 'residential', [2, 3]],
      ['Hauptstraße', 'Dort', 'primary', [2]],
    ],
  );
});

test('an address with a city determines the city of its street', async (t) => {
  const { streets } = await read(t, {
    nodes: [
      { id: 1, lat: 47, lng: 9, tags: address('Dorfstraße', '1', { 'addr:city': 'Musterdorf' }) },
      { id: 2, lat: 47, lng: 9.001 },
    ],
    ways: [{ id: 1, nodes: [1, 2], tags: { highway: 'residential', name: 'Dorfstraße' } }],
  });
  assert.equal(streets[0].city, 'Musterdorf');
});

test('the city that most addresses around have goes to streets and addresses without one, not a slip', async (t) => {
  const nodes: TestNode[] = Array.from({ length: 5 }, (_, index) => ({
    id: index + 1,
    lat: 47.0001,
    lng: 9.0001 + index * 0.0001,
    tags: address('Hauptstraße', String(index), { 'addr:city': 'Krems' }),
  }));
  nodes.push({ id: 6, lat: 47.0001, lng: 9.0006, tags: address('Nebenstraße', '1', { 'addr:city': 'Nebenstraße' }) });
  nodes.push({ id: 7, lat: 47.0001, lng: 9.0007, tags: address('Nebenstraße', '2') });
  nodes.push({ id: 8, lat: 47.0001, lng: 9.0008, tags: address('Nebenstraße', '3', { 'addr:city': '3500' }) });
  nodes.push({ id: 9, lat: 47.001, lng: 9.001, tags: { place: 'town', name: 'Krems an der Donau' } });
  const { addresses, streets } = await read(t, {
    nodes,
    ways: [{ id: 1, nodes: [6, 7], tags: { highway: 'residential', name: 'Nebenstraße' } }],
  });
  assert.equal(streets[0].city, 'Krems');
  assert.deepEqual(
    addresses.filter(({ street }) => street === 'Nebenstraße').map(({ city }) => city),
    ['Nebenstraße', 'Krems', 'Krems'],
  );
});

test('pieces of a street that lie outside every boundary belong to the country of the others', async (t) => {
  const land = square(10, 46, 8, 1.0005);
  const { streets } = await read(t, {
    nodes: [...land.nodes, ...[47, 47.0008, 47.002].map((lat, index) => ({ id: index + 1, lat, lng: 8.5 }))],
    ways: [
      { id: 1, nodes: [1, 2], tags: { highway: 'road', name: 'Grenzweg' } },
      { id: 2, nodes: [2, 3], tags: { highway: 'road', name: 'Grenzweg' } },
      { id: 3, nodes: land.ring },
    ],
    relations: [
      {
        id: 1,
        members: [{ type: 'way', id: 3, role: 'outer' }],
        tags: { type: 'boundary', boundary: 'administrative', admin_level: '2', name: 'Land', 'ISO3166-1': 'LI' },
      },
    ],
  });
  assert.deepEqual(
    streets.map(({ country, lines }) => [country, lines.length]),
    [['LI', 2]],
  );
});

test('without any settlement, streets of one name are separated by distance', async (t) => {
  const nodes = [9, 9.001, 11, 11.001].map((lng, index) => ({ id: index + 1, lat: 47, lng }));
  const way = (id: number, refs: number[]) => ({ id, nodes: refs, tags: { highway: 'track', name: 'Feldweg' } });
  const { streets } = await read(t, { nodes, ways: [way(1, [1, 2]), way(2, [3, 4])] });
  assert.equal(streets.length, 2);
});

test('boundaries fill city, state and country where no tag does', async (t) => {
  const country = square(10, 46, 8, 4);
  const state = square(20, 46.5, 8.5, 2);
  const town = square(30, 47, 9, 0.5);
  const boundary = (id: number, level: string, way: number, name: string, more = {}) => ({
    id,
    members: [{ type: 'way' as const, id: way, role: 'outer' }],
    tags: { type: 'boundary', boundary: 'administrative', admin_level: level, name, ...more },
  });
  const map: TestMap = {
    nodes: [
      { id: 1, lat: 47.1, lng: 9.1, tags: address('Weg', '1') },
      { id: 2, lat: 47.1, lng: 9.1, tags: address('Weg', '2', { 'addr:city': 'Ort', 'addr:country': 'at' }) },
      { id: 3, lat: 49, lng: 11, tags: address('Weg', '3') },
      ...country.nodes,
      ...state.nodes,
      ...town.nodes,
    ],
    ways: [
      { id: 1, nodes: country.ring },
      { id: 2, nodes: state.ring },
      { id: 3, nodes: town.ring.slice(0, 3) },
      { id: 4, nodes: town.ring.slice(2) },
    ],
    relations: [
      boundary(1, '2', 1, 'Land', { 'ISO3166-1:alpha2': 'CH' }),
      boundary(2, '4', 2, 'Staat'),
      // Two ways make the ring, the second one given first.
      {
        ...boundary(3, '8', 4, 'Gemeinde'),
        members: [4, 3].map((id) => ({ type: 'way' as const, id, role: 'outer' })),
      },
    ],
  };
  const { addresses } = await read(t, map);
  assert.deepEqual(
    addresses.map(({ city, admin1, country: code }) => [city, admin1, code]),
    [
      ['Gemeinde', 'Staat', 'CH'],
      ['Ort', 'Staat', 'AT'],
      [undefined, undefined, 'CH'],
    ],
  );
});

test('a boundary that the extract cuts is counted, and the given country fills in', async (t) => {
  const town = square(1, 47, 9, 0.5);
  const { addresses, dropped } = await read(
    t,
    {
      nodes: [...town.nodes, { id: 9, lat: 47.1, lng: 9.1, tags: address('Weg', '1') }],
      ways: [{ id: 1, nodes: town.ring.slice(0, 3) }],
      relations: [
        {
          id: 1,
          members: [
            { type: 'way', id: 1, role: 'outer' },
            { type: 'way', id: 2, role: 'outer' },
          ],
          tags: { type: 'boundary', boundary: 'administrative', admin_level: '8', name: 'Gemeinde' },
        },
      ],
    },
    { country: 'LI' },
  );
  assert.deepEqual([addresses[0].city, addresses[0].country], [undefined, 'LI']);
  assert.deepEqual(dropped, { 'boundary cut off by the extract': 1 });
});

test('points of interest have one of the 11 categories, and their name where they have one', async (t) => {
  const at = { lat: 1, lng: 1 };
  const { pois } = await read(t, {
    nodes: [
      { id: 1, ...at, tags: { amenity: 'restaurant', name: 'Da Mario', cuisine: 'pizza;italian' } },
      { id: 2, ...at, tags: { amenity: 'fuel', brand: 'Aral' } },
      { id: 3, ...at, tags: { shop: 'vacant', name: 'Leer' } },
      { id: 4, ...at, tags: { amenity: 'bench', name: 'Bank am See' } },
      { id: 5, ...at, tags: { amenity: 'parking' } },
      { id: 6, ...at, tags: { highway: 'bus_stop', name: 'Post' } },
    ],
  });
  assert.deepEqual(
    pois.map(({ name, category, cuisine }) => [name, category, cuisine]),
    [
      ['Da Mario', 'restaurant', 'pizza;italian'],
      ['Aral', 'fuel', undefined],
      [undefined, 'parking', undefined],
      ['Post', 'transport', undefined],
    ],
  );
});
