import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openDataset } from '../src/api/open.ts';
import { zoneClock } from '../src/core/zone-clock.ts';
import { endpoints } from '../src/endpoints/index.ts';
import { ask } from '../test/support/ask.ts';
import { datasetMissing, defaultDataset } from '../test/support/dataset.ts';

const { distance, sun, timezone } = endpoints;

const directory = defaultDataset();

describe('time and distance on the default dataset', { skip: directory === undefined && datasetMissing }, () => {
  const store = openDataset(directory ?? '');

  it('names only zones that this Node knows', () => {
    const named = new Set<string>();
    for (let index = 0; index < store.places.size; index++) named.add(store.places.get(index).timezone);
    named.delete('');
    assert.ok(named.size > 300);
    assert.deepEqual(
      [...named].filter((zone) => !zoneClock(zone)),
      [],
    );
    for (let lat = -90; lat <= 90; lat += 1.5) {
      for (let lng = -180; lng <= 180; lng += 1.5) {
        const zone = store.zones!.at({ lat, lng });
        assert.ok(zoneClock(zone), `${zone} at ${lat}, ${lng}`);
      }
    }
  });

  it('takes a name to mean the city that it is the main name of, not a larger one that once bore it', () => {
    assert.equal(store.cities.resolve('San Miguel')?.country, 'SV');
    assert.equal(store.cities.resolve('Kemer')?.country, 'TR');
    // Its country's name too.
    assert.equal(store.cities.resolve('Macao', 'MO')?.name, 'Macau');
  });

  it('returns the same sun times for a city and for its coordinates', () => {
    for (const city of ['Berlin', 'Tokyo', 'Lima', 'Reykjavík', 'Honolulu', 'Apia', 'Kathmandu']) {
      const place = store.cities.resolve(city);
      assert.ok(place, city);
      const raw = { lat: String(place.lat), lng: String(place.lng), date: '2026-06-21' };
      assert.deepEqual(ask(sun, store, raw), ask(sun, store, { city, date: '2026-06-21' }), city);
      assert.equal(ask(timezone, store, { lat: raw.lat, lng: raw.lng }).timezone, place.timezone);
    }
  });

  it('returns known distances between cities', () => {
    // Great circles between the city centres, km, to 10 km.
    const known: [from: string, to: string, km: number][] = [
      ['London', 'Paris', 344],
      ['New York City', 'Los Angeles', 3936],
      ['Berlin', 'Sydney', 16_094],
      ['Tokyo', 'San Francisco', 8271],
    ];
    for (const [from_city, to_city, km] of known) {
      const answer = ask(distance, store, { from_city, to_city });
      assert.ok(Math.abs((answer.distance_km as number) - km) < 10, `${from_city}–${to_city}: ${answer.distance_km}`);
    }
  });
});
