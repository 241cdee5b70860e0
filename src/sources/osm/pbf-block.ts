/** Reads the unpacked bytes of one OSMData blob: wiki.openstreetmap.org/wiki/PBF_Format, message PrimitiveBlock. */

import { grown } from '../../core/columns.ts';
import { messageIn, ProtobufReader } from '../../core/protobuf-reader.ts';

/** Blocks have about 8,000 objects; more entries than this, of any kind, indicate an attack on the memory. */
const maxEntries = 1 << 20;
/** Blocks have one to three groups; each is an object until the block is read. */
const maxGroups = 1 << 16;

const tooManyObjects = () => new RangeError(`a block has more than ${maxEntries} objects`);

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

/** Reads blocks one after the other; the nodes into the same columns. */
export class PbfBlockReader {
  readonly #strings = new StringTable();
  readonly #block: OsmBlock = emptyBlock(this.#strings);
  #granularity = 100;
  #latOffset = 0;
  #lngOffset = 0;

  /** The wanted objects of a block. Throws RangeError when the bytes are not a PrimitiveBlock. */
  read(bytes: Buffer, wanted: Wanted): OsmBlock {
    const block = this.#block;
    Object.assign(block.nodes, { count: 0, tags: [] });
    Object.assign(block, { ways: [], relations: [] });
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
    // Groups come last because the fields that positions and texts depend on may follow them.
    for (const group of groups) this.#group(group, wanted);
    return block;
  }

  /** So that no caller meets a missing text when it is requested later. */
  #checked(text: number): number {
    if (text < this.#strings.count) return text;
    throw new RangeError(`the string ${text} is used, but the block has ${this.#strings.count}`);
  }

