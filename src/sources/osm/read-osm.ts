/** Reads an OpenStreetMap file, PBF or XML, to records, and to administrative areas. What is taken and what is dropped: docs/sources.md. */
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Polygon } from '../../core/region-index/ring.ts';
import {
  type AdminAreaRecord,
  defaultMemoryMb,
  type ReadOptions,
  SourceError,
  type StreetBatch,
} from '../../core/source-records.ts';
import { NodeLocations, Tables } from '../tables.ts';
import { readChanges, withChanges } from './change-file.ts';
import { countryOf, TagReader } from './feature.ts';
import { memberWays, type OsmFile } from './pbf-block.ts';
import { isPbf, openPbf } from './pbf-file.ts';
import { recordsOf } from './records.ts';
import { AreaRelations, type LocatedArea, scan } from './scan.ts';
import { openXml } from './xml-file.ts';

/**
 * The addresses, interpolations, points of interest and streets of an OpenStreetMap file. The file is read twice, and
 * no record is given before it was read to its end without a fault. Throws SourceError for a broken or other file.
 */
export async function* readOsm(path: string, options: ReadOptions = {}): AsyncGenerator<StreetBatch> {
  const { progress = () => {}, dropped = () => {}, memoryMb = defaultMemoryMb } = options;
  const extract = await openOsm(path);
  const file = options.changes ? withChanges(extract, await readChanges(options.changes)) : extract;
  await using directory = await mkdtempDisposable(join(options.temporaryDirectory ?? tmpdir(), 'whereabouts-osm-'));
  using tables = new Tables(directory.path, memoryMb * 1e6);
  using workings = new Tables(directory.path, memoryMb * 1e6);
  const found = await scan(file, { tables, workings, country: options.country, progress, dropped });
  const reportShare = (share: number) => progress(0.5 + 0.5 * share, 'making records');
  yield* recordsOf(found, { tables, progress: reportShare, dropped });
}

/** Opens a file by what it holds: PBF, or XML, plain or packed. */
export async function openOsm(path: string): Promise<OsmFile> {
  const isOfPbf = await isPbf(path).catch((error: Error) => {
    throw new SourceError(`${path} cannot be opened: ${error.message}`);
  });
  return path.endsWith('.pbf') || isOfPbf ? openPbf(path) : openXml(path);
}

// The administrative areas of an OpenStreetMap file: relations with `boundary=administrative`, as polygons.

/**
 * The administrative areas of levels 2 to 11 that have a name, in the order of the file. Areas that the extract's edge
 * cuts are reported to `dropped`. The file is read three times. Throws SourceError for a broken or other file.
 */
export async function* readOsmAreas(path: string, options: ReadOptions = {}): AsyncGenerator<AdminAreaRecord> {
  const { memoryMb = defaultMemoryMb, dropped = () => {} } = options;
  const file = await openOsm(path);
  await using directory = await mkdtempDisposable(join(options.temporaryDirectory ?? tmpdir(), 'whereabouts-osm-'));
  using tables = new Tables(directory.path, memoryMb * 1e6);
  const areas = new AreaRelations(tables);
  await readLines(file, areas, new NodeLocations(tables, 0.6, { areAllNeeded: false }), options.progress);
  for (const area of areas.located()) {
    // An area without a closed ring was cut by the extract's own edge.
    if (area.outers.length === 0) dropped('boundary cut off by the extract');
    else yield recordOf(area);
  }
}

/** Relations, then the nodes that their ways need, then the lines of those ways. */
async function readLines(
  file: OsmFile,
  areas: AreaRelations,
  locations: NodeLocations,
  progress: ReadOptions['progress'] = () => {},
): Promise<void> {
  const none = { nodes: false, ways: false, relations: false };
  const pass = (number: number) => (share: number) => progress((number + share) / 3, 'reading boundaries');
  const tags = new TagReader();
  for await (const block of file.blocks({ ...none, relations: true }, pass(0))) {
    tags.nextBlock();
    for (const relation of block.relations) {
      const found = tags.boundary(block.texts, relation.tags);
      if (found && isAdminArea(found))
        areas.add({ id: relation.id, tags: found, members: memberWays(block, relation) });
    }
  }
  for await (const { ways } of file.blocks({ ...none, ways: true }, pass(1))) {
    for (const { id, refs } of ways) if (areas.mayHaveMember(id)) for (const ref of refs) locations.need(ref);
  }
  for await (const { nodes, ways } of file.blocks({ ...none, nodes: true, ways: true }, pass(2))) {
    for (let at = 0; at < nodes.count; at++) locations.add(nodes.ids[at], nodes.lats[at], nodes.lngs[at]);
    if (ways.length > 0) locations.finish();
    for (const { id, refs } of ways) if (areas.mayHaveMember(id)) areas.addLine(id, locations.line(refs).line);
  }
}

const isAdminArea = (tags: Record<string, string>): boolean =>
  tags.boundary === 'administrative' && tags.name !== undefined && /^([2-9]|1[01])$/.test(tags.admin_level ?? '');

const nameKey = /^name:([a-z]{2,3}(?:-[A-Za-z]+)?)$/;

function recordOf({ id, tags, outers, inners }: LocatedArea): AdminAreaRecord {
  const level = Number(tags.admin_level);
  const country = countryOf(tags);
  const isoCode = level === 2 ? country : tags['ISO3166-2'];
  const names = Object.entries(tags).flatMap(([key, name]) => {
    const language = nameKey.exec(key)?.[1];
    return language === undefined ? [] : [[language, name] as const];
  });
  return {
    level,
    name: tags.name,
    ...(names.length > 0 && { names: Object.fromEntries(names) }),
    ...(isoCode !== undefined && { isoCode }),
    ...(country !== undefined && { country }),
    polygons: polygonsOf(outers, inners),
    sourceId: `r${id}`,
  };
}

/** Outer rings with the holes that lie in them; a hole in none of them is left out. */
function polygonsOf(outers: readonly Float64Array[], inners: readonly Float64Array[]): Float64Array[][] {
  const polygons = outers.map((outer) => [outer]);
  const areas = inners.length === 0 ? [] : outers.map((outer) => new Polygon([outer]));
  for (const inner of inners) {
    // Rings may share a vertex, so the middle of an edge is tested.
    const [lng, lat] = [(inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2];
    const holding = areas.findIndex((area) => area.contains(lat, lng));
    if (holding >= 0) polygons[holding].push(inner);
  }
  return polygons;
}
