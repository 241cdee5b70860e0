/**
 * First stage of reading an OpenStreetMap file: relations, then nodes and ways, to a list of the objects that records
 * are made from, each with its position, and what is needed to tell where they are and how their streets are called.
 */
import { join } from 'node:path';
import { centroidOfRings, isRing, middleOfLine } from '../../core/line-geometry.ts';
import type { OsmBlock, OsmFile, Relations } from './block.ts';
import { isBoundary, isSettlement, isStreet, isStreetRelation, type OsmFeature, TagReader } from './feature.ts';
import { IdTable } from './id-table.ts';
import { NodeLocations } from './node-locations.ts';
import { assembleRings } from './rings.ts';
import type { Boundary, Place } from './settlements.ts';
import { Spool } from './spool.ts';

type Member = { type: number; id: number; role: string };
type WantedRelation = { id: number; tags: Record<string, string>; members: Member[] };

export type ScanOptions = {
  directory: string;
  memoryMb: number;
  progress(share: number, step: string): void;
  dropped(reason: string, count: number): void;
};

/** What a file holds for the second stage. */
export type Scan = {
  features: Spool<OsmFeature>;
  boundaries: Boundary[];
  places: Place[];
  /** Street of an object that is a house of a street relation. */
  streetOfMember(feature: Pick<OsmFeature, 'type' | 'id'>): string | undefined;
  highways: number;
  interpolations: number;
  close(): void;
};

const typeNumber = { n: 0, w: 1, r: 2 };
/** One number for a type and an id. */
const memberKey = (type: number, id: number) => id * 4 + type;

export async function scan(file: OsmFile, options: ScanOptions): Promise<Scan> {
  const scanner = new Scanner(options);
  const shares = { relations: 0.25, rest: 0.45 };
  const onlyRelations = { nodes: false, ways: false, relations: true };
  for await (const block of file.blocks(onlyRelations, (share) =>
    options.progress(share * shares.relations, 'reading relations'),
  )) {
    scanner.relations(block);
  }
  scanner.finishRelations();
  try {
    const rest = { nodes: true, ways: true, relations: false };
    for await (const block of file.blocks(rest, (share) =>
      options.progress(shares.relations + share * shares.rest, 'reading nodes and ways'),
    )) {
      scanner.nodes(block);
      scanner.ways(block);
    }
    return scanner.finish();
  } catch (error) {
    scanner.features.close();
    throw error;
  } finally {
    scanner.locations.close();
  }
}

class Scanner {
  readonly locations: NodeLocations;
  readonly features: Spool<OsmFeature>;
  readonly #options: ScanOptions;
  readonly #tags: TagReader;
  readonly #areas: WantedRelation[] = [];
  readonly #streetNames: string[] = [];
  readonly #streetOfMember = new IdTable();
  readonly #memberWays = new IdTable();
  readonly #lines = new Map<number, Float64Array>();
  readonly #places: Place[] = [];
  #highways = 0;
  #interpolations = 0;
  #locationsFinished = false;

  constructor(options: ScanOptions) {
    this.#options = options;
    this.#tags = new TagReader(options.dropped);
    this.locations = new NodeLocations(join(options.directory, 'node-locations'), options.memoryMb * 0.5e6);
    // Some 2 KB for each object in memory.
    this.features = new Spool(join(options.directory, 'features'), options.memoryMb * 125);
  }

  relations(block: OsmBlock): void {
    this.#tags.nextBlock();
    for (let at = 0; at < block.relations.count; at++) {
      const tags = this.#tags.wanted(block.texts, block.relations, at, 'r');
      if (!tags) continue;
      const relation = { id: block.relations.ids[at], tags, members: membersOf(block, block.relations, at) };
      if (isStreetRelation(tags)) this.#street(relation);
      else {
        this.#areas.push(relation);
        for (const member of relation.members) if (member.type === 1) this.#memberWays.add(member.id);
      }
    }
  }

