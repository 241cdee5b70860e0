import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { readOsm } from '../../../src/sources/osm/read-osm.ts';
import { pbfFile, type TestMap, type TestNode } from '../../support/osm-writer.ts';
import { collect } from '../../support/street-batches.ts';
import { temporaryDirectory, temporaryFile } from '../../support/temporary.ts';

/** What a map yields, which must be the same with hardly any memory. */
async function read(t: TestContext, map: TestMap, options = {}) {
  const path = temporaryFile(t, 'x.osm.pbf', pbfFile(map));
  const records = await collect((more) => readOsm(path, more), { ...options, memoryMb: 1e-4 });
  assert.deepEqual(await collect((more) => readOsm(path, more), options), records);
  return records;
}

/** Four corners and the way around them. */
function square(firstId: number, south: number, west: number, size: number): { nodes: TestNode[]; ring: number[] } {
  const corners = [
    [0, 0],
    [0, 1],
    [1, 1],
    [1, 0],
  ];
  const wrap = (lng: number) => (lng > 180 ? lng - 360 : lng);
  const nodes = corners.map(([y, x], index) => ({
    id: firstId + index,
    lat: south + y * size,
    lng: wrap(west + x * size),
  }));
  return { nodes, ring: [...nodes.map(({ id }) => id), firstId] };
}

const address = (street: string, houseNumber: string, more = {}) => ({
  'addr:street': street,
  'addr:housenumber': houseNumber,
  ...more,
});

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
    addresses.slice(5).map(({ city }) => city),
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

test('ways keep the nodes that an extract has, and those without any are counted', async (t) => {
  const { streets, dropped } = await read(t, {
    nodes: [
      { id: 1, lat: 1, lng: 1 },
      { id: 2, lat: 1, lng: 2 },
    ],
    ways: [
      { id: 1, nodes: [1, 99, 2], tags: { highway: 'road', name: 'A' } },
      { id: 2, nodes: [98, 99], tags: { highway: 'road', name: 'B' } },
    ],
  });
  assert.deepEqual(
    streets.map(({ name, lines }) => [name, [...lines[0]]]),
    [['A', [1, 1, 2, 1]]],
  );
  assert.deepEqual(dropped, { 'way without any located node': 1 });
});

test('with little memory everything goes through temporary files, which are gone afterwards', async (t) => {
  const nodes: TestNode[] = [];
  for (let id = 1; id <= 30_000; id++)
    nodes.push({ id, lat: 47 + id * 1e-6, lng: 9, tags: id % 3 ? undefined : address(`Weg ${id % 700}`, `${id}`) });
  const ways = Array.from({ length: 15_000 }, (_, id) => ({
    id: id + 1,
    nodes: [((id * 7919) % 30_000) + 1, ((id * 104_729) % 30_000) + 1],
    tags: { highway: 'path', name: `Weg ${id % 700}` },
  }));
  const path = temporaryFile(t, 'x.osm.pbf', pbfFile({ nodes, ways }));
  const plenty = await collect((more) => readOsm(path, more), {});
  const temporary = temporaryDirectory(t);
  const shares: number[] = [];
  const steps = new Set<string>();
  let seen: string[] = [];
  const little = await collect((more) => readOsm(path, more), {
    memoryMb: 0.5,
    temporaryDirectory: temporary,
    progress(share: number, step: string) {
      shares.push(share);
      steps.add(step);
      seen = seen.concat(readdirSync(temporary, { recursive: true }) as string[]);
    },
  });
  assert.deepEqual(
    [...steps],
    ['reading relations', 'finding the nodes of ways', 'reading nodes and ways', 'making records'],
  );
  for (const name of ['node-locations', 'features', 'streets'])
    assert.ok(
      seen.some((path) => path.endsWith(name)),
      name,
    );
  assert.deepEqual(readdirSync(temporary), []);
  const byName = (streets: { name: string }[]) => [...streets].sort((a, b) => a.name.localeCompare(b.name));
  assert.deepEqual({ ...little, streets: byName(little.streets) }, { ...plenty, streets: byName(plenty.streets) });
  assert.deepEqual(
    shares,
    [...shares].sort((a, b) => a - b),
  );
  assert.equal(shares.at(-1), 1);
});

test('temporary files are removed when reading is abandoned half-way', async (t) => {
  const temporary = temporaryDirectory(t);
  const path = temporaryFile(
    t,
    'x.osm.pbf',
    pbfFile({ nodes: [{ id: 1, lat: 1, lng: 1, tags: address('Weg', '1') }] }),
  );
  for await (const _ of readOsm(path, { temporaryDirectory: temporary })) break;
  assert.deepEqual(readdirSync(temporary), []);
});
