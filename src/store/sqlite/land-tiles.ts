/**
 * Vector tiles of land and borders, made by the build. A tile that is all land or all sea has no descendants; its
 * nearest stored ancestor decides which it is.
 */
import { join } from 'node:path';
import type { Tile } from '../../core/geo.ts';
import type { LandTiles } from '../map-contract.ts';
import { createForWriting, finishWriting, openForReading, rows } from './database.ts';

export const landTilesFile = 'land-tiles.sqlite';

const schema = 'CREATE TABLE tiles (id INTEGER PRIMARY KEY, body BLOB NOT NULL); -- an empty body: all land';

const idOf = ({ z, x, y }: Tile) => (z * 2 ** 20 + y) * 2 ** 20 + x;

/** Writes the tiles of a dataset; an empty body means all land. */
export function writeLandTiles(path: string, tiles: Iterable<readonly [tile: Tile, body: Uint8Array]>): number {
  using database = createForWriting(path, schema);
  const add = database.prepare('INSERT INTO tiles VALUES (?, ?)');
  let count = 0;
  for (const [tile, body] of tiles) {
    add.run(idOf(tile), body);
    count++;
  }
  finishWriting(database, path);
  return count;
}

/** Opens the tiles of a dataset. */
export function openLandTiles(directory: string): LandTiles & { close(): void } {
  const database = openForReading(join(directory, landTilesFile));
  const bodyOf: (id: number) => [Uint8Array][] = rows(database, 'SELECT body FROM tiles WHERE id = ?');
  return {
    tile(tile) {
      for (let { z, x, y } = tile; z >= 0; z--, x >>= 1, y >>= 1) {
        const [found] = bodyOf(idOf({ z, x, y }));
        if (!found) continue;
        const [body] = found;
        if (body.length === 0) return 'land';
        return z === tile.z ? Buffer.from(body.buffer, body.byteOffset, body.byteLength) : undefined;
      }
      return undefined;
    },
    close: () => database.close(),
  };
}
