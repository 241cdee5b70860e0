import type { Limits } from './limits.ts';

/** Interval at which idle networks are forgotten, ms. */
const forgetMs = 1000;

/**
 * Creates the test whether a network exceeds its connection rate; otherwise the connection is counted. The burst is the
 * maximum number of connections or the rate per second, whichever is larger (a virtual schedule, as in GCRA: each
 * connection advances the network's time by its share of a second, up to that burst).
 */
export function createConnectRate(
  { connectsPerAddress, connectionsPerAddress }: Pick<Limits, 'connectsPerAddress' | 'connectionsPerAddress'>,
  now = () => performance.now(),
): (network: string) => boolean {
  const shareMs = 1000 / connectsPerAddress;
  const aheadMs = shareMs * Math.max(connectionsPerAddress, connectsPerAddress);
  const times = new Map<string, number>();
  let forgottenAt = now();
  return (network) => {
    const at = now();
    if (at - forgottenAt > forgetMs) {
      forgottenAt = at;
      for (const [name, time] of times) if (time <= at) times.delete(name);
    }
    const next = Math.max(times.get(network) ?? at, at) + shareMs;
    // A tolerance for rounding errors.
    if (next - at > aheadMs + shareMs / 2) return true;
    times.set(network, next);
    return false;
  };
}
