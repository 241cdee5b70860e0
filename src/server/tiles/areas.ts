import { LayerTile } from './layer-tile.ts';
import type { TileLayer } from './tile-layer.ts';

/** Pixels that the largest circle in an area must have across for its name to be in a tile: of a country, of a region. */
const minPixels = { country: 24, region: 48 };
/** From these zooms on all are. */
const allFrom = { country: 6, region: 7 };
/** Pixels of a degree at the equator at zoom 0, where the world is 512 across. */
const pixelsOfDegree = 512 / 360;

/** Names of countries and regions, each as a point in the middle of its area. */
export const areas: TileLayer = {
  minZoom: 0,
  maxZoom: 7,
  description: 'Labels of countries and their regions, those with the most room first.',
  fields: {
    name: 'String',
    level: 'Number; 0 for a country, 1 for a region',
    country: 'String; alpha-2 code',
    rank: 'Number; 0 has the most room',
  },
  needs: 'boundaries',
  isIn: ({ areaLabels }) => areaLabels !== undefined,
  draw({ areaLabels = [], countries, regions }, tile, language) {
    const drawn = new LayerTile('areas', tile);
    for (const [rank, { country, region, lat, lng, radius }] of areaLabels.entries()) {
      const kind = region < 0 ? 'country' : 'region';
      // Mercator's map is larger towards the poles.
      const pixels = (2 * radius * pixelsOfDegree * 2 ** tile.z) / Math.cos((lat * Math.PI) / 180);
      if (pixels < minPixels[kind] && tile.z < allFrom[kind]) continue;
      const point = drawn.point(lat, lng);
      if (!point) continue;
      const name = region < 0 ? countries.nameIn(country, language ?? 'en') : regions.nameIn(region, language ?? 'en');
      drawn.addPoint(point, { name, level: region < 0 ? 0 : 1, country, rank });
    }
    return drawn.encoded();
  },
};
