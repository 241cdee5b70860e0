/** The layers of vector tiles: which records are drawn at which zoom, and the bounds of that work. */
import { distanceKm } from '../core/geo.ts';
import { type Tile, tileBounds } from '../core/tile.ts';
import type { LayerName } from '../store/manifest-format.ts';
import type { Store } from '../store/store.ts';
import { buffer, extent, LayerTile } from './layer-tile.ts';

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

/** Land, and the borders of countries and regions, as the build has drawn them. */
export const boundaries: TileLayer = {
  minZoom: 0,
  maxZoom: 9,
  description: 'Land as polygons, and borders of countries and their regions as lines.',
  fields: { level: 'Number, for borders: 0 between countries, 1 between regions of a country' },
  layers: ['land', 'borders'],
  needs: 'boundaries',
  isIn: ({ land }) => land !== undefined,
  draw({ land }, tile) {
    const body = land?.tile(tile);
    return body === 'land' ? allLand.encoded() : body;
  },
};

const allLand = new LayerTile('land', { z: 0, x: 0, y: 0 });
allLand.addArea([Float64Array.of(-181, -86, 181, -86, 181, 86, -181, 86)], {});

/** Pixels that the largest circle in an area must have across for its name to be in a tile: of a country, of a region. */
const minPixels = { country: 24, region: 48 };
/** From these zooms on all are. */
const allFrom = { country: 6, region: 7 };
/** Pixels of a degree at the equator at zoom 0, where the world is 512 across. */
const pixelsOfDegree = 512 / 360;

/** Names of countries and regions, each as a point in the middle of its area. */
const areas: TileLayer = {
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

/** How many places, the most prominent of the world first, are examined by zoom. */
const lookedAt = [100, 250, 700, 2000, 5000, 12_000, 30_000, 70_000];
/** From the zoom after those on a tile is small, and the places nearest to its middle are examined. */
const maxNear = 3000;
const maxPlaces = 200;

/** Settlements as points, the most prominent of each tile. */
const places: TileLayer = {
  minZoom: 0,
  maxZoom: 12,
  description: 'Cities, towns and villages, the most prominent first.',
  fields: {
    name: 'String',
    type: 'String; city, town, village, suburb or hamlet',
    country: 'String; alpha-2 code',
    population: 'Number',
    rank: 'Number; 0 is the most prominent place of the world',
    id: 'Number; for /v1/place/{id}',
  },
  needs: 'world',
  draw(store, tile, language) {
    const drawn = new LayerTile('places', tile);
    const { facts } = store.gazetteer;
    for (const index of tile.z < lookedAt.length ? firstPlaces(store, tile) : placesAround(store, tile)) {
      const point = drawn.point(facts.lat(index) / 1e6, facts.lng(index) / 1e6);
      if (!point) continue;
      const { id, name, type, country, population } = store.places.get(index);
      const shown = language === undefined ? name : store.places.nameIn(index, language);
      drawn.addPoint(point, { name: shown, type, country, population, rank: index, id });
      if (drawn.size >= maxPlaces) break;
    }
    return drawn.encoded();
  },
};

function* firstPlaces({ gazetteer: { facts }, places }: Store, tile: Tile): Generator<number> {
  const { south, west, north, east } = tileBounds(tile);
  const [low, high, left, right] = [south, north, west, east].map((degrees) => degrees * 1e6);
  const end = Math.min(places.size, lookedAt[tile.z]);
  for (let index = 0; index < end; index++) {
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
const addresses: TileLayer = {
  minZoom: 16,
  maxZoom: 16,
  description: 'House numbers as points.',
  fields: { number: 'String', street: 'String' },
  needs: 'addresses',
  draw({ map }, tile) {
    const drawn = new LayerTile('addresses', tile);
    const taken = new Set<number>();
    let visited = 0;
    for (const { street, houses } of map?.houses(tileBounds(tile)) ?? []) {
      visited += houses.length;
      if (visited > maxHouses) break;
      for (const { number, lat, lng } of houses) {
        const point = drawn.point(lat, lng);
        if (!point) continue;
        const spot = Math.floor(point[0] / spacing) * 4096 + Math.floor(point[1] / spacing);
        if (taken.has(spot)) continue;
        taken.add(spot);
        drawn.addPoint(point, { number, street });
      }
    }
    return drawn.encoded();
  },
};

/** Points of a category in one of the about 20 cells of a tile. */
const maxPerCell = 12;
const maxPois = 1500;
/** From this zoom on those without a name are drawn too. */
const unnamedFrom = 16;

const pois: TileLayer = {
  minZoom: 13,
  maxZoom: 16,
  description: 'Points of interest.',
  fields: { name: 'String; absent if it has no name', category: 'String' },
  needs: 'pois',
  draw({ map }, tile) {
    const drawn = new LayerTile('pois', tile);
    for (const { name, category, lat, lng } of map?.pois(tileBounds(tile), maxPerCell) ?? []) {
      if (drawn.size >= maxPois) break;
      const point = name !== null || tile.z >= unnamedFrom ? drawn.point(lat, lng) : undefined;
      if (point) drawn.addPoint(point, { name, category });
    }
    return drawn.encoded();
  },
};

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
const maxStreets = 1000;
/** Bytes of geometry that are read for one tile, some two for each coordinate. */
const maxBytes = 100_000;

/** Streets as lines, one feature for each street of a settlement. */
const streets: TileLayer = {
  minZoom: 9,
  maxZoom: 14,
  description: 'Streets as lines, the main roads first.',
  fields: { name: 'String', highway: 'String; value of the OpenStreetMap tag highway; absent if the source has none' },
  needs: 'streets',
  draw({ map }, tile) {
    const drawn = new LayerTile('streets', tile);
    let bytes = 0;
    for (const street of map?.streets(tileBounds(tile, buffer / extent), maxStreets) ?? []) {
      const { name, highway } = street;
      if (tile.z < (firstZoomOf[highway ?? ''] ?? firstZoomOfOthers)) continue;
      bytes += street.bytes;
      if (bytes > maxBytes) break;
      drawn.addLines(street.lines(), { name, highway });
    }
    return drawn.encoded();
  },
};

/** The layers of `/tiles`, by name. */
export const tileLayers: Readonly<Record<string, TileLayer>> = { boundaries, areas, places, streets, addresses, pois };
