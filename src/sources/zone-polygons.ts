/**
 * The time-zone polygons as the npm package geo-tz ships them (timezone-boundary-builder's release with territorial
 * waters, from OpenStreetMap): a quadtree in JSON whose cells are either lists of zones or places in a file of Geobuf
 * messages, each the polygons inside one cell, the first zone of an overlap first.
 */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { type GeobufFeature, readGeobuf } from './geobuf.ts';

/** A cell of the quadtree; children are north-east a, north-west b, south-west c, south-east d. */
export type ZoneCell =
  | { kind: 'sea' }
  | { kind: 'zones'; zones: readonly number[] }
  | { kind: 'polygons'; position: number; length: number }
  | { kind: 'branch'; northEast: ZoneCell; northWest: ZoneCell; southWest: ZoneCell; southEast: ZoneCell };

export type ZonePolygons = {
  /** IANA names; cells refer to zones by their position here. */
  names: readonly string[];
  root: ZoneCell;
  /** Number of cells with polygons. */
  polygonCells: number;
  /** Polygons of a cell, in its order; `name` is a zone's IANA name. */
  read(cell: { position: number; length: number }): { name: string; polygons: Float64Array[][] }[];
  close(): void;
};

/** The rectangle that the quadtree divides: a hair less than the world on each side. */
export const zoneBounds = { west: -179.9999, south: -89.9999, east: 179.9999, north: 89.9999 };

type LookupNode =
  | number[]
  | { pos: number; len: number }
  | { a?: LookupNode; b?: LookupNode; c?: LookupNode; d?: LookupNode };

/** Opens the index and the file of polygons; `close` when done. Throws when either is missing or not of this form. */
export function openZonePolygons(indexPath: string, polygonsPath: string): ZonePolygons {
  const index = JSON.parse(readFileSync(indexPath, 'utf8')) as { timezones: string[]; lookup: LookupNode };
  let polygonCells = 0;
  const cellOf = (node: LookupNode | undefined): ZoneCell => {
    if (node === undefined) return { kind: 'sea' };
    if (Array.isArray(node)) return node.length > 0 ? { kind: 'zones', zones: node } : { kind: 'sea' };
    if ('pos' in node) {
      polygonCells++;
      return { kind: 'polygons', position: node.pos, length: node.len };
    }
    return {
      kind: 'branch',
      northEast: cellOf(node.a),
      northWest: cellOf(node.b),
      southWest: cellOf(node.c),
      southEast: cellOf(node.d),
    };
  };
  const root = cellOf(index.lookup);
  const file = openSync(polygonsPath, 'r');
  return {
    names: index.timezones,
    root,
    polygonCells,
    read({ position, length }) {
      const bytes = new Uint8Array(length);
      const got = readSync(file, bytes, 0, length, position);
      if (got < length)
        throw new Error(
          `${polygonsPath} ends at ${position + got}, expected ${position + length} bytes; install geo-tz again`,
        );
      return readGeobuf(bytes).map((feature: GeobufFeature) => ({
        name: feature.properties.tzid ?? '',
        polygons: feature.polygons,
      }));
    },
    close: () => closeSync(file),
  };
}
