/**
 * OpenStreetMap "QA tiles": vector tiles whose one layer holds OpenStreetMap objects with all their tags, `@id` and
 * `@type`. Objects are cut at tile edges; their pieces are put together again. Nodes of ways are not distinguished, so
 * interpolation ways yield nothing.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { VectorTile, type VectorTileFeature } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { centroidOfRings, pointAlong } from '../../core/geo.ts';
import { type ReadOptions, SourceError, type StreetBatch } from '../../core/source-records.ts';
import { Tables } from '../tables.ts';
import { adminContextOf } from './admin-context.ts';
import { isStreet, type ObjectType, type OsmFeature, TagReader } from './feature.ts';
import { recordsOf } from './records.ts';
import type { Scan } from './scan.ts';
import { tileAt } from './settlements.ts';

type Piece = { type: ObjectType; id: number; tags: Record<string, string>; shape: number; parts: Float64Array[] };

const objectTypes: Record<string, ObjectType> = { node: 'n', way: 'w', relation: 'r' };
const pointShape = 1;
const polygonShape = 3;

/**
 * The records of tiles that belong together, named `<zoom>-<x>-<y>.mvt`. All of them are in memory at once; eight tiles
 * of a city need about 300 MB. Throws SourceError for a file that is no such tile.
 */
export async function* readQaTiles(paths: readonly string[], options: ReadOptions = {}): AsyncGenerator<StreetBatch> {
  const { progress = () => {}, dropped = () => {} } = options;
  const pieces = new Map<string, Piece>();
  const tags = new TagReader();
  for (const [index, path] of paths.entries()) {
    addTile(path, tags, pieces);
    progress((0.5 * (index + 1)) / paths.length, 'reading tiles');
  }
  using tables = new Tables('', Number.POSITIVE_INFINITY);
  const features = tables.spool<OsmFeature>();
  const adminContext = adminContextOf(tables, options.country);
  for (const piece of pieces.values()) {
    const feature = featureOf(piece);
    features.add(tileAt(feature), feature);
    adminContext.add(feature);
  }
  pieces.clear();
  adminContext.finish();
  const scan: Scan = {
    features,
    adminContext,
    streetOfMember: () => undefined,
    interpolationNodes: undefined,
  };
  yield* recordsOf(scan, {
    tables,
    progress: (share) => progress(0.5 + 0.5 * share, 'making records'),
    dropped,
  });
}

function addTile(path: string, tagReader: TagReader, pieces: Map<string, Piece>): void {
  const [zoom, x, y] = basename(path, '.mvt').split('-').map(Number);
  const layer = openLayer(path);
  for (let index = 0; index < layer.length; index++) {
    const feature = layer.feature(index);
    const type = objectTypes[String(feature.properties['@type'])];
    if (!type) throw new SourceError(`${path}: object ${index} has no @type of OpenStreetMap; is this a QA tile?`);
    const id = Number(feature.properties['@id']);
    const key = `${type}${id}`;
    let piece = pieces.get(key);
    if (!piece) {
      const tags = tagReader.wantedProperties(feature.properties, type);
      if (!tags) continue;
      pieces.set(key, (piece = { type, id, tags, shape: feature.type, parts: [] }));
    }
    // Tiles may overlap by a margin, and then a node is in two of them.
    if (piece.shape === pointShape && piece.parts.length > 0) continue;
    for (const part of degrees(feature, zoom, x, y)) piece.parts.push(part);
  }
}

function openLayer(path: string) {
  try {
    const { layers } = new VectorTile(new PbfReader(readFileSync(path)));
    if (layers.osm) return layers.osm;
  } catch (error) {
    throw new SourceError(`${path} cannot be read as a vector tile: ${(error as Error).message}`);
  }
  throw new SourceError(`${path} has no layer 'osm', expected a QA tile`);
}

/** A feature's lines or rings in degrees, by the inverse of the Web Mercator projection (EPSG:3857) of tiles. */
function degrees(feature: VectorTileFeature, zoom: number, x: number, y: number): Float64Array[] {
  const size = feature.extent * 2 ** zoom;
  return feature.loadGeometry().map((points) => {
    const line = new Float64Array(points.length * 2);
    for (const [index, point] of points.entries()) {
      line[2 * index] = ((x * feature.extent + point.x) / size) * 360 - 180;
      const northing = Math.PI * (1 - (2 * (y * feature.extent + point.y)) / size);
      line[2 * index + 1] = (Math.atan(Math.sinh(northing)) * 180) / Math.PI;
    }
    return line;
  });
}

function featureOf({ type, id, tags, shape, parts }: Piece): OsmFeature {
  const point = shape === polygonShape ? centroidOfRings(parts) : pointAlong(parts[0]);
  const feature: OsmFeature = { type, id, tags, ...point };
  if (type !== 'n' && isStreet(tags)) feature.lines = parts;
  return feature;
}
