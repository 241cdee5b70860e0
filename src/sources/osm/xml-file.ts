/** An OSM XML file (.osm, also packed): wiki.openstreetmap.org/wiki/OSM_XML. Objects marked as deleted are left out. */

import { grown } from '../../core/growth.ts';
import { SourceError } from '../../core/street-records.ts';
import { BoundedXml, maxCharacters } from '../bounded-xml.ts';
import { openBytes } from '../open-bytes.ts';
import { emptyBlock, type OsmBlock, type OsmFile, type Tagged, type Texts, type Wanted } from './block.ts';

const objectsPerBlock = 8000;
const memberTypes = ['node', 'way', 'relation'];
const tagStarts = ['<node ', '<way ', '<relation '];
const maxTagStart = '<relation '.length;

/** An OSM XML file; it is opened when blocks are requested, and read whole each time. */
export function openXml(path: string): OsmFile {
  return { blocks: (wanted, progress) => blocks(path, wanted, progress) };
}

async function* blocks(path: string, wanted: Wanted, progress?: (share: number) => void): AsyncGenerator<OsmBlock> {
  for await (const file of openBytes(path, { isWanted: (name) => name.endsWith('.osm'), progress })) {
    const filler = new BlockFiller(file.name, wanted);
    const parser = new BoundedXml(file.name, 'OSM XML', {
      open: (name, attributes) => filler.open(name, attributes),
      close: (name) => filler.close(name),
    });
    const decoder = new TextDecoder();
    let text = '';
    let half = '';
    let bytes = 0;
    for await (const chunk of file.chunks) {
      // What was searched already has no beginning of an object in it but half of one at its end.
      const searched = text.length - half.length;
      const more = decoder.decode(chunk, { stream: true });
      const piece = half + more;
      half = piece.slice(-maxTagStart);
      text += more;
      bytes += chunk.length;
      // Cut where an object begins, so that none is half in the block.
      const cut = Math.max(...tagStarts.map((tagStart) => piece.lastIndexOf(tagStart)));
      if (cut < 0) {
        if (text.length > maxCharacters) {
          throw new SourceError(
            `${file.name} has more than ${maxCharacters} characters without an object, near byte ${bytes} unpacked; it is not an OSM XML file`,
          );
        }
        continue;
      }
      parser.write(text.slice(0, searched + cut), bytes);
      bytes = 0;
      text = piece.slice(cut);
      half = text.slice(-maxTagStart);
      if (filler.size >= objectsPerBlock && filler.isBetweenObjects) {
        yield filler.block;
        filler.clear();
      }
    }
    parser.write(text, bytes);
    parser.finish();
    yield filler.block;
  }
}

/** Texts that are numbered as they come. */
class BlockTexts implements Texts {
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];

  add(text: string): number {
    return this.#numbers.getOrInsertComputed(text, () => this.#texts.push(text) - 1);
  }

  at(index: number): string {
    return this.#texts[index];
  }

  clear(): void {
    this.#numbers.clear();
    this.#texts.length = 0;
  }
}

