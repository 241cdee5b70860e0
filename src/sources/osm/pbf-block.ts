/** Reads the unpacked bytes of one OSMData blob: wiki.openstreetmap.org/wiki/PBF_Format, message PrimitiveBlock. */

import { grown } from '../../core/columns.ts';
import { messageIn, ProtobufReader } from '../../core/protobuf-reader.ts';

/** Blocks have about 8,000 objects; more entries than this, of any kind, indicate an attack on the memory. */
const maxEntries = 1 << 20;
/** Blocks have one to three groups; each is an object until the block is read. */
const maxGroups = 1 << 16;

/** Degrees in ten-millionths as a block stores them: what is far outside of the world stays outside, and does not wrap around. */
export const storedDegrees = (units: number) => (Math.abs(units) <= 1.8e9 ? Math.round(units) : 0x7fffffff);

/** The string table of a block; texts are decoded when they are requested. */
class StringTable implements Texts {
  #bytes: Buffer = Buffer.alloc(0);
  #starts = new Uint32Array(4096);
  #ends = new Uint32Array(4096);
  #texts: (string | undefined)[] = [];
  count = 0;

  read(bytes: Buffer, wire: ProtobufReader): void {
    this.#bytes = bytes;
    this.count = 0;
    for (let tag = wire.tag(); tag !== 0; tag = wire.tag()) {
      if (tag !== 10) {
        wire.skip(tag);
        continue;
      }
      if (this.count >= maxEntries) throw new RangeError(`a block has more than ${maxEntries} strings`);
      this.#starts = grown(this.#starts, this.count + 1);
      this.#ends = grown(this.#ends, this.count + 1);
      const limit = wire.limit();
      this.#starts[this.count] = wire.position;
      this.#ends[this.count++] = wire.position = limit;
    }
    this.#texts = new Array(this.count);
  }

  at(index: number): string {
    this.#texts[index] ??= this.#bytes.toString('utf8', this.#starts[index], this.#ends[index]);
    return this.#texts[index];
  }
}

/** Reads blocks one after the other into the same columns. */
export class PbfBlockReader {
  readonly #strings = new StringTable();
  readonly #block: OsmBlock = emptyBlock(this.#strings);
  #granularity = 100;
  #latOffset = 0;
  #lngOffset = 0;

  /** The wanted objects of a block. Throws RangeError when the bytes are not a PrimitiveBlock. */
  read(bytes: Buffer, wanted: Wanted): OsmBlock {
    const block = this.#block;
    block.nodes.count = block.ways.count = block.relations.count = 0;
    this.#granularity = 100;
    this.#latOffset = this.#lngOffset = this.#strings.count = 0;
    const groups: ProtobufReader[] = [];
    const wire = new ProtobufReader(bytes);
    for (let tag = wire.tag(); tag !== 0; tag = wire.tag()) {
      if (tag === 10) {
        this.#strings.read(bytes, messageIn(wire));
      } else if (tag === 18) {
        if (groups.length >= maxGroups) throw new RangeError(`a block has more than ${maxGroups} groups`);
        groups.push(messageIn(wire));
      } else if (tag === 136) this.#granularity = wire.varint();
      else if (tag === 152) this.#latOffset = wire.varint();
      else if (tag === 160) this.#lngOffset = wire.varint();
      else wire.skip(tag);
    }
    // Groups come last because the fields that positions depend on may follow them.
    for (const group of groups) this.#group(group, wanted);
    const { nodes, ways, relations } = block;
    for (const objects of [nodes, ways, relations])
      this.#checkTexts(objects.tags, 2 * lastEnd(objects, objects.tagEnds));
    this.#checkTexts(relations.memberRoles, lastEnd(relations, relations.memberEnds));
    return block;
  }

