/** Archives of maps, for tests of base maps by configuration. */
import type { TestContext } from 'node:test';
import type { AppOptions } from '../../src/server/index.ts';
import { LayerTile } from '../../src/tiles/layer-tile.ts';
import { pmtilesOf } from './pmtiles-writer.ts';
import { temporaryFile } from './temporary.ts';

/** The map of our own tiles. */
export const none: NonNullable<AppOptions['baseMap']> = { style: '', archive: '', origins: [] };
/** A PNG of one pixel. */
export const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A tile of the whole world with an area in each of the layers. */
function tileOf(layers: readonly string[]): Buffer {
  return Buffer.concat(
    layers.map((name) => {
      const tile = new LayerTile(name, { z: 0, x: 0, y: 0 });
      tile.addArea([Float64Array.of(-90, -40, 90, -40, 90, 60, -90, 60)], { kind: 'earth' });
      return tile.encoded()!;
    }),
  );
}

/** A PMTiles archive of such a tile, and where it is. */
export function archiveOf(t: TestContext, layers: readonly string[]) {
  const archive = pmtilesOf(tileOf(layers), 'mvt', { vector_layers: layers.map((id) => ({ id, fields: {} })) });
  return { ...archive, path: temporaryFile(t, 'world.pmtiles', archive.bytes) };
}
