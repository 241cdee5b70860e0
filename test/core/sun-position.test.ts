import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { deltaTSeconds, siderealTime, sunPosition } from '../../src/core/sun.ts';

describe('sunPosition', () => {
  it('returns the position of a worked example (Meeus, example 25.b) to 0.005°', () => {
    // 1992-10-13, 0 h TT, 59 s later than UT.
    const { rightAscension, declination } = sunPosition(Date.UTC(1992, 9, 13) - 59_000);
    const degrees = 180 / Math.PI;
    assert.ok(Math.abs(((rightAscension * degrees + 360) % 360) - 198.378178) < 0.005);
    assert.ok(Math.abs(declination * degrees - -7.783871) < 0.005);
  });

  it('is within 0.0013° of the positions that ERFA computes for 71 days of two centuries, root mean square', () => {
    // Apparent places at 0 h UT from ERFA's epv00, ab, pnm06a and gst06a (pyerfa 2.0).
    const rows = readFileSync(new URL('sun-positions.csv', import.meta.url), 'utf8')
      .trim()
      .split('\n')
      .slice(1);
    const degrees = 180 / Math.PI;
    const turned = (angle: number) => angle - 360 * Math.round(angle / 360);
    const errors = rows.map((row) => {
      const [date, rightAscension, declination, sidereal] = row.split(',') as [string, string, string, string];
      const instant = Date.parse(date);
      const position = sunPosition(instant);
      return [
        turned(position.rightAscension * degrees - Number(rightAscension)) * Math.cos(position.declination),
        position.declination * degrees - Number(declination),
        turned(siderealTime(instant) * degrees - Number(sidereal)),
      ] as const;
    });
    const typical = (which: 0 | 1 | 2) => Math.hypot(...errors.map((error) => error[which])) / Math.sqrt(rows.length);
    assert.equal(rows.length, 71);
    assert.ok(typical(0) < 0.0013, `right ascension ${typical(0)}`);
    assert.ok(typical(1) < 0.00046, `declination ${typical(1)}`);
    assert.ok(typical(2) < 0.00008, `sidereal time ${typical(2)}`);
  });

  it('knows how far clocks are behind uniform time, as observed since 1900', () => {
    // TT − UT, seconds, from the Astronomical Almanac.
    const observed = [-2.7, 10.5, 21.2, 24.0, 24.3, 29.1, 33.1, 40.2, 50.5, 56.9, 63.8, 66.1, 69.4];
    for (const [decade, seconds] of observed.entries()) {
      const found = deltaTSeconds(Date.UTC(1900 + 10 * decade, 0, 1));
      // Between the years of the table a straight line.
      assert.ok(Math.abs(found - seconds) < (decade % 2 === 0 ? 0.55 : 1.9), `${1900 + 10 * decade}: ${found}`);
    }
    // Half way between 1900 and 1920.
    assert.ok(Math.abs(deltaTSeconds(Date.UTC(1910, 0, 1)) - 9) < 0.05);
    // What is assumed for the years to come.
    for (const [year, seconds] of [
      [2040, 72],
      [2060, 76],
      [2080, 82],
      [2100, 90],
    ] as const) {
      const found = deltaTSeconds(Date.UTC(year, 0, 1));
      assert.ok(Math.abs(found - seconds) < 0.05, `${year}: ${found}`);
    }
    assert.equal(deltaTSeconds(Date.UTC(1800, 0, 1)), -3);
    assert.ok(Math.abs(deltaTSeconds(Date.UTC(2300, 0, 1)) - 100) < 0.01);
  });
});
