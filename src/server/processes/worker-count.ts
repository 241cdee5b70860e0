import { availableParallelism, totalmem } from 'node:os';
import type { Manifest } from '../../store/manifest-format.ts';

const mib = 2 ** 20;
/** Memory of a worker besides the dataset's columns, and of the supervisor; both measured, rounded up. */
const workerBytes = 220 * mib;
const watcherBytes = 128 * mib;

/**
 * How many workers `auto` stands for: one for each core, but no more than the memory of this machine or container holds
 * while one of them reloads a dataset and so has two; at least one.
 */
export function workerCount(
  manifest: Manifest,
  { cores = availableParallelism(), memoryBytes = Math.min(process.constrainedMemory() || Infinity, totalmem()) } = {},
): number {
  const files = Object.values(manifest.layers).flatMap((layer) => layer.files);
  // Packs are held in memory; databases are not.
  const packs = files.filter(({ name }) => name.endsWith('.pack'));
  const datasetBytes = packs.reduce((sum, { bytes }) => sum + bytes, 0);
  const fitting = Math.floor((memoryBytes - watcherBytes - datasetBytes) / (workerBytes + datasetBytes));
  return Math.max(1, Math.min(cores, fitting));
}
