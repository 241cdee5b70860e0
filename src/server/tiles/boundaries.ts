import { LayerTile } from './layer-tile.ts';
import type { TileLayer } from './tile-layer.ts';

/** Land, and the borders of countries and regions, as the build has drawn them. */
export const boundaries: TileLayer = {
  minZoom: 0,
  maxZoom: 9,
  description: 'Land as polygons, and borders of countries and their regions as lines.',
  fields: { level: 'Number, for borders: 0 between countries, 1 between regions of a country' },
  layers: ['land', 'borders'],
  needs: 'boundaries',
  isIn: ({ land }) => land !== undefined,
  draw({ land }, tile) {
    const body = land?.tile(tile);
    return body === 'land' ? allLand.encoded() : body;
  },
};

const allLand = new LayerTile('land', { z: 0, x: 0, y: 0 });
allLand.addArea([Float64Array.of(-181, -86, 181, -86, 181, 86, -181, 86)], {});
