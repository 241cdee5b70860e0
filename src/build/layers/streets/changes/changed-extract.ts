/**
 * An extract after changes, based on what was kept of it: which of the objects that records are made of have changed.
 */
import { type AreaRelation, locatedArea } from '../../../../sources/osm/area-relations.ts';
import type { Changed, ChangeSet, ObjectKind } from '../../../../sources/osm/change-file.ts';
import {
  isStreet,
  isStreetRelation,
  type ObjectType,
  type OsmFeature,
  TagReader,
} from '../../../../sources/osm/feature.ts';
import { objectKey, objectOfKey } from '../../../../sources/osm/keeper.ts';
import {
  areaFeature,
  boundaryOf,
  housesOfRelation,
  wayFeature,
  waysOfRelation,
} from '../../../../sources/osm/located.ts';
import type { Boundary } from '../../../../sources/osm/settlements.ts';
import type { ExtractBase } from '../../../../store/sqlite/extract-base.ts';
import type { KeptObject, LocatedObject } from '../../../../store/sqlite/extract-base-schema.ts';

/** An object before and after; undefined where it yields no record. */
type FeatureChange = { before: KeptObject | undefined; after: OsmFeature | undefined };
export type LocatedBoundary = { id: number; boundary: Boundary; rings: Float64Array[] };
type BoundaryChange = { before: LocatedBoundary | undefined; after: LocatedBoundary | undefined };

export class ChangedExtract {
  readonly features = new Map<number, FeatureChange>();
  readonly boundaries = new Map<number, BoundaryChange>();
  /** Unchanged objects whose records depend on changed ones. */
  readonly touched = new Set<number>();
  readonly #base: ExtractBase;
  readonly #changes: ChangeSet;
  readonly #tags = new TagReader();
  readonly #lines = new Map<number, { line: Float64Array; nodeIds: Float64Array } | undefined>();
  readonly #newStreets = new Map<number, { relation: number; street: string }[]>();

