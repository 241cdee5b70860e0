/** Finds where an interrupted output is continued. */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { UsageError } from '../errors.ts';

/** From which row of the input to go on, and how many bytes of the output stay. */
export type ResumePoint = {
  keptBytes: number;
  /** Number of the first row to do, from 1. */
  nextRow: number;
  /** The first record that row had in the output, without its end, if it had one: the input's row must begin it. */
  formerly: string | undefined;
};

const comma = 0x2c;
const quote = 0x22;
const newline = 0x0a;

/**
 * Finds the last row of the input that an output has a record of. That row is done again, as a kill may have cut off
 * its other records; whatever stands after it is half a record. Throws UsageError when the output's header is not the
 * one that would be written: then it was made by other options, or is not ours at all.
 */
export async function findResumePoint(path: string, header: string): Promise<ResumePoint> {
  let offset = 0;
  let start = 0;
  let isQuoted = false;
  /** The number that the record has ended with so far: its last column is the row's number. */
  let number = 0;
  const group = { row: 0, start: 0, end: 0 };
  const expected = Buffer.from(header);
  let isOurs = true;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    for (let i = 0; i < chunk.length; i++, offset++) {
      const byte = chunk[i];
      if (offset < expected.length && byte !== expected[offset]) isOurs = false;
      if (byte === quote) isQuoted = !isQuoted;
      else if (isQuoted) continue;
      else if (byte === comma) number = 0;
      else if (byte === newline) {
        if (start > 0 && number !== group.row) Object.assign(group, { row: number, start, end: offset });
        start = offset + 1;
        number = 0;
      } else if (byte >= 0x30 && byte <= 0x39) number = number * 10 + byte - 0x30;
    }
  }
  if (!isOurs) {
    throw new UsageError(
      `${path} has a different header from the one that this run would write; resume with the original options, or choose another --output`,
    );
  }
  if (group.row === 0) {
    const keptBytes = offset < expected.length ? 0 : expected.length;
    return { keptBytes, nextRow: 1, formerly: undefined };
  }
  return { keptBytes: group.start, nextRow: group.row, formerly: await readText(path, group.start, group.end) };
}

async function readText(path: string, start: number, end: number): Promise<string> {
  await using file = await open(path);
  const { buffer } = await file.read({ buffer: Buffer.alloc(end - start), position: start });
  return buffer.toString().replace(/\r$/, '');
}
