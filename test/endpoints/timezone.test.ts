import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { endpoints } from '../../src/endpoints/index.ts';
import type { Store } from '../../src/store/store.ts';
import { ask, refusal } from '../support/ask.ts';
import { smallWorld } from '../support/small-world.ts';

const { timezone } = endpoints;

describe('/timezone', () => {
  let store: Store;
  let close: () => Promise<void>;
  before(async () => {
    const zones = [
      { name: 'Europe/Berlin', box: [6, 47, 15, 55] },
      { name: 'Africa/Abidjan', box: [-10, -5, 5, 10] },
    ] as const;
    const place = {
      id: 1,
      name: 'Berlin',
      lat: 52.52,
      lng: 13.41,
      country: 'DE',
      population: 1,
      timezone: 'Europe/Berlin',
    };
    ({ store, close } = await smallWorld([place], zones));
  });
  after(() => close());

  it('answers for a position now', () => {
    assert.deepEqual(ask(timezone, store, { lat: '52.52', lng: '13.405' }), {
      timezone: 'Europe/Berlin',
      utc_offset: '+02:00',
      is_dst: true,
      local_time: '2026-07-01T14:00:00+02:00',
      abbreviation: 'CEST',
      next_transition: {
        at: '2026-10-25T01:00:00Z',
        local_time: '2026-10-25T02:00:00+01:00',
        utc_offset_before: '+02:00',
        utc_offset_after: '+01:00',
        is_dst_after: false,
      },
    });
  });

  it("answers exactly the specification's fields in the profiles a and b", () => {
    for (const profile of ['a', 'b'] as const) {
      assert.deepEqual(ask(timezone, store, { lat: '52.52', lng: '13.405' }, { profile }), {
        timezone: 'Europe/Berlin',
        utc_offset: '+02:00',
        is_dst: true,
        local_time: '2026-07-01T14:00:00+02:00',
      });
    }
  });

  it('answers for latitude 0 and longitude 0, for the open sea and for the edges of the map', () => {
    const zoneAt = (lat: string, lng: string) => ask(timezone, store, { lat, lng }).timezone;
    assert.equal(zoneAt('0', '0'), 'Africa/Abidjan');
    assert.equal(zoneAt('-30', '-150'), 'Etc/GMT+10');
    assert.equal(zoneAt('90', '0'), 'Etc/GMT');
    assert.match(String(zoneAt('-90', '180')), /^Etc\/GMT[+-]12$/);
    assert.match(String(zoneAt('10', '-180')), /^Etc\/GMT[+-]12$/);
  });

  it('answers for a zone by name, any case, aliases as they were named', () => {
    const answer = ask(timezone, store, { timezone: 'us/pacific', at: '2026-01-01T00:00:00Z' });
    assert.equal(answer.timezone, 'US/Pacific');
    assert.equal(answer.local_time, '2025-12-31T16:00:00-08:00');
    assert.equal(ask(timezone, store, { timezone: 'Asia/Calcutta' }).next_transition, null);
    assert.equal(ask(timezone, store, { timezone: 'Etc/GMT 5' }).timezone, 'Etc/GMT+5', 'a + that was not encoded');
  });

  it('answers for the requested moment', () => {
    const at = (moment: string) => ask(timezone, store, { timezone: 'Europe/Berlin', at: moment });
    assert.equal(at('2026-01-01T12:00:00Z').local_time, '2026-01-01T13:00:00+01:00');
    assert.equal(at('2026-01-01T12:00').local_time, '2026-01-01T12:00:00+01:00');
    assert.equal(at('1782907200').local_time, '2026-07-01T14:00:00+02:00');
    assert.equal(at('2026-10-25T00:59:59Z').is_dst, true);
    assert.equal(at('2026-10-25T01:00:00Z').is_dst, false);
  });

  it('is cacheable only for a given moment', () => {
    assert.equal(timezone.isCacheable({ lat: 1, lng: 2 }, 'default'), false);
    assert.equal(timezone.isCacheable({ lat: 1, lng: 2, at: '0' }, 'default'), true);
  });

  it('requires exactly one way of naming the zone', () => {
    assert.deepEqual(refusal(timezone, store, {}).parameters, ['lat', 'lng', 'timezone']);
    assert.equal(refusal(timezone, store, {}).code, 'missing_parameter');
    assert.deepEqual(refusal(timezone, store, { lat: '1' }).parameters, ['lng']);
    assert.deepEqual(refusal(timezone, store, { lng: '1' }).parameters, ['lat']);
    const both = refusal(timezone, store, { timezone: 'UTC', lat: '0', lng: '0' });
    assert.equal(both.code, 'invalid_parameter');
    assert.match(both.detail, /timezone and lat and lng are both present/);
  });

  it('refuses invalid zones, moments and positions', () => {
    for (const bad of ['Mars/Olympus', '+05:00', 'Europe/Berlin;--', '\u0000', '🕐']) {
      assert.deepEqual(refusal(timezone, store, { timezone: bad }).parameters, ['timezone'], bad);
    }
    for (const bad of ['yesterday', '2026-02-30', '2200-01-01T00:00Z', '1782907200000', '1e3']) {
      assert.deepEqual(refusal(timezone, store, { timezone: 'UTC', at: bad }).parameters, ['at'], bad);
    }
    assert.deepEqual(refusal(timezone, store, { lat: '90.0001', lng: '-180.5' }).parameters, ['lat', 'lng']);
  });
  const berlin = { timezone: 'Europe/Berlin' };
  /** The moment that a text names, as the local time in the answer has it: epoch seconds. */
  const readInstant = (at: string) => {
    const { local_time } = ask(timezone, store, { ...berlin, at });
    return Temporal.Instant.from(local_time as string).epochMilliseconds / 1000;
  };
  const refusedAs = (at: string) => {
    const { code, parameters, detail } = refusal(timezone, store, { ...berlin, at });
    assert.deepEqual([code, parameters], ['invalid_parameter', ['at']]);
    return detail;
  };

  it('reads offsets, epoch seconds and local times', () => {
    const cases: [text: string, instant: string][] = [
      ['2026-07-01T12:00:00Z', '2026-07-01T12:00:00Z'],
      ['2026-07-01t12:00z', '2026-07-01T12:00:00Z'],
      ['2026-07-01T12:00:00+05:30', '2026-07-01T06:30:00Z'],
      ['2026-07-01T12:00:00 05:30', '2026-07-01T06:30:00Z'],
      ['2026-07-01T12:00:00-0800', '2026-07-01T20:00:00Z'],
      ['2026-07-01 12:00:00.250Z', '2026-07-01T12:00:00.250Z'],
      ['1782907200', '2026-07-01T12:00:00Z'],
      ['-86400', '1969-12-31T00:00:00Z'],
      ['1900-01-01T00:00:00Z', '1900-01-01T00:00:00Z'],
      ['2100-12-31T23:59:59.999Z', '2100-12-31T23:59:59.999Z'],
      ['0', '1970-01-01T00:00:00Z'],
      ['2026-07-01T12:00', '2026-07-01T10:00:00Z'],
      ['2026-07-01 12:00:30', '2026-07-01T10:00:30Z'],
      ['2026-01-01', '2025-12-31T23:00:00Z'],
      ['2026-03-29T02:30', '2026-03-29T01:00:00Z'],
      ['2026-10-25T02:30', '2026-10-25T00:30:00Z'],
      // Basic forms, hours alone, days of a year and of a week, and the end of a day.
      ['20260701T120000.25Z', '2026-07-01T12:00:00.250Z'],
      ['20260701T1200', '2026-07-01T10:00:00Z'],
      ['20260701T12+0530', '2026-07-01T06:30:00Z'],
      ['2026-07-01T12', '2026-07-01T10:00:00Z'],
      ['2026-182T12:00Z', '2026-07-01T12:00:00Z'],
      ['2026182T1200Z', '2026-07-01T12:00:00Z'],
      ['2026-W27-3T12:00Z', '2026-07-01T12:00:00Z'],
      ['2026W273T12Z', '2026-07-01T12:00:00Z'],
      ['2026-W53-7T00:00Z', '2027-01-03T00:00:00Z'],
      ['2024-366T00:00Z', '2024-12-31T00:00:00Z'],
      ['2026-12-31T24:00:00Z', '2027-01-01T00:00:00Z'],
      // Fractions of hours and minutes, years of six digits, the minus sign, and a month or a week alone.
      ['2026-07-01T12,5Z', '2026-07-01T12:30:00Z'],
      ['2026-07-01T12:30.5Z', '2026-07-01T12:30:30Z'],
      ['20260701T1230,25', '2026-07-01T10:30:15Z'],
      ['+002026-07-01T12:00:00Z', '2026-07-01T12:00:00Z'],
      ['2026-07-01T12:00:00−02:00', '2026-07-01T14:00:00Z'],
      ['2026-07', '2026-06-30T22:00:00Z'],
      ['2026-W27', '2026-06-28T22:00:00Z'],
      // A leap second is the second after it.
      ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00Z'],
      ['2017-01-01T00:59:60', '2017-01-01T00:00:00Z'],
      ['20150630T235960.5Z', '2015-07-01T00:00:00Z'],
    ];
    for (const [text, instant] of cases) assert.equal(readInstant(text), Math.floor(Date.parse(instant) / 1000), text);
  });

  it('refuses what is not a moment, or not from 1900 to 2100', () => {
    const bad = [
      'now',
      '2026-02-30',
      '2026-13-01T00:00Z',
      '2026-07-01T25:00Z',
      '2026-07-01T12:00:00+25:00',
      '1899-12-31T23:59:59Z',
      '2101-01-01T00:00:00Z',
      '1782907200000',
      '1e9',
      '12:00',
      '+012026-07-01T12:00Z',
      '2026-366',
      '2026-000',
      '2026-W54-1',
      '2025-W53-1',
      '2026-W43-8',
      '2026-07-01T24:01',
      '2026-07-01T12:00:60Z',
      '2026-07-01T23:59:61Z',
      '2026-07-01T12.5:30Z',
      '2026-07T12:00Z',
      '2026-W27T12:00Z',
      '-002026-07-01',
      // Temporal reads this.
      '2026-07-01T12:00[Europe/Berlin]',
    ];
    for (const text of bad) {
      assert.match(refusedAs(text), /expected ISO 8601/);
    }
  });

  it('says of what is no moment what is expected, of others that they are out of range, and of milliseconds what they are', () => {
    for (const [text, beginning] of [
      ['now', 'expected ISO 8601'],
      ['1782907200000', 'which is out of range (epoch seconds, not milliseconds); expected'],
      ['-9999999999', 'which is out of range; expected'],
      ['2101-01-01T00:00:00Z', 'which is out of range; expected'],
    ] as const) {
      const detail = refusedAs(text);
      assert.ok(detail.startsWith(`at is ${JSON.stringify(text)}, ${beginning}`), detail);
    }
  });
});

describe('/timezone without a layer of zones', () => {
  it('answers by name and reports what is missing for positions', async () => {
    const place = {
      id: 1,
      name: 'Berlin',
      lat: 52.52,
      lng: 13.41,
      country: 'DE',
      population: 1,
      timezone: 'Europe/Berlin',
    };
    const { store, close } = await smallWorld([place]);
    assert.equal(ask(timezone, store, { timezone: 'Europe/Berlin' }).utc_offset, '+02:00');
    assert.equal(refusal(timezone, store, { lat: '1', lng: '2' }).code, 'dataset_missing');
    await close();
  });
});
