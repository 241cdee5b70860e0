import { IdColumn } from '../../core/id-column.ts';
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
