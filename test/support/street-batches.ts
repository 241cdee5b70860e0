/** Collects what a reader of street-level data yields, and what it says it dropped. */
import type { readStreets } from '../../src/sources/source-kinds.ts';

export type ReadOptions = NonNullable<Parameters<typeof readStreets>[2]>;
type Batches<Reader> = Reader extends (...file: never) => AsyncIterable<infer Batch> ? Batch : never;
export type StreetBatch = Batches<typeof readStreets>;
export type AddressRecord = StreetBatch['addresses'][number];
export type StreetRecord = StreetBatch['streets'][number];
export type PoiRecord = StreetBatch['pois'][number];

export const emptyBatch = (): StreetBatch => ({ addresses: [], streets: [], pois: [], interpolations: [] });

export async function collect(
  read: (options: ReadOptions) => AsyncIterable<StreetBatch>,
  options: ReadOptions = {},
): Promise<StreetBatch & { dropped: Record<string, number> }> {
  const all = { ...emptyBatch(), dropped: {} as Record<string, number> };
  const dropped = (reason: string, count = 1) => {
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
