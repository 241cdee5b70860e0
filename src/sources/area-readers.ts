/** The reader of each kind of source of administrative areas. */
import type { AdminAreaRecord } from '../core/admin-areas.ts';
import type { ReadOptions } from '../core/street-records.ts';
import { readGeoBoundaries } from './geoboundaries.ts';
import { readOsmAreas } from './osm/admin-areas.ts';
import { readOvertureAreas } from './overture-divisions.ts';
import type { SourceKind } from './source-kinds.ts';

/** Areas until the source ends. Throws SourceError when the source is no such file or is broken. */
type AreaReader = (path: string, options?: ReadOptions) => AsyncIterable<AdminAreaRecord>;

export const areaReaders = {
  'osm-pbf': readOsmAreas,
  'osm-xml': readOsmAreas,
  overture: readOvertureAreas,
  geoboundaries: readGeoBoundaries,
} as const satisfies Partial<Record<SourceKind, AreaReader>>;
