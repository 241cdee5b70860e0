import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

/**
 * Makes the function that tells a caller's address: the socket's peer, unless that is one of the trusted proxies;
 * then the hops of `X-Forwarded-For` are followed from the right to the first untrusted one. A hop that is no address
 * stops the walk at the last one understood. IPv4-mapped IPv6 is given as IPv4; ports and brackets are dropped.
 * Throws an Error naming the entry when a trusted proxy is neither an address nor a CIDR network.
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

/** Whether an address is in one of the networks. */
export function isInside(address: Address, networks: readonly Network[]): boolean {
  return networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network as never, bits));
}

/** A CIDR network, or a single address as one. Throws an Error naming it when it is neither. */
export function parseNetwork(text: string): Network {
  const [base, bits, ...rest] = text.trim().split('/');
  const written = parseAddress(base);
  const most = written?.kind() === 'ipv4' ? 32 : 128;
  const isMapped = written?.kind() === 'ipv4' && base.includes(':');
  const length = bits === undefined ? most : Number(bits) - (isMapped ? 96 : 0);
  if (!written || rest.length > 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits)) || length < 0 || length > most) {
    throw new Error(
      `${JSON.stringify(text)} is no network; expected an address or CIDR such as 10.0.0.0/8 or fd00::/8`,
    );
  }
  return [written, length];
}

/** An address as sockets and proxies write it: with or without port, brackets, zone. Undefined when it is none. */
export function parseAddress(text: string): Address | undefined {
  const bare = text
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .replace(/^\[([^\]]+)\](:\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
    .replace(/%.*$/, '');
  // isValidFourPartDecimal keeps out forms such as 127.1 and 0x7f000001, which no proxy writes.
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return ipaddr.IPv4.parse(bare);
  if (!bare.includes(':') || !ipaddr.IPv6.isValid(bare)) return undefined;
  const address = ipaddr.IPv6.parse(bare);
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}
