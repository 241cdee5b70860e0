/** The town, state and country of a house that names none, from the boundaries, places and addresses of its map. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { TestMap, TestNode } from '../../support/osm-writer.ts';
import { address, read, square } from './small-map.ts';

type At = readonly [lat: number, lng: number];
type House = readonly [at: At, street?: string];
type Tags = Record<string, string>;

/** A map of evidence, and what its houses are in. */
function mapOf(t: TestContext, options = {}) {
  const map: Required<TestMap> = { nodes: [], ways: [], relations: [] };
  const node = ([lat, lng]: At, tags: Tags) => map.nodes.push({ id: map.nodes.length + 1, lat, lng, tags });
  const boundary = (level: number, name: string, [south, west]: At, size: number, tags: Tags = {}) => {
    const { nodes, ring } = square(map.nodes.length + 1, south, west, size);
    map.nodes.push(...(nodes as Required<TestNode>[]));
    const id = map.ways.push({ id: map.ways.length + 1, nodes: ring });
    const members = [{ type: 'way' as const, id, role: 'outer' }];
    const own = { type: 'boundary', boundary: 'administrative', admin_level: String(level), name, ...tags };
    map.relations.push({ id, members, tags: own });
  };
  const place = (kind: string, name: string, at: At) => node(at, { place: kind, name });
  /** Houses of a town, each in a street of its own unless one is named. */
  const houses = (count: number, city: string, [lat, lng]: At, street?: string) => {
    for (let at = 0; at < count; at++)
      node([lat + at * 1e-6, lng], address(street ?? `S${map.nodes.length}`, '1', { 'addr:city': city }));
  };
  /** The towns of houses at positions, which name no town; each in a street of its own unless one is named. */
  const settlements = async (...positions: House[]) => {
    const nodes = positions.map(([[lat, lng], street], index) => {
      return { id: 1_000_000 + index, lat, lng, tags: address(street ?? `Q${index}`, '1') };
    });
    const { addresses } = await read(t, { ...map, nodes: [...map.nodes, ...nodes] }, options);
    return nodes.map(({ id }) => {
      const { city, admin1, country } = addresses.find(({ sourceId }) => sourceId === `n${id}`)!;
      return { city, admin1, country };
    });
  };
  const cities = async (...positions: House[]) => (await settlements(...positions)).map(({ city }) => city);
  return { map, boundary, place, houses, settlements, cities };
}
/** Where nothing is near. */
const away: At = [-40, 0];

test('a municipality of level 8 goes before one of 7; a district counts only when it is named like a city', async (t) => {
  const { boundary, place, cities } = mapOf(t);
  boundary(6, 'Landkreis', [50, 8], 1);
  boundary(7, 'Verband', [50, 8], 0.5);
  boundary(8, 'Gemeinde', [50, 8], 0.1);
  boundary(6, 'Freie Stadt', [52, 8], 0.1);
  place('city', 'Freie Stadt', away);
  assert.deepEqual(await cities([[50.05, 8.05]], [[50.3, 8.3]], [[50.8, 8.8]], [[52.01, 8.01]]), [
    'Gemeinde',
    'Verband',
    undefined,
    'Freie Stadt',
  ]);
});

test('a city state is its own city; its code determines the country where no country is closed', async (t) => {
  const { boundary, place, settlements } = mapOf(t, { country: 'DE' });
  boundary(4, 'Wien', [48, 16], 0.5, { 'ISO3166-2': 'AT-9' });
  place('city', 'Wien', away);
  assert.deepEqual(await settlements([[48.4, 16.05]], [[10, 10]]), [
    { city: 'Wien', admin1: 'Wien', country: 'AT' },
    { city: undefined, admin1: undefined, country: 'DE' },
  ]);
});

test('without boundaries the place nearest in proportion to its reach provides the name, across the antimeridian too', async (t) => {
  const { place, cities } = mapOf(t);
  place('city', 'Stadt', [0, 179.95]);
  place('village', 'Dorf', [0, -179.99]);
  // The third is 7.8 km from the city of reach 12, 2.2 km from the village of reach 3.
  assert.deepEqual(await cities([[0, 179.96]], [[0, -179.995]], [[0, -179.98]], [[0, -179.97]], [[0, 179.5]]), [
    'Stadt',
    'Dorf',
    'Dorf',
    'Dorf',
    undefined,
  ]);
});

