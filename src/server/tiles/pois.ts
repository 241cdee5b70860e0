import { tileBounds } from '../../core/tile.ts';
import { LayerTile } from './layer-tile.ts';
import type { TileLayer } from './tile-layer.ts';

/** Points of a category in one of the about 20 cells of a tile. */
const maxPerCell = 12;
const maxFeatures = 1500;
/** From this zoom on those without a name are drawn too. */
const unnamedFrom = 16;

export const pois: TileLayer = {
  minZoom: 13,
  maxZoom: 16,
  description: 'Points of interest.',
  fields: { name: 'String; absent if it has no name', category: 'String' },
  needs: 'pois',
  draw({ map }, tile) {
    const drawn = new LayerTile('pois', tile);
    for (const { name, category, lat, lng } of map?.pois(tileBounds(tile), maxPerCell) ?? []) {
      if (drawn.size >= maxFeatures) break;
      const point = name !== null || tile.z >= unnamedFrom ? drawn.point(lat, lng) : undefined;
      if (point) drawn.addPoint(point, { name, category });
    }
    return drawn.encoded();
  },
};
