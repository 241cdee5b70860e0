/**
 * Abbreviations of time zones as the tz database writes them. Intl's short names depend on the reader's country and are
 * `GMT+2` for most zones, but its English long names are the same everywhere: those with an abbreviation in use are
 * listed here, by the tz database's abbreviation.
 */
import { isSummerName, longZoneName } from './summer-time.ts';
import { formatOffset } from './utc-offset.ts';

const abbreviations = new Map([
  ['Alaska Daylight Time', 'AKDT'],
  ['Alaska Standard Time', 'AKST'],
  ['American Samoa Standard Time', 'SST'],
  ['Atlantic Daylight Time', 'ADT'],
  ['Atlantic Standard Time', 'AST'],
  ['Australian Central Daylight Time', 'ACDT'],
  ['Australian Central Standard Time', 'ACST'],
  ['Australian Eastern Daylight Time', 'AEDT'],
  ['Australian Eastern Standard Time', 'AEST'],
  ['Australian Western Daylight Time', 'AWDT'],
  ['Australian Western Standard Time', 'AWST'],
  ['British Summer Time', 'BST'],
  ['Central Africa Time', 'CAT'],
  ['Central Daylight Time', 'CDT'],
  ['Central European Standard Time', 'CET'],
  ['Central European Summer Time', 'CEST'],
  ['Central Indonesia Time', 'WITA'],
  ['Central Standard Time', 'CST'],
  ['Chamorro Standard Time', 'ChST'],
  ['China Daylight Time', 'CDT'],
  ['China Standard Time', 'CST'],
  ['Coordinated Universal Time', 'UTC'],
  ['Cuba Daylight Time', 'CDT'],
  ['Cuba Standard Time', 'CST'],
  ['East Africa Time', 'EAT'],
  ['Eastern Daylight Time', 'EDT'],
  ['Eastern European Standard Time', 'EET'],
  ['Eastern European Summer Time', 'EEST'],
  ['Eastern Indonesia Time', 'WIT'],
  ['Eastern Standard Time', 'EST'],
  ['Greenwich Mean Time', 'GMT'],
  ['Hawaii-Aleutian Daylight Time', 'HDT'],
  ['Hawaii-Aleutian Standard Time', 'HST'],
  ['Hong Kong Standard Time', 'HKT'],
  ['Hong Kong Summer Time', 'HKST'],
  ['India Standard Time', 'IST'],
  ['Irish Standard Time', 'IST'],
  ['Israel Daylight Time', 'IDT'],
  ['Israel Standard Time', 'IST'],
  ['Japan Standard Time', 'JST'],
  ['Korean Daylight Time', 'KDT'],
  ['Korean Standard Time', 'KST'],
  ['Mexican Pacific Daylight Time', 'MDT'],
  ['Mexican Pacific Standard Time', 'MST'],
  ['Moscow Standard Time', 'MSK'],
  ['Moscow Summer Time', 'MSD'],
  ['Mountain Daylight Time', 'MDT'],
  ['Mountain Standard Time', 'MST'],
  ['New Zealand Daylight Time', 'NZDT'],
  ['New Zealand Standard Time', 'NZST'],
  ['Newfoundland Daylight Time', 'NDT'],
  ['Newfoundland Standard Time', 'NST'],
  ['Pacific Daylight Time', 'PDT'],
  ['Pacific Standard Time', 'PST'],
  ['Pakistan Standard Time', 'PKT'],
  ['Pakistan Summer Time', 'PKST'],
  ['Philippine Daylight Time', 'PDT'],
  ['Philippine Standard Time', 'PST'],
  ['South Africa Standard Time', 'SAST'],
  ['Taiwan Daylight Time', 'CDT'],
  ['Taiwan Standard Time', 'CST'],
  ['West Africa Time', 'WAT'],
  ['Western European Standard Time', 'WET'],
  ['Western European Summer Time', 'WEST'],
  ['Western Indonesia Time', 'WIB'],
  ['Yukon Time', 'MST'],
]);

/** Zones with a neighbour's name in Intl and a number in the tz database. */
const numericZones = new Set([
  'Africa/Casablanca',
  'Africa/El_Aaiun',
  'Antarctica/Casey',
  'Antarctica/Troll',
  'Asia/Colombo',
  'Europe/Minsk',
]);

/** Zones of Greenwich's clock, which Intl takes for UTC: the open sea about the prime meridian is in one of them. */
const greenwichZones = new Set(['Etc/GMT', 'GMT', 'GMT+0', 'GMT-0', 'GMT0']);

/** Zones without a name for summer time in Intl, and the zone with the same clocks. */
const namedLike = new Map([
  ['Europe/Guernsey', 'Europe/London'],
  ['Europe/Isle_of_Man', 'Europe/London'],
  ['Europe/Jersey', 'Europe/London'],
]);

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
