/** The format of a text table: its encoding and delimiter, detected from its beginning. */
import { UsageError } from '../errors.ts';

/** The first four are detected; the others are taken by name alone. */
export const encodings = [
  ...(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const),
  ...(['windows-1250', 'windows-1251', 'windows-1253', 'windows-1254', 'iso-8859-2'] as const),
  ...(['shift_jis', 'euc-jp', 'gb18030', 'big5', 'euc-kr'] as const),
] as const;
export type Encoding = (typeof encodings)[number];

/**
 * The encoding of a text: by its byte order mark, by the zeros of Latin letters in UTF-16, else UTF-8 where the bytes are
 * that, else Windows-1252, of which Latin-1 is a part. `head` may end within a letter. Throws UsageError for a text in
 * another alphabet, whose encoding is not known.
 */
export function detectEncoding(head: Uint8Array): Encoding {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  let [even, odd] = [0, 0];
  for (let at = 0; at < head.length; at++) {
    if (head[at] !== 0) continue;
    if (at % 2 === 0) even++;
    else odd++;
  }
  // Texts of other encodings have no zeros, and the delimiters at least are Latin.
  if (odd > head.length / 20 && odd > 20 * even) return 'utf-16le';
  if (even > head.length / 20 && even > 20 * odd) return 'utf-16be';
  if (even + odd > 0) throw notText();
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return 'utf-8';
  } catch {
    if (controls(head) > head.length / 100) throw notText();
    if (!isLatin(head))
      throw new UsageError(
        `the encoding of the input is not known: it is neither UTF-8 nor UTF-16, and no text in Latin letters; set --encoding, one of ${encodings.join(', ')}`,
      );
    return 'windows-1252';
  }
}

const notText = () =>
  new UsageError('the input is no table: it is binary; expected CSV, also gzipped, XLSX or Parquet');

/** Bytes that are no part of a text: control characters but tab, line feed, form feed and carriage return. */
const controls = (head: Uint8Array) =>
  head.filter((byte) => byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13).length;

/**
 * Whether bytes above ASCII are accented letters among others: they rarely stand three in a row, as they do in Cyrillic,
 * Greek, Chinese, Japanese and Korean.
 */
function isLatin(head: Uint8Array): boolean {
  let [high, inRuns, run] = [0, 0, 0];
  for (const byte of head) {
    run = byte >= 0x80 ? run + 1 : 0;
    if (run > 0) high++;
    if (run >= 3) inRuns += run === 3 ? 3 : 1;
  }
  return inRuns <= high / 4;
}

/** Candidates, the likelier one first where two are as frequent. */
const delimiters = [',', ';', '\t', '|'];

/** The delimiter that the first row has most of outside quotes; a comma where it has none of them. */
export function detectDelimiter(head: string): string {
  const counts = new Map(delimiters.map((delimiter) => [delimiter, 0]));
  let isQuoted = false;
  for (const character of head) {
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '\n') break;
    else if (counts.has(character)) counts.set(character, counts.get(character)! + 1);
  }
  return delimiters.reduce((best, delimiter) => (counts.get(delimiter)! > counts.get(best)! ? delimiter : best));
}
