/**
 * Abbreviations of time zones as the tz database writes them. Intl's short names depend on the reader's country and are
 * `GMT+2` for most zones, but its English long names are the same everywhere: those with an abbreviation in use are
 * listed in zone-abbreviations.json, with the tz database's abbreviation.
 */
import { isSummerName, longZoneName } from './summer-time.ts';
import { formatOffset } from './utc-offset.ts';
import table from './zone-abbreviations.json' with { type: 'json' };

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
export function abbreviationOf(zone: string, instant: number, offsetSeconds: number, isDst: boolean): string {
  const numeric = formatOffset(offsetSeconds).replaceAll(':', '').replace(/00$/, '');
  if (numericZones.has(zone)) return numeric;
  if (greenwichZones.has(zone)) return 'GMT';
  const name = longZoneName(namedLike.get(zone) ?? zone, instant);
  // Where summer time became standard time for good, Intl's name of it is wrong, and the new one is not known.
  if (isSummerName(name) && !isDst) return numeric;
  return abbreviations.get(name) ?? numeric;
}
