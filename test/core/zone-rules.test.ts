/** The rules of zones that a dataset carries: changes, abbreviations, the years behind the data, and what they overrule. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ruledClock, zoneClock, zoneRules } from '../../src/core/zone-clock.ts';

const second = 1000;
const at = (text: string) => Date.parse(text);

/** In the form of moment-timezone: Berlin as it is to 2037, Winnipeg as tz 2026f has it, a zone that nobody knows yet. */
const digits = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWX';
function base60(value: number): string {
  const rest = Math.floor(value / 60);
  return (rest > 0 ? base60(rest) : '') + digits[value % 60];
}
const packedChanges = (instants: readonly string[]) =>
  instants
    .map((instant, index) => (at(instant) - (index === 0 ? 0 : at(instants[index - 1]))) / 60_000)
    .map((minutes) => (minutes < 0 ? `-${base60(-minutes)}` : base60(minutes)))
    .join(' ');
/** The last Sunday of a month, 01:00 UTC. */
const lastSunday = (year: number, month: number) => {
  const end = new Date(Date.UTC(year, month, 0));
  return new Date(end.getTime() - end.getUTCDay() * 86_400_000 + 3_600_000).toISOString();
};
const years = Array.from({ length: 2037 - 1996 + 1 }, (_, index) => 1996 + index);
const summers = years.flatMap((year) => [lastSunday(year, 3), lastSunday(year, 10)]);
const rules = zoneRules({
  version: '2099z',
  zones: [
    `Europe/Berlin|CET CEST|-10 -20|0${'10'.repeat(years.length)}|${packedChanges(summers)}|1`,
    `America/Winnipeg|CST CDT EST|60 50 50|012|${packedChanges(['2026-03-08T08:00:00Z', '2026-11-01T07:00:00Z'])}|1`,
    'Mars/Olympus|+0130|-1u|0||1',
  ],
  links: ['Europe/Berlin|Europe/Oslo'],
});
const clock = (id: string) => ruledClock(id, rules)!;

test('a zone changes as the rules say, and by the same rule in the years behind the data', () => {
  const berlin = clock('Europe/Berlin');
  const runtime = zoneClock('Europe/Berlin')!;
  for (let year = 1997; year <= 2100; year++) {
    for (const change of [lastSunday(year, 3), lastSunday(year, 10)].map(at)) {
      for (const instant of [change - second, change]) {
        assert.deepEqual(berlin.at(instant), runtime.at(instant), new Date(instant).toISOString());
        assert.equal(berlin.abbreviationAt(instant), runtime.abbreviationAt(instant));
      }
    }
  }
  assert.equal(berlin.offsetSecondsAt(at('1940-08-01T00:00:00Z')), 7200, 'before 1970 the runtime knows more');
});

test('what the rules have otherwise than the runtime is theirs: Winnipeg keeps its summer as standard time', () => {
  const winnipeg = clock('America/Winnipeg');
  const july = at('2027-07-01T12:00:00Z');
  assert.deepEqual(winnipeg.at(july), { offsetSeconds: -18_000, isDst: false, nextChange: undefined });
  assert.equal(winnipeg.abbreviationAt(july), 'EST');
  assert.equal(winnipeg.at(at('2026-07-01T12:00:00Z')).isDst, true);
  assert.equal(winnipeg.abbreviationAt(at('2026-07-01T12:00:00Z')), 'CDT');
});

test('links and names in any case are found, a zone that the runtime does not know too, and what is none is none', () => {
  assert.equal(clock('europe/oslo').id, 'Europe/Oslo');
  assert.equal(clock('europe/oslo').offsetSecondsAt(at('2030-07-01T00:00:00Z')), 7200);
  assert.equal(clock('mars/olympus').id, 'Mars/Olympus');
  assert.equal(clock('mars/olympus').offsetSecondsAt(0), 5400);
  assert.equal(clock('Asia/Tokyo').offsetSecondsAt(0), 32_400, 'the runtime’s, where the rules lack a zone');
  assert.equal(ruledClock('Mars/Nowhere', rules), undefined);
});
