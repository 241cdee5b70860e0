/** Addresses and CIDR networks as people and proxies write them. */
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type Network = readonly [address: Address, bits: number];

/** Whether an address is in one of the networks. */
export function isInside(address: Address, networks: readonly Network[]): boolean {
  return networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network as never, bits));
}

/** A CIDR network, or a single address as one. Throws an Error naming it when it is neither. */
export function parseNetwork(text: string): Network {
  const [, base = '', bits] = /^([^/]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text.trim()) ?? [];
  const written = parseAddress(base);
  const maxPrefix = written?.kind() === 'ipv4' ? 32 : 128;
  const isMapped = written?.kind() === 'ipv4' && base.includes(':');
  const length = bits === undefined ? maxPrefix : Number(bits) - (isMapped ? 96 : 0);
  if (!written || length < 0 || length > maxPrefix) {
    throw new Error(
      `${JSON.stringify(text)} is not a network; expected an address or CIDR such as 10.0.0.0/8 or fd00::/8`,
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
