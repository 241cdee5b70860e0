/** English long names of zones, as the runtime's CLDR data has them. */

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
