/** Areas of a user's sources, finer than the default maps: regions of both levels, and municipalities. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { LatLng } from '../../core/geo.ts';
import type { RegionIndexColumns, RegionIndexMeta } from '../../core/region-index/region-index.ts';
import type { Municipality, Places, Regions } from '../store.ts';
import { type AreaShapes, openAreaShapes } from './area-shapes.ts';
import { openRegionIndex, packedColumns, readPack, writePack } from './pack-file.ts';

export const userAreasFile = 'given-areas.pack';
/** The outlines of municipalities whose place has their name, by its identifier. */
export const placeOutlinesFile = 'given-outlines.pack';
/** The part of a country's tolerances that those of a municipality are: 25 m to 3.2 km. */
export const placeOutlineScale = 1 / 20;

/** Roles of areas, by number: the layers of the index. */
export const areaRoles = ['region', 'subregion', 'municipality'] as const;

/** Codes are the gazetteer's; `place` is the identifier of the municipality's place, 0 where there is none. */
export type UserArea =
  | { role: 'region'; country: string; admin1: string }
  | { role: 'subregion'; country: string; admin1: string; admin2: string }
  | { role: 'municipality'; country: string; name: string; place: number };

type Meta = { areas: UserArea[]; index: RegionIndexMeta };

/** Writes the areas; values of the index are positions in the list. */
export function writeUserAreas(
  path: string,
  areas: readonly UserArea[],
  { meta, columns }: { meta: RegionIndexMeta; columns: RegionIndexColumns },
): void {
  const described: Meta = { areas: [...areas], index: meta };
  writePack(path, described, packedColumns('areas', columns));
}

type UserAreas = {
  /** Position of the region of a level that a source outlines around a position; -1 when none does. */
  regionAt(position: LatLng, level: 1 | 2): number;
  municipalityAt(position: LatLng): (Municipality & { country: string }) | undefined;
  /** The outlines of municipalities by the identifier of their place; undefined where no source has one. */
  outlines: AreaShapes | undefined;
};

/** Opens the areas of a dataset; undefined where it has none. */
export function openUserAreas(
  directory: string,
  regions: Pick<Regions, 'find'>,
  places: Pick<Places, 'byId'>,
): UserAreas | undefined {
  const path = join(directory, userAreasFile);
  if (!existsSync(path)) return undefined;
  const pack = readPack(path);
  const { areas, index: meta } = pack.meta as Meta;
  const index = openRegionIndex(pack, 'areas', meta);
  const positions = Int32Array.from(areas, (area) => {
    if (area.role === 'region') return regions.find(area.country, area.admin1);
    if (area.role === 'subregion') return regions.find(area.country, area.admin1, area.admin2);
    return area.place === 0 ? -1 : places.byId(area.place);
  });
  const valueAt = ({ lat, lng }: LatLng, role: (typeof areaRoles)[number]) =>
    index.find(lng, lat, areaRoles.indexOf(role));
  const outlines = join(directory, placeOutlinesFile);
  return {
    outlines: existsSync(outlines) ? openAreaShapes(outlines, placeOutlineScale) : undefined,
    regionAt(position, level) {
      const value = valueAt(position, level === 1 ? 'region' : 'subregion');
      return value < 0 ? -1 : positions[value];
    },
    municipalityAt(position) {
      const value = valueAt(position, 'municipality');
      const area = value < 0 ? undefined : areas[value];
      if (area?.role !== 'municipality') return undefined;
      return { name: area.name, place: positions[value], country: area.country };
    },
  };
}
