import { RegionIndex, type RegionIndexColumns, type RegionIndexMeta } from '../../core/region-index/region-index.ts';
import type { Column, Pack } from './pack-file.ts';

/** The columns of a region index under names that begin with `prefix`, as a pack stores them. */
export function packedColumns(prefix: string, columns: RegionIndexColumns): Record<string, Column> {
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [`${prefix}.${name}`, column]));
}

/** The region index that a pack holds under a prefix. */
export function openRegionIndex(pack: Pack, prefix: string, meta: RegionIndexMeta): RegionIndex {
  const setValues = pack.column(`${prefix}.setValues`, 'u16');
  return new RegionIndex(meta, {
    nodes: pack.column(`${prefix}.nodes`, 'u32'),
    leaves: pack.column(`${prefix}.leaves`, 'u16'),
    setEnds: pack.ends(`${prefix}.setEnds`, setValues.length),
    setValues,
    layerOf: pack.column(`${prefix}.layerOf`, 'u16'),
  });
}
