import blocks from './special-blocks.json' with { type: 'json' };

/**
 * IP addresses as bytes: 4 for IPv4, 16 for IPv6. Texts are read strictly: four decimal parts without leading zeros
 * for IPv4 (no 127.1, no octal, no hex), RFC 4291 section 2.2 for IPv6 (no zone, no prefix length, no brackets).
 */
export type IpAddress = Uint8Array;

/**
 * The address that a text is; of an IPv4-mapped one (::ffff:0:0/96), its IPv4 address. Undefined if it is not an
 * address.
 */
export function parseIp(text: string): IpAddress | undefined {
  if (!text.includes(':')) return parseIpv4(text);
  const address = parseIpv6(text);
  return address && (ipv4MappedIn(address) ?? address);
}

function parseIpv4(text: string): IpAddress | undefined {
  const bytes = new Uint8Array(4);
  return readDotted(text, 0, bytes, 0) ? bytes : undefined;
}

const dot = 46;
const colon = 58;

/** Reads a dotted IPv4 address that takes all of a text from a position on, into four bytes. Returns whether it is one. */
function readDotted(text: string, from: number, bytes: Uint8Array, at: number): boolean {
  let parts = 0;
  let value = 0;
  let digits = 0;
  for (let i = from; i <= text.length; i++) {
    const code = i === text.length ? dot : text.charCodeAt(i);
    if (code === dot) {
      if (digits === 0 || value > 255 || parts === 4) return false;
      bytes[at + parts++] = value;
      value = 0;
      digits = 0;
      continue;
    }
    const digit = code - 48;
    const hasLeadingZero = digits > 0 && value === 0;
    if (digit < 0 || digit > 9 || hasLeadingZero || ++digits > 3) return false;
    value = value * 10 + digit;
  }
  return parts === 4;
}

function parseIpv6(text: string): IpAddress | undefined {
  const bytes = new Uint8Array(16);
  let groups = 0;
  /** How many groups stand before `::`; -1 where there is none. */
  let gap = -1;
  let i = 0;
  if (text.startsWith('::')) {
    gap = 0;
    i = 2;
  }
  while (i < text.length) {
    const start = i;
    let value = 0;
    for (let digit = hexDigit(text.charCodeAt(i)); digit >= 0; digit = hexDigit(text.charCodeAt(i))) {
      value = (value << 4) | digit;
      if (++i - start > 4) return undefined;
    }
    // The last 32 bits may be written as IPv4.
    if (text.charCodeAt(i) === dot) {
      if (groups > 6 || !readDotted(text, start, bytes, groups * 2)) return undefined;
      groups += 2;
      break;
    }
    if (i === start || groups === 8) return undefined;
    bytes[groups * 2] = value >> 8;
    bytes[groups * 2 + 1] = value & 255;
    groups++;
    if (i === text.length) break;
    if (text.charCodeAt(i++) !== colon || i === text.length) return undefined;
    if (text.charCodeAt(i) === colon) {
      if (gap >= 0) return undefined;
      gap = groups;
      i++;
    }
  }
  if (gap < 0) return groups === 8 ? bytes : undefined;
  // `::` stands for at least one group.
  if (groups === 8) return undefined;
  const tail = 16 - (groups - gap) * 2;
  bytes.copyWithin(tail, gap * 2, groups * 2);
  return bytes.fill(0, gap * 2, tail);
}

/** Value of a hexadecimal digit by its character code; -1 for any other character and for none. */
function hexDigit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const letter = code | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}

/** The canonical form of an address: dotted decimal for IPv4, RFC 5952 for IPv6. */
export function formatIp(address: IpAddress): string {
  if (address.length === 4) return `${address[0]}.${address[1]}.${address[2]}.${address[3]}`;
  // The longest run of two or more zero groups is left out, the first of equally long ones.
  let runStart = 8;
  let runLength = 1;
  for (let i = 0; i < 8; i++) {
    let end = i;
    while (end < 8 && groupAt(address, end) === 0) end++;
    if (end - i > runLength) {
      runStart = i;
      runLength = end - i;
    }
    if (end > i) i = end;
  }
  let text = '';
  for (let i = 0; i < 8; i++) {
    if (i === runStart) {
      text += '::';
      i += runLength - 1;
    } else {
      const isAfterColon = text === '' || i === runStart + runLength;
      text += (isAfterColon ? '' : ':') + groupAt(address, i).toString(16);
    }
  }
  return text;
}

const groupAt = (address: IpAddress, group: number) => (address[group * 2] << 8) | address[group * 2 + 1];

/** 32 bits of an address, most significant first; `word` 0 is all of an IPv4 address. */
export function wordOf(address: IpAddress, word: number): number {
  const at = word * 4;
  return ((address[at] << 24) | (address[at + 1] << 16) | (address[at + 2] << 8) | address[at + 3]) >>> 0;
}

function ipv4MappedIn(address: IpAddress): IpAddress | undefined {
  const isMapped = wordOf(address, 0) === 0 && wordOf(address, 1) === 0 && wordOf(address, 2) === 0xffff;
  return isMapped ? address.slice(12) : undefined;
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

/**
 * The name under which a client is counted: an IPv4 address as it is; the /64 of an IPv6 address, within which one
 * household or machine chooses addresses freely; IPv6 forms that contain an IPv4 address (mapped, NAT64, 6to4, Teredo)
 * count as that one. `unknown` for what is not an address. For counting only: such a form proves nothing about its
 * sender.
 */
export function clientNetwork(text: string | undefined): string {
  return clientNetworks(text)[0];
}

/**
 * The same, and behind it the /56 and /48 that contain an IPv6 address: what a provider assigns to one customer, who has
 * 256 or 65,536 networks of the first kind.
 */
export function clientNetworks(text: string | undefined): string[] {
  const address = text === undefined ? undefined : parseIp(text);
  if (!address) return ['unknown'];
  if (address.length === 4) return [formatIp(address)];
  const carried = ipv4BehindTransition(address);
  if (carried) return [formatIp(carried)];
  return [64, 56, 48].map((bits) => `${formatIp(address.map((byte, at) => (at < bits / 8 ? byte : 0)))}/${bits}`);
}
