/** Finds where an interrupted output is continued. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile, rm, writeFile } from 'node:fs/promises';
import { Failure, UsageError } from '../errors.ts';

// The inputs of a run, stored next to its output while it is in progress: `<output>.run.json`. A resumed run must have
// the same ones, or the output would be inconsistent.

/** `input` is its SHA-256, empty for a stream; differences of the others are described in words. */
export type RunNote = { options: Record<string, unknown>; dataset: string; input: string };

const pathOf = (output: string) => `${output}.run.json`;

/** SHA-256 of a file's bytes. */
export async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

export const writeNote = (output: string, note: RunNote): Promise<void> =>
  writeFile(pathOf(output), `${JSON.stringify(note, null, 2)}\n`);

/** To be called when the output is whole. */
export const removeNote = (output: string): Promise<void> => rm(pathOf(output), { force: true });

/** Throws UsageError that names what is another than in the run that is to be resumed; an output without a note passes. */
export async function checkNote(output: string, now: RunNote): Promise<void> {
  const text = await readFile(pathOf(output), 'utf8').catch(() => undefined);
  if (text === undefined) return;
  let then: RunNote;
  try {
    then = JSON.parse(text) as RunNote;
  } catch {
    throw new Failure(`${pathOf(output)} is damaged; delete it to resume without this check`);
  }
  const changed = Object.keys({ ...then.options, ...now.options }).filter(
    (name) => JSON.stringify(then.options[name]) !== JSON.stringify(now.options[name]),
  );
  if (then.dataset !== now.dataset) changed.push(`dataset (${then.dataset}, now ${now.dataset})`);
  if (then.input !== '' && now.input !== '' && then.input !== now.input) changed.push('input');
  if (changed.length === 0) return;
  throw new UsageError(
    `${output} was started with a different ${changed.join(', ')}; resume with the original one, or choose another --output`,
  );
}

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