  /** So that no caller meets a missing text when it is requested later. */
  #checkTexts(numbers: Uint32Array, count: number): void {
    for (let at = 0; at < count; at++) {
      if (numbers[at] >= this.#strings.count) {
        throw new RangeError(`the string ${numbers[at]} is used, but the block has ${this.#strings.count}`);
      }
    }
  }

  #group(wire: ProtobufReader, wanted: Wanted): void {
    const { nodes, ways, relations } = this.#block;
    for (let tag = wire.tag(); tag !== 0; tag = wire.tag()) {
      const field = tag >> 3;
      if (Math.max(nodes.count, ways.count, relations.count) > maxEntries) {
        throw new RangeError(`a block has more than ${maxEntries} objects`);
      }
      if (field === 1 && wanted.nodes) this.#node(messageIn(wire));
      else if (field === 2 && wanted.nodes) this.#dense(messageIn(wire));
      else if (field === 3 && wanted.ways) this.#way(messageIn(wire));
      else if (field === 4 && wanted.relations) this.#relation(messageIn(wire));
      else wire.skip(tag);
    }
  }

  #latLng(index: number, lat: number, lng: number): void {
    const { nodes } = this.#block;
    nodes.lats[index] = storedDegrees((this.#latOffset + this.#granularity * lat) / 100);
    nodes.lngs[index] = storedDegrees((this.#lngOffset + this.#granularity * lng) / 100);
  }

  #room(count: number): void {
    const { nodes } = this.#block;
    nodes.ids = grown(nodes.ids, count);
    nodes.lats = grown(nodes.lats, count);
    nodes.lngs = grown(nodes.lngs, count);
    nodes.tagEnds = grown(nodes.tagEnds, count);
  }

  #node(wire: ProtobufReader): void {
    const { nodes } = this.#block;
    const at = nodes.count++;
    this.#room(nodes.count);
    let lat = 0;
    let lng = 0;
    const tags = new TagColumns(nodes, at);
    for (let tag = wire.tag(); tag !== 0; tag = wire.tag()) {
      if (tag === 8) nodes.ids[at] = wire.signed();
      else if (tag === 18) tags.keys(messageIn(wire));
      else if (tag === 26) tags.values(messageIn(wire));
      else if (tag === 64) lat = wire.signed();
      else if (tag === 72) lng = wire.signed();
      else wire.skip(tag);
    }
    tags.finish();
    this.#latLng(at, lat, lng);
  }

  #dense(wire: ProtobufReader): void {
    const { nodes } = this.#block;
    const first = nodes.count;
    let ids: ProtobufReader | undefined;
    let lats: ProtobufReader | undefined;
    let lngs: ProtobufReader | undefined;
    let tags: ProtobufReader | undefined;
    for (let tag = wire.tag(); tag !== 0; tag = wire.tag()) {
      if (tag === 10) ids = messageIn(wire);
      else if (tag === 66) lats = messageIn(wire);
      else if (tag === 74) lngs = messageIn(wire);
      else if (tag === 82) tags = messageIn(wire);
      else wire.skip(tag);
    }
    if (!ids || !lats || !lngs) return;
    // A number takes a byte at least and rarely over five.
    if (ids.end - ids.position > 8 * maxEntries) throw new RangeError(`a block has more than ${maxEntries} objects`);
    let count = first;
    for (let id = 0, lat = 0, lng = 0; ids.position < ids.end; count++) {
      if (count === nodes.ids.length) this.#room(count + 1);
      nodes.ids[count] = id += ids.signed();
      this.#latLng(count, (lat += lats.signed()), (lng += lngs.signed()));
    }
    this.#room(count);
    let tagCount = first === 0 ? 0 : nodes.tagEnds[first - 1];
    for (let node = first; node < count; node++) {
      while (tags && tags.position < tags.end) {
        const key = tags.varint();
        if (key === 0) break;
        if (2 * tagCount + 2 > nodes.tags.length) nodes.tags = grown(nodes.tags, 2 * tagCount + 2);
        nodes.tags[2 * tagCount] = key;
        nodes.tags[2 * tagCount++ + 1] = tags.varint();
      }
      nodes.tagEnds[node] = tagCount;
    }
    nodes.count = count;
  }

  #way(wire: ProtobufReader): void {
    const { ways } = this.#block;
    const at = ways.count++;
    ways.ids = grown(ways.ids, ways.count);
    ways.tagEnds = grown(ways.tagEnds, ways.count);
    ways.refEnds = grown(ways.refEnds, ways.count);
    let refCount = at === 0 ? 0 : ways.refEnds[at - 1];
    const tags = new TagColumns(ways, at);
    for (let tag = wire.tag(); tag !== 0; tag = wire.tag()) {
      if (tag === 8) ways.ids[at] = wire.varint();
      else if (tag === 18) tags.keys(messageIn(wire));
      else if (tag === 26) tags.values(messageIn(wire));
      else if (tag === 66) {
        const refs = messageIn(wire);
        if (hasTooMany(refs)) throw new RangeError(`a way has more than ${maxEntries} nodes`);
        ways.refs = grown(ways.refs, refCount + refs.end - refs.position);
        for (let id = 0; refs.position < refs.end; ) ways.refs[refCount++] = id += refs.signed();
      } else wire.skip(tag);
    }
    tags.finish();
    ways.refEnds[at] = refCount;
  }

  #relation(wire: ProtobufReader): void {
    const { relations } = this.#block;
    const at = relations.count++;
    relations.ids = grown(relations.ids, relations.count);
    relations.tagEnds = grown(relations.tagEnds, relations.count);
    relations.memberEnds = grown(relations.memberEnds, relations.count);
    const first = at === 0 ? 0 : relations.memberEnds[at - 1];
    let [ids, roles, types] = [first, first, first];
    const tags = new TagColumns(relations, at);
    for (let tag = wire.tag(); tag !== 0; tag = wire.tag()) {
      if (tag === 8) relations.ids[at] = wire.varint();
      else if (tag === 18) tags.keys(messageIn(wire));
      else if (tag === 26) tags.values(messageIn(wire));
      else if (tag === 66 || tag === 74 || tag === 82) {
        const list = messageIn(wire);
        if (hasTooMany(list)) throw new RangeError(`a relation has more than ${maxEntries} members`);
        const room = first + list.end - list.position;
        relations.memberIds = grown(relations.memberIds, room);
        relations.memberRoles = grown(relations.memberRoles, room);
        relations.memberTypes = grown(relations.memberTypes, room);
        if (tag === 66) while (list.position < list.end) relations.memberRoles[roles++] = list.varint();
        else if (tag === 82) while (list.position < list.end) relations.memberTypes[types++] = list.varint();
        else for (let id = 0; list.position < list.end; ) relations.memberIds[ids++] = id += list.signed();
      } else wire.skip(tag);
    }
    if (ids !== roles || ids !== types)
      throw new RangeError('a relation has different numbers of member ids, roles and types');
    tags.finish();
    relations.memberEnds[at] = ids;
  }
}

