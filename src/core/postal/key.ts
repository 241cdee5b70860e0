/**
 * Compact postal codes as numbers that sort as the codes do, so that a column of them allows binary search: ten base-37
 * digits, `0`–`9` and `A`–`Z` as 1–36, the missing ones at the end as 0. 37^10 < 2^53, so it is exact.
 */
import { maxCodeLength } from './code.ts';

/** Base and number of digits of such a number. */
export const base = 37;
export const maxKeyDigits = maxCodeLength;
/** The upper and the lower five digits. */
const halfBase = base ** 5;
const signs = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** The number of a compact code (1 to 10 letters and digits); NaN when it is none. */
export function postalKey(code: string): number {
  if (code.length === 0 || code.length > maxCodeLength) return Number.NaN;
  let key = 0;
  for (let at = 0; at < maxCodeLength; at++) {
    let digit = 0;
    if (at < code.length) {
      const sign = code.charCodeAt(at);
      if (sign >= 48 && sign <= 57) digit = sign - 47;
      else if (sign >= 65 && sign <= 90) digit = sign - 54;
      else return Number.NaN;
    }
    key = key * base + digit;
  }
  return key;
}

/** The compact code of a number that postalKey made. */
export function codeOfKey(key: number): string {
  // In two halves, each within 32 bits: a remainder of whole numbers is several times as fast as one of floating ones.
  const first = Math.floor(key / halfBase);
  return codeOfHalf(first) + codeOfHalf(key - first * halfBase);
}

function codeOfHalf(half: number): string {
  let code = '';
  for (let rest = half | 0; rest > 0; rest = (rest / base) | 0) {
    const digit = (rest % base) | 0;
    if (digit > 0) code = signs[digit - 1] + code;
  }
  return code;
}
