import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  firstInstant,
  formatLocal,
  formatOffset,
  lastInstant,
  type ZoneClock,
  zoneClock,
} from '../../src/core/zone-clock.ts';

const zones = Intl.supportedValuesOf('timeZone');

function clockOf(zone: string): ZoneClock {
  const clock = zoneClock(zone);
  assert.ok(clock, zone);
  return clock;
}

const time = (text: string) => Date.parse(text);

describe('zoneClock', () => {
  it('agrees with Temporal at any instant of 1900–2100 in every zone', () => {
    const instant = fc.integer({ min: firstInstant / 1000, max: Math.floor(lastInstant / 1000) });
    fc.assert(
      fc.property(fc.constantFrom(...zones), instant, (zone, seconds) => {
        const moment = Temporal.Instant.fromEpochMilliseconds(seconds * 1000).toZonedDateTimeISO(zone);
        const clock = clockOf(zone);
        const { offsetSeconds, nextChange } = clock.at(seconds * 1000);
        assert.equal(offsetSeconds, moment.offsetNanoseconds / 1e9);
        assert.equal(nextChange?.at, moment.getTimeZoneTransition('next')?.epochMilliseconds);
        const local = formatLocal(seconds * 1000, offsetSeconds);
        assert.equal(local.slice(0, 19), moment.toPlainDateTime().toString({ smallestUnit: 'second' }));
      }),
      { numRuns: 2000 },
    );
  });

  it('finds the instants of a local date as Temporal does', () => {
    const day = fc.integer({ min: 0, max: 73_000 });
    fc.assert(
      fc.property(fc.constantFrom(...zones), day, (zone, days) => {
        const date = new Date(firstInstant + days * 86_400_000).toISOString().slice(0, 10);
        const start = (text: string) =>
          Temporal.PlainDate.from(text).toZonedDateTime({ timeZone: zone }).epochMilliseconds;
        const next = Temporal.PlainDate.from(date).add({ days: 1 }).toString();
        assert.deepEqual(clockOf(zone).dayOf(date), { start: start(date), end: start(next) });
      }),
      { numRuns: 1000 },
    );
  });

  it('takes aliases and any case, and returns the usual spelling', () => {
    assert.equal(clockOf('europe/berlin').id, 'Europe/Berlin');
    assert.equal(clockOf('US/PACIFIC').id, 'US/Pacific');
    assert.equal(clockOf('Asia/Calcutta').id, 'Asia/Calcutta');
    assert.equal(clockOf('Asia/Kolkata').at(0).offsetSeconds, clockOf('Asia/Calcutta').at(0).offsetSeconds);
    assert.equal(clockOf('utc').id, 'UTC');
    // Laid out once.
    assert.equal(clockOf('europe/berlin'), clockOf('Europe/Berlin'));
  });

  it('rejects offsets, wrong names and anything else as a zone', () => {
    for (const id of [
      '+05:00',
      'Europe/Nowhere',
      '',
      ' ',
      'Europe',
      'Europe/Berlin\0',
      '../etc',
      'Z',
      'x'.repeat(1000),
    ]) {
      assert.equal(zoneClock(id), undefined, JSON.stringify(id));
    }
  });

  it('recognises summer time as people do', () => {
    const cases: [zone: string, instant: string, isDst: boolean, why: string][] = [
      ['Europe/Berlin', '2026-07-01', true, 'summer'],
      ['Europe/Berlin', '2026-12-01', false, 'winter'],
      ['Europe/Dublin', '2026-07-01', true, 'formally standard time, but clocks are forward'],
      ['Europe/Dublin', '2026-12-01', false, 'formally negative summer time'],
      ['America/New_York', '2026-03-08T06:59:59Z', false, 'the second before the change'],
      ['America/New_York', '2026-03-08T07:00:00Z', true, 'the change'],
      ['Australia/Sydney', '2026-01-01', true, 'southern summer'],
      ['Australia/Lord_Howe', '2026-01-01', true, 'half an hour only'],
      ['Antarctica/Troll', '2026-07-01', true, 'two hours, and no English name'],
      ['Africa/Casablanca', '2025-07-01', false, '+01 was standard time from 2018 on'],
      ['Africa/Casablanca', '2025-03-10', false, 'Ramadan: clocks go back, nobody calls it summer time'],
      ['Africa/Casablanca', '2015-08-01', true, 'summer time until 2018'],
      ['Asia/Kolkata', '2026-07-01', false, 'none'],
      ['Europe/Moscow', '2012-07-01', false, 'standard time raised for good'],
      ['Europe/Istanbul', '2016-08-01', true, 'the last summer time'],
      ['Europe/Istanbul', '2016-09-06T20:59:59.999Z', true, 'until midnight before 7 September'],
      ['Europe/Istanbul', '2016-09-06T21:00:00Z', false, 'kept as standard time'],
      ['Europe/Berlin', '2026-03-29T00:59:59.999Z', false, 'the last moment of winter'],
      ['Europe/Berlin', '2026-10-25T00:59:59.999Z', true, 'the last moment of summer'],
      ['America/Argentina/Buenos_Aires', '2026-01-01', false, 'none any more'],
      ['America/Los_Angeles', '1974-02-01', true, 'the energy crisis'],
      ['Asia/Pyongyang', '2019-07-01', false, 'an offset changed for good'],
      ['Etc/GMT+5', '2026-07-01', false, 'fixed'],
    ];
    for (const [zone, instant, isDst, why] of cases) {
      assert.equal(clockOf(zone).at(time(instant)).isDst, isDst, `${zone} ${instant}: ${why}`);
    }
  });

  it('ends a summer that never ended where the one before did, and names its time by a number from then on', () => {
    // Clocks in British Columbia and Alberta were not put back in 2026; their summers of 2025 had 238 days less an hour.
    const cases: [zone: string, instant: string, isDst: boolean, abbreviation: string][] = [
      ['America/Vancouver', '2026-03-08T09:59:59Z', false, 'PST'],
      ['America/Vancouver', '2026-03-08T10:00:00Z', true, 'PDT'],
      ['America/Vancouver', '2026-11-01T08:59:59.999Z', true, 'PDT'],
      ['America/Vancouver', '2026-11-01T09:00:00Z', false, '-07'],
      ['America/Vancouver', '2099-07-01', false, '-07'],
      ['America/Edmonton', '2026-11-01T07:59:59.999Z', true, 'MDT'],
      ['America/Edmonton', '2026-11-01T08:00:00Z', false, '-06'],
    ];
    for (const [zone, instant, isDst, abbreviation] of cases) {
      const clock = clockOf(zone);
      assert.equal(clock.at(time(instant)).isDst, isDst, `${zone} ${instant}`);
      assert.equal(clock.abbreviationAt(time(instant)), abbreviation, `${zone} ${instant}`);
    }
  });

  it('answers from 1900 to the last instant of 2100, and reads local times', () => {
    assert.equal(firstInstant, time('1900-01-01T00:00:00Z'));
    assert.equal(lastInstant, time('2100-12-31T23:59:59.999Z'));
    const berlin = clockOf('Europe/Berlin');
    assert.equal(berlin.at(lastInstant).nextChange?.at, time('2101-03-27T01:00:00Z'));
    assert.equal(berlin.abbreviationAt(lastInstant), 'CET');
    assert.equal(berlin.localAt(time('2026-07-01T12:00:00Z')), time('2026-07-01T14:00:00Z'));
    assert.equal(clockOf('Etc/UTC').at(lastInstant).nextChange, undefined);
  });

  it('abbreviates zones that Intl calls by a neighbour’s name as the tz database does', () => {
    const july = time('2026-07-01');
    for (const [zone, abbreviation] of [
      ['Africa/Casablanca', '+01'],
      ['Asia/Colombo', '+0530'],
      ['Europe/Minsk', '+03'],
    ] as const) {
      assert.equal(clockOf(zone).abbreviationAt(july), abbreviation, zone);
    }
  });

  it('abbreviates as the tz database does', () => {
    const cases: [zone: string, winter: string, summer: string][] = [
      ['Europe/Berlin', 'CET', 'CEST'],
      ['Europe/London', 'GMT', 'BST'],
      ['Europe/Jersey', 'GMT', 'BST'],
      ['Europe/Dublin', 'GMT', 'IST'],
      ['Europe/Lisbon', 'WET', 'WEST'],
      ['Europe/Athens', 'EET', 'EEST'],
      ['Europe/Moscow', 'MSK', 'MSK'],
      ['Europe/Istanbul', '+03', '+03'],
      ['America/New_York', 'EST', 'EDT'],
      ['America/Phoenix', 'MST', 'MST'],
      ['America/St_Johns', 'NST', 'NDT'],
      ['America/Sao_Paulo', '-03', '-03'],
      ['Pacific/Honolulu', 'HST', 'HST'],
      ['Asia/Kolkata', 'IST', 'IST'],
      ['Asia/Jerusalem', 'IST', 'IDT'],
      ['Asia/Tokyo', 'JST', 'JST'],
      ['Asia/Shanghai', 'CST', 'CST'],
      ['Asia/Kathmandu', '+0545', '+0545'],
      ['Australia/Sydney', 'AEDT', 'AEST'],
      ['Pacific/Auckland', 'NZDT', 'NZST'],
      ['Africa/Johannesburg', 'SAST', 'SAST'],
      ['Etc/GMT+5', '-05', '-05'],
      ['UTC', 'UTC', 'UTC'],
      ['Etc/GMT', 'GMT', 'GMT'],
      ['GMT', 'GMT', 'GMT'],
    ];
    for (const [zone, january, july] of cases) {
      const clock = clockOf(zone);
      assert.equal(clock.abbreviationAt(time('2025-01-15')), january, zone);
      assert.equal(clock.abbreviationAt(time('2025-07-15')), july, zone);
    }
  });

  it('abbreviates the same whatever was requested before', () => {
    const clock = clockOf('Europe/Vienna');
    assert.equal(clock.abbreviationAt(time('1950-01-15')), 'CET');
    assert.equal(clock.abbreviationAt(time('1975-01-15')), 'CET');
  });

  it('assigns a skipped day no length, and days of change 23 and 25 hours', () => {
    const hours = (zone: string, date: string) => {
      const { start, end } = clockOf(zone).dayOf(date);
      return (end - start) / 3_600_000;
    };
    assert.equal(hours('Pacific/Apia', '2011-12-30'), 0);
    assert.equal(hours('Pacific/Apia', '2011-12-31'), 24);
    assert.equal(hours('Europe/Berlin', '2026-03-29'), 23);
    assert.equal(hours('Europe/Berlin', '2026-10-25'), 25);
    assert.equal(hours('Australia/Lord_Howe', '2026-04-05'), 24.5);
    assert.equal(hours('America/Santiago', '2025-09-07'), 23);
  });
});

describe('formatOffset', () => {
  it('writes hours and minutes, and seconds only where there are some', () => {
    assert.equal(formatOffset(0), '+00:00');
    assert.equal(formatOffset(20_700), '+05:45');
    assert.equal(formatOffset(-12_600), '-03:30');
    assert.equal(formatOffset(-2670), '-00:44:30');
    assert.equal(formatLocal(time('1970-06-01T00:44:30Z'), -2670), '1970-06-01T00:00:00-00:44:30');
  });
});