const lastEnd = (objects: Tagged, ends: Uint32Array) => (objects.count === 0 ? 0 : ends[objects.count - 1]);

/** Puts an object's separate lists of keys and values into the tag column. */
class TagColumns {
  readonly #objects: Tagged;
  readonly #at: number;
  readonly #first: number;
  #keyCount = 0;
  #valueCount = 0;

  constructor(objects: Tagged, at: number) {
    this.#objects = objects;
    this.#at = at;
    this.#first = at === 0 ? 0 : objects.tagEnds[at - 1];
  }

  keys(list: ProtobufReader): void {
    this.#room(list);
    while (list.position < list.end) this.#objects.tags[2 * (this.#first + this.#keyCount++)] = list.varint();
  }

  values(list: ProtobufReader): void {
    this.#room(list);
    while (list.position < list.end) this.#objects.tags[2 * (this.#first + this.#valueCount++) + 1] = list.varint();
  }

  #room(list: ProtobufReader): void {
    this.#objects.tags = grown(this.#objects.tags, 2 * (this.#first + list.end - list.position));
  }

  finish(): void {
    if (this.#keyCount !== this.#valueCount)
      throw new RangeError('an object has different numbers of tag keys and values');
    this.#objects.tagEnds[this.#at] = this.#first + this.#keyCount;
  }
}

