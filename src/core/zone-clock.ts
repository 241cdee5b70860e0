/**
 * What clocks show in an IANA time zone: offset, summer time, abbreviation, changes. The rules are a dataset's from 1970 on,
 * and else those of the runtime's own tz database (Temporal). Each zone's changes are laid out once as a table, so that an
 * answer is a binary search (well under 1 µs) and not a new formatter (about 50 µs).
 */

import { firstPast } from './columns.ts';
import table from './zone-abbreviations.json' with { type: 'json' };

// Formats offsets and local times.

const dayMs = 86_400_000;
const digits = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, '0'));
const two = (value: number) => digits[value]!;

/** An offset as `+05:30`; with seconds (`-00:44:30`) only where the offset has some, which none has since 1972. */
export function formatOffset(offsetSeconds: number): string {
  const seconds = Math.abs(offsetSeconds);
  const rest = seconds % 60;
  const minutes = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}`;
  return `${offsetSeconds < 0 ? '-' : '+'}${minutes}${rest === 0 ? '' : `:${two(rest)}`}`;
}

/** The most recently formatted days: answers about the present need only two. */
const days = new Float64Array(2).fill(Number.NaN);
const dates = ['', ''];

/** A local time, epoch ms as if it were UTC, in whole seconds: `2026-07-01T14:00:00` with `T` between date and time. */
export function formatClock(local: number, between: string): string {
  const day = Math.floor(local / dayMs);
  const kept = day & 1;
  if (days[kept] !== day) {
    days[kept] = day;
    dates[kept] = new Date(local).toISOString().slice(0, 10);
  }
  const seconds = Math.floor((local - day * dayMs) / 1000);
  const minutes = Math.floor(seconds / 60);
  return `${dates[kept]}${between}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

/** An instant as ISO 8601 local time with its offset, whole seconds: `2026-07-01T14:00:00+02:00`. */
export const formatLocal = (instant: number, offsetSeconds: number) =>
  formatClock(instant + offsetSeconds * 1000, 'T') + formatOffset(offsetSeconds);

// Distinguishes summer time from standard time. Temporal does not provide it, and the tz database's own flag is the
// reverse of what people expect in Ireland, where winter is formally the exception. Intl's English names show it for
// most zones ("Central European Summer Time"); where a zone has no name, its offsets do.

const hourMs = 3_600_000;
/** Longest stretch that is summer time: the USA's of 1974 had 294 days; Morocco's years between Ramadans have 320. */
const maxSummerMs = 300 * 24 * hourMs;

/** A part of a period of one offset that is summer time: epoch ms [from, until); empty when from equals until. */
type SummerPart = { from: number; until: number };

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
function isSummerName(name: string): boolean {
  return /\b(Summer|Daylight)\b/.test(name) || name === 'Irish Standard Time';
}

/** Whether a period is summer time where it has no name: its offset is above both others, for no longer than 300 days. */
function isSummerByOffsets({ start, end, offset, offsetBefore, offsetAfter }: OffsetPeriod): boolean {
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
function longZoneName(zone: string, instant: number): string {
  if (last?.zone !== zone) {
    last = { zone, format: new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'long' }) };
  }
  return last.format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/** The instants a clock answers for: 1900-01-01 to the end of 2100, UTC, epoch ms. */
export const firstInstant = Date.UTC(1900, 0, 1);
export const lastInstant = Date.UTC(2101, 0, 1) - 1;

/** From here on a dataset's rules hold. Before, the runtime's know more: links were zones of their own. */
const rulesFrom = 0;

/** A dataset's rules of a zone, beside the runtime's clocks for what these have not: whether it is summer time. */
type NewerRules = { periods: readonly ZonePeriod[]; starts: Float64Array; runtime: ZoneClock | undefined };

export type ZoneClock = ReturnType<typeof zoneClockOf>;

/**
 * The clocks of one zone. `id` is its identifier in the tz database's spelling; an alias stays the alias that was requested.
 * `starts` are the epoch ms at which each period of one offset starts, the first -Infinity, `offsets` are in seconds.
 */
