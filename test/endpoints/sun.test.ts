import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { endpoints } from '../../src/endpoints/index.ts';
import type { Store } from '../../src/store/store.ts';
import { ask, refusal } from '../support/ask.ts';
import { type SmallPlace, smallWorld } from '../support/small-world.ts';

const { sun } = endpoints;

const places: SmallPlace[] = [
  { id: 1, name: 'Oslo', lat: 59.91273, lng: 10.74609, country: 'NO', population: 580_000, timezone: 'Europe/Oslo' },
  { id: 2, name: 'Paris', lat: 48.85341, lng: 2.3488, country: 'FR', population: 2_138_551, timezone: 'Europe/Paris' },
  {
    id: 3,
    name: 'Paris',
    lat: 33.66094,
    lng: -95.55551,
    country: 'US',
    population: 24_782,
    timezone: 'America/Chicago',
  },
  { id: 4, name: 'Kern', lat: 59.9, lng: 10.7, country: 'NO', population: 600, timezone: '' },
];

describe('/sun', () => {
  let store: Store;
  let close: () => Promise<void>;
  before(async () => {
    ({ store, close } = await smallWorld(places, [
      { name: 'Europe/Oslo', box: [4, 57, 35, 81] },
      { name: 'Pacific/Apia', box: [-173, -15, -171, -13] },
      { name: 'Pacific/Kiritimati', box: [-162, -12, -150, 5] },
    ]));
  });
  after(() => close());

  // All events of this day are within 2 s of what astronomy-engine 2.1.19 returns.
  it('answers the union of both variants by default', () => {
    assert.deepEqual(ask(sun, store, { lat: '59.91273', lng: '10.74609', date: '2026-03-20' }), {
      date: '2026-03-20',
      sunrise: '06:18:58',
      sunrise_12h: '06:18 AM',
      sunset: '18:31:21',
      sunset_12h: '06:31 PM',
      dawn: '05:37:35',
      dusk: '19:12:55',
      solar_noon: '12:24:28',
      day_length: '12h 12m',
      sun_status: 'normal',
      timezone: 'Europe/Oslo',
    });
  });

  it("answers Variant A's and Variant B's fields, and B's length with seconds", () => {
    const raw = { lat: '59.91273', lng: '10.74609', date: '2026-03-20' };
    assert.deepEqual(ask(sun, store, raw, { profile: 'a' }), {
      sunrise: '06:18:58',
      sunrise_12h: '06:18 AM',
      sunset: '18:31:21',
      sunset_12h: '06:31 PM',
      day_length: '12h 12m',
      timezone: 'Europe/Oslo',
    });
    assert.deepEqual(ask(sun, store, { ...raw, timezone: 'Asia/Tokyo', city: 'Paris' }, { profile: 'b' }), {
      date: '2026-03-20',
      sunrise: '06:18:58',
      sunset: '18:31:21',
      dawn: '05:37:35',
      dusk: '19:12:55',
      solar_noon: '12:24:28',
      day_length: '12:12:23',
    });
  });

  it('returns nulls and the whole day or none of it where the Sun does not cross the horizon', () => {
    const svalbard = { lat: '78.22', lng: '15.65' };
    const summer = ask(sun, store, { ...svalbard, date: '2026-06-21' });
    assert.deepEqual(
      [summer.sunrise, summer.sunset, summer.sunrise_12h, summer.sunset_12h, summer.dawn, summer.dusk],
      [null, null, null, null, null, null],
    );
    assert.equal(summer.sun_status, 'midnight_sun');
    assert.equal(summer.day_length, '24h 0m');
    assert.equal(ask(sun, store, { ...svalbard, date: '2026-06-21' }, { profile: 'b' }).day_length, '24:00:00');
    const winter = ask(sun, store, { ...svalbard, date: '2026-12-21' });
    assert.equal(winter.sun_status, 'polar_night');
    assert.equal(winter.day_length, '0h 0m');
    assert.equal(ask(sun, store, { ...svalbard, date: '2026-12-21' }, { profile: 'b' }).day_length, '00:00:00');
  });

  it('takes a city, the most prominent of its name or the one of a country', () => {
    assert.equal(ask(sun, store, { city: 'paris', date: '2026-03-20' }).timezone, 'Europe/Paris');
    assert.equal(ask(sun, store, { city: 'Paris', country: 'us', date: '2026-03-20' }).timezone, 'America/Chicago');
    assert.equal(ask(sun, store, { city: 'Kern', date: '2026-03-20' }).timezone, 'Europe/Oslo', 'a place without zone');
  });

  it('takes today at the place when no date is given', () => {
    const at = (lat: string, lng: string, now: string) => ask(sun, store, { lat, lng }, { now }).date;
    assert.equal(at('59.9', '10.7', '2026-06-30T22:30:00Z'), '2026-07-01');
    assert.equal(at('1.87', '-157.43', '2026-06-30T10:30:00Z'), '2026-07-01');
    assert.equal(at('0', '-140', '2026-07-01T08:30:00Z'), '2026-06-30');
  });

  it('returns times in another zone, of the same local date at the place', () => {
    const here = ask(sun, store, { city: 'Oslo', date: '2026-06-21' });
    const there = ask(sun, store, { city: 'Oslo', date: '2026-06-21', timezone: 'asia/tokyo' });
    assert.equal(here.sunrise, '03:53:45');
    assert.equal(there.sunrise, '10:53:45');
    assert.equal(there.timezone, 'Asia/Tokyo');
    assert.equal(there.date, '2026-06-21');
    assert.equal(there.day_length, here.day_length);
  });

  it('is cacheable only for a given date', () => {
    assert.equal(sun.isCacheable({ lat: 1, lng: 2 }, 'default'), false);
    assert.equal(sun.isCacheable({ lat: 1, lng: 2, date: '2026-01-01' }, 'default'), true);
  });

  it('requires exactly one complete location', () => {
    assert.equal(refusal(sun, store, {}).code, 'missing_parameter');
    assert.deepEqual(refusal(sun, store, {}).parameters, ['lat', 'lng', 'city']);
    assert.deepEqual(refusal(sun, store, { lat: '1' }).parameters, ['lng']);
    assert.equal(refusal(sun, store, { lat: '1', lng: '2', city: 'Oslo' }).code, 'invalid_parameter');
    assert.deepEqual(refusal(sun, store, { lng: '2', city: 'Oslo' }).parameters, ['city']);
    assert.deepEqual(refusal(sun, store, { lat: '1', lng: '2', country: 'NO' }).parameters, ['country']);
    assert.deepEqual(refusal(sun, store, { city: 'Oslo' }, { profile: 'b' }).parameters, ['lat', 'lng']);
  });

  it('returns place_not_found with a remedy for an unknown city', () => {
    for (const raw of [{ city: 'Atlantis' }, { city: 'Oslo', country: 'FR' }]) {
      const { code, detail } = refusal(sun, store, raw);
      assert.equal(code, 'place_not_found');
      assert.match(detail, /\/v1\/search/);
    }
  });

  it('refuses dates that are invalid, out of range, or skipped at the date line, and unknown zones', () => {
    const oslo = { lat: '59.9', lng: '10.7' };
    for (const date of ['2026-02-29', '20260321', 'today', '1899-12-31', '2101-01-01', '2026-3-1', '']) {
      assert.deepEqual(refusal(sun, store, { ...oslo, date }).parameters, ['date'], date);
    }
    assert.ok(ask(sun, store, { ...oslo, date: '1900-01-01' }).sunrise);
    assert.ok(ask(sun, store, { ...oslo, date: '2100-12-31' }).sunrise);
    const skipped = refusal(sun, store, { lat: '-13.83', lng: '-171.77', date: '2011-12-30' });
    assert.match(skipped.detail, /Pacific\/Apia skipped/);
    assert.deepEqual(refusal(sun, store, { ...oslo, timezone: 'Europe/Nowhere' }).parameters, ['timezone']);
  });
});
