/** The layers of vector tiles: which records are drawn at which zoom, and the bounds of that work. */
import { type BoundingBox, distanceKm, type LatLng, type Tile, tileBounds } from '../core/geo.ts';
import type { LayerName } from '../store/manifest.ts';
import { layerOfKind, type Store } from '../store/store.ts';
import firstZooms from './first-zooms.json' with { type: 'json' };
import { buffer, extent, layerTile } from './layer-tile.ts';
import described from './layers.json' with { type: 'json' };

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
  /** A tile as Mapbox Vector Tile 2; undefined where it is empty. Names are in `language` (BCP 47) where that is known. */
  draw(store: Store, tile: Tile, language: string | undefined): Buffer | undefined;
};

/** Land, lakes, rivers, and the borders of countries and regions, as the build has drawn them. */
const boundaries: TileLayer['draw'] = ({ land }, tile) => {
  const body = land?.tile(tile);
  return body === 'land' ? allLand.encoded() : body;
};

const allLand = layerTile('land', { z: 0, x: 0, y: 0 });
allLand.addArea([Float64Array.of(-181, -86, 181, -86, 181, 86, -181, 86)], {});

/** Pixels that the largest circle in an area must have across for its name to be in a tile: of a country, of a region. */
const minPixels = { country: 24, region: 48 };
/** From these zooms on all are. */
const allFrom = { country: 6, region: 7 };
/** Pixels of a degree at the equator at zoom 0, where the world is 512 across. */
const pixelsOfDegree = 512 / 360;

/** Names of countries and regions, each as a point in the middle of its area. */
const areas: TileLayer['draw'] = ({ areaLabels = [], countries, regions }, tile, language) => {
  const drawn = layerTile('areas', tile);
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
};

/** How many places, the most prominent of the world first, are examined by zoom. */
const lookedAt = [100, 250, 700, 2000, 5000, 12_000, 30_000, 70_000];
/** From the zoom after those on a tile is small, and the places nearest to its middle are examined. */
const maxNear = 3000;
const maxPlaces = 200;

/** Settlements as points, the most prominent of each tile. */
const places: TileLayer['draw'] = (store, tile, language) => {
  const drawn = layerTile('places', tile);
  const { facts } = store.gazetteer;
  for (const index of tile.z < lookedAt.length ? firstPlaces(store, tile) : placesAround(store, tile)) {
    const point = drawn.point(facts.lat(index) / 1e6, facts.lng(index) / 1e6);
    if (!point) continue;
    const { id, type, country, population } = store.places.get(index);
    const name = store.places.nameIn(index, language);
    drawn.addPoint(point, { name, type, country, population, rank: index, id });
    if (drawn.size >= maxPlaces) break;
  }
  return drawn.encoded();
};

const firstPlaces = ({ gazetteer: { facts }, places }: Store, tile: Tile) =>
  withinTile(facts, tile, 0, Math.min(places.size, lookedAt[tile.z]));

/** Places and features in a tile, of those from one position up to another. */
function* withinTile(facts: Store['gazetteer']['facts'], tile: Tile, from: number, end: number): Generator<number> {
  const { south, west, north, east } = tileBounds(tile);
  const [low, high, left, right] = [south, north, west, east].map((degrees) => degrees * 1e6);
  for (let index = from; index < end; index++) {
    const lat = facts.lat(index);
    if (lat < low || lat > high) continue;
    const lng = facts.lng(index);
    if (lng >= left && lng <= right) yield index;
  }
}

function placesAround({ places }: Store, tile: Tile): number[] {
  const { south, west, north, east } = tileBounds(tile);
  const middle = { lat: (south + north) / 2, lng: (west + east) / 2 };
  // The corner towards the equator is the farthest.
  const maxKm = distanceKm(middle, { lat: middle.lat > 0 ? south : north, lng: west });
  const near = places.nearest(middle, { limit: maxNear, maxKm });
  return near.map(({ index }) => index).sort((left, right) => left - right);
}

/** Houses that are examined for one tile, in the order of their cells. */
const maxHouses = 20_000;
/** Units of a tile within which only one house is drawn: a pixel on a tile of 512. */
const spacing = 8;

