const firstMs = 100;
const maxMs = 30_000;
/** A process that lived so long did not fail for the reason the one before did. */
const longMs = 60_000;

/**
 * How long to wait before a process that ended is started again, ms: doubled with each one that does not live for a
 * minute, from a tenth of a second to half a minute.
 */
export function createBackOff(): (livedMs: number) => number {
  let failures = 0;
  return (livedMs) => {
    failures = livedMs >= longMs ? 1 : failures + 1;
    return Math.min(maxMs, firstMs * 2 ** (failures - 1));
  };
}
