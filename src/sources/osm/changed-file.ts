/**
 * An extract as it is after changes: the file's own objects without those that changed, and the changed ones where
 * their ids put them. So a reader meets the same objects in the same order as in a newer extract.
 */
import { grown } from '../tables/grown.ts';
import { emptyBlock, type OsmBlock, type OsmFile, type Tagged, type Wanted } from './block.ts';
import { type Changed, type ChangeSet, type ObjectKind, objectKinds } from './change-file.ts';
import { BlockTexts } from './xml-file.ts';

const objectsPerBlock = 8000;

/** The file with changes applied. Where the file is sorted by kind and id, as extracts are, so is the result. */
export function withChanges(file: OsmFile, changes: ChangeSet): OsmFile {
  return {
    ...(file.bytes !== undefined && { bytes: file.bytes }),
    blocks: (wanted, progress) => new Merge(changes, wanted).blocks(file.blocks(wanted, progress)),
  };
}

class Merge {
  readonly #changes: ChangeSet;
  /** Kinds that were asked for and are not behind us. */
  #kinds: ObjectKind[];
  readonly #pending: Record<ObjectKind, Iterator<Changed & { id: number }, undefined>>;
  readonly #next: Partial<Record<ObjectKind, Changed & { id: number }>> = {};
  readonly #out = new BlockBuilder();

  constructor(changes: ChangeSet, wanted: Wanted) {
    this.#changes = changes;
    this.#kinds = objectKinds.filter((kind) => wanted[kind]);
    this.#pending = {
      nodes: changes.living('nodes'),
      ways: changes.living('ways'),
      relations: changes.living('relations'),
    };
    for (const kind of this.#kinds) this.#advance(kind);
  }

  async *blocks(source: AsyncIterable<OsmBlock>): AsyncGenerator<OsmBlock> {
    for await (const block of source) {
      // What is still to come of the kinds before the block's own belongs before it.
      const first = this.#kinds.findIndex((kind) => block[kind].count > 0);
      for (const kind of this.#kinds.splice(0, Math.max(0, first))) yield* this.#rest(kind);
      if (this.#isUntouched(block)) {
        yield block;
        continue;
      }
      for (const kind of this.#kinds) this.#mix(kind, block);
      yield* this.#out.take();
    }
    for (const kind of this.#kinds) yield* this.#rest(kind);
  }

  #advance(kind: ObjectKind): void {
    const { value } = this.#pending[kind].next();
    this.#next[kind] = value;
  }

  #isUntouched(block: OsmBlock): boolean {
    return this.#kinds.every((kind) => {
      const { ids, count } = block[kind];
      if (count === 0) return true;
      const next = this.#next[kind];
      for (let at = 0; at < count; at++) {
        if (this.#changes.has(kind, ids[at]) || (next && next.id < ids[at])) return false;
      }
      return true;
    });
  }

  #mix(kind: ObjectKind, block: OsmBlock): void {
    const { ids, count } = block[kind];
    for (let at = 0; at < count; at++) {
      for (let next = this.#next[kind]; next && next.id <= ids[at]; next = this.#next[kind]) {
        this.#out.add(kind, next);
        this.#advance(kind);
      }
      if (!this.#changes.has(kind, ids[at])) this.#out.add(kind, { block, at });
    }
  }

  *#rest(kind: ObjectKind): Generator<OsmBlock> {
    for (let next = this.#next[kind]; next; next = this.#next[kind]) {
      this.#out.add(kind, next);
      this.#advance(kind);
      if (this.#out.size >= objectsPerBlock) yield* this.#out.take();
    }
    yield* this.#out.take();
  }
}

/** Copies objects of other blocks into one of its own. */
class BlockBuilder {
  readonly #texts = new BlockTexts();
  readonly #block = emptyBlock(this.#texts);
  #isTaken = false;

  get size(): number {
    const { nodes, ways, relations } = this.#block;
    return this.#isTaken ? 0 : nodes.count + ways.count + relations.count;
  }

  /** The block with what was added since the last one, if anything was. */
  *take(): Generator<OsmBlock> {
    if (this.size === 0) return;
    this.#isTaken = true;
    yield this.#block;
  }

  add(kind: ObjectKind, from: Changed): void {
    if (this.#isTaken) this.#clear();
    if (kind === 'nodes') this.#node(from);
    else if (kind === 'ways') this.#way(from);
    else this.#relation(from);
  }

  #clear(): void {
    for (const kind of objectKinds) this.#block[kind].count = 0;
    this.#texts.clear();
    this.#isTaken = false;
  }

  #node({ block, at }: Changed): void {
    const { nodes } = this.#block;
    const to = this.#tagged(nodes, block.nodes, block, at);
    nodes.lats = grown(nodes.lats, nodes.count);
    nodes.lngs = grown(nodes.lngs, nodes.count);
    nodes.lats[to] = block.nodes.lats[at];
    nodes.lngs[to] = block.nodes.lngs[at];
  }

  #way({ block, at }: Changed): void {
    const { ways } = this.#block;
    const to = this.#tagged(ways, block.ways, block, at);
    const refs = block.ways.refs.subarray(startOf(block.ways.refEnds, at), block.ways.refEnds[at]);
    const start = startOf(ways.refEnds, to);
    ways.refEnds = grown(ways.refEnds, ways.count);
    ways.refs = grown(ways.refs, start + refs.length);
    ways.refs.set(refs, start);
    ways.refEnds[to] = start + refs.length;
  }

  #relation({ block, at }: Changed): void {
    const { relations } = this.#block;
    const { memberEnds, memberIds, memberTypes, memberRoles } = block.relations;
    const to = this.#tagged(relations, block.relations, block, at);
    let end = startOf(relations.memberEnds, to);
    relations.memberEnds = grown(relations.memberEnds, relations.count);
    for (let member = startOf(memberEnds, at); member < memberEnds[at]; member++, end++) {
      relations.memberIds = grown(relations.memberIds, end + 1);
      relations.memberTypes = grown(relations.memberTypes, end + 1);
      relations.memberRoles = grown(relations.memberRoles, end + 1);
      relations.memberIds[end] = memberIds[member];
      relations.memberTypes[end] = memberTypes[member];
      relations.memberRoles[end] = this.#texts.add(block.texts.at(memberRoles[member]));
    }
    relations.memberEnds[to] = end;
  }

  /** Copies id and tags, and gives the object's place. */
  #tagged(to: Tagged, from: Tagged, { texts }: OsmBlock, at: number): number {
    const place = to.count++;
    to.ids = grown(to.ids, to.count);
    to.tagEnds = grown(to.tagEnds, to.count);
    to.ids[place] = from.ids[at];
    let end = startOf(to.tagEnds, place);
    for (let tag = startOf(from.tagEnds, at); tag < from.tagEnds[at]; tag++, end++) {
      to.tags = grown(to.tags, 2 * end + 2);
      to.tags[2 * end] = this.#texts.add(texts.at(from.tags[2 * tag]));
      to.tags[2 * end + 1] = this.#texts.add(texts.at(from.tags[2 * tag + 1]));
    }
    to.tagEnds[place] = end;
    return place;
  }
}

const startOf = (ends: Uint32Array, at: number): number => (at === 0 ? 0 : ends[at - 1]);
