import type { Static } from 'typebox';
import { firstInstant, formatLocal, formatOffset, lastInstant, type ZoneClock, zoneClock } from '../core/zone-clock.ts';
import { invalidParameter } from '../errors.ts';
import { Type } from '../schema.ts';
import type { Store } from '../store/store.ts';
import { defineEndpoint } from './endpoint.ts';
import { zonesOf } from './location.ts';
import { latitude, longitude, optional, queryMs, text } from './parameters.ts';

const epochSeconds = /^-?\d{1,15}$/;
/** ISO 8601, extended or basic: a date of a calendar, of a week or of a year, a month or a week alone, then the time down to what is given of it. */
const month = String.raw`-?(?<month>\d{2})(?:-?(?<day>\d{2})|$)`;
const week = String.raw`-?W(?<week>\d{2})(?:-?(?<weekday>[1-7])|$)`;
const date = String.raw`(?<year>\d{4}|[+-]\d{6})(?:${month}|${week}|-?(?<dayOfYear>\d{3}))`;
const time = String.raw`(?<time>\d{2}(?::?[0-5]\d(?::?(?:[0-5]\d|60))?)?(?:[.,]\d{1,9})?)`;
const iso = new RegExp(String.raw`^${date}(?:[T ]${time}(?: ?(?<offset>Z|[+ -]\d{2}(?::?\d{2})?))?)?$`, 'i');
const expected =
  'expected ISO 8601 with offset or Z (2026-07-01T12:00:00Z), a local date and time (2026-07-01T12:00), ' +
  'or epoch seconds (1782907200), from 1900-01-01 to 2100-12-31';

/**
 * Reads a moment as a client writes it: ISO 8601 with an offset, epoch seconds, or a local date and time without offset,
 * which is what the zone's clocks show (the first of two; the moment of the change where it is skipped); a date alone is
 * its local midnight. Returns epoch ms, or in `detail` what was expected.
 */
export function readInstant(text: string, clock: ZoneClock): number | { detail: string } {
  const instant = parse(text, clock);
  if (instant === undefined) return { detail: expected };
  if (instant >= firstInstant && instant <= lastInstant) return instant;
  const hint = epochSeconds.test(text) && instant > lastInstant ? ' (epoch seconds, not milliseconds)' : '';
  return { detail: `which is out of range${hint}; ${expected}` };
}

function parse(text: string, clock: ZoneClock): number | undefined {
  // The minus of ISO 8601 is not ASCII's.
  const ascii = text.replaceAll('\u2212', '-');
  if (epochSeconds.test(ascii)) return Number(ascii) * 1000;
  const parts = iso.exec(ascii)?.groups;
  if (!parts) return undefined;
  // A plus that a client forgot to encode arrives as a blank.
  const offset = parts.offset?.replace(' ', '+').toUpperCase();
  return instantOf(() => {
    const timeOfDay = timeOf(parts.time ?? '00');
    const local = dateOf(parts).toPlainDateTime().add(timeOfDay);
    const { epochMilliseconds } = Temporal.Instant.from(`${local}${offset ?? 'Z'}`);
    const instant = offset ? epochMilliseconds : clock.instantOf(epochMilliseconds);
    // Leap seconds, which count as the next second, are before January and July in UTC.
    if (timeOfDay.seconds === 60 && !/-0[17]-01T00:00:00/.test(new Date(instant).toISOString()))
      throw new RangeError('the minute has no such second');
    return instant;
  });
}

/** The date that parts of ISO 8601 name, the first one of a month or week; throws RangeError where there is none. */
function dateOf(parts: Record<string, string | undefined>): Temporal.PlainDate {
  const [year, month, day, week, weekday, dayOfYear] = ['year', 'month', 'day', 'week', 'weekday', 'dayOfYear'].map(
    (name) => Number(parts[name]),
  );
  if (month >= 0) return Temporal.PlainDate.from({ year, month, day: day >= 0 ? day : 1 }, { overflow: 'reject' });
  // The fourth of January is in the first week.
  const start = Temporal.PlainDate.from({ year, month: 1, day: week >= 0 ? 4 : 1 });
  const found = start.add({ days: week >= 0 ? 7 * (week - 1) + (weekday || 1) - start.dayOfWeek : dayOfYear - 1 });
  if (week >= 0 ? found.weekOfYear !== week || found.yearOfWeek !== year : found.year !== year)
    throw new RangeError(`${year} has no such day`);
  return found;
}

/** The time of a day as ISO 8601 writes it, with the last part's fraction; throws RangeError behind the day's end. */
function timeOf(text: string): Temporal.Duration {
  const parts = text.match(/\d{2}(?:[.,]\d+)?/g)!;
  const sinceMidnight = Temporal.Duration.from(`PT${parts.map((part, at) => `${part}${'HMS'[at]}`).join('')}`);
  if (sinceMidnight.hours > 23 && sinceMidnight.total('hours') !== 24)
    throw new RangeError(`${text} is after the end of the day`);
  return sinceMidnight;
}

/** What Temporal reads, undefined where it refuses (a 30th of February, an hour 25). */
function instantOf(read: () => number): number | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const ways = {
  lat: optional(latitude()),
  lng: optional(longitude()),
  timezone: optional(
    text('IANA time zone identifier or alias, any case, instead of lat and lng.', {
      examples: ['Europe/Berlin'],
    }),
  ),
};

