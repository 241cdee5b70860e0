import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { randomNumbers } from '../../bench/quality/samples.ts';
import { civilAltitude, riseAltitude, type SunDay, SunPath, sunDay } from '../../src/core/sun.ts';
import { zoneClock } from '../../src/core/zone-clock.ts';
import { sharedData } from '../support/dataset.ts';
import { compareWithReference, randomDay } from '../support/sun-reference.ts';

const dayMs = 86_400_000;
type Event = 'sunrise' | 'sunset' | 'dawn' | 'dusk' | 'solarNoon';

/** The references state whole minutes: 30 s of rounding, and 30 s that the contract allows. */
const toleranceS = 60;

const utcDay = (lat: number, lng: number, date: string): SunDay => {
  const start = Date.parse(`${date}T00:00:00Z`);
  return sunDay({ lat, lng }, start, start + dayMs);
};

/** Seconds between an event and a time of day in UTC, HH:MM; a day's turn apart counts as equal. */
function secondsApart(instant: number, clockTime: string): number {
  const [hours, minutes] = clockTime.split(':').map(Number);
  const apart = (instant - (hours! * 60 + minutes!) * 60_000) % dayMs;
  return Math.min(Math.abs(apart), dayMs - Math.abs(apart)) / 1000;
}

describe('sunDay', () => {
  it('counts rise and set at 50′ and civil twilight at 6° below the horizon', () => {
    assert.deepEqual([riseAltitude * 60, civilAltitude], [-50, -6]);
  });

  it("returns the Naval Observatory's sunrise and sunset on days in both hemispheres", () => {
    const published: [lat: number, lng: number, date: string, sunrise: string, sunset: string][] = [
      [61.216667, -149.866667, '2020-01-05', '19:11', '00:57'],
      [61.216667, -149.866667, '2020-06-15', '12:21', '07:40'],
      [-4.32758, 15.31357, '2026-03-20', '05:03', '17:09'],
      [50.45466, 30.5238, '2026-12-21', '05:56', '13:56'],
    ];
    for (const [lat, lng, date, sunrise, sunset] of published) {
      const day = utcDay(lat, lng, date);
      assert.ok(secondsApart(day.sunrise!, sunrise) <= toleranceS, `${date} ${new Date(day.sunrise!).toISOString()}`);
      assert.ok(secondsApart(day.sunset!, sunset) <= toleranceS, `${date} ${new Date(day.sunset!).toISOString()}`);
    }
  });

  it('is within 30 s of 144 days of rise and set by the Naval Observatory', (t) => {
    const file = sharedData('known-answers/usno-rise-set.csv');
    if (!file) return t.skip('needs ../shared/data/known-answers/usno-rise-set.csv');
    const rows = readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => /^\d/.test(line));
    assert.ok(rows.length >= 144);
    for (const row of rows) {
      const [time, lat, lng, type, sunrise, sunset] = row.split(',') as [
        string,
        string,
        string,
        string,
        string,
        string,
      ];
      const day = utcDay(Number(lat), Number(lng), time.slice(0, 10));
      assert.equal(type, 'NORMAL');
      assert.equal(day.status, 'normal');
      assert.ok(secondsApart(day.sunrise!, sunrise) <= toleranceS, row);
      assert.ok(secondsApart(day.sunset!, sunset) <= toleranceS, row);
    }
  });

  it('is within 30 s of 182 days of all events by the Naval Observatory, polar days and nights included', (t) => {
    const file = sharedData('known-answers/suncalc-fixtures.json');
    if (!file) return t.skip('needs ../shared/data/known-answers/suncalc-fixtures.json');
    const { locations, times } = JSON.parse(readFileSync(file, 'utf8')) as Fixtures;
    let compared = 0;
    for (const { name, lat, lng } of locations) {
      for (const [date, { sundata }] of Object.entries(times[name]!)) {
        const day = utcDay(lat, lng, date);
        for (const { phen, time } of sundata) {
          const status = statuses[phen];
          if (status) assert.equal(day.status, status, `${name} ${date}`);
          const event = events[phen];
          if (!event || time === null || isNearMidnight(time)) continue;
          // A day may have a second sunset; then the one given is the last.
          const all = sundata.filter((other) => other.phen === phen).map((other) => other.time!);
          const apart = Math.min(...all.map((one) => secondsApart(day[event] ?? Number.NaN, one)));
          assert.ok(apart <= toleranceS, `${name} ${date} ${phen} ${time}: ${apart} s`);
          compared++;
        }
      }
    }
    assert.ok(compared > 750, `${compared} compared`);
  });

  it('finds what a scan minute by minute finds, in any place', () => {
    const place = fc.record({
      lat: fc.oneof(
        fc.double({ min: -90, max: 90, noNaN: true }),
        // Where days without rise begin and end, and the Sun grazes the horizon.
        fc.double({ min: 65, max: 68, noNaN: true }),
        fc.double({ min: -90, max: -88, noNaN: true }),
      ),
      lng: fc.double({ min: -180, max: 180, noNaN: true }),
    });
    fc.assert(
      fc.property(place, fc.integer({ min: 0, max: 3650 }), (where, days) => {
        const start = Date.UTC(2020, 0, 1) + days * dayMs;
        const day = sunDay(where, start, start + dayMs);
        const path = new SunPath(where, start, start + dayMs);
        for (const [rise, set, level] of [
          [day.sunrise, day.sunset, riseAltitude],
          [day.dawn, day.dusk, civilAltitude],
        ] as const) {
          const scan = scanned(path, start, level);
          // Where the Sun is above for less than a minute, the scan may miss what sunDay finds.
          if (scan.nearest < 0.0005) continue;
          near(rise, scan.firstRise);
          near(set, scan.lastSet);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('agrees with a slower method to the second, on random days and in random places', () => {
    const random = randomNumbers(1);
    let grazed = 0;
    for (let count = 0; count < 1000; count++) {
      const { place, start, end } = randomDay(random);
      const { isGrazed, fault } = compareWithReference(place, start, end);
      if (isGrazed) grazed++;
      assert.equal(fault, undefined, JSON.stringify({ place, start, end }));
    }
    assert.ok(grazed < 20, `${grazed} days could not be compared`);
  });

  it('knows polar day and night, and the days at their edges', () => {
    assert.equal(utcDay(78.22, 15.65, '2026-06-21').status, 'midnight_sun');
    assert.equal(utcDay(78.22, 15.65, '2026-06-21').daylightMs, dayMs);
    assert.equal(utcDay(78.22, 15.65, '2026-12-21').status, 'polar_night');
    assert.equal(utcDay(78.22, 15.65, '2026-12-21').daylightMs, 0);
    assert.equal(utcDay(-90, 0, '2026-12-21').status, 'midnight_sun');
    // The one sunrise of the year at the north pole.
    assert.equal(utcDay(90, 0, '2026-03-18').status, 'normal');
    // A day that its zone skipped.
    const skipped = sunDay({ lat: 85, lng: 0 }, 0, 0);
    assert.deepEqual([skipped.sunrise, skipped.sunset, skipped.daylightMs], [undefined, undefined, 0]);
    assert.equal(utcDay(-90, 0, '2026-06-21').status, 'polar_night');
    const tromso = utcDay(69.6489, 18.95508, '2026-12-21');
    assert.equal(tromso.status, 'polar_night');
    assert.ok(tromso.dawn && tromso.dusk && tromso.dawn < tromso.dusk, 'there is twilight in the polar night');
    // At the north pole the Sun rises once a year, a few days before the equinox, and sets once.
    const rises: string[] = [];
    const sets: string[] = [];
    for (let day = 0; day < 365; day++) {
      const date = new Date(Date.UTC(2026, 0, 1) + day * dayMs).toISOString().slice(0, 10);
      const { sunrise, sunset } = utcDay(90, 0, date);
      if (sunrise) rises.push(date);
      if (sunset) sets.push(date);
    }
    assert.deepEqual([rises, sets], [['2026-03-18'], ['2026-09-25']]);
  });

  it('counts only events of the local date', () => {
    const day = (zone: string, date: string, lat: number, lng: number) => {
      const { start, end } = zoneClock(zone)!.dayOf(date);
      return { start, end, ...sunDay({ lat, lng }, start, end) };
    };
    // Reykjavik in June: the Sun sets just after midnight, so a date has a set before its rise.
    const reykjavik = day('Atlantic/Reykjavik', '2026-06-21', 64.13548, -21.89541);
    assert.ok(reykjavik.sunset! < reykjavik.sunrise!);
    assert.ok(Math.abs(reykjavik.daylightMs / 3_600_000 - 21.13) < 0.05);
    // Far west of its zone's meridian: the Sun culminates after 15:00.
    const urumqi = day('Asia/Shanghai', '2026-01-15', 39.47, 75.99);
    assert.equal(new Date(urumqi.solarNoon! + 8 * 3_600_000).toISOString().slice(11, 13), '15');
    for (const [zone, lat, lng] of [
      ['Pacific/Kiritimati', 1.87, -157.43],
      ['Pacific/Apia', -13.83, -171.77],
      ['Pacific/Niue', -19.06, -169.92],
      ['Asia/Anadyr', 64.73, 177.51],
    ] as const) {
      for (const date of ['2026-01-01', '2026-03-20', '2026-10-25', '2026-12-31']) {
        const { start, end, sunrise, sunset, solarNoon } = day(zone, date, lat, lng);
        for (const event of [sunrise, sunset, solarNoon]) assert.ok(event! >= start && event! < end, `${zone} ${date}`);
        assert.ok(sunrise! < solarNoon! && solarNoon! < sunset!);
      }
    }
  });

  it('measures the light of days of 23 and 25 hours by the Sun, not by the clock', () => {
    for (const date of ['2026-03-29', '2026-10-25']) {
      const { start, end } = zoneClock('Europe/Berlin')!.dayOf(date);
      const { sunrise, sunset, daylightMs } = sunDay({ lat: 52.52, lng: 13.405 }, start, end);
      assert.equal(daylightMs, sunset! - sunrise!);
    }
  });
});

type Fixtures = {
  locations: { name: string; lat: number; lng: number }[];
  times: Record<string, Record<string, { sundata: { phen: string; time: string | null }[] }>>;
};

const statuses: Record<string, SunDay['status']> = {
  'Object continuously above the Horizon': 'midnight_sun',
  'Object continuously below the Horizon': 'polar_night',
};

const events: Record<string, Event> = {
  Rise: 'sunrise',
  Set: 'sunset',
  'Upper Transit': 'solarNoon',
  'Begin Civil Twilight': 'dawn',
  'End Civil Twilight': 'dusk',
};

/** Rounded to the minute, such an event may belong to the day before or after. */
const isNearMidnight = (time: string) => time === '00:00' || time === '23:59';

function near(got: number | undefined, expected: number | undefined): void {
  if (expected === undefined) assert.equal(got, undefined);
  else assert.ok(Math.abs(got! - expected) <= 60_500, `${got} is not near ${expected}`);
}

const altitudeOf = (path: SunPath, instant: number) => (Math.asin(path.sine(instant)) * 180) / Math.PI;

/** First upward and last downward passing of a level, minute by minute, and how near the altitude comes to it, degrees. */
function scanned(path: SunPath, start: number, level: number) {
  let firstRise: number | undefined;
  let lastSet: number | undefined;
  let nearest = 90;
  let before = altitudeOf(path, start) - level;
  let slope = 0;
  for (let minute = 1; minute <= 1440; minute++) {
    const after = altitudeOf(path, start + minute * 60_000) - level;
    if (before < 0 && after >= 0) firstRise ??= start + minute * 60_000;
    if (before >= 0 && after < 0) lastSet = start + minute * 60_000;
    // Only a turn of the altitude can hide two passings between samples.
    if (Math.sign(after - before) !== slope) nearest = Math.min(nearest, Math.abs(before));
    slope = Math.sign(after - before);
    before = after;
  }
  return { firstRise, lastSet, nearest };
}
