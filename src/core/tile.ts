/** Map tiles: the squares of the Web Mercator projection that zoom, column and row name, the row from the north. */

/** One tile; `x` and `y` are from 0 to 2^z - 1. */
export type Tile = { z: number; x: number; y: number };

/** A position as shares of the world's width and height in Web Mercator, from the north-west corner. */
export const acrossWorld = (lng: number) => (lng + 180) / 360;
export function downWorld(lat: number): number {
  const sine = Math.sin((lat * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

const latitudeAt = (down: number) => (Math.atan(Math.sinh(Math.PI * (1 - 2 * down))) * 180) / Math.PI;

/** The rectangle of a tile in degrees, made larger by `margin`, a share of its width, on each side. */
export function tileBounds(
  { z, x, y }: Tile,
  margin = 0,
): { west: number; south: number; east: number; north: number } {
  const size = 2 ** -z;
  return {
    west: (x - margin) * size * 360 - 180,
    east: (x + 1 + margin) * size * 360 - 180,
    north: latitudeAt((y - margin) * size),
    south: latitudeAt((y + 1 + margin) * size),
  };
}
