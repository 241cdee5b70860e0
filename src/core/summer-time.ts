/**
 * Distinguishes summer time from standard time. Temporal does not provide it, and the tz database's own flag is the
 * reverse of what people expect in Ireland, where winter is formally the exception. Intl's English names show it for
 * most zones ("Central European Summer Time"); where a zone has no name, its offsets do.
 */

const hourMs = 3_600_000;
/** Longest stretch that is summer time: the USA's of 1974 had 294 days; Morocco's years between Ramadans have 320. */
const maxSummerMs = 300 * 24 * hourMs;

/** A part of a period of one offset that is summer time: epoch ms [from, until); empty when from equals until. */
export type SummerPart = { from: number; until: number };

/** A period of one offset, epoch ms, between the offsets (seconds) before and after it; undefined at the table's ends. */
export type OffsetPeriod = {
  start: number;
  end: number;
  offset: number;
  offsetBefore: number | undefined;
  offsetAfter: number | undefined;
  /** How long the period of the same offset before the last change was, ms: a summer like this one, where it is one. */
  summerBefore: number;
};

/**
 * Which part of a period is summer time. By the zone's English name at the period's start and end; where the name
 * changes in between (a zone that made its summer time the standard time), at the moment it does. A summer that never
 * ends becomes standard time after as many days as the summer before had: Intl goes on to call it daylight time, the tz
 * database and the law do not (British Columbia and Alberta in 2026). Where there is no name the period is summer time
 * when its offset is greater than those before and after it, and it is no longer than 300 days. Costs a formatter
 * (about 50 µs): callers keep the result.
 */
export function summerPart(zone: string, period: OffsetPeriod): SummerPart {
  const { start, end } = period;
  const byOffsets = isSummerByOffsets(period);
  const isSummer = (instant: number) => isSummerByName(zone, instant) ?? byOffsets;
  const atStart = isSummer(start);
  if (atStart === isSummer(end - 1)) {
    if (!atStart) return { from: start, until: start };
    return { from: start, until: period.offsetAfter === undefined ? start + period.summerBefore : end };
  }
  let [low, high] = [start, end - 1];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isSummer(middle) === atStart) low = middle;
    else high = middle;
  }
  return atStart ? { from: start, until: high } : { from: high, until: end };
}

function isSummerByName(zone: string, instant: number): boolean | undefined {
  const name = longZoneName(zone, instant);
  if (/^GMT[+-]/.test(name) || name === 'GMT') return undefined;
  return isSummerName(name);
}

/** Whether Intl's English name of a time is one of summer time. */
export function isSummerName(name: string): boolean {
  return /\b(Summer|Daylight)\b/.test(name) || name === 'Irish Standard Time';
}

/** Whether a period is summer time where it has no name: its offset is above both others, for no longer than 300 days. */
export function isSummerByOffsets({ start, end, offset, offsetBefore, offsetAfter }: OffsetPeriod): boolean {
  const isRaised =
    offsetBefore !== undefined && offsetAfter !== undefined && offset > offsetBefore && offset > offsetAfter;
  return isRaised && end - start <= maxSummerMs;
}

// English long names of zones, as the runtime's CLDR data has them.

/**
 * The formatter that was made last. The first look at a zone asks for several names of it, and each formatter leaves
 * native memory to the garbage collector: with one instead of three, all zones together add 8 MB to a server, not 13.
 */
let last: { zone: string; format: Intl.DateTimeFormat } | undefined;

/** The name of a zone's time at an instant (epoch ms): `Central European Summer Time`; empty where there is none. */
export function longZoneName(zone: string, instant: number): string {
  if (last?.zone !== zone) {
    last = { zone, format: new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'long' }) };
  }
  return last.format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? '';
}