export function zoneClockOf(id: string, starts: Float64Array, offsets: Int32Array, newer?: NewerRules) {
  /** The part of each period that is summer time, found when it is first requested. */
  const summers: (SummerPart | undefined)[] = new Array(starts.length);
  /** By the end of the period, or of its part that is or is not summer time, epoch ms. */
  const abbreviations = new Map<number, string>();

  const summer = (period: number): SummerPart => (summers[period] ??= summerPart(id, around(period)));

  const around = (period: number): OffsetPeriod => ({
    start: Math.max(starts[period]!, firstInstant - dayMs),
    end: starts[period + 1] ?? lastInstant,
    offset: offsets[period]!,
    offsetBefore: offsets[period - 1],
    offsetAfter: offsets[period + 1],
    summerBefore: period > 2 ? starts[period - 1]! - starts[period - 2]! : 0,
  });

  /** The period of the dataset's rules at an instant; undefined before they hold. */
  const ruledAt = (instant: number): ZonePeriod | undefined =>
    newer && instant >= rulesFrom ? newer.periods[lastUpTo(newer.starts, instant)] : undefined;

  function isSummer(period: number, instant: number): boolean {
    const ruled = ruledAt(instant);
    const runtime = newer?.runtime;
    if (ruled) {
      const isSame = runtime?.offsetSecondsAt(instant) === ruled.offsetSeconds;
      const isKnown = isSame && isSameName(runtime!.abbreviationAt(instant), ruled.abbreviation);
      return isKnown ? runtime!.at(instant).isDst : isSummerByOffsets(around(period));
    }
    const { from, until } = summer(period);
    return instant >= from && instant < until;
  }

  /** Offset from UTC in seconds at an instant (epoch ms). */
  const offsetSecondsAt = (instant: number): number => offsets[lastUpTo(starts, instant)]!;

  /**
   * The first instant (epoch ms) at which clocks show a local time or a later one. `local` is the local time as if it
   * were UTC, epoch ms. A time that occurs twice is its first occurrence; one that is skipped is the moment of the skip.
   */
  function instantOf(local: number): number {
    // No zone is farther than 26 h from another offset of its own, even where it changed sides of the date line.
    let period = lastUpTo(starts, local - 26 * 3_600_000);
    for (; ; period++) {
      const instant = Math.max(starts[period]!, local - offsets[period]! * 1000);
      if (period + 1 === starts.length || instant < starts[period + 1]!) return instant;
    }
  }

  return {
    id,
    /** Start (epoch ms, the first -Infinity) and offset in seconds of each period of one offset. */
    periods: (): (readonly [start: number, offsetSeconds: number])[] =>
      Array.from(starts, (start, at) => [start, offsets[at]!]),
    /**
     * Offset (east of Greenwich is positive), whether it is summer time (see `summerPart`) and the next change at an instant (epoch
     * ms); undefined when none is planned.
     */
    at(instant: number): Reading {
      const period = lastUpTo(starts, instant);
      const offsetSeconds = offsets[period]!;
      const next = period + 1;
      return {
        offsetSeconds,
        isDst: isSummer(period, instant),
        nextChange:
          next < starts.length
            ? { at: starts[next]!, offsetBeforeSeconds: offsetSeconds, offsetAfterSeconds: offsets[next]! }
            : undefined,
      };
    },
    offsetSecondsAt,
    /** Abbreviation at an instant as the tz database writes it: `CEST`, or `+03` where people use no letters. */
    abbreviationAt(instant: number): string {
      const ruled = ruledAt(instant);
      if (ruled) return ruled.abbreviation;
      const period = lastUpTo(starts, instant);
      const { from, until } = summer(period);
      const isDst = isSummer(period, instant);
      // Named by the last instant of its part, whichever was requested: Intl has hardly a name for the years before 1970.
      let end = starts[period + 1] ?? lastInstant + 1;
      if (isDst) end = until;
      else if (instant < from) end = from;
      return abbreviations.getOrInsertComputed(end, () => abbreviationOf(id, end - 1, offsets[period]!, isDst));
    },
    instantOf,
    /** The instants [start, end) of a local calendar day, epoch ms; start equals end for a day the zone skipped. */
    dayOf(date: string): { start: number; end: number } {
      const midnight = Date.parse(`${date}T00:00:00Z`);
      return { start: instantOf(midnight), end: instantOf(midnight + dayMs) };
    },
    /** Local time at an instant as if it were UTC, epoch ms: read it with Date's UTC getters. */
    localAt: (instant: number): number => instant + offsetSecondsAt(instant) * 1000,
  };
}

/** What clocks show, and when that changes next. */
type Reading = {
  offsetSeconds: number;
  isDst: boolean;
  nextChange: { at: number; offsetBeforeSeconds: number; offsetAfterSeconds: number } | undefined;
};

/** Position of the last start at or before an instant; 0 before all. */
const lastUpTo = (starts: Float64Array, instant: number): number =>
  firstPast(1, starts.length, (at) => starts[at]! > instant) - 1;

/** Whether two abbreviations say the same: numbers and letters for one offset do, letters for summer and winter do not. */
const isSameName = (one: string, other: string) => one === other || /^[+-]/.test(one) || /^[+-]/.test(other);

/**
 * The clocks of a zone by its IANA identifier, aliases included, any case, by a dataset's rules; undefined when there is no
 * such zone. Callers keep the result.
 */
