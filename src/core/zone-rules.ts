/**
 * The rules of time zones as moment-timezone packs them: changes of the offset to 2037 with the tz database's
 * abbreviations (momentjs.com/timezone/docs/#/data-formats/packed-format). Later ones follow by the rule of the last years.
 */

/** A dataset's rules: the tz version, and zones and links as the package writes them. */
export type PackedRules = { version: string; zones: readonly string[]; links: readonly string[] };

/** The offset and the abbreviation from an instant on. */
export type ZonePeriod = { start: number; offsetSeconds: number; abbreviation: string };

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** Years whose changes a rule must explain, the last ones of the data. */
const ruleYears = 20;
const lastYear = 2102;
const digits = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWX';

/** The rules of all zones by name, links included, any case. */
export class ZoneRules {
  readonly version: string;
  readonly #packed = new Map<string, string>();
  readonly #names = new Map<string, string>();

  constructor({ version, zones, links }: PackedRules) {
    this.version = version;
    const add = (name: string, packed: string) => {
      this.#packed.set(name.toLowerCase(), packed);
      this.#names.set(name.toLowerCase(), name);
    };
    for (const zone of zones) add(zone.slice(0, zone.indexOf('|')), zone);
    for (const link of links) {
      const [zone, alias] = link.split('|');
      add(alias, this.#packed.get(zone.toLowerCase())!);
    }
  }

  /** A zone's name as the tz database spells it; undefined where there is no such zone. */
  nameOf(id: string): string | undefined {
    return this.#names.get(id.toLowerCase());
  }

  /** The periods of a zone in order, the first from -Infinity; undefined where there is no such zone. */
  periodsOf(id: string): ZonePeriod[] | undefined {
    const packed = this.#packed.get(id.toLowerCase());
    if (packed === undefined) return undefined;
    const [, names, offsets, order, changes] = packed.split('|');
    const abbreviations = names.split(' ');
    // West is positive, in minutes.
    const seconds = offsets.split(' ').map((offset) => -Math.round(numberOf(offset) * 60) || 0);
    const steps = changes === '' ? [] : changes.split(' ').map(numberOf);
    let minutes = 0;
    const starts = [Number.NEGATIVE_INFINITY, ...steps.map((step) => Math.round((minutes += step) * minuteMs))];
    const periods = [...order].map((kind, at) => ({
      start: starts[at],
      offsetSeconds: seconds[digits.indexOf(kind)],
      abbreviation: abbreviations[digits.indexOf(kind)],
    }));
    return [...periods, ...laterPeriods(periods)];
  }
}

/** A number of base 60, which may have a sign and a fraction. */
function numberOf(text: string): number {
  const [whole, fraction = ''] = text.replace('-', '').split('.');
  let value = 0;
  for (const digit of whole) value = value * 60 + digits.indexOf(digit);
  let part = 1;
  for (const digit of fraction) value += digits.indexOf(digit) * (part /= 60);
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
