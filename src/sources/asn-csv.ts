/**
 * The autonomous-system tables of ip-location-db: one range of addresses a line, first and last address inclusive,
 * number, name; sorted, without overlaps. The name is quoted where it holds commas or quotes.
 */
import { readFileSync } from 'node:fs';
import { type IpAddress, parseIp, wordOf } from '../core/ip/address.ts';

type AsnRange = { start: IpAddress; end: IpAddress; asn: string; isp: string | null };

const line = /^([^,]+),([^,]+),(\d+),(?:"((?:[^"]|"")*)"|([^\r\n]*))\r?$/;

/**
 * The ranges of a file, in its order. A line that is not a range, or begins before the one above has ended, is left out
 * and reported to `drop` with the reason.
 */
export function* readAsnCsv(path: string, drop: (reason: string) => void): Generator<AsnRange> {
  let last: IpAddress | undefined;
  for (const text of linesOf(readFileSync(path, 'utf8'))) {
    if (text === '') continue;
    const cells = line.exec(text);
    const start = cells && parseIp(cells[1]);
    const end = cells && parseIp(cells[2]);
    if (!cells || !start || !end || start.length !== end.length || isAfter(start, end)) {
      drop('not a range of addresses');
    } else if (last && !isAfter(start, last)) {
      drop('overlaps the previous range');
    } else {
      last = end;
      const name = (cells[4]?.replaceAll('""', '"') ?? cells[5]).trim();
      if (Number(cells[3]) > 0) yield { start, end, asn: `AS${Number(cells[3])}`, isp: name === '' ? null : name };
    }
  }
}

function* linesOf(text: string): Generator<string> {
  let start = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
    yield text.slice(start, end);
    start = end + 1;
  }
  yield text.slice(start);
}

function isAfter(left: IpAddress, right: IpAddress): boolean {
  for (let word = 0; word * 4 < left.length; word++) {
    const difference = wordOf(left, word) - wordOf(right, word);
    if (difference !== 0) return difference > 0;
  }
  return false;
}
