import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nauticalZonesAt } from '../../core/nautical-zone.ts';
import { RecentCache } from '../../core/recent-cache.ts';
import type { RegionIndexColumns, RegionIndexMeta } from '../../core/region-index/region-index.ts';
import { ruledClock, type ZoneClock, zoneClock } from '../../core/zone-clock.ts';
import { type PackedRules, ZoneRules } from '../../core/zone-rules.ts';
import type { Zones } from '../store.ts';
import { readPack, writePack } from './pack-file.ts';
import { openRegionIndex, packedColumns } from './region-index-pack.ts';

/** The layer's file in a dataset. */
export const zonesFile = 'zones.pack';

/** The rules of the zones, as JSON of their source. A dataset of an older program has none. */
export const zoneRulesFile = 'zone-rules.json';

type ZonesMeta = { names: readonly string[]; index: RegionIndexMeta };

/** Writes the layer: IANA names, and the index whose values are positions in them. */
export function writeZones(
  path: string,
  names: readonly string[],
  meta: RegionIndexMeta,
  columns: RegionIndexColumns,
): void {
  writePack(path, { names, index: meta } satisfies ZonesMeta, packedColumns('zones', columns));
}

/**
 * Opens the layer of a dataset; throws when its file is absent or not a pack. Where no zone contains a position, the
 * nautical zone of its longitude is returned.
 */
export function openZones(directory: string): Zones {
  const pack = readPack(join(directory, zonesFile));
  const { names, index: meta } = pack.meta as ZonesMeta;
  const index = openRegionIndex(pack, 'zones', meta);
  const { west, south, east, north } = meta.bounds;
  const clampLng = (lng: number) => Math.min(Math.max(lng, west), east);
  const rulesPath = join(directory, zoneRulesFile);
  const rules = existsSync(rulesPath)
    ? new ZoneRules(JSON.parse(readFileSync(rulesPath, 'utf8')) as PackedRules)
    : undefined;
  /** By what was asked for, of zones that exist: at most the tz database's 600 names in the spellings that clients send. */
  const clocks = new RecentCache<string, ZoneClock>(1_000);
  const clampLat = (lat: number) => Math.min(Math.max(lat, south), north);
  return {
    at({ lat, lng }) {
      const value = index.find(clampLng(lng), clampLat(lat), 0);
      return value < 0 ? nauticalZonesAt(lng)[0] : names[value];
    },
    allAt({ lat, lng }) {
      const values = index.findAll(clampLng(lng), clampLat(lat));
      return values.length === 0 ? nauticalZonesAt(lng) : values.map((value) => names[value]);
    },
    clock(id) {
      const known = clocks.get(id);
      if (known) return known;
      const clock = rules ? ruledClock(id, rules) : zoneClock(id);
      if (clock) clocks.set(id, clock);
      return clock;
    },
    tzVersion: rules?.version,
  };
}
