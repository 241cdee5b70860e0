import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RecentCache } from '../../core/recent-cache.ts';
import type { RegionIndexColumns, RegionIndexMeta } from '../../core/region-index/region-index.ts';
import { type PackedRules, ruledClock, type ZoneClock, zoneRules } from '../../core/zone-clock.ts';
import type { Zones } from '../store.ts';
import { openRegionIndex, packedColumns, readPack, writePack } from './pack-file.ts';

/** The layer's file in a dataset. */
export const zonesFile = 'zones.pack';

/** The rules of the zones, as JSON of their source. */
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
  const rules = zoneRules(JSON.parse(readFileSync(join(directory, zoneRulesFile), 'utf8')) as PackedRules);
  /** By what was asked for, of zones that exist: at most the tz database's 600 names in the spellings that clients send. */
  const clocks = new RecentCache<string, ZoneClock>(1_000);
  return {
    at({ lat, lng }) {
      const value = index.find(Math.min(Math.max(lng, west), east), Math.min(Math.max(lat, south), north), 0);
      return value < 0 ? nauticalZoneAt(lng) : names[value];
    },
    clock(id) {
      const known = clocks.get(id);
      if (known) return known;
      const clock = ruledClock(id, rules);
      if (clock) clocks.set(id, clock);
      return clock;
    },
    tzVersion: rules.version,
  };
}

// The nautical time zones of the open sea: 24 zones of 15° around the meridians 0°, ±15°, …, the one at ±180° in two
// halves. IANA's names count hours west of Greenwich as positive (`Etc/GMT+5` is five hours behind).

/** The zone at a longitude in [-180, 180], on a line between two the eastern one. */
function nauticalZoneAt(lng: number): string {
  const hoursEast = lng === 180 ? -12 : Math.floor(lng / 15 + 0.5);
  if (hoursEast === 0) return 'Etc/GMT';
  return hoursEast > 0 ? `Etc/GMT-${hoursEast}` : `Etc/GMT+${-hoursEast}`;
}
