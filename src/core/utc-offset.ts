/** Formats offsets and local times. */

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