/** Houses as points; of several at one position the first. */
const addresses: TileLayer['draw'] = ({ map }, tile) => {
  const drawn = layerTile('addresses', tile);
  const taken = new Set<number>();
  let visited = 0;
  for (const { street, houses } of map?.houses(tileBounds(tile)) ?? []) {
    visited += houses.length;
    if (visited > maxHouses) break;
    for (const { text: number, lat, lng } of houses) {
      const point = drawn.point(lat, lng);
      if (!point) continue;
      const spot = Math.floor(point[0] / spacing) * 4096 + Math.floor(point[1] / spacing);
      if (taken.has(spot)) continue;
      taken.add(spot);
      drawn.addPoint(point, { number, street });
    }
  }
  return drawn.encoded();
};

/** Points of a category in one of the about 20 cells of a tile. */
const maxPerCell = 12;
const maxPois = 1500;
/** From this zoom on those without a name are drawn too. */
const unnamedFrom = 16;

const pois: TileLayer['draw'] = ({ map }, tile) => {
  const drawn = layerTile('pois', tile);
  for (const { name, category, lat, lng } of map?.pois(tileBounds(tile), maxPerCell) ?? []) {
    if (drawn.size >= maxPois) break;
    const point = name !== null || tile.z >= unnamedFrom ? drawn.point(lat, lng) : undefined;
    if (point) drawn.addPoint(point, { name, category });
  }
  return drawn.encoded();
};

/** From which zoom on a class of streets is drawn; other classes come with the zoom of `residential`. */
const firstZoomOf: Readonly<Record<string, number>> = firstZooms;

/** Streets that are examined for one tile, the most prominent first. */
const maxStreets = 1000;
/** Bytes of geometry that are read for one tile, some two for each coordinate. */
const maxBytes = 100_000;

/** Streets as lines, one feature for each street of a settlement. */
const streets: TileLayer['draw'] = ({ map }, tile) => {
  const drawn = layerTile('streets', tile);
  let bytes = 0;
  for (const street of map?.streets(tileBounds(tile, buffer / extent), maxStreets) ?? []) {
    const { name, highway } = street;
    if (tile.z < (firstZoomOf[highway ?? ''] ?? firstZoomOf.residential)) continue;
    bytes += street.bytes;
    if (bytes > maxBytes) break;
    drawn.addLines(street.lines(), { name, highway });
  }
  return drawn.encoded();
};

/** Pixels that a feature's box must have across for its name to have room, and above which the point is far from most of it. */
const pixelsAcross = { least: 90, most: 3500 };
/** How many features without a box, the most prominent of the world first, are shown by zoom; all from the last. */
const shownPoints = [0, 0, 0, 0, 30, 100, 300, 1000, 2000, 4000, 8000];
/** Features that are examined for one tile, the most prominent first. */
const maxFeaturesLookedAt = 60_000;
const maxFeatureNames = 100;
/** Names of what is no settlement: seas, rivers, lakes, ranges, peaks, islands, parks, airports, landmarks. */
const features: TileLayer['draw'] = (store, tile, language) => {
  const drawn = layerTile('features', tile);
  const { places } = store;
  const { facts } = store.gazetteer;
  const end = Math.min(facts.size, places.size + maxFeaturesLookedAt);
  for (const index of withinTile(facts, tile, places.size, end)) {
    if (drawn.size >= maxFeatureNames) break;
    const layer = layerOfKind(facts.type(index));
    if (layer === 'continent') continue;
    const rank = index - places.size;
    const { bbox, kind } = places.featureFacts(index)!;
    if (!(bbox ? hasRoom(bbox, tile) : rank < (shownPoints[tile.z] ?? Number.POSITIVE_INFINITY))) continue;
    const point = drawn.point(facts.lat(index) / 1e6, facts.lng(index) / 1e6);
    const name = places.nameIn(index, language);
    if (point) drawn.addPoint(point, { name, layer, kind, rank, id: facts.id(index) });
  }
  return drawn.encoded();
};

function hasRoom([west, south, east, north]: BoundingBox, { z }: Tile): boolean {
  const width = east - west + (east < west ? 360 : 0);
  const height = (north - south) / Math.max(0.1, Math.cos(((north + south) * Math.PI) / 360));
  const pixels = Math.max(width, height) * pixelsOfDegree * 2 ** z;
  return pixels >= pixelsAcross.least && pixels <= pixelsAcross.most;
}

