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
    const filler = blockFiller(file.name, wanted);
    const full: OsmBlock[] = [];
    let sinceObject = 0;
    const parser = new BoundedXml(file.name, 'OSM XML', {
      open: (name, attributes) => filler.open(name, attributes),
      close(name) {
        filler.close(name);
        if (!memberTypes.includes(name)) return;
        sinceObject = 0;
        if (filler.size() >= objectsPerBlock) full.push(filler.take());
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

/**
 * Puts elements of OSM XML into a block. `root` is the element that the file must begin with. Objects of an `osmChange` come in any
 * order.
 */
export function blockFiller(file: string, wanted: Wanted, root: 'osm' | 'osmChange' = 'osm') {
  let texts = new StringTableBuilder();
  let block = emptyBlock(texts);
  let inside: Inside | undefined;
  let depth = 0;
  let sawWay = false;

  const checkRoot = (name: string) => {
    if (name === root) return;
    const remedy =
      root === 'osmChange'
        ? 'is this an OpenStreetMap change file (.osc)?'
        : name === 'osmChange'
          ? 'this is a change file; it can only be applied to its extract'
          : 'is this an OSM XML file?';
    throw new SourceError(`${file}: the root element is <${name}>, expected <${root}>; ${remedy}`);
  };
  const numberOf = (text: string | undefined, what: string, isOne = (value: number) => !Number.isNaN(value)) => {
    const value = text === undefined || text === '' ? Number.NaN : Number(text);
    if (!isOne(value)) throw new SourceError(`${file}: ${what} is '${text}', expected a number`);
    return value;
  };
  const idOf = ({ id }: Record<string, string>) => numberOf(id, 'an id', Number.isSafeInteger);

  /** What each element does. */
  const openers: Record<string, (attributes: Record<string, string>) => void> = {
    node(attributes) {
      const { nodes } = block;
      if (!wanted.nodes) return;
      if (sawWay && root === 'osm')
        throw new SourceError(`${file}: nodes follow ways; sort the file first: osmium sort -o sorted.osm.pbf <file>`);
      const [lat, lng] = ['lat', 'lon'].map((name) => numberOf(attributes[name], `${name} of node ${attributes.id}`));
      addNode(nodes, idOf(attributes), lat * 1e7, lng * 1e7);
      // Most have none.
      inside = { add: (key, value) => (nodes.tags[nodes.count - 1] ??= []).push(key, value) };
    },
    way(attributes) {
      sawWay = true;
      if (!wanted.ways) return;
      const way: OsmWay = { id: idOf(attributes), tags: [], refs: [] };
      block.ways.push(way);
      inside = { add: (key, value) => way.tags.push(key, value), way };
    },
    relation(attributes) {
      if (!wanted.relations) return;
      const relation: OsmRelation = { id: idOf(attributes), tags: [], members: [] };
      block.relations.push(relation);
      inside = { add: (key, value) => relation.tags.push(key, value), relation };
    },
    tag: ({ k = '', v = '' }) => inside?.add(texts.add(k), texts.add(v)),
    nd: ({ ref }) => inside?.way?.refs.push(numberOf(ref, 'a ref')),
    member: ({ type, ref, role = '' }) =>
      inside?.relation?.members.push({
        type: memberTypes.indexOf(type),
        id: numberOf(ref, 'a ref'),
        role: texts.add(role),
      }),
  };

  return {
    block: () => block,
    size: () => block.nodes.count + block.ways.length + block.relations.length,

    /** The block, to be called between two objects; the next ones go to another. */
    take(): OsmBlock {
      const full = block;
      texts = new StringTableBuilder();
      block = emptyBlock(texts);
      return full;
    },

    open(name: string, attributes: Record<string, string>): void {
      if (depth++ === 0) checkRoot(name);
      else if (isInvisible(attributes) && !isPart(name)) inside = undefined;
      else if (Object.hasOwn(openers, name)) openers[name](attributes);
    },

    close(name: string): void {
      depth--;
      if (memberTypes.includes(name)) inside = undefined;
    },
  };
}

/** Whether an element is a part of an object. */
const isPart = (name: string) => name === 'tag' || name === 'nd' || name === 'member';

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
