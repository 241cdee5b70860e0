/**
 * First stage of reading an OpenStreetMap file: relations, then nodes and ways, to a list of the objects that records
 * are made from, each with its position, and what is needed to determine their settlement and the names of their
 * streets.
 */
import type { NumberFilter } from '../../core/columns.ts';
import { centroidOfRings, isRing, pointAlong } from '../../core/geo.ts';
import { assembleRings } from '../../core/region-index/ring.ts';
import type { Drop } from '../../core/source-records.ts';
import type { Spool } from '../../store/sqlite/spool.ts';
import { NodeLocations, type Tables } from '../tables.ts';
import { type AdminContext, adminContextOf } from './admin-context.ts';
import {
  countryOf,
  isBoundary,
  isStreet,
  isStreetRelation,
  type ObjectType,
  type OsmFeature,
  objectKey,
  TagReader,
} from './feature.ts';
import { memberWays, type OsmBlock, type OsmFile, type OsmRelation } from './pbf-block.ts';
import { type Boundary, tileAt } from './settlements.ts';

type ScanOptions = {
  /** For what the second stage needs, and for what only the first one does. */
  tables: Tables;
  workings: Tables;
  country?: string | undefined;
  progress(share: number, step: string): void;
  dropped: Drop;
};

/** The input of the second stage. */
export type Scan = {
  /** In the order of their tiles, and of one tile in the order of the file. */
  features: Spool<OsmFeature>;
  adminContext: AdminContext;
  /** Street of an object that is a house of a street relation. */
  streetOfMember(feature: Pick<OsmFeature, 'type' | 'id'>): string | undefined;
  /** The nodes of interpolation ways; undefined where there are none of these. */
  interpolationNodes: NumberFilter | undefined;
};

/** Share of the memory of the positions of nodes. */
const nodeShare = 0.35;
/** Approximate bytes per node in a PBF, including its share of ways and relations, and in the table. */
const bytesOfNode = { inFile: 6, inTable: 16 };

export async function scan(
  file: OsmFile,
  { tables, workings, country, progress, dropped }: ScanOptions,
): Promise<Scan> {
  // Most nodes of a large file belong to ways that no record is made from. Where they would not fit into memory, the
  // ways are asked first which ones are needed.
  const nodeBytes = ((file.bytes ?? 0) / bytesOfNode.inFile) * bytesOfNode.inTable;
  const areAllNeeded = nodeBytes <= workings.memoryBytes * nodeShare;
  const tagReader = new TagReader();
  const locations = new NodeLocations(workings, nodeShare, { areAllNeeded });
  const areas = new AreaRelations(workings);
  const features = tables.spool<OsmFeature>();
  const adminContext = adminContextOf(tables, country);
  const streetNames: string[] = [];
  const streets = tables.ids('street-members', 0.03);
  let interpolationNodes: NumberFilter | undefined;

  const add = (feature: OsmFeature) => {
    features.add(tileAt(feature), feature);
    adminContext.add(feature);
  };
  const addStreet = ({ texts }: OsmBlock, { members }: OsmRelation, tags: Record<string, string>) => {
    const name = streetNames.push(tags['addr:street'] ?? tags.name) - 1;
    for (const { type, id, role } of members)
      if (rolesOfHouses.includes(texts.at(role))) streets.add(objectKey(memberTypes[type], id), name, 0);
  };
  const addNodes = ({ texts, nodes }: OsmBlock) => {
    const { ids, lats, lngs } = nodes;
    for (let at = 0; at < nodes.count; at++) {
      locations.add(ids[at], lats[at], lngs[at]);
      const tags = nodes.tags[at] && tagReader.wanted(texts, nodes.tags[at], 'n');
      if (!tags) continue;
      const [lat, lng] = [lats[at] / 1e7, lngs[at] / 1e7];
      if (Math.abs(lat) <= 90 && Math.abs(lng) <= 180) add({ type: 'n', id: ids[at], tags, lat, lng });
      else dropped('object outside the world');
    }
  };
  const addWays = ({ texts, ways }: OsmBlock) => {
    if (ways.length > 0) locations.finish();
    for (const { id, refs, ...way } of ways) {
      const tags = tagReader.wanted(texts, way.tags, 'w');
      const isMember = areas.mayHaveMember(id);
      if (!tags && !isMember) continue;
      const { line, nodeIds } = locations.line(refs);
      if (isMember) areas.addLine(id, line);
      if (!tags) continue;
      if (line.length === 0) {
        dropped('way without any located node');
        continue;
      }
      const feature = wayFeature(id, tags, line, nodeIds);
      for (const node of feature.nodeIds ?? []) (interpolationNodes ??= tables.filter(0.02)).add(node);
      add(feature);
    }
  };

  const pass = (from: number, to: number, step: string) => (share: number) =>
    progress(from + share * (to - from), step);
  const none = { nodes: false, ways: false, relations: false };
  for await (const block of file.blocks({ ...none, relations: true }, pass(0, 0.05, 'reading relations'))) {
    tagReader.nextBlock();
    for (const relation of block.relations) {
      const tags = tagReader.wanted(block.texts, relation.tags, 'r');
      if (!tags) continue;
      if (isStreetRelation(tags)) addStreet(block, relation, tags);
      else areas.add({ id: relation.id, tags, members: memberWays(block, relation) });
    }
  }
  if (!areAllNeeded) {
    const waysAlone = { ...none, ways: true };
    for await (const { texts, ways } of file.blocks(waysAlone, pass(0.05, 0.1, 'finding the nodes of ways'))) {
      tagReader.nextBlock();
      for (const { id, tags, refs } of ways) {
        if (!areas.mayHaveMember(id) && !tagReader.wanted(texts, tags, 'w')) continue;
        for (const ref of refs) locations.need(ref);
      }
    }
  }
  const rest = { ...none, nodes: true, ways: true };
  for await (const block of file.blocks(rest, pass(0.1, 0.5, 'reading nodes and ways'))) {
    tagReader.nextBlock();
    addNodes(block);
    addWays(block);
  }

  locations.finish();
  for (const area of areas.located()) {
    const boundary = boundaryOf(area);
    if (boundary === 'cut') dropped('boundary cut off by the extract');
    else if (boundary) adminContext.addBoundary(boundary, [...area.outers, ...area.inners]);
    if (!tagReader.isWanted({ ...area.tags, boundary: '' }, 'r')) continue;
    const feature = areaFeature(area);
    if (feature) add(feature);
    else dropped('relation without any located member way');
  }
  workings[Symbol.dispose]();
  adminContext.finish();
  streets.finish();
  return {
    features,
    adminContext,
    streetOfMember: ({ type, id }) => (streets.find(objectKey(type, id)) ? streetNames[streets.low] : undefined),
    interpolationNodes,
  };
}

