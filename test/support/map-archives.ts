/** Archives of maps, for tests of base maps by configuration. */
import type { TestContext } from 'node:test';
import { fromGeojsonVt } from '@maplibre/vt-pbf';
import type { AppOptions } from '../../src/server/index.ts';
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
  const box = [[1024, 1188], [3072, 1188], [3072, 2545], [1024, 2545], [1024, 1188]] as const; // biome-ignore format: one value
  const features = [{ id: 1, type: 3, geometry: [box], tags: { kind: 'earth' } }];
  const tile = Object.fromEntries(layers.map((name) => [name, { version: 2, features }]));
  return Buffer.from(
    fromGeojsonVt(tile as unknown as Parameters<typeof fromGeojsonVt>[0], { version: 2, extent: 4096 }),
  );
}

/** A PMTiles archive of such a tile, and where it is. */
export function archiveOf(t: TestContext, layers: readonly string[]) {
  const archive = pmtilesOf(tileOf(layers), 'mvt', { vector_layers: layers.map((id) => ({ id, fields: {} })) });
  return { ...archive, path: temporaryFile(t, 'world.pmtiles', archive.bytes) };
}
