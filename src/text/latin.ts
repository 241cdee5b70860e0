import anyAscii from 'any-ascii';

/** A folded word in Latin letters and digits; `''` where nothing of it is a letter or digit. */
export function latin(word: string): string {
  return /^[a-z0-9]*$/.test(word)
    ? word
    : anyAscii(word)
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '');
}
