import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import type { Zones } from '../../src/store/store.ts';
import { smallWorld } from '../support/small-world.ts';

/** The zones of a world whose only area is far away. */
let zones: Zones;
before(async (t) => {
  const place = { id: 1, name: 'Base', lat: -80, lng: 0, country: 'AQ', population: 1, timezone: '' };
  const world = await smallWorld([place], [{ name: 'Antarctica/Troll', box: [-1, -81, 1, -79] }]);
  (t as TestContext).after(world.close);
  zones = world.store.zones!;
});
const nauticalZoneAt = (lng: number) => zones.at({ lat: 0, lng });

test('a nautical zone spans 7.5 degrees on both sides of its meridian', () => {
  for (const [lng, zone] of [
    [0, 'Etc/GMT'],
    [7.49, 'Etc/GMT'],
    [7.5, 'Etc/GMT-1'],
    [7.51, 'Etc/GMT-1'],
    [-7.5, 'Etc/GMT'],
    [-7.51, 'Etc/GMT+1'],
    [-75, 'Etc/GMT+5'],
    [172.6, 'Etc/GMT-12'],
    [-172.6, 'Etc/GMT+12'],
    [180, 'Etc/GMT+12'],
    [-180, 'Etc/GMT+12'],
  ] as const) {
    assert.equal(nauticalZoneAt(lng), zone, String(lng));
  }
});

test('the clock of a nautical zone is that of its meridian, as the runtime knows it', () => {
  const instant = Temporal.Instant.from('2026-01-01T00:00Z');
  for (let hours = -12; hours <= 12; hours++) {
    const zone = nauticalZoneAt(Math.max(-179, Math.min(179, hours * 15)));
    assert.equal(instant.toZonedDateTimeISO(zone).offsetNanoseconds, hours * 3_600_000_000_000, zone);
  }
});
