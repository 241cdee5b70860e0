import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
let anyAscii: typeof import('any-ascii').default | undefined;

/** A text in ASCII letters. The table is loaded with the first text: half a megabyte that a look-up of a point never needs. */
export function toAscii(text: string): string {
  anyAscii ??= (require('any-ascii') as typeof import('any-ascii')).default;
  return anyAscii(text);
}

/** A folded word in Latin letters and digits; `''` where nothing of it is a letter or digit. */
export function latin(word: string): string {
  return /^[a-z0-9]*$/.test(word)
    ? word
    : toAscii(word)
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '');
}
