/** The date of an extract and where its changes are published, as its publisher wrote into it. */
import { open } from 'node:fs/promises';
import { readPbfHeader } from './pbf-file.ts';

/** `sequence` is the number of the last change that the extract has; `timestamp` its date, ISO 8601. */
export type Replication = { baseUrl: string; sequence: number; timestamp: string | undefined };

/** The date of an extract's data, ISO 8601, and where its changes are; undefined what it does not say. */
export type ExtractState = { timestamp: string | undefined; replication: Replication | undefined };

/**
 * The state of an extract. XML files and self-made extracts often say nothing of it. Throws SourceError for a broken
 * file.
 */
export async function extractStateOf(path: string): Promise<ExtractState> {
  const start = Buffer.alloc(32);
  await using file = await open(path);
  await file.read(start, 0, start.length, 0);
  if (!start.includes('OSMHeader')) return { timestamp: undefined, replication: undefined };
  const { baseUrl, sequence, timestamp } = await readPbfHeader(path);
  const isFollowed = baseUrl !== undefined && sequence !== undefined;
  return { timestamp, replication: isFollowed ? { baseUrl, sequence, timestamp } : undefined };
}
