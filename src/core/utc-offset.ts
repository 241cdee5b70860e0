/** How offsets and local times are written. */

const two = (value: number) => (value < 10 ? `0${value}` : String(value));

/** An offset as `+05:30`; with seconds (`-00:44:30`) only where the offset has some, which none has since 1972. */
export function formatOffset(offsetSeconds: number): string {
  const seconds = Math.abs(offsetSeconds);
  const rest = seconds % 60;
  const minutes = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}`;
  return `${offsetSeconds < 0 ? '-' : '+'}${minutes}${rest === 0 ? '' : `:${two(rest)}`}`;
}

/** An instant as ISO 8601 local time with its offset, whole seconds: `2026-07-01T14:00:00+02:00`. */
export function formatLocal(instant: number, offsetSeconds: number): string {
  return new Date(instant + offsetSeconds * 1000).toISOString().slice(0, 19) + formatOffset(offsetSeconds);
}
