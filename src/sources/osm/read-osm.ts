/** Reads an OpenStreetMap file, PBF or XML, to records. What is taken and what is dropped: docs/sources.md. */
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultMemoryMb, type ReadOptions, SourceError, type StreetBatch } from '../../core/street-records.ts';
import { Tables } from '../tables/tables.ts';
import type { OsmFile } from './block.ts';
import { ChangeSet, withChanges } from './change-file.ts';
import { isPbf, openPbf } from './pbf-file.ts';
import { recordsOf } from './records.ts';
import { scan } from './scan.ts';
import { openXml } from './xml-file.ts';

/**
 * The addresses, interpolations, points of interest and streets of an OpenStreetMap file. The file is read twice, and
 * no record is given before it was read to its end without a fault. Throws SourceError for a broken or other file.
 */
export async function* readOsm(path: string, options: ReadOptions = {}): AsyncGenerator<StreetBatch> {
  const { progress = () => {}, dropped = () => {}, memoryMb = defaultMemoryMb } = options;
  const extract = await openOsm(path);
  const file = options.changes ? withChanges(extract, await ChangeSet.read(options.changes)) : extract;
  await using directory = await mkdtempDisposable(join(options.temporaryDirectory ?? tmpdir(), 'whereabouts-osm-'));
  using tables = new Tables(directory.path, memoryMb * 1e6);
  using workings = new Tables(directory.path, memoryMb * 1e6);
  const found = await scan(file, { tables, workings, country: options.country, progress, dropped });
  const reportShare = (share: number) => progress(0.5 + 0.5 * share, 'making records');
  yield* recordsOf(found, { tables, progress: reportShare, dropped });
}

/** Opens a file by what it holds: PBF, or XML, plain or packed. */
export async function openOsm(path: string): Promise<OsmFile> {
  const isOfPbf = await isPbf(path).catch((error: Error) => {
    throw new SourceError(`${path} cannot be opened: ${error.message}`);
  });
  return path.endsWith('.pbf') || isOfPbf ? openPbf(path) : openXml(path);
}
