/** An OSM XML file (.osm, also packed): wiki.openstreetmap.org/wiki/OSM_XML. Objects marked as deleted are left out. */

import { SaxesParser } from 'saxes';
import { StringTableBuilder } from '../../core/columns.ts';
import { SourceError } from '../../core/source-records.ts';
import { inUtf8, openBytes } from '../open-bytes.ts';
import {
  addNode,
  emptyBlock,
  type OsmBlock,
  type OsmFile,
  type OsmRelation,
  type OsmWay,
  type Wanted,
} from './pbf-block.ts';

const objectsPerBlock = 8000;
const memberTypes = ['node', 'way', 'relation'];

/** An OSM XML file; it is opened when blocks are requested, and read whole each time. */
export function openXml(path: string): OsmFile {
  return { blocks: (wanted, progress) => blocks(path, wanted, progress) };
}

async function* blocks(path: string, wanted: Wanted, progress?: (share: number) => void): AsyncGenerator<OsmBlock> {
  for await (const file of openBytes(path, { isWanted: (name) => name.endsWith('.osm'), progress })) {
    const filler = new BlockFiller(file.name, wanted);
    const full: OsmBlock[] = [];
    let sinceObject = 0;
    const parser = new BoundedXml(file.name, 'OSM XML', {
      open: (name, attributes) => filler.open(name, attributes),
      close(name) {
        filler.close(name);
        if (!memberTypes.includes(name)) return;
        sinceObject = 0;
        if (filler.size >= objectsPerBlock) full.push(filler.take());
      },
    });
    for await (const characters of parser.pieces(file.chunks)) {
      sinceObject += characters;
      if (sinceObject > maxCharacters) {
        throw new SourceError(
          `${file.name} has more than ${maxCharacters} characters without an object, near byte ${parser.bytes} unpacked; it is not an OSM XML file`,
        );
      }
      yield* full.splice(0);
    }
    yield filler.take();
  }
}

/** Whether an object is marked as deleted. */
export const isInvisible = ({ visible, action }: Record<string, string>): boolean =>
  visible === 'false' || action === 'delete';

/** The object that is open, and how it takes a tag. */
type Inside = { add(key: number, value: number): void; way?: OsmWay; relation?: OsmRelation };

/** Puts elements of OSM XML into a block. */
export class BlockFiller {
  readonly #name: string;
  readonly #wanted: Wanted;
  readonly #root: 'osm' | 'osmChange';
  #texts = new StringTableBuilder();
  block: OsmBlock = emptyBlock(this.#texts);
  #inside: Inside | undefined;
  #depth = 0;
  #sawWay = false;

  /** `root` is the element that the file must begin with. Objects of an `osmChange` come in any order. */
  constructor(name: string, wanted: Wanted, root: 'osm' | 'osmChange' = 'osm') {
    this.#name = name;
    this.#wanted = wanted;
    this.#root = root;
  }

  get size(): number {
    return this.block.nodes.count + this.block.ways.length + this.block.relations.length;
  }

  /** The block, to be called between two objects; the next ones go to another. */
  take(): OsmBlock {
    const { block } = this;
    this.#texts = new StringTableBuilder();
    this.block = emptyBlock(this.#texts);
    return block;
  }

  open(name: string, attributes: Record<string, string>): void {
    if (this.#depth++ === 0) this.#checkRoot(name);
    else if (name === 'tag') this.#tag(attributes);
    else if (name === 'nd') this.#ref(attributes);
    else if (name === 'member') this.#member(attributes);
    else if (isInvisible(attributes)) this.#inside = undefined;
    else if (name === 'node') this.#node(attributes);
    else if (name === 'way') this.#way(attributes);
    else if (name === 'relation') this.#relation(attributes);
  }

  close(name: string): void {
    this.#depth--;
    if (name === 'node' || name === 'way' || name === 'relation') this.#inside = undefined;
  }

  #checkRoot(name: string): void {
    if (name === this.#root) return;
    const remedy =
      this.#root === 'osmChange'
        ? 'is this an OpenStreetMap change file (.osc)?'
        : name === 'osmChange'
          ? 'this is a change file; it can only be applied to its extract'
          : 'is this an OSM XML file?';
    throw new SourceError(`${this.#name}: the root element is <${name}>, expected <${this.#root}>; ${remedy}`);
  }

  #number(text: string | undefined, what: string, isOne = (value: number) => !Number.isNaN(value)): number {
    const value = text === undefined || text === '' ? Number.NaN : Number(text);
    if (!isOne(value)) throw new SourceError(`${this.#name}: ${what} is '${text}', expected a number`);
    return value;
  }

  #id({ id }: Record<string, string>): number {
    return this.#number(id, 'an id', Number.isSafeInteger);
  }

  #node(attributes: Record<string, string>): void {
    const { nodes } = this.block;
    if (!this.#wanted.nodes) return;
    if (this.#sawWay && this.#root === 'osm') {
      throw new SourceError(
        `${this.#name}: nodes follow ways; sort the file first: osmium sort -o sorted.osm.pbf <file>`,
      );
    }
    const [lat, lng] = ['lat', 'lon'].map((name) => this.#number(attributes[name], `${name} of node ${attributes.id}`));
    addNode(nodes, this.#id(attributes), lat * 1e7, lng * 1e7);
    // Most have none.
    this.#inside = { add: (key, value) => (nodes.tags[nodes.count - 1] ??= []).push(key, value) };
  }

  #way(attributes: Record<string, string>): void {
    this.#sawWay = true;
    if (!this.#wanted.ways) return;
    const way: OsmWay = { id: this.#id(attributes), tags: [], refs: [] };
    this.block.ways.push(way);
    this.#inside = { add: (key, value) => way.tags.push(key, value), way };
  }

  #relation(attributes: Record<string, string>): void {
    if (!this.#wanted.relations) return;
    const relation: OsmRelation = { id: this.#id(attributes), tags: [], members: [] };
    this.block.relations.push(relation);
    this.#inside = { add: (key, value) => relation.tags.push(key, value), relation };
  }

  #tag({ k = '', v = '' }: Record<string, string>): void {
    this.#inside?.add(this.#texts.add(k), this.#texts.add(v));
  }

  #ref({ ref }: Record<string, string>): void {
    this.#inside?.way?.refs.push(this.#number(ref, 'a ref'));
  }

  #member({ type, ref, role = '' }: Record<string, string>): void {
    this.#inside?.relation?.members.push({
      type: memberTypes.indexOf(type),
      id: this.#number(ref, 'a ref'),
      role: this.#texts.add(role),
    });
  }
}

