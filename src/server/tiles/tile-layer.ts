import type { Tile } from '../../core/tile.ts';
import type { LayerName } from '../../store/manifest-format.ts';
import type { Store } from '../../store/store.ts';

/** A layer that tiles are made of. The work for a tile is bounded, whatever lies in it. */
export type TileLayer = {
  /** Zooms there are tiles for; a map shows those of the last one larger when it zooms in further. */
  minZoom: number;
  maxZoom: number;
  description: string;
  /** Properties of its features with their types, as TileJSON has them. */
  fields: Readonly<Record<string, string>>;
  /** Names of the layers in its tiles, where they are others than its own. */
  layers?: readonly string[];
  /** The layer of the dataset that it is made from. */
  needs: LayerName;
  /** Whether a dataset that has the layer has what tiles need of it; all have where this is absent. */
  isIn?(store: Store): boolean;
  /** A tile as Mapbox Vector Tile 2; undefined where it is empty. Names are in `language` (BCP 47) where that is known. */
  draw(store: Store, tile: Tile, language: string | undefined): Buffer | undefined;
};
