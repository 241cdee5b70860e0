/**
 * The form of a key: `wab_`, 30 random base62 characters, and 6 base62 characters of the CRC32 of what precedes. The
 * prefix and the checksum let secret scanners find a leaked key, and catch a typo without a look-up.
 */
import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

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
