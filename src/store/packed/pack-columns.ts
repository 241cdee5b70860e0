import { IdColumn } from '../../core/id-column.ts';
import { RegionIndex, type RegionIndexColumns, type RegionIndexMeta } from '../../core/region-index/region-index.ts';
import { StringTable } from '../../core/string-table.ts';
import type { Column, Pack } from './pack-file.ts';

const noHighBits = new Uint16Array(0);

/** Numbers as a pack stores them: the columns of an IdColumn under names that begin with `name`. */
export function packedIds(name: string, values: Uint32Array | IdColumn): Record<string, Column> {
  const { low, high } = values instanceof IdColumn ? values : IdColumn.from(values);
  // Stored as 16 bits only where 8 are too few; an absent column is an empty one.
  return high instanceof Uint8Array
    ? { [`${name}.low`]: low, [`${name}.high8`]: high, [`${name}.high16`]: noHighBits }
    : { [`${name}.low`]: low, [`${name}.high8`]: new Uint8Array(0), [`${name}.high16`]: high ?? noHighBits };
}

/** The numbers that a pack holds under a name. */
export function openIds(pack: Pack, name: string): IdColumn {
  const high8 = pack.column(`${name}.high8`, 'u8');
  const high16 = pack.column(`${name}.high16`, 'u16');
  const high = high8.length > 0 ? high8 : high16.length > 0 ? high16 : undefined;
  return new IdColumn(pack.column(`${name}.low`, 'u16'), high);
}

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

/** The table of strings that a pack holds as `…Bytes` and `…Ends`. Throws when its ends do not fit its bytes. */
export function openStrings(pack: Pack, prefix: string): StringTable {
  const bytes = pack.column(`${prefix}Bytes`, 'u8');
  return new StringTable(bytes, pack.ends(`${prefix}Ends`, bytes.length));
}
