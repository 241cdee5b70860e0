import { firstInstant, lastInstant, type ZoneClock } from './zone-clock.ts';

const epochSeconds = /^-?\d{1,15}$/;
const isoLocal = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2}(?:[.,]\d{1,9})?)?)?$/i;
const isoWithOffset = /^(\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?) ?(Z|[+ -]\d{2}(?::?\d{2})?)$/i;
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
  if (epochSeconds.test(text)) return Number(text) * 1000;
  const exact = isoWithOffset.exec(text);
  if (exact) {
    // A plus that a client forgot to encode arrives as a blank.
    const offset = exact[2]!.replace(' ', '+');
    return instantOf(() => Temporal.Instant.from(exact[1]!.replace(' ', 'T') + offset).epochMilliseconds);
  }
  if (!isoLocal.test(text)) return undefined;
  const local = instantOf(
    () => Temporal.PlainDateTime.from(text.replace(' ', 'T')).toZonedDateTime('UTC').epochMilliseconds,
  );
  return local === undefined ? undefined : clock.instantOf(local);
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
