import type { Limits } from './limits.ts';

/** How often networks that have opened none for a while are forgotten, ms. */
const forgetMs = 1000;

/**
 * Says whether a network opens connections faster than it may, and counts one where it does not. It may open as many at
 * once as it may hold, or those of a second where that is more (a virtual schedule, as in GCRA: each connection puts the
 * network's time forward by its share of a second, and that may be so far ahead).
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
    // A share of tolerance for what is lost in rounding.
    if (next - at > aheadMs + shareMs / 2) return true;
    times.set(network, next);
    return false;
  };
}