// An XML parser that keeps to little memory whatever it is fed: the elements that are open and the text between two
// tags are bounded. Without it a text, a comment, an attribute or a document type without end fills the memory.

/** Far above the 3 levels of OpenStreetMap's files. */
const maxDepth = 64;
/** Characters between two tags, or inside one. The longest relation of OpenStreetMap takes about 3 million. */
const maxCharacters = 1 << 24;

type XmlHandlers = {
  open(name: string, attributes: Record<string, string>): void;
  close(name: string): void;
};

export class BoundedXml {
  readonly #parser = new SaxesParser({ position: false });
  readonly #file: string;
  readonly #format: string;
  #depth = 0;
  #sinceTag = 0;
  /** Of the text so far. */
  bytes = 0;

  /** `format` stands in messages: `OSM XML`. */
  constructor(file: string, format: string, { open, close }: XmlHandlers) {
    this.#file = file;
    this.#format = format;
    // Malformed XML is thrown out of the parser's callback.
    this.#parser.on('error', (error) => this.#fail(error.message));
    this.#parser.on('opentag', (tag) => {
      this.#sinceTag = 0;
      if (++this.#depth > maxDepth) this.#fail(`elements nest deeper than ${maxDepth} levels`);
      open(tag.name, tag.attributes as Record<string, string>);
    });
    this.#parser.on('closetag', (tag) => {
      this.#sinceTag = 0;
      this.#depth--;
      close(tag.name);
    });
  }

  /** Parses a text piece by piece; yields the characters of each. Throws SourceError, also where elements are still open at the end. */
  async *pieces(chunks: AsyncIterable<Buffer>): AsyncGenerator<number> {
    const decoder = new TextDecoder();
    for await (const chunk of inUtf8(this.#file, chunks)) {
      const text = decoder.decode(chunk, { stream: true });
      this.bytes += chunk.length;
      this.#sinceTag += text.length;
      this.#parser.write(text);
      if (this.#sinceTag > maxCharacters) this.#fail(`more than ${maxCharacters} characters without a tag`);
      yield text.length;
    }
    this.#parser.close();
  }

  #fail(reason: string): never {
    const [first] = reason.split('\n');
    throw new SourceError(
      `${this.#file} is not a valid ${this.#format} file, or is truncated, near byte ${this.bytes} unpacked: ${first}; download it again`,
    );
  }
}
