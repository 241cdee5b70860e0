import { join } from 'node:path';
import type { RegionIndexColumns, RegionIndexMeta } from '../../core/region-index/region-index.ts';
import type { Boundaries, Regions } from '../store.ts';
import { readPack, writePack } from './pack-file.ts';
import { openRegionIndex, packedColumns } from './region-index-pack.ts';

/** The layer's file in a dataset. */
export const boundariesFile = 'boundaries.pack';

type Index = { meta: RegionIndexMeta; columns: RegionIndexColumns };

export type BoundariesData = {
  /** Alpha-2 codes; values of `land` and `waters` and layers of `regions` are positions here. */
  countries: readonly string[];
  /** Country and gazetteer code of level-1 regions; values of `regions` are positions here. */
  regions: readonly (readonly [country: string, sourceCode: string])[];
  /** Exact land borders, reaching a few kilometres over water. */
  land: Index;
  /** Coarse borders, over large lakes and territorial waters: for where `land` says nothing. */
  waters: Index;
  /** Level-1 regions, one layer a country. */
  admin1: Index;
};

type Meta = Pick<BoundariesData, 'countries' | 'regions'> & Record<'land' | 'waters' | 'admin1', RegionIndexMeta>;

/** Writes the layer. */
export function writeBoundaries(path: string, { countries, regions, land, waters, admin1 }: BoundariesData): void {
  const meta: Meta = { countries, regions, land: land.meta, waters: waters.meta, admin1: admin1.meta };
  writePack(path, meta, {
    ...packedColumns('land', land.columns),
    ...packedColumns('waters', waters.columns),
    ...packedColumns('admin1', admin1.columns),
  });
}

/** Opens the layer of a dataset over the dataset's regions. Throws when the file is absent or not a pack. */
export function openBoundaries(directory: string, regions: Pick<Regions, 'find'>): Boundaries {
  const pack = readPack(join(directory, boundariesFile));
  const meta = pack.meta as Meta;
  const land = openRegionIndex(pack, 'land', meta.land);
  const waters = openRegionIndex(pack, 'waters', meta.waters);
  const admin1 = openRegionIndex(pack, 'admin1', meta.admin1);
  const positions = Int32Array.from(meta.regions, ([country, code]) => regions.find(country, code));

  function country(lng: number, lat: number): number {
    const onLand = land.find(lng, lat, 0);
    return onLand >= 0 ? onLand : waters.find(lng, lat, 0);
  }

  return {
    countryAt({ lat, lng }) {
      const found = country(lng, lat);
      return found < 0 ? undefined : meta.countries[found];
    },
    admin1At({ lat, lng }) {
      const layer = country(lng, lat);
      const found = layer < 0 ? -1 : admin1.find(lng, lat, layer);
      return found < 0 ? -1 : (positions[found] as number);
    },
  };
}