/** Cells across a tile whose corners are looked up, a power of two: 8 pixels on a tile of 512. */
const cellsDepth = 6;
const cells = 2 ** cellsDepth;
/** Halvings of a cell's side to where its zone changes: an eighth of a pixel. */
const halvings = 6;

/** Borders and names of time zones: the corners of a grid are looked up, and the sides between different zones divided. */
const zones: TileLayer['draw'] = (store, tile) => {
  const zoneAt = (position: LatLng) => store.zones!.at(position);
  const corners = cornersOf(tile).map((row) => row.map((position) => ({ ...position, zone: zoneAt(position) })));
  type Corner = (typeof corners)[number][number];
  /** Where the zone changes between two corners; undefined where they are in one. */
  const crossing = (from: Corner, to: Corner): LatLng | undefined => {
    if (from.zone === to.zone) return undefined;
    let [low, high]: [LatLng, LatLng] = [from, to];
    for (let step = 0; step < halvings; step++) {
      const middle = between(low, high);
      if (zoneAt(middle) === from.zone) low = middle;
      else high = middle;
    }
    return between(low, high);
  };
  const lines: Float64Array[] = [];
  for (let y = 0; y < cells; y++) {
    for (let x = 0; x < cells; x++) {
      const [nw, ne, sw, se] = [corners[y][x], corners[y][x + 1], corners[y + 1][x], corners[y + 1][x + 1]];
      const crossings = [crossing(nw, ne), crossing(nw, sw), crossing(ne, se), crossing(sw, se)].filter((at) => !!at);
      if (crossings.length === 2) lines.push(lineOf(crossings[0], crossings[1]));
      // Three zones or four meet in the middle.
      else for (const at of crossings) lines.push(lineOf(at, between(nw, se)));
    }
  }
  const borders = layerTile('zones', tile);
  borders.addLines(lines, {});
  const names = layerTile('zone-names', tile);
  for (const [name, { lat, lng }] of labels(corners)) {
    const point = names.point(lat, lng);
    if (point) names.addPoint(point, { name });
  }
  return Buffer.concat([borders, names].flatMap((layer) => layer.encoded() ?? []));
};

const between = (one: LatLng, other: LatLng): LatLng => ({
  lat: (one.lat + other.lat) / 2,
  lng: (one.lng + other.lng) / 2,
});
const lineOf = (from: LatLng, to: LatLng) => Float64Array.of(from.lng, from.lat, to.lng, to.lat);

/** The corners of a tile's cells, in rows from the north. */
function cornersOf({ z, x, y }: Tile): LatLng[][] {
  const at = (index: number) => tileBounds({ z: z + cellsDepth, x: x * cells + index, y: y * cells + index });
  const steps = Array.from({ length: cells + 1 }, (_, index) => at(index));
  return steps.map(({ north }) => steps.map(({ west }) => ({ lat: north, lng: west })));
}

/** For each zone the middle of its longest row, of equal ones the one nearest to the middle of the tile. */
function labels(corners: readonly (readonly (LatLng & { zone: string })[])[]): Map<string, LatLng> {
  const longest = new Map<string, { length: number; middle: LatLng }>();
  const middle = cells / 2;
  const rows = corners.toSorted(
    (one, other) => Math.abs(corners.indexOf(one) - middle) - Math.abs(corners.indexOf(other) - middle),
  );
  for (const row of rows) {
    for (let from = 0, to = 1; from < row.length; from = to++) {
      while (to < row.length && row[to].zone === row[from].zone) to++;
      const { zone } = row[from];
      if (to - from > (longest.get(zone)?.length ?? 0)) {
        longest.set(zone, { length: to - from, middle: row[(from + to) >> 1] });
      }
    }
  }
  return new Map([...longest].map(([zone, { middle: at }]) => [zone, at]));
}

type Described = Readonly<Record<string, Omit<TileLayer, 'draw'>>>;
const drawings = { boundaries, areas, features, zones, places, streets, addresses, pois };

/** The layers of `/tiles`, by name. */
export const tileLayers: Readonly<Record<string, TileLayer>> = Object.fromEntries(
  Object.entries(drawings).map(([name, draw]) => [name, { ...(described as Described)[name], draw }]),
);
