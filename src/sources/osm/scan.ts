/**
 * First stage of reading an OpenStreetMap file: relations, then nodes and ways, to a list of the objects that records
 * are made from, each with its position, and what is needed to determine their settlement and the names of their
 * streets.
 */
import type { NumberFilter } from '../../core/columns.ts';
import { centroidOfRings, isRing, pointAlong } from '../../core/geo.ts';
import type { Drop } from '../../core/source-records.ts';
import type { Spool } from '../../store/sqlite/spool.ts';
import type { IdTable, Tables } from '../tables.ts';
import { AdminContext } from './admin-context.ts';
import { AreaRelations, type LocatedArea, NodeLocations } from './area-relations.ts';
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

export async function scan(file: OsmFile, options: ScanOptions): Promise<Scan> {
  // Most nodes of a large file belong to ways that no record is made from. Where they would not fit into memory, the
  // ways are asked first which ones are needed.
  const nodeBytes = ((file.bytes ?? 0) / bytesOfNode.inFile) * bytesOfNode.inTable;
  const areAllNeeded = nodeBytes <= options.workings.memoryBytes * nodeShare;
  const scanner = new Scanner(options, areAllNeeded);
  const pass = (from: number, to: number, step: string) => (share: number) =>
    options.progress(from + share * (to - from), step);
  const none = { nodes: false, ways: false, relations: false };
  for await (const block of file.blocks({ ...none, relations: true }, pass(0, 0.05, 'reading relations'))) {
    scanner.relations(block);
  }
  if (!areAllNeeded) {
    for await (const block of file.blocks({ ...none, ways: true }, pass(0.05, 0.1, 'finding the nodes of ways'))) {
      scanner.neededNodes(block);
    }
  }
  const rest = { ...none, nodes: true, ways: true };
  for await (const block of file.blocks(rest, pass(0.1, 0.5, 'reading nodes and ways'))) {
    scanner.nodes(block);
    scanner.ways(block);
  }
  return scanner.finish();
}

class Scanner {
  readonly #options: ScanOptions;
  readonly #tags = new TagReader();
  readonly #locations: NodeLocations;
  readonly #features: Spool<OsmFeature>;
  readonly #adminContext: AdminContext;
  readonly #areas: AreaRelations;
  readonly #streetNames: string[] = [];
  readonly #streetOfMember: IdTable;
  #interpolationNodes: NumberFilter | undefined;

  constructor(options: ScanOptions, areAllNeeded: boolean) {
    this.#options = options;
    const { tables, workings, country } = options;
    this.#locations = new NodeLocations(workings, nodeShare, { areAllNeeded });
    this.#areas = new AreaRelations(workings);
    this.#features = tables.spool();
    this.#adminContext = new AdminContext(tables, country);
    this.#streetOfMember = tables.ids('street-members', 0.03);
  }

  relations(block: OsmBlock): void {
    this.#tags.nextBlock();
    for (const relation of block.relations) {
      const tags = this.#tags.wanted(block.texts, relation.tags, 'r');
      if (!tags) continue;
      if (isStreetRelation(tags)) this.#street(block, relation, tags);
      else this.#areas.add({ id: relation.id, tags, members: memberWays(block, relation) });
    }
  }

  #street({ texts }: OsmBlock, { members }: OsmRelation, tags: Record<string, string>): void {
    const name = this.#streetNames.push(tags['addr:street'] ?? tags.name) - 1;
    for (const { type, id, role } of members)
      if (rolesOfHouses.includes(texts.at(role))) this.#streetOfMember.add(objectKey(memberTypes[type], id), name, 0);
  }

  /** Takes the nodes of the ways that records are made from. */
  neededNodes({ texts, ways }: OsmBlock): void {
    this.#tags.nextBlock();
    for (const { id, tags, refs } of ways) {
      if (!this.#areas.mayHaveMember(id) && !this.#tags.wanted(texts, tags, 'w')) continue;
      for (const ref of refs) this.#locations.need(ref);
    }
  }

  nodes({ texts, nodes }: OsmBlock): void {
    this.#tags.nextBlock();
    const { ids, lats, lngs } = nodes;
    for (let at = 0; at < nodes.count; at++) {
      this.#locations.add(ids[at], lats[at], lngs[at]);
      const tags = nodes.tags[at] && this.#tags.wanted(texts, nodes.tags[at], 'n');
      if (!tags) continue;
      const [lat, lng] = [lats[at] / 1e7, lngs[at] / 1e7];
      if (!(Math.abs(lat) <= 90 && Math.abs(lng) <= 180)) {
        this.#options.dropped('object outside the world');
        continue;
      }
      this.#add({ type: 'n', id: ids[at], tags, lat, lng });
    }
  }

  #add(feature: OsmFeature): void {
    this.#features.add(tileAt(feature), feature);
    this.#adminContext.add(feature);
  }

  ways({ texts, ways }: OsmBlock): void {
    if (ways.length > 0) this.#locations.finish();
    for (const { id, refs, ...way } of ways) {
      const tags = this.#tags.wanted(texts, way.tags, 'w');
      const isMember = this.#areas.mayHaveMember(id);
      if (!tags && !isMember) continue;
      const { line, nodeIds } = this.#locations.line(refs);
      if (isMember) this.#areas.addLine(id, line);
      if (!tags) continue;
      if (line.length === 0) {
        this.#options.dropped('way without any located node');
        continue;
      }
      const feature = wayFeature(id, tags, line, nodeIds);
      for (const node of feature.nodeIds ?? [])
        (this.#interpolationNodes ??= this.#options.tables.filter(0.02)).add(node);
      this.#add(feature);
    }
  }

  finish(): Scan {
    this.#locations.finish();
    for (const area of this.#areas.located()) {
      const boundary = boundaryOf(area);
      if (boundary === 'cut') this.#options.dropped('boundary cut off by the extract');
      else if (boundary) this.#adminContext.addBoundary(boundary, [...area.outers, ...area.inners]);
      if (!this.#tags.isWanted({ ...area.tags, boundary: '' }, 'r')) continue;
      const feature = areaFeature(area);
      if (feature) this.#add(feature);
      else this.#options.dropped('relation without any located member way');
    }
    this.#options.workings[Symbol.dispose]();
    this.#adminContext.finish();
    this.#streetOfMember.finish();
    return {
      features: this.#features,
      adminContext: this.#adminContext,
      streetOfMember: ({ type, id }) =>
        this.#streetOfMember.find(objectKey(type, id)) ? this.#streetNames[this.#streetOfMember.low] : undefined,
      interpolationNodes: this.#interpolationNodes,
    };
  }
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
