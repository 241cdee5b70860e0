import { acrossWorld, downWorld, type Tile } from '../../src/core/geo.ts';

/** The tile of a zoom that holds a position. */
export function tileAt(z: number, lat: number, lng: number): Tile {
  return { z, x: Math.floor(acrossWorld(lng) * 2 ** z), y: Math.floor(downWorld(lat) * 2 ** z) };
}
