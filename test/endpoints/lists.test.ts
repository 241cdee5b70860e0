/** What lists have in common: `offset` passes over results, `bbox` leaves out what lies outside of it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { endpoints } from '../../src/endpoints/index.ts';
import type { Store } from '../../src/store/store.ts';
import type { Endpoint } from '../support/ask.ts';
import { ask, refusal } from '../support/ask.ts';
import { openSmallStore } from '../support/small-store.ts';

const { address, admin, autocomplete, cities, countries, nearby, pois, postal, search, streets } = endpoints;

let store: Store;
let remove: () => void;
before(async () => ({ store, remove } = await openSmallStore()));
after(() => remove());

type Row = Record<string, unknown> & { lat: number; lng: number };
const rows = (endpoint: Endpoint, parameters: Record<string, unknown>) =>
  ask(endpoint, store, parameters).results as Row[];

/** Questions with several results in places far apart, each with the largest `limit`. */
const questions: [Endpoint, Record<string, unknown>][] = [
  [search, { q: 'Springfield', limit: 100 }],
  [autocomplete, { q: 'berlin t', limit: 20 }],
  [cities, { country: 'US', limit: 100 }],
  [nearby, { lat: 52.5, lng: 13.4, radius: 500, limit: 100 }],
  [streets, { q: 'Hauptstraße', limit: 50 }],
  [streets, { q: 'Hauptstraße', lat: 50, lng: 12, radius: 100, limit: 50 }],
  [address, { q: '1 Hauptstraße', limit: 50 }],
  [pois, { lat: 52.48, lng: 13.35, radius: 50, limit: 100 }],
];
const unplaced: [Endpoint, Record<string, unknown>][] = [
  [countries, { limit: 249 }],
  [admin, { country: 'US' }],
  [postal, { code: '10115', country: 'DE' }],
];

test('offset skips the first results of every list', () => {
  for (const [endpoint, parameters] of [...questions, ...unplaced]) {
    const all = rows(endpoint, parameters);
    for (const offset of [1, 2, 1000]) {
      assert.deepEqual(rows(endpoint, { ...parameters, offset }), all.slice(offset), `${endpoint.path} ${offset}`);
    }
    const { limit: _, ...unlimited } = parameters;
    if ('limit' in parameters) {
      assert.deepEqual(rows(endpoint, { ...unlimited, limit: 1, offset: 1 }), all.slice(1, 2), endpoint.path);
    }
    assert.deepEqual(refusal(endpoint, store, { ...parameters, offset: 1001 }).parameters, ['offset']);
    assert.deepEqual(refusal(endpoint, store, { ...parameters, offset: -1 }).parameters, ['offset']);
  }
});

/** West, south, east, north; the last three cross the antimeridian. */
const boxes = [
  [13, 52, 14, 53],
  [-98, 30, -88, 40],
  [5, 45, 15, 50],
  [-180, -90, 180, 90],
  [100, -90, 12, 90],
  [170, 30, -89, 50],
  [150, 40, 13.355, 60],
] as const;

test('bbox leaves out what lies outside of it, in the order that the list has without it', () => {
  let left = 0;
  for (const [endpoint, parameters] of questions) {
    const all = rows(endpoint, parameters);
    for (const box of boxes) {
      const [west, south, east, north] = box;
      const isInside = ({ lat, lng }: Row) =>
        lat >= south && lat <= north && (west <= east ? lng >= west && lng <= east : lng >= west || lng <= east);
      const inside = all.filter(isInside);
      const found = rows(endpoint, { ...parameters, bbox: box.join(',') });
      assert.ok(found.every(isInside), `${endpoint.path} ${box}`);
      assert.deepEqual(
        found.slice(0, inside.length).map(({ id }) => id),
        inside.map(({ id }) => id),
        `${endpoint.path} ${box}`,
      );
      if (inside.length < all.length) left++;
    }
    assert.deepEqual(refusal(endpoint, store, { ...parameters, bbox: '1,2,3' }).parameters, ['bbox'], endpoint.path);
    assert.deepEqual(
      refusal(endpoint, store, { ...parameters, bbox: '0,10,10,0' }).parameters,
      ['bbox'],
      endpoint.path,
    );
  }
  assert.ok(left > 20, String(left));
});

test('variants a and b know neither', () => {
  for (const [endpoint] of [...questions, ...unplaced]) {
    for (const profile of ['a', 'b'] as const) {
      const names = Object.keys(endpoint.parameters[profile].properties);
      assert.deepEqual(
        names.filter((name) => name === 'offset' || name === 'bbox'),
        [],
        endpoint.path,
      );
    }
  }
});
