import { isInside, parseAddress, parseNetwork } from '../keys/networks.ts';

/**
 * Creates the function that determines a caller's address: the socket's peer, unless that is one of the trusted
 * proxies; then the hops of `X-Forwarded-For` are followed from the right to the first untrusted one. A hop that is not
 * an address stops the walk at the last one understood. IPv4-mapped IPv6 is given as IPv4; ports and brackets are
 * dropped. Throws an Error naming the entry when a trusted proxy is neither an address nor a CIDR network.
 */
export function createClientAddress(
  trustedProxies: readonly string[],
): (peer: string | undefined, forwardedFor: string | undefined) => string | undefined {
  const trusted = trustedProxies.map(parseNetwork);
  return (peer, forwardedFor) => {
    let current = peer === undefined ? undefined : parseAddress(peer);
    if (!current) return undefined;
    if (forwardedFor !== undefined && trusted.length > 0) {
      const hops = forwardedFor.split(',');
      while (hops.length > 0 && isInside(current, trusted)) {
        const hop = parseAddress(hops.pop()!);
        if (!hop) break;
        current = hop;
      }
    }
    return current.toString();
  };
}

/** Creates the test whether a peer is a trusted proxy, whose other `X-Forwarded-` headers are trusted too. */
export function createIsProxy(trustedProxies: readonly string[]): (peer: string | undefined) => boolean {
  const trusted = trustedProxies.map(parseNetwork);
  return (peer) => {
    const address = peer === undefined ? undefined : parseAddress(peer);
    return address !== undefined && isInside(address, trusted);
  };
}
