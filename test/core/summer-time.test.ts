/** Summer time where no zone of today has the case: periods and tables of clocks that are made up. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type OffsetPeriod, summerPart, type ZoneClock, zoneClockOf } from '../../src/core/zone-clock.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const time = (text: string) => Date.parse(text);

/** In a zone for whose time English has no name, so that only offsets are left to go by. */
const nameless = 'Etc/GMT-1';

describe('summerPart by offsets', () => {
  const start = time('2026-01-01T00:00:00Z');
  const days = (count: number): OffsetPeriod => ({
    start,
    end: start + count * dayMs,
    offset: 7200,
    offsetBefore: 3600,
    offsetAfter: 3600,
    summerBefore: 0,
  });
  const isAllSummer = (period: OffsetPeriod) => {
    const { from, until } = summerPart(nameless, period);
    assert.ok((from === period.start && until === period.end) || from === until, 'all of it or nothing');
    return from < until;
  };

  it('is a raised offset for 300 days at most', () => {
    assert.equal(isAllSummer(days(300)), true);
    assert.equal(isAllSummer({ ...days(300), end: days(300).end + 1 }), false);
  });

  it('is raised above both its neighbours, which must be known', () => {
    for (const [offsetBefore, offsetAfter, isSummer] of [
      [3600, 3600, true],
      [0, 3600, true],
      [7200, 3600, false],
      [3600, 7200, false],
      [3600, 10_800, false],
      [10_800, 3600, false],
      [undefined, 3600, false],
      [3600, undefined, false],
    ] as const) {
      const found = isAllSummer({ ...days(200), offsetBefore, offsetAfter });
      assert.equal(found, isSummer, `${offsetBefore}, 7200, ${offsetAfter}`);
    }
  });
});

describe('summerPart by names', () => {
  // Istanbul kept the clocks of its last summer; from then on their time has no name.
  const change = time('2016-09-06T21:00:00Z');
  const period = { offset: 10_800, offsetBefore: 7200, offsetAfter: 7200, summerBefore: 0 };

  it('ends at the moment of the change, however near the period ends after it', () => {
    const start = time('2016-03-27T01:00:00Z');
    const year = 365 * dayMs;
    for (const end of [change + 1, change + 2, change + 3, change + year]) {
      const raisedBefore = { ...period, start, end, offsetBefore: 10_800 };
      assert.deepEqual(summerPart('Europe/Istanbul', raisedBefore), { from: start, until: change }, `${end - change}`);
    }
  });

  it('ends there however near the period starts before it', () => {
    for (const before of [1, 2, 3]) {
      for (const after of [1, 2, 3]) {
        const start = change - before;
        const short = { ...period, start, end: change + after, offsetBefore: 10_800 };
        assert.deepEqual(summerPart('Europe/Istanbul', short), { from: start, until: change }, `${before}, ${after}`);
      }
    }
  });
});

/** A clock of an identifier with a table of its own: when each period starts, and its offset in hours. */
function madeUp(zone: string, table: readonly (readonly [start: string, hours: number])[]): ZoneClock {
  const starts = [-Infinity, ...table.slice(1).map(([start]) => time(start))];
  return zoneClockOf(
    zone,
    Float64Array.from(starts),
    Int32Array.from(table, ([, hours]) => hours * 3600),
  );
}

describe('a clock with a table of its own', () => {
  it('ends a summer that never ended after as many days as the same season before had', () => {
    const winters = [
      ['', -8],
      ['2024-03-10T10:00:00Z', -7],
      ['2024-11-03T09:00:00Z', -8],
      ['2026-03-08T10:00:00Z', -7],
    ] as const;
    const clock = madeUp('America/Vancouver', winters);
    // The summer of 2024 had 238 days less an hour.
    const end = time('2026-03-08T10:00:00Z') + 238 * dayMs - hourMs;
    assert.equal(clock.at(end - 1).isDst, true);
    assert.equal(clock.at(end).isDst, false);
  });

  it('has no summer that never ends where none was before', () => {
    const clock = madeUp('America/Vancouver', [
      ['', -7],
      ['2024-11-03T09:00:00Z', -8],
      ['2026-03-08T10:00:00Z', -7],
    ]);
    for (const instant of ['2026-03-08T10:00:00Z', '2026-07-01', '2099-07-01'])
      assert.equal(clock.at(time(instant)).isDst, false, instant);
  });

  it('compares an offset with the one before it and the one after it', () => {
    const steps = madeUp(nameless, [
      ['', 3],
      ['2026-04-01T00:00:00Z', 2],
      ['2026-10-01T00:00:00Z', 1],
    ]);
    assert.equal(steps.at(time('2026-07-01')).isDst, false, 'put back twice');
    const summer = madeUp(nameless, [
      ['', 1],
      ['2026-04-01T00:00:00Z', 2],
      ['2026-10-01T00:00:00Z', 1],
    ]);
    assert.equal(summer.at(time('2026-07-01')).isDst, true, 'put forward and back');
  });

  it('knows a summer from its first moment on, on the first day that is answered for too', () => {
    const clock = madeUp(nameless, [
      ['', 0],
      ['1900-01-01T12:00:00Z', 1],
      ['1900-07-01T00:00:00Z', 0],
    ]);
    assert.equal(clock.at(time('1900-01-01T11:59:59.999Z')).isDst, false);
    assert.equal(clock.at(time('1900-01-01T12:00:00Z')).isDst, true);
  });

  it('names what precedes a summer by its own last moment, where the offset stays', () => {
    // London’s names of 2026 over one offset: summer time begins on 29 March at 1 h.
    const clock = madeUp('Europe/London', [
      ['', 0],
      ['2026-01-01T00:00:00Z', 1],
      ['2026-07-01T00:00:00Z', 0],
    ]);
    assert.equal(clock.abbreviationAt(time('2026-02-01')), 'GMT');
    assert.equal(clock.abbreviationAt(time('2026-05-01')), 'BST');
  });
});