test('the vote of addresses needs three of a lead, and reaches the cells around when nothing else is known', async (t) => {
  const few = mapOf(t);
  const at: At = [47.005, 9.005];
  few.houses(4, 'A', at);
  few.houses(2, 'B', at);
  assert.deepEqual(await few.cities([at], [[47.015, 9.005]]), [undefined, undefined]);
  const enough = mapOf(t);
  enough.houses(5, 'A', at);
  enough.houses(2, 'B', at);
  assert.deepEqual(await enough.cities([at], [[47.015, 9.005]], [[47.035, 9.005]]), ['A', 'A', undefined]);
});

test('at a town’s edge the municipality decides, then the other houses of the street, then the neighbours', async (t) => {
  const inWest: At = [47.005, 9.0499];
  const inEast: At = [47.005, 9.0501];
  const edge = () => {
    const made = mapOf(t);
    made.houses(5, 'Westdorf', [47.005, 9.0495]);
    made.houses(90, 'East', inEast);
    made.houses(1, 'East', [47.005, 9.0502], 'Weg');
    made.houses(1, 'Westheim', [47.005, 9.045], 'Weg');
    // A town that one house alone names has to be a place.
    made.place('hamlet', 'Westheim', away);
    return made;
  };
  const { boundary, cities } = edge();
  boundary(8, 'West', [47, 9], 0.05);
  boundary(8, 'East', [47, 9.05], 0.05);
  // Most neighbours within some hundred metres are of the other town, and so is the nearest house of the street.
  assert.deepEqual(await cities([inWest], [inWest, 'Weg'], [inWest, 'Gasse'], [[47.04, 9.01]], [inEast, 'Weg']), [
    'Westdorf',
    'Westheim',
    'Westdorf',
    'West',
    'East',
  ]);
  // Without boundaries the street's nearest house goes before most neighbours.
  assert.deepEqual(await edge().cities([[47.005, 9.0451], 'Weg']), ['Westheim']);
});

test('what is known reaches over the borders of tiles, around the world too, with any memory', async (t) => {
  const { boundary, place, houses, settlements } = mapOf(t, { country: 'FJ' });
  boundary(8, 'Insel', [-17, 179.5], 1);
  boundary(8, 'Land', [46.6, 8.6], 0.8);
  place('city', 'Ort', [9.99, 179.99]);
  const corner: At = [29.995, 19.995];
  houses(5, 'A', corner);
  houses(2, 'B', corner);
  const positions: [At, string | undefined][] = [
    [[-16.5, 179.9], 'Insel'],
    [[-16.5, -179.9], 'Insel'],
    [[-16.5, -179.4], undefined],
    [[46.9, 8.9], 'Land'],
    [[47.1, 8.9], 'Land'],
    [[46.9, 9.1], 'Land'],
    [[47.1, 9.1], 'Land'],
    [[10.01, -179.99], 'Ort'],
    [[10.01, 179.99], 'Ort'],
    [corner, 'A'],
    [[30.005, 20.005], 'A'],
    [[30.025, 20.005], undefined],
  ];
  assert.deepEqual(
    await settlements(...positions.map(([at]): House => [at])),
    positions.map(([, city]) => ({ city, admin1: undefined, country: 'FJ' })),
  );
});

test('a city is trusted that three addresses name, or one when it is a place or a boundary', async (t) => {
  const { map, boundary, place, houses } = mapOf(t);
  boundary(8, 'Land', [10, 10], 9);
  boundary(8, 'Town', [0, 0], 1);
  place('hamlet', 'Hamlet', away);
  // Far from the street.
  houses(2, 'Often', [10.5, 18]);
  houses(1, 'Twice', [10.5, 18.5]);
  const names = ['Often', 'Twice', 'Hamlet', 'Town'];
  for (const [at, name] of names.entries()) {
    const lat = 11 + at;
    houses(1, name, [lat, 11], `Street of ${name}`);
    const ends = [1, 2].map((end) => 2_000_000 + 10 * at + end);
    map.nodes.push(...ends.map((id, index) => ({ id, lat, lng: 11 + index / 1000, tags: {} })));
    const tags = { highway: 'residential', name: `Street of ${name}` };
    map.ways.push({ id: 100 + at, nodes: ends, tags });
  }
  const { streets } = await read(t, map);
  assert.deepEqual(
    names.map((name) => streets.find((street) => street.name === `Street of ${name}`)?.city),
    ['Often', 'Land', 'Hamlet', 'Town'],
  );
});
