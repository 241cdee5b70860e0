import { sunDay, sunStatuses } from '../core/sun.ts';
import { formatClock, type ZoneClock } from '../core/zone-clock.ts';
import { invalidParameter } from '../errors.ts';
import { Nullable, oneOf, Type } from '../schema.ts';
import { defineEndpoint } from './endpoint.ts';
import { locate, locationDependencies, zonesOf } from './location.ts';
import { country, latitude, longitude, optional, queryMs, text } from './parameters.ts';
import { clockNamed, clockOfData } from './timezone.ts';

/** The dates `/sun` answers for: those for which zones and the Sun's position are good. */
const firstDate = '1900-01-01';
const lastDate = '2100-12-31';

const date = optional(
  Type.String({
    format: 'date',
    description: `Local date at the place, YYYY-MM-DD from ${firstDate} to ${lastDate}; today by default.`,
    examples: ['2026-06-21'],
  }),
);

const eitherWay = Type.Object({
  lat: optional(latitude()),
  lng: optional(longitude()),
  city: optional(text('City in any language, instead of lat and lng.', { examples: ['Oslo'] })),
  country: optional(country('Country of the city, ISO 3166-1 alpha-2, any case.')),
  date,
  timezone: optional(
    text('IANA time zone of the times in the answer, any case; by default the zone of the place.', {
      examples: ['Europe/Oslo'],
    }),
  ),
});

const time = (what: string) => Nullable.String(`${what}, HH:MM:SS; null on a day without this event.`);
const time12 = (what: string) => Nullable.String(`${what}, HH:MM AM/PM; null on a day without this event.`);

const fields = {
  date: Type.String('The local date at the place, YYYY-MM-DD.'),
  sunrise: time('Sunrise'),
  sunrise_12h: time12('Sunrise'),
  sunset: time('Sunset'),
  sunset_12h: time12('Sunset'),
  dawn: time('Beginning of civil twilight (Sun 6° below the horizon)'),
  dusk: time('End of civil twilight (Sun 6° below the horizon)'),
  solar_noon: time('Solar noon'),
  day_length: Type.String('Time that the Sun is above the horizon on that date, such as `13h 36m`.'),
  sun_status: oneOf(sunStatuses, '`midnight_sun`: the Sun does not set; `polar_night`: the Sun does not rise.'),
  timezone: Type.String('IANA time zone of the times in the answer.'),
};
const { sunrise, sunrise_12h, sunset, sunset_12h, dawn, dusk, solar_noon, day_length } = fields;

/** Sun times of one local date at a place. */
export const sun = defineEndpoint({
  path: '/sun',
  summary: 'Sunrise, sunset, twilight and day length',
  description:
    'Sun times of one local date at a place, which is named by lat and lng or by a city. Events belong to the local ' +
    'date on which they happen. Below 65° latitude they are within 30 s of the US Naval ' +
    "Observatory's, apart from its rounding to whole minutes.",
  parameters: {
    default: eitherWay,
    a: eitherWay,
    b: Type.Object({ lat: latitude(), lng: longitude(), date }),
  },
  response: {
    default: Type.Object({ ...fields, ...queryMs }),
    a: Type.Object({ sunrise, sunrise_12h, sunset, sunset_12h, day_length, timezone: fields.timezone, ...queryMs }),
    b: Type.Object({
      date: fields.date,
      sunrise,
      sunset,
      dawn,
      dusk,
      solar_noon,
      day_length: Type.String('Time that the Sun is above the horizon on that date, HH:MM:SS.'),
      ...queryMs,
    }),
  },
  dependencies: locationDependencies(),
  layers: ['world'],
  isCacheable: (parameters) => parameters.date !== undefined,
  handle(parameters, { store, profile, now }) {
    const location = locate(parameters, store);
    // A place whose zone the source does not know has an empty one.
    const zone = location.place?.timezone || zonesOf(store, 'the parameter city').at(location);
    const clock = clockOfData(zone, store);
    const output = parameters.timezone === undefined ? clock : clockNamed(parameters.timezone, 'timezone', store);
    const day = parameters.date ?? dateAt(clock, now);
    const { start, end } = dayOf(day, clock);

    const events = sunDay(location, start, end);
    // An event in the day's last half second stays on its day.
    const shown = (instant: number | undefined) =>
      instant === undefined ? null : timeAt(output, Math.min(instant, end - 1000));
    const [rise, set] = [shown(events.sunrise), shown(events.sunset)];
    const daylightMs = events.status === 'midnight_sun' ? 86_400_000 : events.daylightMs;
    return {
      date: day,
      sunrise: rise,
      sunrise_12h: rise === null ? null : twelveHour(rise),
      sunset: set,
      sunset_12h: set === null ? null : twelveHour(set),
      dawn: shown(events.dawn),
      dusk: shown(events.dusk),
      solar_noon: shown(events.solarNoon),
      day_length: profile === 'b' ? clockText(daylightMs / 1000) : wordLength(daylightMs),
      sun_status: events.status,
      timezone: output.id,
    };
  },
});

/** The instants of a local date. Throws when it is out of range, or was skipped by the zone's clocks. */
function dayOf(date: string, clock: ZoneClock): { start: number; end: number } {
  if (date < firstDate || date > lastDate) {
    throw invalidParameter('date', `date is ${date}, expected a date from ${firstDate} to ${lastDate}`);
  }
  const day = clock.dayOf(date);
  if (day.start < day.end) return day;
  throw invalidParameter('date', `date is ${date}, a day that ${clock.id} skipped by crossing the date line`);
}

const dateAt = (clock: ZoneClock, instant: number) => new Date(clock.localAt(instant)).toISOString().slice(0, 10);

const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

const timeAt = (clock: ZoneClock, instant: number) => formatClock(clock.localAt(instant), 'T').slice(11);

/** Seconds as `13:36:48`. */
function clockText(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return `${twoDigits[Math.floor(minutes / 60)]}:${twoDigits[minutes % 60]}:${twoDigits[seconds % 60]}`;
}

/** `19:05:40` as `07:05 PM`: the same minute, its seconds dropped. */
function twelveHour(time: string): string {
  const hour = Number(time.slice(0, 2));
  return `${twoDigits[hour % 12 || 12]}${time.slice(2, 5)} ${hour < 12 ? 'AM' : 'PM'}`;
}

/** A length as `13h 36m`, its seconds dropped. */
function wordLength(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  return `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}
