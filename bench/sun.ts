/**
 * How accurate and how fast sun times and zone clocks are: `node bench/sun.ts [random days]`. The reference is the US
 * Naval Observatory's (../shared/data/known-answers), whose times are whole minutes: 30 s of every difference may be
 * rounding. On random days and places (200,000) the times are compared with those of a slower way, see
 * test/support/sun-reference.ts.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sunDay } from '../src/core/sun.ts';
import { zoneClock } from '../src/core/zone-clock.ts';
import { compareWithReference, randomDay } from '../test/support/sun-reference.ts';
import { randomNumbers } from './quality/samples.ts';

type Row = { date: string; lat: number; lng: number; events: { event: Event; seconds: number }[] };
type Event = keyof typeof kinds;
const kinds = { sunrise: 'rise/set', sunset: 'rise/set', dawn: 'civil', dusk: 'civil', solarNoon: 'noon' } as const;
const phenomena: Record<string, Event> = {
  Rise: 'sunrise',
  Set: 'sunset',
  'Begin Civil Twilight': 'dawn',
  'End Civil Twilight': 'dusk',
  'Upper Transit': 'solarNoon',
};

const dayMs = 86_400_000;
const known = join(import.meta.dirname, '../../shared/data/known-answers');

const secondsOf = (time: string) => Number(time.slice(0, 2)) * 3600 + Number(time.slice(3)) * 60;
const bandOf = (lat: number) => [40, 55, 65, 90].find((edge) => Math.abs(lat) <= edge)!;

function readRows(): Row[] {
  const rows: Row[] = [];
  for (const line of readFileSync(join(known, 'usno-rise-set.csv'), 'utf8').split('\n')) {
    if (!/^\d/.test(line)) continue;
    const [time, lat, lng, , sunrise, sunset] = line.split(',') as [string, string, string, string, string, string];
    rows.push({
      date: time.slice(0, 10),
      lat: Number(lat),
      lng: Number(lng),
      events: [
        { event: 'sunrise', seconds: secondsOf(sunrise) },
        { event: 'sunset', seconds: secondsOf(sunset) },
      ],
    });
  }
  const { locations, times } = JSON.parse(readFileSync(join(known, 'suncalc-fixtures.json'), 'utf8')) as {
    locations: { name: string; lat: number; lng: number }[];
    times: Record<string, Record<string, { sundata: { phen: string; time: string | null }[] }>>;
  };
  for (const { name, lat, lng } of locations) {
    for (const [date, { sundata }] of Object.entries(times[name]!)) {
      const events = sundata.flatMap(({ phen, time }) => {
        const event = phenomena[phen];
        return event && time !== null ? [{ event, seconds: secondsOf(time) }] : [];
      });
      rows.push({ date, lat, lng, events });
    }
  }
  return rows;
}

function measureAccuracy(): void {
  const differences = new Map<string, number[]>();
  let missing = 0;
  for (const { date, lat, lng, events } of readRows()) {
    const start = Date.parse(`${date}T00:00:00Z`);
    const days = [-1, 0, 1].map((shift) => sunDay({ lat, lng }, start + shift * dayMs, start + (shift + 1) * dayMs));
    for (const { event, seconds } of events) {
      // The reference's minute may be rounded into the next day, so the days around count as well.
      const instants = days.flatMap((day) => day[event] ?? []);
      const difference = Math.min(...instants.map((instant) => Math.abs((instant - start) / 1000 - seconds)));
      if (difference > 1800) {
        missing++;
        continue;
      }
      const key = `${String(bandOf(lat))}° ${kinds[event]}`;
      differences.set(key, [...(differences.get(key) ?? []), difference]);
    }
  }
  console.log('difference from the US Naval Observatory in s, its rounding of up to 30 s included');
  for (const [key, all] of [...differences].sort()) {
    const mean = all.reduce((sum, one) => sum + one, 0) / all.length;
    console.log(
      `  up to ${key.padEnd(13)} ${String(all.length).padStart(4)} events  max ${Math.max(...all)}  mean ${mean.toFixed(1)}`,
    );
  }
  console.log(`  events not found: ${missing}`);
}

function compareRandomDays(count: number): void {
  const random = randomNumbers(1);
  let grazed = 0;
  let faults = 0;
  let worstS = 0;
  for (let day = 0; day < count; day++) {
    const { place, start, end } = randomDay(random);
    const compared = compareWithReference(place, start, end);
    if (compared.isGrazed) grazed++;
    worstS = Math.max(worstS, compared.worstS);
    if (compared.fault === undefined) continue;
    if (++faults <= 10) console.log(`  ${JSON.stringify({ place, start, end })}: ${compared.fault}`);
  }
  console.log(
    `${count} random days of 23 to 25 h in 1901-2098: ${faults} differ from the slower way; largest difference ` +
      `${worstS.toFixed(3)} s, 0.5 s of it rounding; left out ${grazed} on which the Sun grazes a level`,
  );
}

function time(what: string, runs: number, run: (index: number) => unknown): void {
  for (let index = 0; index < runs / 10; index++) run(index);
  const start = performance.now();
  for (let index = 0; index < runs; index++) run(index);
  console.log(`  ${what.padEnd(40)} ${(((performance.now() - start) * 1000) / runs).toFixed(2)} µs`);
}

if (existsSync(known)) measureAccuracy();
else console.log('accuracy: needs ../shared/data/known-answers');
compareRandomDays(Number(process.argv[2] ?? 200_000));

const start = Date.UTC(2026, 0, 1);
const berlin = zoneClock('Europe/Berlin')!;
const zones = Intl.supportedValuesOf('timeZone');
console.log('time of one call');
time('sun times of a day', 100_000, (index) => {
  const day = start + (index % 365) * dayMs;
  return sunDay({ lat: (index % 130) - 65, lng: index % 180 }, day, day + dayMs);
});
time('zone by name', 1_000_000, (index) => zoneClock(zones[index % zones.length]!));
time('clock reading, any instant of 2026-2045', 1_000_000, (index) => berlin.at(start + (index % 20_000) * 31_557_600));
time('for comparison: new Intl.DateTimeFormat', 500, (index) => {
  return new Intl.DateTimeFormat('en', { timeZone: zones[index % zones.length]!, timeZoneName: 'long' });
});
