import { availableParallelism, totalmem } from 'node:os';
import type { Manifest } from '../../store/manifest-format.ts';

const mib = 2 ** 20;
/** Memory of a worker besides the mapped dataset, under load, and of the supervisor; both measured, rounded up. */
const workerBytes = 220 * mib;
const watcherBytes = 128 * mib;

/**
 * How many workers `auto` stands for: one for each core, but no more than the memory of this machine or container holds
 * beside the dataset that they share and one that is being loaded; at least one.
 */
export function workerCount(
  manifest: Manifest,
  { cores = availableParallelism(), memoryBytes = Math.min(process.constrainedMemory() || Infinity, totalmem()) } = {},
): number {
  const files = Object.values(manifest.layers).flatMap((layer) => layer.files);
  // Packs should stay in memory; what is read of databases varies.
  const packs = files.filter(({ name }) => name.endsWith('.pack'));
  const datasetBytes = packs.reduce((sum, { bytes }) => sum + bytes, 0);
  const fitting = Math.floor((memoryBytes - watcherBytes - 2 * datasetBytes) / workerBytes);
  return Math.max(1, Math.min(cores, fitting));
}