/** Puts elements of OSM XML into the columns of a block. */
export class BlockFiller {
  readonly #name: string;
  readonly #wanted: Wanted;
  readonly #root: 'osm' | 'osmChange';
  readonly #texts = new BlockTexts();
  readonly block: OsmBlock = emptyBlock(this.#texts);
  #inside: Tagged | undefined;
  #depth = 0;
  #sawWay = false;

  /** `root` is the element that the file must begin with. Objects of an `osmChange` come in any order. */
  constructor(name: string, wanted: Wanted, root: 'osm' | 'osmChange' = 'osm') {
    this.#name = name;
    this.#wanted = wanted;
    this.#root = root;
  }

  get size(): number {
    return this.block.nodes.count + this.block.ways.count + this.block.relations.count;
  }

  /** False in the middle of an object, when the block must not be given away. */
  get isBetweenObjects(): boolean {
    return this.#inside === undefined;
  }

  clear(): void {
    const { nodes, ways, relations } = this.block;
    nodes.count = ways.count = relations.count = 0;
    this.#texts.clear();
  }

  open(name: string, attributes: Record<string, string>): void {
    if (this.#depth++ === 0) this.#checkRoot(name);
    else if (name === 'tag') this.#tag(attributes);
    else if (name === 'nd') this.#ref(attributes);
    else if (name === 'member') this.#member(attributes);
    else if (attributes.visible === 'false' || attributes.action === 'delete') this.#inside = undefined;
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

  #number(text: string | undefined, what: string): number {
    const value = text === undefined || text === '' ? Number.NaN : Number(text);
    if (Number.isNaN(value)) throw new SourceError(`${this.#name}: ${what} is '${text}', expected a number`);
    return value;
  }

  #begin(objects: Tagged, attributes: Record<string, string>): number {
    const at = objects.count++;
    objects.ids = grown(objects.ids, objects.count);
    objects.tagEnds = grown(objects.tagEnds, objects.count);
    objects.ids[at] = this.#number(attributes.id, 'an id');
    objects.tagEnds[at] = at === 0 ? 0 : objects.tagEnds[at - 1];
    this.#inside = objects;
    return at;
  }

  #node(attributes: Record<string, string>): void {
    const { nodes } = this.block;
    if (!this.#wanted.nodes) return;
    if (this.#sawWay && this.#root === 'osm') {
      throw new SourceError(
        `${this.#name}: nodes follow ways; sort the file first: osmium sort -o sorted.osm.pbf <file>`,
      );
    }
    const at = this.#begin(nodes, attributes);
    nodes.lats = grown(nodes.lats, nodes.count);
    nodes.lngs = grown(nodes.lngs, nodes.count);
    nodes.lats[at] = Math.round(this.#number(attributes.lat, `lat of node ${attributes.id}`) * 1e7);
    nodes.lngs[at] = Math.round(this.#number(attributes.lon, `lon of node ${attributes.id}`) * 1e7);
  }

  #way(attributes: Record<string, string>): void {
    const { ways } = this.block;
    this.#sawWay = true;
    if (!this.#wanted.ways) return;
    const at = this.#begin(ways, attributes);
    ways.refEnds = grown(ways.refEnds, ways.count);
    ways.refEnds[at] = at === 0 ? 0 : ways.refEnds[at - 1];
  }

  #relation(attributes: Record<string, string>): void {
    const { relations } = this.block;
    if (!this.#wanted.relations) return;
    const at = this.#begin(relations, attributes);
    relations.memberEnds = grown(relations.memberEnds, relations.count);
    relations.memberEnds[at] = at === 0 ? 0 : relations.memberEnds[at - 1];
  }

  #tag(attributes: Record<string, string>): void {
    const objects = this.#inside;
    if (!objects) return;
    const at = objects.tagEnds[objects.count - 1]++;
    objects.tags = grown(objects.tags, 2 * at + 2);
    objects.tags[2 * at] = this.#texts.add(attributes.k ?? '');
    objects.tags[2 * at + 1] = this.#texts.add(attributes.v ?? '');
  }

  #ref(attributes: Record<string, string>): void {
    const { ways } = this.block;
    if (this.#inside !== ways) return;
    const at = ways.refEnds[ways.count - 1]++;
    ways.refs = grown(ways.refs, at + 1);
    ways.refs[at] = this.#number(attributes.ref, 'a ref');
  }

  #member(attributes: Record<string, string>): void {
    const { relations } = this.block;
    if (this.#inside !== relations) return;
    const at = relations.memberEnds[relations.count - 1]++;
    relations.memberIds = grown(relations.memberIds, at + 1);
    relations.memberTypes = grown(relations.memberTypes, at + 1);
    relations.memberRoles = grown(relations.memberRoles, at + 1);
    relations.memberIds[at] = this.#number(attributes.ref, 'a ref');
    relations.memberTypes[at] = memberTypes.indexOf(attributes.type);
    relations.memberRoles[at] = this.#texts.add(attributes.role ?? '');
  }
}