const spec = {
  timezone: Type.String('IANA time zone identifier. If the request names one, it is returned in its usual spelling.'),
  utc_offset: Type.String('Offset from UTC as `+HH:MM`, with seconds (`-00:44:30`) for some offsets before 1972.'),
  is_dst: Type.Boolean('Whether daylight saving time is in force (in Ireland also in summer).'),
  local_time: Type.String('Local time, ISO 8601 with offset.'),
};

const nextTransition = Type.Object({
  at: Type.String('Time of the change, ISO 8601 in UTC.'),
  local_time: Type.String('Local time just after the change, ISO 8601 with offset.'),
  utc_offset_before: Type.String('Offset before the change, `+HH:MM`.'),
  utc_offset_after: Type.String('Offset after the change, `+HH:MM`.'),
  is_dst_after: Type.Boolean('Whether daylight saving time is in force after the change.'),
});

/** The time zone of a position, or a zone by name, and what its clocks show. */
export const timezone = defineEndpoint({
  path: '/timezone',
  summary: 'Time zone and local time of a position',
  description:
    'The IANA time zone of a position (including oceans), or a zone named by the request, with offset, daylight saving ' +
    'time and local time, now or at a given time. Send either lat and lng, or timezone.',
  parameters: {
    default: Type.Object({
      ...ways,
      at: optional(
        text(
          'Time to look up, by default now: ISO 8601 with offset or Z, epoch seconds, or a local date and time ' +
            'without offset, which is local time in the zone. From 1900 to 2100.',
          { examples: ['2026-07-01T12:00:00Z', '1782907200'] },
        ),
      ),
    }),
    a: Type.Object(ways),
    b: Type.Object(ways),
  },
  response: {
    default: Type.Object({
      ...spec,
      abbreviation: Type.String('Abbreviation from the tz database (`CEST`, `+03`).'),
      next_transition: Type.Unsafe<Static<typeof nextTransition> | null>({
        ...nextTransition,
        type: ['object', 'null'],
        description: 'The next change of the offset; null when none is planned.',
      }),
      ...queryMs,
    }),
    a: Type.Object({ ...spec, ...queryMs }),
    b: Type.Object({ ...spec, ...queryMs }),
  },
  dependencies: ['OnlyOne(lat, timezone);', 'AllOrNone(lat, lng);'],
  layers: [],
  isCacheable: ({ at }) => at !== undefined,
  handle({ lat, lng, timezone, at }, { store, now, profile }) {
    const clock =
      timezone === undefined
        ? clockOfData(zonesOf(store, 'the parameter timezone').at({ lat: lat!, lng: lng! }), store)
        : clockNamed(timezone, 'timezone', store);
    const instant = at === undefined ? now : momentOf(at, clock);
    const reading = clock.at(instant);
    return {
      timezone: clock.id,
      utc_offset: formatOffset(reading.offsetSeconds),
      is_dst: reading.isDst,
      local_time: formatLocal(instant, reading.offsetSeconds),
      abbreviation: profile === 'default' ? clock.abbreviationAt(instant) : '',
      next_transition: profile === 'default' ? transition(clock, reading.nextChange) : null,
    };
  },
});

type Transition = Static<typeof nextTransition>;
/** The next change of each zone as it was last reported: it stays the same for months. At most the tz database's zones. */
const lastTransitions = new WeakMap<ZoneClock, { at: number; transition: Transition }>();

function transition(clock: ZoneClock, change: ReturnType<ZoneClock['at']>['nextChange']): Transition | null {
  if (!change) return null;
  const before = lastTransitions.get(clock);
  if (before?.at === change.at) return before.transition;
  const transition = Object.freeze({
    at: `${new Date(change.at).toISOString().slice(0, 19)}Z`,
    local_time: formatLocal(change.at, change.offsetAfterSeconds),
    utc_offset_before: formatOffset(change.offsetBeforeSeconds),
    utc_offset_after: formatOffset(change.offsetAfterSeconds),
    is_dst_after: clock.at(change.at).isDst,
  });
  lastTransitions.set(clock, { at: change.at, transition });
  return transition;
}

function momentOf(at: string, clock: ZoneClock): number {
  const moment = readInstant(at, clock);
  if (typeof moment === 'number') return moment;
  throw invalidParameter('at', `at is ${JSON.stringify(at)}, ${moment.detail}`);
}

/** The clocks of a zone by the dataset's rules, by the runtime's where it has none; undefined when there is no such zone. */
export const clockOf = (id: string, { zones }: Pick<Store, 'zones'>): ZoneClock | undefined =>
  zones ? zones.clock(id) : zoneClock(id);

/** The clocks of a zone that a parameter names. Throws `invalid_parameter` when there is no such zone. */
export function clockNamed(id: string, parameter: string, store: Store): ZoneClock {
  // A `+` that was not encoded arrives as a blank (Etc/GMT+5); no identifier has one.
  const clock = clockOf(id.replace(' ', '+'), store);
  if (clock) return clock;
  const expected = 'an IANA time zone identifier such as Europe/Berlin (any case, aliases included)';
  throw invalidParameter(parameter, `${parameter} is ${JSON.stringify(id)}, expected ${expected}`);
}

/** The clocks of a zone that the dataset names. A zone that this runtime does not know is a fault of ours. */
export function clockOfData(id: string, store: Store): ZoneClock {
  const clock = clockOf(id, store);
  if (clock) return clock;
  const version = store.zones?.tzVersion ?? process.versions.tz;
  throw new Error(`the dataset names the time zone ${id}, which the tz database ${version} does not have`);
}
