/** The vector tiles of land, lakes, rivers and borders: the pyramid is descended until a tile is all land or all sea. */
import { type Tile, tileBounds } from '../../../core/geo.ts';
import {
  type Area,
  type Box,
  boxArea,
  clipToBox,
  type Ring,
  ringOf,
  signedArea,
} from '../../../core/region-index/ring.ts';
import { buffer, extent, LayerTile } from '../../../tiles/layer-tile.ts';
import { boundaries } from '../../../tiles/layers.ts';

const margin = buffer / extent;
/** The lowest zoom with borders of regions. */
const regionsFrom = 5;
/** The highest zoom with rivers: their source's grid of 4 km is some pixels there. */
const riversTo = 7;
/** Tolerance in tile units where a finer tile exists: a pixel of a 512-pixel tile. */
const coarse = 8;

type Land = {
  areas: readonly Area[];
  /** Rings of lakes, oriented as those of areas. */
  lakes: readonly Ring[];
  /** Lines as lng, lat, lng, lat, …, as those between countries, and between regions of one country. */
  rivers: readonly Float64Array[];
  countryBorders: readonly Float64Array[];
  regionBorders: readonly Float64Array[];
};

type Line = { xy: Float64Array } & Box;
type Part = { rings: Ring[]; lakes: Ring[]; rivers: Line[]; countries: Line[]; regions: Line[] };

/** Yields every tile that is not within one that is all land or all sea; the body of one that is all land is empty. */
export function* landTiles({
  areas,
  lakes,
  rivers,
  countryBorders,
  regionBorders,
}: Land): Generator<[Tile, Uint8Array]> {
  const whole: Part = {
    rings: areas.flatMap(({ rings }) => rings),
    lakes: [...lakes],
    rivers: rivers.map((line) => boxed(smoothed(smoothed(line)))),
    countries: countryBorders.map(boxed),
    regions: regionBorders.map(boxed),
  };
  yield* below({ z: 0, x: 0, y: 0 }, whole);
}

function* below(tile: Tile, around: Part): Generator<[Tile, Uint8Array]> {
  const box = tileBounds(tile, margin);
  const part: Part = {
    rings: clipToBox(around.rings, box),
    lakes: clipToBox(around.lakes, box),
    rivers: tile.z > riversTo ? [] : around.rivers.filter((line) => overlap(line, box)),
    countries: around.countries.filter((line) => overlap(line, box)),
    regions: around.regions.filter((line) => overlap(line, box)),
  };
  const { z, x, y } = tile;
  if (part.rings.length === 0) return;
  const hasMore = part.lakes.length + part.rivers.length + part.countries.length + part.regions.length > 0;
  const isWhole = part.rings.length === 1 && signedArea(part.rings[0].xy) > boxArea(box) * (1 - 1e-9);
  if (isWhole && !hasMore) {
    yield [tile, new Uint8Array(0)];
    return;
  }
  const body = drawn(tile, part);
  if (body) yield [tile, body];
  if (z === boundaries.maxZoom) return;
  for (const [right, down] of [
    [0, 0],
    [1, 0],
    [0, 1],
    [1, 1],
  ])
    yield* below({ z: z + 1, x: 2 * x + right, y: 2 * y + down }, part);
}

function drawn(tile: Tile, { rings, lakes, rivers, countries, regions }: Part): Buffer | undefined {
  const coarseness = tile.z < boundaries.maxZoom ? coarse : undefined;
  const area = (name: string, of: readonly Ring[]) => {
    const layer = new LayerTile(name, tile, coarseness);
    layer.addArea(
      of.map(({ xy }) => xy),
      {},
    );
    return layer;
  };
  const [water, borders] = ['rivers', 'borders'].map((name) => new LayerTile(name, tile, coarseness));
  const lines = (of: readonly Line[]) => of.map(({ xy }) => xy);
  water.addLines(lines(rivers), {});
  if (tile.z >= regionsFrom) borders.addLines(lines(regions), { level: 1 });
  borders.addLines(lines(countries), { level: 0 });
  // A tile is a list of layers: two tiles in a row are one with the layers of both.
  const layers = [area('land', rings), area('lakes', lakes), water, borders].flatMap((layer) => layer.encoded() ?? []);
  return layers.length > 0 ? Buffer.concat(layers) : undefined;
}

/** A line whose corners are cut at a quarter of the way to the next ones, by Chaikin's rule (1974). */
function smoothed(line: Float64Array): Float64Array {
  const cut = [...line.subarray(0, 2)];
  for (let at = 2; at < line.length; at += 2) {
    const [x0, y0, x1, y1] = line.subarray(at - 2, at + 2);
    cut.push(x0 + (x1 - x0) / 4, y0 + (y1 - y0) / 4, x1 - (x1 - x0) / 4, y1 - (y1 - y0) / 4);
  }
  return Float64Array.from([...cut, ...line.subarray(-2)]);
}

const boxed = (xy: Float64Array): Line => ({ ...ringOf(xy), xy });

const overlap = (a: Box, b: Box) => a.west <= b.east && a.east >= b.west && a.south <= b.north && a.north >= b.south;
