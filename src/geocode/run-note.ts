/**
 * The inputs of a run, stored next to its output while it is in progress: `<output>.run.json`. A resumed run must have
 * the same ones, or the output would be inconsistent.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { UsageError } from '../errors.ts';

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
    throw new UsageError(`${pathOf(output)} is damaged; delete it to resume without this check`);
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