const memberTypes: readonly ObjectType[] = ['n', 'w', 'r'];

/** A way of which some record is made; `line` is not empty, and `nodeIds` are its nodes. */
function wayFeature(id: number, tags: Record<string, string>, line: Float64Array, nodeIds: Float64Array): OsmFeature {
  const point = isRing(line) ? centroidOfRings([line]) : pointAlong(line);
  const feature: OsmFeature = { type: 'w', id, tags, ...point };
  if (tags['addr:interpolation'] !== undefined) return { ...feature, lines: [line], nodeIds };
  return isStreet(tags) ? { ...feature, lines: [line] } : feature;
}

/** A relation of which some record is made; `undefined` where none of its ways is located. */
function areaFeature({ id, tags, outers, lines }: LocatedArea): OsmFeature | undefined {
  const point = outers.length > 0 ? centroidOfRings(outers) : lines[0] && pointAlong(lines[0]);
  if (!point) return undefined;
  const feature: OsmFeature = { type: 'r', id, tags, ...point };
  return isStreet(tags) ? { ...feature, lines } : feature;
}

/** The boundary that a relation is, if any; `cut` where it has no closed ring because the extract's edge cuts it. */
function boundaryOf({ tags, outers }: LocatedArea): Boundary | 'cut' | undefined {
  if (!isBoundary(tags)) return undefined;
  if (outers.length === 0) return 'cut';
  const country = countryOf(tags);
  return { level: Number(tags.admin_level), name: tags.name, ...(country && { country }) };
}

/** Roles of the houses of a street relation. */
const rolesOfHouses: readonly string[] = ['house', 'address', ''];

// Boundaries and multipolygons: spilled with their member ways, until the lines of those are there to make rings of.

/** A relation with its member ways, and which of them have the role `inner`. */
type AreaRelation = { id: number; tags: Record<string, string>; members: ReturnType<typeof memberWays> };

/** A relation with the closed rings of its member ways, and the ways themselves in their order. */
export type LocatedArea = AreaRelation & Record<'outers' | 'inners' | 'lines', Float64Array[]>;

/** Relations are added first, then the lines of ways; then they are read, located, in the order of the file. */
export class AreaRelations {
  readonly #areas: Spool<AreaRelation>;
  readonly #memberWays: NumberFilter;
  /** By the ids of the ways. */
  readonly #lines: Spool<{ line: Float64Array }>;

  constructor(tables: Tables) {
    this.#areas = tables.spool();
    this.#memberWays = tables.filter(0.06);
    this.#lines = tables.spool();
  }

  add(area: AreaRelation): void {
    for (const { way } of area.members) this.#memberWays.add(way);
    // One key: they are read in the order of the file.
    this.#areas.add(0, area);
  }

  /** Whether the relations need a way; of a large file that takes in others too, whose lines are located needlessly. */
  mayHaveMember(way: number): boolean {
    return this.#memberWays.mayHave(way);
  }

  addLine(way: number, line: Float64Array): void {
    this.#lines.add(0, { line }, way);
  }

  *located(): Generator<LocatedArea> {
    for (const area of this.#areas) yield locatedArea(area, (way) => this.#lines.at(way)?.line);
  }
}

/**
 * A relation with the rings of its ways; `lineOf` returns the line of a way, empty or undefined where it is not
 * located.
 */
function locatedArea(area: AreaRelation, lineOf: (way: number) => Float64Array | undefined): LocatedArea {
  const inner: Float64Array[] = [];
  const outer: Float64Array[] = [];
  const lines: Float64Array[] = [];
  for (const { way, isInner } of area.members) {
    const line = lineOf(way);
    if (line === undefined || line.length === 0) continue;
    (isInner ? inner : outer).push(line);
    lines.push(line);
  }
  return { ...area, outers: assembleRings(outer).rings, inners: assembleRings(inner).rings, lines };
}
