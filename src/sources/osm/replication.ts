/** Where the changes of an extract are published, as its publisher wrote into it. */
import { open } from 'node:fs/promises';
import { readPbfHeader } from './pbf-file.ts';

/** `sequence` is the number of the last change that the extract has; `timestamp` its date, ISO 8601. */
export type Replication = { baseUrl: string; sequence: number; timestamp: string | undefined };

/**
 * The state of an extract and the address of its changes; `undefined` where it does not say both, as XML files and
 * self-made extracts do not. Throws SourceError for a broken file.
 */
export async function replicationOf(path: string): Promise<Replication | undefined> {
  const start = Buffer.alloc(32);
  await using file = await open(path);
  await file.read(start, 0, start.length, 0);
  if (!start.includes('OSMHeader')) return undefined;
  const { baseUrl, sequence, timestamp } = await readPbfHeader(path);
  return baseUrl === undefined || sequence === undefined ? undefined : { baseUrl, sequence, timestamp };
}
