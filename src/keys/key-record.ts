import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Profile } from '../endpoints/endpoint.ts';

/** A key as it is stored; its text is not among it. Times are epoch milliseconds, hashes are SHA-256 in hex. */
export type KeyRecord = {
  id: number;
  /** The first 12 characters of the key. */
  display: string;
  /** Name set by its owner. */
  name: string | null;
  plan: string;
  /** The profile of its answers where a request names none. */
  profile: Profile | null;
  createdAt: number;
  expiresAt: number | null;
  revokedAt: number | null;
  /** Values of the `Origin` header it may come from; null for any, then requests without the header are fine too. */
  origins: string[] | null;
  /** CIDR networks it may come from; null for any. */
  networks: string[] | null;
  /** Names of the endpoints it may call; null for all. */
  endpoints: string[] | null;
  /** Whether it is for the admin API, and for nothing else. */
  isAdmin: boolean;
  /** Hash of the key. */
  hash: string;
  /** Hash of the owner's code, which changes of a public key need; null where they need none. */
  ownerHash: string | null;
  /** Texts that it had before and that are still valid, the one that ends first, first. */
  former: FormerText[];
  /** When it was rotated within the last day. */
  rotatedAt: number[];
  /** The same of changes by its owner; missing before the first. */
  changedAt?: number[];
  /** Grows by one with each change, so that of two changes at once none is lost. */
  revision: number;
};

/** A text that a key had before; `expiresAt` is when it ends, epoch ms. */
export type FormerText = { hash: string; display: string; expiresAt: number };

/** The properties that can be set on a key. */
export type KeyOptions = Partial<
  Pick<KeyRecord, 'name' | 'plan' | 'profile' | 'expiresAt' | 'origins' | 'networks' | 'endpoints' | 'isAdmin'>
>;

/** A line of the log of changes: who did what to which key, when (epoch ms). */
export type AuditEntry = {
  at: number;
  /** `operator <user>` at the command line, `admin <key>` over HTTP, `owner`, or `sign-up`. */
  by: string;
  action: 'create' | 'change' | 'revoke' | 'rotate';
  keyId: number;
  /** What was changed, without secrets; null where there is nothing to add. */
  detail: Record<string, unknown> | null;
};

/** A time as answers have it. */
export const timeOf = (time: number | null) => (time === null ? null : new Date(time).toISOString());

/** What operators see of a key, by the command line and the admin API; times in ISO 8601. */
export const keyFacts = (key: KeyRecord) => ({
  name: key.name,
  plan: key.plan,
  profile: key.profile,
  created: timeOf(key.createdAt),
  expires: timeOf(key.expiresAt),
  revoked: timeOf(key.revokedAt),
  origins: key.origins,
  networks: key.networks,
  endpoints: key.endpoints,
});

// The form of a key: `wab_`, 30 random base62 characters, and 6 base62 characters of the CRC32 of what precedes. The prefix and
// the checksum let secret scanners find a leaked key, and catch a typo without a look-up.
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const prefix = 'wab_';
const bodyLength = prefix.length + 30;
const keyLength = bodyLength + 6;
const form = /^wab_[0-9A-Za-z]{36}$/;

/** Length of the start of a key that is kept for display. */
export const displayLength = 12;

/** A new random key, or another secret of its form: 30 characters of 62, that is 178 bits. */
export function generateKey(start: 'wab_' | 'own_' = prefix): string {
  let body: string = start;
  while (body.length < bodyLength) {
    // 248 is the largest multiple of 62 in a byte: what is above would favour the first letters.
    for (const byte of randomBytes(40)) if (byte < 248 && body.length < bodyLength) body += alphabet[byte % 62];
  }
  return body + checksum(body);
}

/** Whether a text has the form of a key and its checksum is right; says nothing about whether the key exists. */
export function isWellFormedKey(text: string): boolean {
  return text.length === keyLength && form.test(text) && text.endsWith(checksum(text.slice(0, bodyLength)));
}

/** SHA-256 of a key, the only form in which it is stored. A random key of 178 bits needs no salt and no slow hash. */
export function hashKey(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

/** CRC32 as 6 base62 digits; 62^6 holds every 32-bit number. */
function checksum(body: string): string {
  let rest = crc32(body);
  let digits = '';
  for (let i = 0; i < 6; i++) {
    digits = alphabet[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
