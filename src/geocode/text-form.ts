/** The format of a text table: its encoding and delimiter, detected from its beginning. */

export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type Encoding = (typeof encodings)[number];

/**
 * The encoding of a text: by its byte order mark, by the zeros of Latin letters in UTF-16, else UTF-8 where the bytes are
 * that, else Windows-1252, of which Latin-1 is a part. `head` may end within a letter.
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
  if (odd > head.length / 20 && odd > even) return 'utf-16le';
  if (even > head.length / 20 && even > odd) return 'utf-16be';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
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
