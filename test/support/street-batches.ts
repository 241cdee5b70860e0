/** Collects what a reader of street-level data yields, and what it says it dropped. */
import { emptyBatch, type ReadOptions, type StreetBatch } from '../../src/core/source-records.ts';

export async function collect(
  read: (options: ReadOptions) => AsyncIterable<StreetBatch>,
  options: ReadOptions = {},
): Promise<StreetBatch & { dropped: Record<string, number> }> {
  const all = { ...emptyBatch(), dropped: {} as Record<string, number> };
  const dropped = (reason: string, count: number) => {
    all.dropped[reason] = (all.dropped[reason] ?? 0) + count;
  };
  for await (const batch of read({ ...options, dropped })) {
    all.addresses.push(...batch.addresses);
    all.streets.push(...batch.streets);
    all.pois.push(...batch.pois);
    all.interpolations.push(...batch.interpolations);
  }
  return all;
}