/** Whether a list has too many numbers, each of which takes a byte at least. */
function hasTooMany({ bytes, position, end }: ProtobufReader): boolean {
  if (end - position <= maxEntries) return false;
  let count = 0;
  for (let at = position; at < end; at++) if (bytes[at] < 0x80) count++;
  return count > maxEntries;
}

/**
 * Some thousands of OpenStreetMap objects as columns, the common format of the PBF and XML readers. The columns belong
 * to the reader and hold their values only until the next block is requested.
 */

/** Texts of a block by number. `at` decodes a text once. */
export type Texts = { at(index: number): string };

/** Tags of object i are `tags[2j]` (key) and `tags[2j + 1]` (value), numbers of texts, for j in [ends[i-1], ends[i]). */
export type Tagged = { count: number; ids: Float64Array; tagEnds: Uint32Array; tags: Uint32Array };

/** Positions are in units of 1e-7 degrees. */
type Nodes = Tagged & { lats: Int32Array; lngs: Int32Array };

/** Node ids of way i are `refs[refEnds[i-1] … refEnds[i]]`. */
type Ways = Tagged & { refEnds: Uint32Array; refs: Float64Array };

/** Members of relation i are at `memberEnds[i-1] … memberEnds[i]`; types are 0 node, 1 way, 2 relation. */
type Relations = Tagged & {
  memberEnds: Uint32Array;
  memberIds: Float64Array;
  memberTypes: Uint8Array;
  memberRoles: Uint32Array;
};

export type OsmBlock = { texts: Texts; nodes: Nodes; ways: Ways; relations: Relations };

/** The kinds of objects that a reader is to return. */
export type Wanted = { nodes: boolean; ways: boolean; relations: boolean };

/** An OpenStreetMap file that can be read more than once. */
export type OsmFile = {
  /** Bytes of a file whose kinds of objects can be read apart from each other at little cost; others say nothing. */
  bytes?: number;
  /** Blocks with the wanted kinds of objects; other kinds may be missing. All nodes come before the first way. */
  blocks(wanted: Wanted, progress?: (share: number) => void): AsyncIterable<OsmBlock>;
};

/** A block without objects, with room for a usual block of 8,000. */
export function emptyBlock(texts: Texts): OsmBlock {
  const tagged = (count: number): Tagged => ({
    count: 0,
    ids: new Float64Array(count),
    tagEnds: new Uint32Array(count),
    tags: new Uint32Array(4 * count),
  });
  return {
    texts,
    nodes: { ...tagged(8192), lats: new Int32Array(8192), lngs: new Int32Array(8192) },
    ways: { ...tagged(8192), refEnds: new Uint32Array(8192), refs: new Float64Array(65536) },
    relations: {
      ...tagged(1024),
      memberEnds: new Uint32Array(1024),
      memberIds: new Float64Array(16384),
      memberTypes: new Uint8Array(16384),
      memberRoles: new Uint32Array(16384),
    },
  };
}

/** The nodes of a block's way. */
export const refsOf = ({ refs, refEnds }: Ways, at: number): Float64Array =>
  refs.subarray(at === 0 ? 0 : refEnds[at - 1], refEnds[at]);

const wayType = 1;

/** The member ways of a block's relation. */
export function memberWays(block: OsmBlock, at: number): { way: number; isInner: boolean }[] {
  const ways = [...membersOf(block, at)].filter(({ type }) => type === wayType);
  return ways.map(({ id, role }) => ({ way: id, isInner: role === 'inner' }));
}

/** The members of a block's relation; `type` is 0 for nodes, 1 for ways, 2 for relations. */
export function* membersOf(
  { texts, relations }: OsmBlock,
  at: number,
): Generator<{ type: number; id: number; role: string }> {
  const { memberEnds, memberTypes, memberIds, memberRoles } = relations;
  for (let member = at === 0 ? 0 : memberEnds[at - 1]; member < memberEnds[at]; member++) {
    yield { type: memberTypes[member], id: memberIds[member], role: texts.at(memberRoles[member]) };
  }
}
