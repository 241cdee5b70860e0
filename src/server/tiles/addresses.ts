import { tileBounds } from '../../core/tile.ts';
import { LayerTile } from './layer-tile.ts';
import type { TileLayer } from './tile-layer.ts';

/** Houses that are examined for one tile, in the order of their cells. */
const maxLookedAt = 20_000;
/** Units of a tile within which only one house is drawn: a pixel on a tile of 512. */
const spacing = 8;

/** Houses as points; of several at one position the first. */
export const addresses: TileLayer = {
  minZoom: 16,
  maxZoom: 16,
  description: 'House numbers as points.',
  fields: { number: 'String', street: 'String' },
  needs: 'addresses',
  draw({ map }, tile) {
    const drawn = new LayerTile('addresses', tile);
    const taken = new Set<number>();
    let visited = 0;
    for (const { street, houses } of map?.houses(tileBounds(tile)) ?? []) {
      visited += houses.length;
      if (visited > maxLookedAt) break;
      for (const { number, lat, lng } of houses) {
        const point = drawn.point(lat, lng);
        if (!point) continue;
        const spot = Math.floor(point[0] / spacing) * 4096 + Math.floor(point[1] / spacing);
        if (taken.has(spot)) continue;
        taken.add(spot);
        drawn.addPoint(point, { number, street });
      }
    }
    return drawn.encoded();
  },
};
