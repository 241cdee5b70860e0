/**
 * Addresses that no database can locate, by the IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890) and
 * the IPv6 address space registry. Blocks of those registries that are reachable like any other (192.0.0.9/32,
 * 192.31.196.0/24, 2001:4:112::/48, 2620:4f:8000::/48 …) are left out.
 */
import { type IpAddress, parseIp, wordOf } from './address.ts';

type Block = { words: number[]; masks: number[]; kind: string };

/** Most specific first. */
const ipv4Blocks = [
  ['0.0.0.0/32', 'the unspecified address'],
  ['0.0.0.0/8', '"this network" (RFC 791)'],
  ['10.0.0.0/8', 'private (RFC 1918)'],
  ['100.64.0.0/10', "shared address space of a provider's NAT, CGNAT (RFC 6598)"],
  ['127.0.0.0/8', 'loopback (RFC 1122)'],
  ['169.254.0.0/16', 'link-local (RFC 3927)'],
  ['172.16.0.0/12', 'private (RFC 1918)'],
  ['192.0.0.0/29', 'IPv4 service continuity, DS-Lite (RFC 7335)'],
  ['192.0.0.8/32', 'the IPv4 dummy address (RFC 7600)'],
  ['192.0.0.170/31', 'NAT64 discovery (RFC 7050)'],
  ['192.0.2.0/24', 'documentation (RFC 5737)'],
  ['192.88.99.0/24', 'the withdrawn 6to4 relay anycast (RFC 7526), reserved'],
  ['192.168.0.0/16', 'private (RFC 1918)'],
  ['198.18.0.0/15', 'benchmarking (RFC 2544)'],
  ['198.51.100.0/24', 'documentation (RFC 5737)'],
  ['203.0.113.0/24', 'documentation (RFC 5737)'],
  ['224.0.0.0/4', 'multicast (RFC 5771)'],
  ['255.255.255.255/32', 'limited broadcast (RFC 919)'],
  ['240.0.0.0/4', 'reserved for future use (RFC 1112)'],
] as const;

const ipv6Blocks = [
  ['::/128', 'the unspecified address'],
  ['::1/128', 'loopback (RFC 4291)'],
  ['::/96', 'IPv4-compatible, withdrawn (RFC 4291), reserved'],
  ['64:ff9b:1::/48', 'NAT64 for local use (RFC 8215), private'],
  ['100::/64', 'discard-only (RFC 6666)'],
  ['100:0:0:1::/64', 'the dummy IPv6 prefix (RFC 9780)'],
  ['2001:2::/48', 'benchmarking (RFC 5180)'],
  ['2001:10::/28', 'ORCHID, withdrawn (RFC 4843), reserved'],
  ['2001:20::/28', 'ORCHIDv2, no routable addresses (RFC 7343)'],
  ['2001:30::/28', 'drone remote identification, no routable addresses (RFC 9374)'],
  ['2001:db8::/32', 'documentation (RFC 3849)'],
  ['3fff::/20', 'documentation (RFC 9637)'],
  ['5f00::/16', 'segment routing identifiers (RFC 9602), private'],
  ['fc00::/7', 'unique local, private (RFC 4193)'],
  ['fe80::/10', 'link-local (RFC 4291)'],
  ['fec0::/10', 'site-local, withdrawn (RFC 3879), private'],
  ['ff00::/8', 'multicast (RFC 4291)'],
] as const;

const ipv4 = ipv4Blocks.map(readBlock);
const ipv6 = ipv6Blocks.map(readBlock);

/** The kind of a special address, in words; undefined for one that may be a public address. */
export function specialKind(address: IpAddress): string | undefined {
  if (address.length === 4) return kindIn(ipv4, address);
  const first = wordOf(address, 0) >>> 16;
  // Nearly every real query: global unicast outside the two parts of it that hold special blocks.
  if (first >= 0x2003 && first < 0x3fff) return undefined;
  const kind = kindIn(ipv6, address);
  if (kind) return kind;
  const isGlobal = first >>> 13 === 1;
  const isNat64 = wordOf(address, 0) === 0x0064ff9b && wordOf(address, 1) === 0 && wordOf(address, 2) === 0;
  return isGlobal || isNat64 ? undefined : 'reserved: only 2000::/3 has been allocated for public use';
}

function kindIn(blocks: readonly Block[], address: IpAddress): string | undefined {
  const first = wordOf(address, 0);
  search: for (const { words, masks, kind } of blocks) {
    if ((first & masks[0]) >>> 0 !== words[0]) continue;
    for (let i = 1; i < words.length; i++) {
      if ((wordOf(address, i) & masks[i]) >>> 0 !== words[i]) continue search;
    }
    return kind;
  }
  return undefined;
}

function readBlock([cidr, kind]: readonly [string, string]): Block {
  const [start, prefix] = cidr.split('/');
  const address = parseIp(start) as IpAddress;
  const words: number[] = [];
  const masks: number[] = [];
  // Only the words that the prefix reaches into are compared.
  for (let word = 0; word * 32 < Number(prefix); word++) {
    const bits = Math.min(32, Number(prefix) - word * 32);
    words.push(wordOf(address, word));
    masks.push(bits === 32 ? 0xffffffff : ~(0xffffffff >>> bits) >>> 0);
  }
  return { words, masks, kind };
}
