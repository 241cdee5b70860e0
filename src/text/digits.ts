const digit = /(?![0-9])\p{Nd}/gu;
const fullWidth = /[！-～]/g;
/** Dashes of keyboards and fonts between the parts of a number; `ー` is the one that Japanese keyboards offer. */
const dash = /(?<=\d\s?)[‐‑‒—―−ー－](?=\s?\d)/g;

/** A text with the digits of every script, full-width letters and signs, and dashes in numbers as ASCII has them. */
export function withPlainDigits(text: string): string {
  return text
    .replace(fullWidth, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replaceAll('\u3000', ' ')
    .replace(digit, (sign) => String(digitValue(sign.codePointAt(0)!)))
    .replace(dash, '-');
}

/** Digits are ten consecutive code points that start at one ending in 0 or, if that is not a digit, in 6. */
function digitValue(code: number): number {
  const row = code & ~0xf;
  return /\p{Nd}/u.test(String.fromCodePoint(row)) ? code - row : code - row - 6;
}
