/**
 * The time-zone polygons as the npm package geo-tz ships them (timezone-boundary-builder's release with territorial
 * waters, from OpenStreetMap): a quadtree in JSON whose cells are either lists of zones or places in a file of Geobuf
 * messages, each the polygons inside one cell, the first zone of an overlap first.
 */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { messageIn, ProtobufReader } from '../core/protobuf-reader.ts';

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
      return readGeobuf(bytes).map(({ properties, polygons }) => ({ name: properties.tzid ?? '', polygons }));
    },
    close: () => closeSync(file),
  };
}

// Geobuf, the protocol-buffer form of GeoJSON (github.com/mapbox/geobuf, geobuf.proto): of it a collection of Polygon and
// MultiPolygon features with string properties, which is what these files hold.

/** A feature: its string properties, and its polygons, each an outer ring and holes as [x0, y0, x1, y1, …]. */
type GeobufFeature = { properties: Record<string, string>; polygons: Float64Array[][] };

const polygonType = 4;
const multiPolygonType = 5;

/** Decodes a feature collection. Throws a RangeError when the bytes are cut short, an Error on other geometry types. */
export function readGeobuf(bytes: Uint8Array): GeobufFeature[] {
  const data = new ProtobufReader(bytes);
  const keys: string[] = [];
  const features: GeobufFeature[] = [];
  let scale = 1e6;
  for (let tag = data.tag(); tag !== 0; tag = data.tag()) {
    if (tag >> 3 === 1) keys.push(data.text());
    else if (tag >> 3 === 3) scale = 10 ** data.varint();
    else if (tag >> 3 === 4) {
      const collection = messageIn(data);
      for (let inner = collection.tag(); inner !== 0; inner = collection.tag()) {
        if (inner >> 3 === 1) features.push(readFeature(messageIn(collection), keys, scale));
        else collection.skip(inner);
      }
    } else data.skip(tag);
  }
  return features;
}

function readFeature(feature: ProtobufReader, keys: readonly string[], scale: number): GeobufFeature {
  const values: string[] = [];
  const properties: Record<string, string> = {};
  let polygons: Float64Array[][] = [];
  for (let tag = feature.tag(); tag !== 0; tag = feature.tag()) {
    if (tag >> 3 === 1) polygons = readGeometry(messageIn(feature), scale);
    else if (tag >> 3 === 13) values.push(readValue(messageIn(feature)));
    else if (tag >> 3 === 14) {
      const pairs = varintsIn(feature);
      for (let i = 0; i < pairs.length; i += 2) properties[keys[pairs[i]] ?? ''] = values[pairs[i + 1]] ?? '';
    } else feature.skip(tag);
  }
  return { properties, polygons };
}

function readValue(value: ProtobufReader): string {
  let text = '';
  for (let tag = value.tag(); tag !== 0; tag = value.tag()) {
    if (tag >> 3 === 1) text = value.text();
    else value.skip(tag);
  }
  return text;
}

function readGeometry(geometry: ProtobufReader, scale: number): Float64Array[][] {
  let type = -1;
  let lengths: number[] = [];
  let coords: ProtobufReader | undefined;
  for (let tag = geometry.tag(); tag !== 0; tag = geometry.tag()) {
    if (tag >> 3 === 1) type = geometry.varint();
    else if (tag >> 3 === 2) lengths = varintsIn(geometry);
    else if (tag >> 3 === 3) coords = messageIn(geometry);
    else geometry.skip(tag);
  }
  if ((type !== polygonType && type !== multiPolygonType) || !coords) {
    throw new Error(`a geobuf feature has geometry type ${type}, expected polygons (4 or 5)`);
  }
  const source = coords;
  if (lengths.length === 0) return [[readRing(source, Number.POSITIVE_INFINITY, scale)]];
  if (type === polygonType) return [lengths.map((length) => readRing(source, length, scale))];
  // Number of polygons, then for each its number of rings and the length of each.
  let at = 1;
  return Array.from({ length: lengths[0] }, () => {
    const rings = Array.from({ length: lengths[at] }, (_, ring) => readRing(source, lengths[at + 1 + ring], scale));
    at += 1 + lengths[at];
    return rings;
  });
}

/** A ring of `points` points, each the difference to the one before, in x then y. */
function readRing(coords: ProtobufReader, points: number, scale: number): Float64Array {
  const values: number[] = [];
  let x = 0;
  let y = 0;
  for (let i = 0; i < points && coords.position < coords.end; i++) {
    x += coords.signed();
    y += coords.signed();
    values.push(x / scale, y / scale);
  }
  return Float64Array.from(values);
}

function varintsIn(message: ProtobufReader): number[] {
  const list = messageIn(message);
  const values: number[] = [];
  while (list.position < list.end) values.push(list.varint());
  return values;
}
