/** Minimum speed of a transfer: a slower one is useless, or an attempt to occupy the connection. */
const minBytesPerSecond = 1024;

export type PaceOptions = {
  /** A pause longer than this is a break, ms. */
  idleMs?: number;
  /** So long less than 1 KiB/s is a break too, ms. */
  slowMs?: number;
  signal?: AbortSignal | undefined;
};

/** Bytes received in a time at minimum speed. */
export const minBytes = (ms: number) => (minBytesPerSecond * ms) / 1000;

/** Watches a transfer: `signal` aborts it when it pauses or is too slow. `arrived` is to be called with the bytes of each chunk. */
export function watchPace({ idleMs = 30_000, slowMs = 60_000, signal }: PaceOptions) {
  const end = new AbortController();
  const idle = setTimeout(() => end.abort(new Error(`no byte for ${idleMs / 1000} s`)), idleMs);
  let bytes = 0;
  const pace = setInterval(() => {
    if (bytes < minBytes(slowMs))
      end.abort(new Error(`got ${bytes} bytes in ${slowMs / 1000} s, expected at least ${minBytesPerSecond} a second`));
    bytes = 0;
  }, slowMs);
  return {
    signal: AbortSignal.any(signal ? [signal, end.signal] : [end.signal]),
    arrived(count: number) {
      bytes += count;
      idle.refresh();
    },
    stop() {
      clearTimeout(idle);
      clearInterval(pace);
    },
  };
}