  #group(wire: ProtobufReader, wanted: Wanted): void {
    const { ways, relations } = this.#block;
    for (let tag = wire.tag(); tag !== 0; tag = wire.tag()) {
      const field = tag >> 3;
      if (Math.max(ways.length, relations.length) > maxEntries) throw tooManyObjects();
      if (field === 1 && wanted.nodes) this.#node(messageIn(wire));
      else if (field === 2 && wanted.nodes) this.#dense(messageIn(wire));
      else if (field === 3 && wanted.ways) ways.push(this.#way(messageIn(wire)));
      else if (field === 4 && wanted.relations) relations.push(this.#relation(messageIn(wire)));
      else wire.skip(tag);
    }
  }

  #add(id: number, lat: number, lng: number): void {
    const { nodes } = this.#block;
    if (nodes.count >= maxEntries) throw tooManyObjects();
    addNode(
      nodes,
      id,
      (this.#latOffset + this.#granularity * lat) / 100,
      (this.#lngOffset + this.#granularity * lng) / 100,
    );
  }

  #node(wire: ProtobufReader): void {
    let [id, lat, lng] = [0, 0, 0];
    const lists = new Lists('a node', 'tags');
    for (let tag = wire.tag(); tag !== 0; tag = wire.tag()) {
      if (tag === 8) id = wire.signed();
      else if (tag === 64) lat = wire.signed();
      else if (tag === 72) lng = wire.signed();
      else lists.read(wire, tag);
    }
    this.#add(id, lat, lng);
    const tags = this.#tags(lists);
    if (tags.length > 0) this.#block.nodes.tags[this.#block.nodes.count - 1] = tags;
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
    for (let id = 0, lat = 0, lng = 0; ids.position < ids.end; )
      this.#add((id += ids.signed()), (lat += lats.signed()), (lng += lngs.signed()));
    for (let node = first; tags && tags.position < tags.end; node++) {
      const own: number[] = [];
      for (let key = tags.varint(); key !== 0; key = tags.position < tags.end ? tags.varint() : 0)
        own.push(this.#checked(key), this.#checked(tags.varint()));
      if (own.length > 0 && node < nodes.count) nodes.tags[node] = own;
    }
  }

  #way(wire: ProtobufReader): OsmWay {
    let id = 0;
    const lists = new Lists('a way', 'nodes or tags');
    for (let tag = wire.tag(); tag !== 0; tag = wire.tag()) {
      if (tag === 8) id = wire.varint();
      else if (tag === 66) lists.add(wire, lists.ids);
      else lists.read(wire, tag);
    }
    return { id, refs: lists.ids, tags: this.#tags(lists) };
  }

  #relation(wire: ProtobufReader): OsmRelation {
    let id = 0;
    const lists = new Lists('a relation', 'members or tags');
    const [roles, types]: number[][] = [[], []];
    for (let tag = wire.tag(); tag !== 0; tag = wire.tag()) {
      if (tag === 8) id = wire.varint();
      else if (tag === 74) lists.add(wire, lists.ids);
      else if (tag === 66) lists.add(wire, roles);
      else if (tag === 82) lists.add(wire, types);
      else lists.read(wire, tag);
    }
    const { ids } = lists;
    if (ids.length !== roles.length || ids.length !== types.length)
      throw new RangeError('a relation has different numbers of member ids, roles and types');
    const members = ids.map((id, at) => ({ type: types[at], id, role: this.#checked(roles[at]) }));
    return { id, members, tags: this.#tags(lists) };
  }

  #tags({ keys, values }: Lists): number[] {
    if (keys.length !== values.length) throw new RangeError('an object has different numbers of tag keys and values');
    const tags: number[] = [];
    for (let at = 0; at < keys.length; at++) tags.push(this.#checked(keys[at]), this.#checked(values[at]));
    return tags;
  }
}

/** The lists of an object's fields, each of which may come in pieces. */
class Lists {
  readonly keys: number[] = [];
  readonly values: number[] = [];
  readonly ids: number[] = [];
  readonly #what: string;
  readonly #items: string;

  /** `what` has `items`, as a message says. */
  constructor(what: string, items: string) {
    this.#what = what;
    this.#items = items;
  }

  /** Reads keys or values; steps over any other field. */
  read(wire: ProtobufReader, tag: number): void {
    if (tag === 18) this.add(wire, this.keys);
    else if (tag === 26) this.add(wire, this.values);
    else wire.skip(tag);
  }

  /** Reads numbers, or ids, each the difference from the one before. */
  add(wire: ProtobufReader, numbers: number[]): void {
    const list = messageIn(wire);
    for (let number = 0; list.position < list.end; ) {
      number = numbers === this.ids ? number + list.signed() : list.varint();
      if (numbers.push(number) > maxEntries)
        throw new RangeError(`${this.#what} has more than ${maxEntries} ${this.#items}`);
    }
  }
}

/**
 * Some thousands of OpenStreetMap objects, the common format of the PBF and XML readers. Nodes are columns, as most are a position
 * and nothing else; these belong to the reader and hold their values only until the next block is requested.
 */

/** Texts of a block by number. `at` decodes a text once. */
export type Texts = { at(index: number): string };

/** Key and value of each tag in turn, numbers of texts. */
type Tags = number[];
/** Positions are in units of 1e-7 degrees; most nodes have no tags. */
type Nodes = { count: number; ids: Float64Array; lats: Int32Array; lngs: Int32Array; tags: Tags[] };
export type OsmWay = { id: number; tags: Tags; refs: number[] };
/** Types of members are 0 node, 1 way, 2 relation; a role is the number of a text. */
export type OsmRelation = { id: number; tags: Tags; members: { type: number; id: number; role: number }[] };

export type OsmBlock = { texts: Texts; nodes: Nodes; ways: OsmWay[]; relations: OsmRelation[] };

/** The kinds of objects that a reader is to return. */
export type Wanted = { nodes: boolean; ways: boolean; relations: boolean };

/** An OpenStreetMap file that can be read more than once. */
export type OsmFile = {
  /** Bytes of a file whose kinds of objects can be read apart from each other at little cost; others say nothing. */
  bytes?: number;
  /** Blocks with the wanted kinds of objects; other kinds may be missing. All nodes come before the first way. */
  blocks(wanted: Wanted, progress?: (share: number) => void): AsyncIterable<OsmBlock>;
};

/** A block without objects, with room for the nodes of a usual one. */
export const emptyBlock = (texts: Texts): OsmBlock => ({
  texts,
  nodes: { count: 0, ids: new Float64Array(8192), lats: new Int32Array(8192), lngs: new Int32Array(8192), tags: [] },
  ways: [],
  relations: [],
});

/** Adds a node; what is far outside of the world stays outside, and does not wrap around. */
export function addNode(nodes: Nodes, id: number, lat: number, lng: number): void {
  const at = nodes.count++;
  if (at === nodes.ids.length) {
    nodes.ids = grown(nodes.ids, nodes.count);
    nodes.lats = grown(nodes.lats, nodes.count);
    nodes.lngs = grown(nodes.lngs, nodes.count);
  }
  nodes.ids[at] = id;
  nodes.lats[at] = storedDegrees(lat);
  nodes.lngs[at] = storedDegrees(lng);
}

const storedDegrees = (units: number) => (Math.abs(units) <= 1.8e9 ? Math.round(units) : 0x7fffffff);

const wayType = 1;

/** The member ways of a relation. */
export function memberWays({ texts }: OsmBlock, { members }: OsmRelation): { way: number; isInner: boolean }[] {
  const ways = members.filter(({ type }) => type === wayType);
  return ways.map(({ id, role }) => ({ way: id, isInner: texts.at(role) === 'inner' }));
}
