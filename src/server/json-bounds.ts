/** Limits on JSON bodies. Parsing one of a megabyte can take 0.5 s, scanning its bytes takes 2 ms. */
import { WhereaboutsError } from '../errors.ts';

const maxDepth = 32;

/**
 * Maximum number of values of a body where its reader sets no other bound: a hundred entries with a hundred parameters
 * each are fewer.
 */
const maxJsonValues = 20_000;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;

/** Throws `invalid_body` if a text is nested too deeply or has too many values. Does not check whether it is JSON. */
export function checkJsonBounds(text: Uint8Array, maxValues = maxJsonValues): void {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at];
    if (byte === quote) {
      for (at++; at < text.length && text[at] !== quote; at++) if (text[at] === backslash) at++;
    } else if (byte === comma) values++;
    // Brackets and braces.
    else if (byte === 0x5b || byte === 0x7b) {
      values++;
      depth++;
    } else if (byte === 0x5d || byte === 0x7d) depth--;
    if (depth > maxDepth) throw refused(`nests deeper than ${maxDepth} levels`);
    if (values > maxValues)
      throw refused(`has more than ${maxValues} values; send fewer, for instance fewer entries at once`);
  }
}

const refused = (what: string) => new WhereaboutsError('invalid_body', `the body ${what}`);
