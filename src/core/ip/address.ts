import { isIPv4, isIPv6 } from 'node:net';
import blocks from './special-blocks.json' with { type: 'json' };

/**
 * IP addresses as bytes: 4 for IPv4, 16 for IPv6. Texts are read strictly: four decimal parts without leading zeros
 * for IPv4 (no 127.1, no octal, no hex), RFC 4291 section 2.2 for IPv6 (no zone, no prefix length, no brackets).
 */
export type IpAddress = Uint8Array;

/** What is known of an address; missing fields are null. */
export type IpRecord = {
  /** ISO 3166-1 alpha-2 (or XK), upper case. */
  country: string | null;
  city: string | null;
  admin1: string | null;
  lat: number | null;
  lng: number | null;
  timezone: string | null;
  isp: string | null;
  /** With prefix, e.g. `AS15169`. */
  asn: string | null;
};

/**
 * The address that a text is; of an IPv4-mapped one (::ffff:0:0/96), its IPv4 address. Undefined if it is not an
 * address.
 */
export function parseIp(text: string): IpAddress | undefined {
  if (isIPv4(text)) {
    const [a, b, c, d] = text.split('.');
    return Uint8Array.of(+a, +b, +c, +d);
  }
  if (!isIPv6(text) || text.includes('%')) return undefined;
  const [front, back = []] = canonical(text)
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':')));
  const groups = [...front, ...new Array(8 - front.length - back.length).fill('0'), ...back];
  const address = Uint8Array.from(groups.flatMap((group) => [parseInt(group, 16) >> 8, parseInt(group, 16) & 255]));
  const isMapped = wordOf(address, 0) === 0 && wordOf(address, 1) === 0 && wordOf(address, 2) === 0xffff;
  return isMapped ? address.slice(12) : address;
}

/** The canonical form of an address: dotted decimal for IPv4, RFC 5952 for IPv6. */
export function formatIp(address: IpAddress): string {
  if (address.length === 4) return address.join('.');
  return canonical(
    Array.from({ length: 8 }, (_, group) =>
      ((wordOf(address, group >> 1) >>> (group % 2 ? 0 : 16)) & 0xffff).toString(16),
    ).join(':'),
  );
}

/** An IPv6 address as RFC 5952 has it, which is how the URL standard writes hosts: in groups, without dots. */
const canonical = (text: string) => new URL(`http://[${text}]`).hostname.slice(1, -1);

/** 32 bits of an address, most significant first; `word` 0 is all of an IPv4 address. */
export function wordOf(address: IpAddress, word: number): number {
  const at = word * 4;
  return ((address[at] << 24) | (address[at + 1] << 16) | (address[at + 2] << 8) | address[at + 3]) >>> 0;
}

/**
 * The IPv4 address that an IPv6 address of a transition mechanism stands for: the site of 6to4 (2002::/16, RFC 3056),
 * the client of Teredo (2001::/32, RFC 4380, stored inverted), the destination of NAT64 (64:ff9b::/96, RFC 6052).
 * Undefined for every other address.
 */
export function ipv4BehindTransition(address: IpAddress): IpAddress | undefined {
  if (address.length === 4) return undefined;
  const first = wordOf(address, 0);
  if (first >>> 16 === 0x2002) return address.slice(2, 6);
  if (first === 0x20010000) return address.slice(12).map((byte) => byte ^ 255);
  if (first === 0x0064ff9b && wordOf(address, 1) === 0 && wordOf(address, 2) === 0) return address.slice(12);
  return undefined;
}

// Addresses that no database can locate, by the IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890) and
// the IPv6 address space registry. Blocks of those registries that are reachable like any other (192.0.0.9/32,
// 192.31.196.0/24, 2001:4:112::/48, 2620:4f:8000::/48 …) are left out.

/** Most specific first. */
const special = Object.entries({ ...blocks.ipv4, ...blocks.ipv6 }).map(([cidr, kind]) => ({
  network: parseNetwork(cidr),
  kind,
}));

/** The kind of a special address, in words; undefined for one that may be a public address. */
export function specialKind(address: IpAddress): string | undefined {
  const first = wordOf(address, 0) >>> 16;
  // Nearly every real query of IPv6: global unicast outside the two parts of it that hold special blocks.
  if (address.length === 16 && first >= 0x2003 && first < 0x3fff) return undefined;
  const kind = special.find(({ network }) => holds(network, address))?.kind;
  if (kind || address.length === 4) return kind;
  const isGlobal = first >>> 13 === 1;
  const isNat64 = wordOf(address, 0) === 0x0064ff9b && wordOf(address, 1) === 0 && wordOf(address, 2) === 0;
  return isGlobal || isNat64 ? undefined : 'reserved: only 2000::/3 has been allocated for public use';
}

/**
 * The names under which a client is counted: an IPv4 address as it is; the /64 of an IPv6 address, within which one household or
 * machine chooses addresses freely, and behind it the /56 and /48 that contain it, which a provider assigns to one customer. IPv6 forms
 * that contain an IPv4 address (mapped, NAT64, 6to4, Teredo) count as that one. `unknown` for what is not an address. For counting
 * only: such a form proves nothing about its sender.
 */
export function clientNetworks(text: string | undefined): string[] {
  const address = text === undefined ? undefined : parseIp(text);
  if (!address) return ['unknown'];
  if (address.length === 4) return [formatIp(address)];
  const carried = ipv4BehindTransition(address);
  if (carried) return [formatIp(carried)];
  return [64, 56, 48].map((bits) => `${formatIp(address.map((byte, at) => (at < bits / 8 ? byte : 0)))}/${bits}`);
}

// Addresses and CIDR networks as people and proxies write them.

export type Network = readonly [start: IpAddress, bits: number];

/** Whether an address is in one of the networks. */
export const isInside = (address: IpAddress, networks: readonly Network[]): boolean =>
  networks.some((network) => holds(network, address));

function holds([start, bits]: Network, address: IpAddress): boolean {
  if (start.length !== address.length) return false;
  for (let word = 0; word * 32 < bits; word++) {
    const unread = Math.max(0, (word + 1) * 32 - bits);
    if (wordOf(start, word) >>> unread !== wordOf(address, word) >>> unread) return false;
  }
  return true;
}

/** A CIDR network, or a single address as one. Throws an Error naming it when it is neither. */
export function parseNetwork(text: string): Network {
  const [, base = '', bits] = /^([^/]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text.trim()) ?? [];
  const written = parseAddress(base);
  const maxPrefix = written?.length === 4 ? 32 : 128;
  const isMapped = written?.length === 4 && base.includes(':');
  const length = bits === undefined ? maxPrefix : Number(bits) - (isMapped ? 96 : 0);
  if (!written || length < 0 || length > maxPrefix) {
    throw new Error(
      `${JSON.stringify(text)} is not a network; expected an address or CIDR such as 10.0.0.0/8 or fd00::/8`,
    );
  }
  return [written, length];
}

/** An address as sockets and proxies write it: with or without port, brackets, zone. Undefined when it is none. */
export function parseAddress(text: string): IpAddress | undefined {
  const address = parseIp(text);
  if (address) return address;
  const bare = text
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .replace(/^\[([^\]]+)\](:\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
    .replace(/%.*$/, '');
  return parseIp(bare);
}
