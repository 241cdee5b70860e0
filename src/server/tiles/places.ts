import { distanceKm } from '../../core/geo.ts';
import { type Tile, tileBounds } from '../../core/tile.ts';
import type { Store } from '../../store/store.ts';
import { LayerTile } from './layer-tile.ts';
import type { TileLayer } from './tile-layer.ts';

/** How many places, the most prominent of the world first, are examined by zoom. */
const lookedAt = [100, 250, 700, 2000, 5000, 12_000, 30_000, 70_000];
/** From the zoom after those on a tile is small, and the places nearest to its middle are examined. */
const maxNear = 3000;
const maxFeatures = 200;

/** Settlements as points, the most prominent of each tile. */
export const places: TileLayer = {
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
      if (drawn.size >= maxFeatures) break;
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
