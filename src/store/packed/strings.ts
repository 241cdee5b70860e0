import { StringTable } from '../../core/string-table.ts';
import type { Pack } from './pack-file.ts';

/** The table of strings that a pack holds as `…Bytes` and `…Ends`. Throws when its ends do not fit its bytes. */
export function openStrings(pack: Pack, prefix: string): StringTable {
  const bytes = pack.column(`${prefix}Bytes`, 'u8');
  return new StringTable(bytes, pack.ends(`${prefix}Ends`, bytes.length));
}
