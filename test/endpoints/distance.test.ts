import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { endpoints } from '../../src/endpoints/index.ts';
import type { Store } from '../../src/store/store.ts';
import { ask, refusal } from '../support/ask.ts';
import { smallWorld } from '../support/small-world.ts';

const { distance } = endpoints;

const places = [
  { id: 1, name: 'Paris', lat: 48.85341, lng: 2.3488, country: 'FR', population: 2_138_551, timezone: 'Europe/Paris' },
  {
    id: 2,
    name: 'Paris',
    lat: 33.66094,
    lng: -95.55551,
    country: 'US',
    population: 24_782,
    timezone: 'America/Chicago',
  },
  {
    id: 3,
    name: 'London',
    lat: 51.50853,
    lng: -0.12574,
    country: 'GB',
    population: 8_961_989,
    timezone: 'Europe/London',
  },
];

const coordinates = (from_lat: number, from_lng: number, to_lat: number, to_lng: number) => ({
  from_lat: String(from_lat),
  from_lng: String(from_lng),
  to_lat: String(to_lat),
  to_lng: String(to_lng),
});

describe('/distance', () => {
  let store: Store;
  let close: () => Promise<void>;
  before(async () => {
    ({ store, close } = await smallWorld(places));
  });
  after(() => close());

  it('answers between two cities with the union of both variants', () => {
    assert.deepEqual(ask(distance, store, { from_city: 'London', to_city: 'Paris' }), {
      from: { name: 'London', country: 'GB' },
      to: { name: 'Paris', country: 'FR' },
      distance_km: 343.771,
      distance_miles: 213.61,
      distance_mi: 213.61,
      bearing: 148.21,
      distance: 343.771,
      unit: 'km',
    });
  });

  it("answers Variant A's and Variant B's fields", () => {
    const raw = coordinates(51.50853, -0.12574, 48.85341, 2.3488);
    assert.deepEqual(ask(distance, store, raw, { profile: 'a' }), {
      from: { name: 'London', country: 'GB' },
      to: { name: 'Paris', country: 'FR' },
      distance_km: 343.771,
      distance_miles: 213.61,
    });
    assert.deepEqual(ask(distance, store, raw, { profile: 'b' }), {
      distance_km: 343.771,
      distance_mi: 213.61,
      bearing: 148.21,
    });
  });

  it('takes a city at one end and coordinates at the other, named by a place within 100 km or by none', () => {
    const near = ask(distance, store, { from_city: 'Paris', from_country: 'us', to_lat: '51.9', to_lng: '0.3' });
    assert.deepEqual(near.from, { name: 'Paris', country: 'US' });
    assert.deepEqual(near.to, { name: 'London', country: 'GB' });
    const far = ask(distance, store, { from_lat: '0', from_lng: '0', to_city: 'Paris' });
    assert.deepEqual(far.from, { name: null, country: null });
  });

  it('returns the distance in the requested unit', () => {
    const answer = ask(distance, store, { from_city: 'London', to_city: 'Paris', unit: 'Miles' });
    assert.equal(answer.unit, 'miles');
    assert.equal(answer.distance, answer.distance_miles);
    assert.deepEqual(refusal(distance, store, { from_city: 'London', to_city: 'Paris', unit: 'm' }).parameters, [
      'unit',
    ]);
  });

  it('answers for equal points, antipodes, poles and the antimeridian', () => {
    const cases: [from: [number, number], to: [number, number], km: number, bearing: number][] = [
      [[0, 0], [0, 0], 0, 0],
      [[0, 0], [0, 180], 20_015.114, 0],
      [[90, 0], [-90, 0], 20_015.114, 0],
      [[0, 0], [90, 0], 10_007.557, 0],
      [[0, 179.5], [0, -179.5], 111.195, 90],
      [[10, 180], [10, -180], 0, 0],
      [[0, 1], [0, 0], 111.195, 270],
    ];
    for (const [from, to, km, bearing] of cases) {
      const answer = ask(distance, store, coordinates(...from, ...to));
      assert.ok(Math.abs((answer.distance_km as number) - km) < 0.0005, `${from} ${to}: ${answer.distance_km}`);
      assert.equal(answer.bearing, bearing, `${from} ${to}`);
    }
  });

  it('never rounds a bearing up to 360', () => {
    assert.equal(ask(distance, store, coordinates(0, 0, 10, -0.0001)).bearing, 0);
  });

  it('names every end that is incomplete, or specified twice', () => {
    const nothing = refusal(distance, store, {});
    assert.equal(nothing.code, 'missing_parameter');
    assert.deepEqual(nothing.parameters, ['from_lat', 'from_lng', 'from_city', 'to_lat', 'to_lng', 'to_city']);
    assert.deepEqual(refusal(distance, store, { from_lat: '1', to_city: 'Paris' }).parameters, ['from_lng']);
    const twice = refusal(distance, store, { from_city: 'London', to_city: 'Paris', to_lat: '1' });
    assert.deepEqual([twice.code, ...twice.parameters], ['invalid_parameter', 'to_city']);
    const alone = refusal(distance, store, { ...coordinates(1, 2, 3, 4), from_country: 'FR' });
    assert.deepEqual(alone.parameters, ['from_country']);
    const cities = refusal(distance, store, { from_city: 'London', to_city: 'Paris' }, { profile: 'b' });
    assert.deepEqual(cities.parameters, ['from_lat', 'from_lng', 'to_lat', 'to_lng']);
  });

  it('answers place_not_found naming the end', () => {
    const { code, parameters, detail } = refusal(distance, store, { from_city: 'London', to_city: 'Atlantis' });
    assert.equal(code, 'place_not_found');
    assert.deepEqual(parameters, ['to_city']);
    assert.match(detail, /to_city is "Atlantis"/);
  });
});