  constructor(base: ExtractBase, changes: ChangeSet) {
    this.#base = base;
    this.#changes = changes;
    const nodes = changes.ids('nodes');
    const ways = new Set<number>(changes.ids('ways'));
    for (const id of nodes) {
      this.#node(id);
      if (this.#isMoved(id)) for (const way of base.waysOfNode(id)) ways.add(way);
      else this.#touchInterpolations(id);
    }
    const areas = new Set<number>(changes.ids('relations'));
    for (const way of ways) {
      this.#way(way);
      for (const area of base.areasOfWay(way)) areas.add(area);
    }
    for (const id of areas) this.#relation(id);
    for (const key of [...this.touched]) {
      const { type, id } = objectOfKey(key);
      if (type === 'n') this.#touchInterpolations(id);
    }
    for (const key of this.features.keys()) this.touched.delete(key);
  }

  /** A node's position in units of 1e-7 degrees. */
  node(id: number): readonly [lat: number, lng: number] | undefined {
    if (!this.#changes.has('nodes', id)) return this.#base.node(id);
    const changed = this.#changes.get('nodes', id);
    if (!changed) return undefined;
    const { lats, lngs } = changed.block.nodes;
    return [lats[changed.at], lngs[changed.at]];
  }

  /** The located nodes of a way; undefined where there is no such way. */
  line(way: number): { line: Float64Array; nodeIds: Float64Array } | undefined {
    if (this.#lines.has(way)) return this.#lines.get(way);
    const refs = this.#refs(way);
    const located = refs && this.#located(refs);
    this.#lines.set(way, located);
    return located;
  }

  /** An object of the extract as it is now, with its lines. */
  feature(key: number): OsmFeature | undefined {
    const change = this.features.get(key);
    if (change) return change.after;
    const kept = this.#base.feature(key);
    return kept && this.whole(kept);
  }

  /** Whether the lines of an object make a street and nothing else. */
  isLine({ key, tags }: LocatedObject): boolean {
    return objectOfKey(key).type !== 'n' && isStreet(tags) && tags['addr:interpolation'] === undefined;
  }

  withoutLines({ key, tags, lat, lng }: LocatedObject): OsmFeature {
    return { ...objectOfKey(key), tags, lat, lng, lines: [] };
  }

  /** An unchanged object with its lines. */
  whole({ key, tags, lat, lng }: LocatedObject): OsmFeature | undefined {
    const { type, id } = objectOfKey(key);
    if (type === 'n') return { type, id, tags, lat, lng };
    if (type === 'r') return areaFeature(this.#locatedArea(this.#base.area(id)!));
    const { line, nodeIds } = this.line(id)!;
    return wayFeature(id, tags, line, nodeIds);
  }

  /** The street whose relation has an object as a house: that of the first such relation. */
  streetOfMember(key: number): string | undefined {
    const kept = this.#base.streetsOfMember(key).filter(({ relation }) => !this.#changes.has('relations', relation));
    return [...kept, ...(this.#newStreets.get(key) ?? [])].sort((a, b) => a.relation - b.relation)[0]?.street;
  }

  /** Interpolations depend on the house numbers of their nodes. */
  #touchInterpolations(node: number): void {
    for (const way of this.#base.waysOfNode(node)) {
      const key = objectKey('w', way);
      if (this.#base.feature(key)?.tags['addr:interpolation'] !== undefined) this.touched.add(key);
    }
  }

  #isMoved(id: number): boolean {
    const [before, after] = [this.#base.node(id), this.node(id)];
    return before?.[0] !== after?.[0] || before?.[1] !== after?.[1];
  }

  #refs(way: number): Float64Array | undefined {
    if (!this.#changes.has('ways', way)) return this.#base.refs(way);
    const changed = this.#changes.get('ways', way);
    if (!changed) return undefined;
    const { refs, refEnds } = changed.block.ways;
    return refs.subarray(changed.at === 0 ? 0 : refEnds[changed.at - 1], refEnds[changed.at]);
  }

  #located(refs: Float64Array): { line: Float64Array; nodeIds: Float64Array } {
    const line: number[] = [];
    const nodeIds: number[] = [];
    for (const id of refs) {
      const position = this.node(id);
      if (!position) continue;
      line.push(position[1] / 1e7, position[0] / 1e7);
      nodeIds.push(id);
    }
    return { line: Float64Array.from(line), nodeIds: Float64Array.from(nodeIds) };
  }

  #wanted(kind: ObjectKind, type: ObjectType, { block, at }: Changed): Record<string, string> | undefined {
    // Numbers of texts are those of the block.
    this.#tags.nextBlock();
    return this.#tags.wanted(block.texts, block[kind], at, type);
  }

  #set(type: ObjectType, id: number, after: OsmFeature | undefined): void {
    const key = objectKey(type, id);
    const before = this.#base.feature(key);
    if ((before || after) && !(before && after && this.#isAsBefore(before, after)))
      this.features.set(key, { before, after });
  }

  /** Whether nothing relevant to records changed: mappers also edit tags such as sources and survey dates. */
  #isAsBefore({ lat, lng, tags }: KeptObject, after: OsmFeature): boolean {
    if (after.type === 'r' || lat !== after.lat || lng !== after.lng) return false;
    if (JSON.stringify(tags) !== JSON.stringify(after.tags)) return false;
    return after.type === 'n' || this.#hasSameLine(after.id);
  }

  #hasSameLine(way: number): boolean {
    const [before, after] = [this.#base.refs(way), this.#refs(way)];
    if (before?.length !== after?.length) return false;
    return before!.every((id, at) => id === after![at] && !this.#isMoved(id));
  }

  #node(id: number): void {
    const changed = this.#changes.get('nodes', id);
    const tags = changed && this.#wanted('nodes', 'n', changed);
    const [lat, lng] = (this.node(id) ?? []).map((value) => value / 1e7);
    const isOnEarth = Math.abs(lat) <= 90 && Math.abs(lng) <= 180;
    this.#set('n', id, tags && isOnEarth ? { type: 'n', id, tags, lat, lng } : undefined);
  }

  #way(id: number): void {
    const changed = this.#changes.get('ways', id);
    const tags = this.#changes.has('ways', id)
      ? changed && this.#wanted('ways', 'w', changed)
      : this.#base.feature(objectKey('w', id))?.tags;
    const located = tags && this.line(id);
    const isLocated = located !== undefined && located.line.length > 0;
    this.#set('w', id, isLocated ? wayFeature(id, tags!, located.line, located.nodeIds) : undefined);
  }

  #relation(id: number): void {
    const area = this.#changes.has('relations', id) ? this.#changedRelation(id) : this.#base.area(id);
    const located = area && this.#locatedArea(area);
    const isFeature = located && this.#tags.isWanted({ ...located.tags, boundary: '' }, 'r');
    this.#set('r', id, isFeature ? areaFeature(located) : undefined);
    const before = this.#base.area(id);
    const boundary = located && boundaryOf(located);
    const change: BoundaryChange = {
      before: before?.boundary && { id, boundary: before.boundary, rings: before.rings! },
      after:
        boundary === undefined || boundary === 'cut'
          ? undefined
          : { id, boundary, rings: [...located!.outers, ...located!.inners] },
    };
    if (change.before || change.after) this.boundaries.set(id, change);
  }

  /** A changed relation where it is an area; where it is a street, its houses are noted. */
  #changedRelation(id: number): AreaRelation | undefined {
    for (const key of this.#base.membersOf(id)) this.touched.add(key);
    const changed = this.#changes.get('relations', id);
    const tags = changed && this.#wanted('relations', 'r', changed);
    if (!tags) return undefined;
    if (!isStreetRelation(tags)) {
      const members = waysOfRelation(changed.block, changed.at);
      return {
        id,
        tags,
        ways: Float64Array.from(members, ({ way }) => way),
        isInner: Float64Array.from(members, ({ isInner }) => (isInner ? 1 : 0)),
      };
    }
    for (const key of housesOfRelation(changed.block, changed.at)) {
      this.touched.add(key);
      const streets = this.#newStreets.get(key);
      const entry = { relation: id, street: tags['addr:street'] ?? tags.name };
      if (streets) streets.push(entry);
      else this.#newStreets.set(key, [entry]);
    }
    return undefined;
  }

  #locatedArea({
    id,
    tags,
    ways,
    isInner,
  }: Pick<AreaRelation, 'id' | 'tags'> & Record<'ways' | 'isInner', ArrayLike<number>>) {
    const area = { id, tags, ways: Float64Array.from(ways), isInner: Float64Array.from(isInner) };
    return locatedArea(area, (way) => this.line(way)?.line);
  }
}
