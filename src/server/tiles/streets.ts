import { tileBounds } from '../../core/tile.ts';
import { buffer, extent, LayerTile } from './layer-tile.ts';
import type { TileLayer } from './tile-layer.ts';

/** From which zoom on a class of streets is drawn; other classes come with the zoom of `residential`. */
const firstZoomOf: Readonly<Record<string, number>> = {
  motorway: 9,
  trunk: 9,
  primary: 10,
  secondary: 11,
  tertiary: 12,
  motorway_link: 12,
  trunk_link: 12,
  unclassified: 13,
  residential: 13,
  service: 14,
  footway: 14,
  path: 14,
  steps: 14,
  cycleway: 14,
  track: 14,
};
const firstZoomOfOthers = 13;

/** Streets that are examined for one tile, the most prominent first. */
const maxLookedAt = 1000;
/** Bytes of geometry that are read for one tile, some two for each coordinate. */
const maxBytes = 100_000;

/** Streets as lines, one feature for each street of a settlement. */
export const streets: TileLayer = {
  minZoom: 9,
  maxZoom: 14,
  description: 'Streets as lines, the main roads first.',
  fields: { name: 'String', highway: 'String; value of the OpenStreetMap tag highway; absent if the source has none' },
  needs: 'streets',
  draw({ map }, tile) {
    const drawn = new LayerTile('streets', tile);
    let bytes = 0;
    for (const street of map?.streets(tileBounds(tile, buffer / extent), maxLookedAt) ?? []) {
      const { name, highway } = street;
      if (tile.z < (firstZoomOf[highway ?? ''] ?? firstZoomOfOthers)) continue;
      bytes += street.bytes;
      if (bytes > maxBytes) break;
      drawn.addLines(street.lines(), { name, highway });
    }
    return drawn.encoded();
  },
};