export function ruledClock(id: string, rules: ZoneRules): ZoneClock | undefined {
  const runtime = zoneClock(id);
  const periods = rules.periodsOf(id);
  if (!periods) return runtime;
  const starts: number[] = [];
  const offsets: number[] = [];
  const add = (start: number, offset: number) => {
    if (offset === offsets.at(-1)) return;
    starts.push(start);
    offsets.push(offset);
  };
  for (const [start, offset] of runtime?.periods() ?? []) if (start < rulesFrom) add(start, offset);
  const first = periods.findLastIndex(({ start }) => start <= rulesFrom);
  for (const { start, offsetSeconds } of periods.slice(runtime ? first : 0))
    add(runtime ? Math.max(rulesFrom, start) : start, offsetSeconds);
  const name = runtime?.id ?? rules.nameOf(id)!;
  return zoneClockOf(name, Float64Array.from(starts), Int32Array.from(offsets), {
    periods,
    starts: Float64Array.from(periods, ({ start }) => start),
    runtime,
  });
}

/**
 * Clocks by identifier in lower case. A memo of a pure function: only identifiers that exist enter it, so it holds at
 * most the tz database's 600 names (about 3 MB).
 */
const clocks = new Map<string, ZoneClock>();

/** The clocks of a zone by its IANA identifier, aliases included, any case; undefined when there is no such zone. */
export function zoneClock(id: string): ZoneClock | undefined {
  const known = clocks.get(id) ?? clocks.get(id.toLowerCase());
  if (known) return known;
  // Temporal also takes offsets such as `+05:00` for a zone; those are not identifiers.
  if (!/^[A-Za-z][\w+/-]{1,60}$/.test(id)) return undefined;
  let moment: Temporal.ZonedDateTime | null;
  try {
    moment = new Temporal.ZonedDateTime(BigInt(Date.UTC(1800, 0, 1)) * 1_000_000n, id);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  const name = moment.timeZoneId;
  const starts = [-Infinity];
  const offsets = [moment.offsetNanoseconds / 1e9];
  // Two years more than can be requested, so that the last instant still knows its next change.
  while ((moment = moment.getTimeZoneTransition('next')) && moment.epochMilliseconds < lastInstant + 730 * dayMs) {
    starts.push(moment.epochMilliseconds);
    offsets.push(moment.offsetNanoseconds / 1e9);
  }
  const clock = zoneClockOf(name, Float64Array.from(starts), Int32Array.from(offsets));
  clocks.set(name.toLowerCase(), clock);
  clocks.set(name, clock);
  return clock;
}

// Abbreviations of time zones as the tz database writes them. Intl's short names depend on the reader's country and are
// `GMT+2` for most zones, but its English long names are the same everywhere: those with an abbreviation in use are
// listed in zone-abbreviations.json, with the tz database's abbreviation.

const abbreviations = new Map(Object.entries(table.ofNames));

/** Zones with a neighbour's name in Intl and a number in the tz database. */
const numericZones = new Set(table.numericZones);

/** Zones of Greenwich's clock, which Intl takes for UTC: the open sea about the prime meridian is in one of them. */
const greenwichZones = new Set(['Etc/GMT', 'GMT', 'GMT+0', 'GMT-0', 'GMT0']);

/** Zones without a name for summer time in Intl, and the zone with the same clocks. */
const namedLike = new Map(Object.entries(table.namedLike));

/**
 * The abbreviation in a zone at an instant (epoch ms), e.g. `CEST`; where none is in use, the offset as the tz database
 * writes it: `+03`, `+0545`. Costs a formatter (about 50 µs): callers keep the result.
 */
function abbreviationOf(zone: string, instant: number, offsetSeconds: number, isDst: boolean): string {
  const numeric = formatOffset(offsetSeconds).replaceAll(':', '').replace(/00$/, '');
  if (numericZones.has(zone)) return numeric;
  if (greenwichZones.has(zone)) return 'GMT';
  const name = longZoneName(namedLike.get(zone) ?? zone, instant);
  // Where summer time became standard time for good, Intl's name of it is wrong, and the new one is not known.
  if (isSummerName(name) && !isDst) return numeric;
  return abbreviations.get(name) ?? numeric;
}

// The rules of time zones as moment-timezone packs them: changes of the offset to 2037 with the tz database's
// abbreviations (momentjs.com/timezone/docs/#/data-formats/packed-format). Later ones follow by the rule of the last years.

/** A dataset's rules: the tz version, and zones and links as the package writes them. */
export type PackedRules = { version: string; zones: readonly string[]; links: readonly string[] };

/** The offset and the abbreviation from an instant on. */
type ZonePeriod = { start: number; offsetSeconds: number; abbreviation: string };

const minuteMs = 60_000;

/** Years whose changes a rule must explain, the last ones of the data. */
const ruleYears = 20;
const lastYear = 2102;
const base60 = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWX';

/** The rules of all zones by name, links included, any case. */
export function zoneRules({ version, zones, links }: PackedRules) {
  const packed = new Map<string, string>();
  const names = new Map<string, string>();
  const add = (name: string, rules: string) => {
    packed.set(name.toLowerCase(), rules);
    names.set(name.toLowerCase(), name);
  };
  for (const zone of zones) add(zone.slice(0, zone.indexOf('|')), zone);
  for (const link of links) {
    const [zone, alias] = link.split('|');
    add(alias, packed.get(zone.toLowerCase())!);
  }
  return {
    version,
    /** A zone's name as the tz database spells it; undefined where there is no such zone. */
    nameOf: (id: string): string | undefined => names.get(id.toLowerCase()),
    /** The periods of a zone in order, the first from -Infinity; undefined where there is no such zone. */
    periodsOf(id: string): ZonePeriod[] | undefined {
      const rules = packed.get(id.toLowerCase());
      if (rules === undefined) return undefined;
      const [, names, offsets, order, changes] = rules.split('|');
      const abbreviations = names.split(' ');
      // West is positive, in minutes.
      const seconds = offsets.split(' ').map((offset) => -Math.round(numberOf(offset) * 60) || 0);
      const steps = changes === '' ? [] : changes.split(' ').map(numberOf);
      let minutes = 0;
      const starts = [Number.NEGATIVE_INFINITY, ...steps.map((step) => Math.round((minutes += step) * minuteMs))];
      const periods = [...order].map((kind, at) => ({
        start: starts[at],
        offsetSeconds: seconds[base60.indexOf(kind)],
        abbreviation: abbreviations[base60.indexOf(kind)],
      }));
      return [...periods, ...laterPeriods(periods)];
    },
  };
}

export type ZoneRules = ReturnType<typeof zoneRules>;

/** A number of base 60, which may have a sign and a fraction. */
function numberOf(text: string): number {
  const [whole, fraction = ''] = text.replace('-', '').split('.');
  let value = 0;
  for (const digit of whole) value = value * 60 + base60.indexOf(digit);
  let part = 1;
  for (const digit of fraction) value += base60.indexOf(digit) * (part /= 60);
  return text.startsWith('-') ? -value : value;
}

/**
 * The periods behind the last one, of a zone that changes twice a year by a rule such as "the first Sunday from 25 March,
 * 02:00 before the change": none where the last years follow none.
 */
function laterPeriods(periods: readonly ZonePeriod[]): ZonePeriod[] {
  const changes = periods
    .slice(1)
    .map((period, at) => ({ ...period, local: new Date(period.start + periods[at].offsetSeconds * 1000) }));
  const last = changes.at(-1)?.local.getUTCFullYear() ?? 0;
  const rules = [changes.at(-2), changes.at(-1)].map((change) => change && ruleOf(change, changes));
  if (last < 2037 || rules.some((rule) => rule === undefined)) return [];
  const later: ZonePeriod[] = [];
  for (let year = last + 1; year <= lastYear; year++) {
    for (const rule of rules) {
      const before = later.at(-1) ?? periods.at(-1)!;
      later.push({ ...rule!.period, start: rule!.localIn(year) - before.offsetSeconds * 1000 });
    }
  }
  return later;
}

type Change = ZonePeriod & { local: Date };

function ruleOf(change: Change, changes: readonly Change[]) {
  const { local, offsetSeconds, abbreviation } = change;
  const month = local.getUTCMonth();
  const timeOfDay = local.getTime() % dayMs;
  const alike = changes.filter(
    (other) =>
      other.local.getUTCFullYear() > local.getUTCFullYear() - ruleYears &&
      other.offsetSeconds === offsetSeconds &&
      other.local.getUTCMonth() === month &&
      other.local.getUTCDay() === local.getUTCDay() &&
      other.local.getTime() % dayMs === timeOfDay,
  );
  const days = alike.map((other) => other.local.getUTCDate());
  const firstDay = Math.min(...days);
  // Eleven years in a row have every day of the week on every date of a month.
  if (alike.length < 11 || Math.max(...days) > firstDay + 6) return undefined;
  return {
    period: { offsetSeconds, abbreviation },
    /** Local time of the change in a year as if it were UTC, epoch ms. */
    localIn(year: number): number {
      const from = new Date(Date.UTC(year, month, firstDay));
      const days = (local.getUTCDay() - from.getUTCDay() + 7) % 7;
      return from.getTime() + days * dayMs + timeOfDay;
    },
  };
}
