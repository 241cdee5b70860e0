/**
 * IP addresses as bytes: 4 for IPv4, 16 for IPv6. Texts are read strictly: four decimal parts without leading zeros
 * for IPv4 (no 127.1, no octal, no hex), RFC 4291 section 2.2 for IPv6 (no zone, no prefix length, no brackets).
 */
export type IpAddress = Uint8Array;

/** The address that a text is; an IPv4-mapped one (::ffff:0:0/96) gives its IPv4 address. Undefined when it is none. */
export function parseIp(text: string): IpAddress | undefined {
  if (!text.includes(':')) return parseIpv4(text);
  const address = parseIpv6(text);
  return address && (ipv4MappedIn(address) ?? address);
}

const decimalPart = /^(0|[1-9]\d{0,2})$/;
const hexGroup = /^[0-9a-f]{1,4}$/i;

function parseIpv4(text: string): IpAddress | undefined {
  const parts = text.split('.', 5);
  if (parts.length !== 4) return undefined;
  const bytes = new Uint8Array(4);
  for (let i = 0; i < 4; i++) {
    const value = Number(parts[i]);
    if (!decimalPart.test(parts[i]) || value > 255) return undefined;
    bytes[i] = value;
  }
  return bytes;
}

function parseIpv6(text: string): IpAddress | undefined {
  // The longest spelling is six groups of four and a dotted IPv4 address.
  if (text.length > 45) return undefined;
  const halves = text.split('::', 3);
  if (halves.length > 2) return undefined;
  const head = readGroups(halves[0], halves.length === 1);
  const tail = halves.length === 2 ? readGroups(halves[1], true) : [];
  if (!head || !tail) return undefined;
  const length = head.length + tail.length;
  // `::` stands for at least one group.
  if (halves.length === 1 ? length !== 8 : length > 7) return undefined;
  const groups = [...head, ...new Array<number>(8 - length).fill(0), ...tail];
  const bytes = new Uint8Array(16);
  for (let i = 0; i < 8; i++) {
    bytes[2 * i] = groups[i] >> 8;
    bytes[2 * i + 1] = groups[i] & 255;
  }
  return bytes;
}

/** The 16-bit groups of a part of an IPv6 text; its last 32 bits may be dotted where it ends the address. */
function readGroups(text: string, endsAddress: boolean): number[] | undefined {
  if (text === '') return [];
  const groups: number[] = [];
  const parts = text.split(':');
  for (const [index, part] of parts.entries()) {
    if (endsAddress && index === parts.length - 1 && part.includes('.')) {
      const ipv4 = parseIpv4(part);
      if (!ipv4) return undefined;
      groups.push((ipv4[0] << 8) | ipv4[1], (ipv4[2] << 8) | ipv4[3]);
    } else if (hexGroup.test(part)) {
      groups.push(Number.parseInt(part, 16));
    } else {
      return undefined;
    }
  }
  return groups;
}

/** The one way to write an address: dotted decimal for IPv4, RFC 5952 for IPv6. */
export function formatIp(address: IpAddress): string {
  if (address.length === 4) return address.join('.');
  const groups = Array.from({ length: 8 }, (_, i) => (address[2 * i] << 8) | address[2 * i + 1]);
  // The longest run of two or more zero groups is left out, the first of equally long ones.
  let runStart = 0;
  let runLength = 1;
  for (let i = 0; i < 8; i++) {
    let end = i;
    while (end < 8 && groups[end] === 0) end++;
    if (end - i > runLength) {
      runStart = i;
      runLength = end - i;
    }
  }
  const written = (part: number[]) => part.map((group) => group.toString(16)).join(':');
  return runLength === 1
    ? written(groups)
    : `${written(groups.slice(0, runStart))}::${written(groups.slice(runStart + runLength))}`;
}

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
