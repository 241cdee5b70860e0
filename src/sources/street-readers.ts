/** The reader of each kind of street-level source. */
import type { StreetReader } from '../core/street-records.ts';
import { readBag } from './bag.ts';
import { readBan } from './ban.ts';
import { readOpenAddresses } from './openaddresses.ts';
import { readOsm } from './osm/read-osm.ts';
import { readOverture } from './overture.ts';
import { readPrg } from './prg.ts';
import type { SourceKind } from './source-kinds.ts';
import { readStadfang } from './stadfang.ts';

export const streetReaders = {
  'osm-pbf': readOsm,
  'osm-xml': readOsm,
  openaddresses: readOpenAddresses,
  overture: readOverture,
  ban: readBan,
  bag: readBag,
  stadfang: readStadfang,
  prg: readPrg,
} as const satisfies Partial<Record<SourceKind, StreetReader>>;