  #street({ tags, members }: WantedRelation): void {
    const name = this.#streetNames.push(tags['addr:street'] ?? tags.name) - 1;
    for (const { type, id, role } of members) {
      if (role === 'house' || role === 'address' || role === '') this.#streetOfMember.add(memberKey(type, id), name);
    }
  }

  finishRelations(): void {
    this.#streetOfMember.finish();
    this.#memberWays.finish();
  }

  nodes({ texts, nodes }: OsmBlock): void {
    this.#tags.nextBlock();
    const { ids, lats, lngs } = nodes;
    for (let at = 0; at < nodes.count; at++) {
      this.locations.add(ids[at], lats[at], lngs[at]);
      const tags = this.#tags.wanted(texts, nodes, at, 'n');
      if (!tags) continue;
      const lat = lats[at] / 1e7;
      const lng = lngs[at] / 1e7;
      if (!(Math.abs(lat) <= 90 && Math.abs(lng) <= 180)) {
        this.#options.dropped('object outside the world', 1);
        continue;
      }
      if (isSettlement(tags)) this.#places.push({ name: tags.name, kind: tags.place, lat, lng });
      this.features.add({ type: 'n', id: ids[at], tags, lat, lng });
    }
  }

  ways({ texts, ways }: OsmBlock): void {
    if (ways.count > 0) this.#finishLocations();
    for (let at = 0; at < ways.count; at++) {
      const id = ways.ids[at];
      const tags = this.#tags.wanted(texts, ways, at, 'w');
      const isMember = this.#memberWays.has(id);
      if (!tags && !isMember) continue;
      const refs = ways.refs.subarray(at === 0 ? 0 : ways.refEnds[at - 1], ways.refEnds[at]);
      const { line, nodeIds } = this.#line(refs);
      if (isMember) this.#lines.set(id, line);
      if (!tags) continue;
      if (line.length === 0) {
        this.#options.dropped('way without any located node', 1);
        continue;
      }
      const feature: OsmFeature = {
        type: 'w',
        id,
        tags,
        ...(isRing(line) ? centroidOfRings([line]) : middleOfLine(line)),
      };
      if (tags['addr:interpolation'] !== undefined) {
        feature.lines = [line];
        feature.nodeIds = nodeIds;
        this.#interpolations++;
      } else if (isStreet(tags)) {
        feature.lines = [line];
        this.#highways++;
      }
      this.features.add(feature);
    }
  }

  finish(): Scan {
    this.#finishLocations();
    const boundaries: Boundary[] = [];
    for (const { id, tags, members } of this.#areas) {
      const { rings, outers } = this.#rings(members);
      if (isBoundary(tags)) {
        // An area without a closed ring was cut by the extract's own edge.
        if (rings.length === 0) this.#options.dropped('boundary that the extract cuts off', 1);
        else boundaries.push({ level: Number(tags.admin_level), name: tags.name, country: countryOf(tags), rings });
      }
      const isMore = this.#tags.isWanted({ ...tags, boundary: '' }, 'r');
      if (!isMore) continue;
      const lines = members.flatMap(({ type, id }) => (type === 1 ? (this.#lines.get(id) ?? []) : []));
      const located = lines.filter((line) => line.length > 0);
      const point = outers.length > 0 ? centroidOfRings(outers) : located[0] && middleOfLine(located[0]);
      if (!point) {
        this.#options.dropped('relation without any located member way', 1);
        continue;
      }
      const feature: OsmFeature = { type: 'r', id, tags, ...point };
      if (isStreet(tags)) {
        feature.lines = located;
        this.#highways++;
      }
      this.features.add(feature);
    }
    this.#lines.clear();
    const streetNames = this.#streetNames;
    const streetOfMember = this.#streetOfMember;
    return {
      features: this.features,
      boundaries,
      places: this.#places,
      streetOfMember(feature) {
        const name = streetOfMember.get(memberKey(typeNumber[feature.type], feature.id));
        return name === undefined ? undefined : streetNames[name];
      },
      highways: this.#highways,
      interpolations: this.#interpolations,
      close: () => this.features.close(),
    };
  }

  #finishLocations(): void {
    if (!this.#locationsFinished) this.locations.finish();
    this.#locationsFinished = true;
  }

  /** The located nodes of a way; extracts lack some nodes of ways that cross their edge. */
  #line(refs: Float64Array): { line: Float64Array; nodeIds: Float64Array } {
    const line = new Float64Array(refs.length * 2);
    const nodeIds = new Float64Array(refs.length);
    let count = 0;
    // Not for … of: its iterator costs more than the work on a node.
    for (let at = 0; at < refs.length; at++) {
      if (!this.locations.find(refs[at])) continue;
      line[2 * count] = this.locations.lng / 1e7;
      line[2 * count + 1] = this.locations.lat / 1e7;
      nodeIds[count++] = refs[at];
    }
    if (count === refs.length) return { line, nodeIds };
    return { line: line.slice(0, 2 * count), nodeIds: nodeIds.slice(0, count) };
  }

  #rings(members: Member[]): { rings: Float64Array[]; outers: Float64Array[] } {
    const inner: Float64Array[] = [];
    const outer: Float64Array[] = [];
    for (const { type, id, role } of members) {
      const line = type === 1 ? this.#lines.get(id) : undefined;
      if (line && line.length > 0) (role === 'inner' ? inner : outer).push(line);
    }
    const outers = assembleRings(outer).rings;
    return { outers, rings: outers.length === 0 ? [] : [...outers, ...assembleRings(inner).rings] };
  }
}

function membersOf({ texts }: OsmBlock, relations: Relations, at: number): Member[] {
  const members: Member[] = [];
  for (let member = at === 0 ? 0 : relations.memberEnds[at - 1]; member < relations.memberEnds[at]; member++) {
    members.push({
      type: relations.memberTypes[member],
      id: relations.memberIds[member],
      role: texts.at(relations.memberRoles[member]),
    });
  }
  return members;
}

function countryOf(tags: Record<string, string>): string | undefined {
  const code = tags['ISO3166-1:alpha2'] ?? tags['ISO3166-1'] ?? tags['ISO3166-2']?.slice(0, 2);
  return code && /^[A-Z]{2}$/.test(code) ? code : undefined;
}
