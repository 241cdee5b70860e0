/**
 * Addresses that no database can locate, by the IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890) and
 * the IPv6 address space registry. Blocks of those registries that are reachable like any other (192.0.0.9/32,
 * 192.31.196.0/24, 2001:4:112::/48, 2620:4f:8000::/48 …) are left out.
 */
import { type IpAddress, parseIp, wordOf } from './address.ts';
import blocks from './special-blocks.json' with { type: 'json' };

type Block = { words: number[]; masks: number[]; kind: string };

/** Most specific first. */
const ipv4 = Object.entries(blocks.ipv4).map(readBlock);
const ipv6 = Object.entries(blocks.ipv6).map(readBlock);

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
