/** Converts the rows of a dataset's street-level files to documents. */
import { cellNumber, cellsAt } from '../../../src/core/geo.ts';
import {
  cellsOf,
  type ExportedPoi,
  type ExportedStreet,
  type ExportedWord,
  type PoiExport,
  type StreetExport,
} from '../../../src/store/sqlite/export.ts';
import { unpackHouses } from '../../../src/store/sqlite/house-block.ts';
import { poiTerms } from '../../../src/store/sqlite/poi-writer.ts';
import { houseCellSize } from '../../../src/store/sqlite/schema.ts';
import { termsOf } from '../../../src/store/sqlite/street-writer.ts';
import { withoutDoubledLetters } from '../../../src/store/sqlite/vocabulary.ts';
import type { House } from '../../../src/store/street-parts.ts';
import { bulkTo } from './bulk.ts';
import type { Connection } from './connection.ts';
import {
  type AreaDocument,
  areaName,
  blockName,
  houseCellTerm,
  objectsName,
  objectTerm,
  type PoiColumn,
  type PoiDocument,
  partTerm,
  poiDocument,
  poiName,
  type StreetDocument,
  streetName,
  type WordDocument,
  wordName,
  wordTerm,
} from './documents.ts';

export type ExportedPart = { number: number; streets?: StreetExport; pois?: PoiExport };

/** Longer geometries, in bytes, are stored as separate documents: few searches need them. */
const maxInlineBytes = 2000;
const progressEvery = 10_000;

/** Writes all documents of some parts to an alias; returns how many. */
export async function writeDocuments(
  connection: Connection,
  alias: string,
  parts: readonly ExportedPart[],
  progress: (done: number) => void,
): Promise<number> {
  const bulk = bulkTo(connection, alias);
  let done = 0;
  for (const [name, document] of documentsOf(parts)) {
    await bulk.add({ index: { _id: name } }, document);
    if (++done % progressEvery === 0) progress(done);
  }
  await bulk.finish();
  return done;
}

function* documentsOf(parts: readonly ExportedPart[]): Iterable<[name: string, document: object]> {
  const words: { part: string; words: Iterable<ExportedWord> }[] = [];
  for (const { number, streets, pois } of parts) {
    if (streets) {
      const areas = streets.areas.map(({ words: text, ...area }) => ({ ...area, terms: text.split(' '), words: text }));
      for (const { id, city, admin1, country, words: text } of areas)
        yield [areaName(number, id), { city, admin1, country, words: text } satisfies AreaDocument];
      for (const street of streets.streets()) yield* streetDocuments(number, street, areas[street.area]);
      words.push({ part: `s${number}`, words: streets.words() });
    }
    if (pois) {
      for (const poi of pois.pois()) yield [poiName(number, poi.id), poiDocumentOf(number, poi)];
      words.push({ part: `p${number}`, words: pois.words() });
    }
  }
  for (const word of merged(words)) if (isNamable(word.w)) yield [wordName(word.w), wordDocument(word)];
}

type Area = { country: string; terms: readonly string[] };

/** The documents of a street. */
function* streetDocuments(
  part: number,
  street: ExportedStreet,
  area: Area,
): Iterable<[name: string, document: object]> {
  const { id, names, postcodes, lat, lng, highway, source, stretches, lines, blocks, objects } = street;
  const houses = blocks.flatMap(({ block }) => unpackHouses(block));
  const isLong = lines !== null && lines.length > maxInlineBytes;
  const document: StreetDocument = {
    n: names,
    a: street.area,
    y: lat,
    x: lng,
    ...(postcodes !== '' && { p: postcodes }),
    ...(highway !== null && { highway }),
    ...(source !== 0 && { o: source }),
    ...(stretches !== null && { r: stretches }),
    ...(lines !== null && { l: isLong ? `#${lines.length}` : base64(lines) }),
    ...(objects !== null && { ob: objects }),
    ...(blocks.length > 0 && { h: base64(blocks[0].block) }),
    ...(blocks.length > 1 && { f: blocks.slice(1).map(({ first }) => first) }),
  };
  yield [streetName(part, id), withStreetTerms(part, id, document, { area, houses, lines })];
  if (isLong) yield [blockName(part, id, 'l'), { b: base64(lines) }];
  const ofHouses = houses.flatMap(({ object = [] }) => object);
  if (ofHouses.length > 0)
    yield [objectsName(part, id), { t: [partTerm('s', part), ...ofHouses.map(objectTerm)], i: id }];
  for (const [at, { block }] of blocks.slice(1).entries()) yield [blockName(part, id, at), { b: base64(block) }];
}

/** A street's document with its search terms, which depend on what other documents have: its houses and packed vertices. */
export function withStreetTerms(
  part: number,
  i: number,
  document: StreetDocument,
  { area, houses, lines }: { area: Area; houses: readonly House[]; lines: Uint8Array | null },
): StreetDocument & { t: string[]; i: number; sid?: string[] } {
  const { n, p, y: lat, x: lng, highway = null, ob, live = [] } = document;
  const added = live.map(({ y, x }) => ({ lat: y / 1e6, lng: x / 1e6 }));
  const searchCells = [...new Set([...cellsOf({ lat, lng, highway, lines }, houses), ...added.flatMap(cellsAt)])];
  const terms = termsOf({ names: n.split('\n'), postcodes: p?.split('\n') ?? [], cells: searchCells }, area);
  const cells = new Set([...houses, ...added].map((house) => cellNumber(house, houseCellSize)));
  const pieces = ob?.split(' ') ?? [];
  const t = [...terms, partTerm('s', part), ...[...cells].map(houseCellTerm), ...pieces.map(objectTerm)];
  return { ...document, ...(live.length > 0 && { sid: live.map(({ id }) => id) }), t, i };
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');

export function poiDocumentOf(
  part: number,
  poi: ExportedPoi,
  ofSource?: { ids: string; src: string },
): PoiDocument & { t: string[]; i: number; at: object; facts: string } {
  const { id, name, others, category, lat, lng, cuisine, source, object, tag } = poi;
  const names = [name ?? '', ...others.split('\n')];
  const column: PoiColumn = [part, category, cuisine, name, others, ofSource?.src ?? source, object, tag];
  return {
    ...poiDocument(column, lat, lng),
    ...(ofSource && { ids: ofSource.ids, sid: [ofSource.ids] }),
    t: [
      ...poiTerms({ names, category, cuisine }),
      partTerm('p', part),
      ...(object === null ? [] : [objectTerm(object)]),
    ],
    i: id,
    at: { lat: lat / 1e7, lon: lng / 1e7 },
    facts: JSON.stringify(column),
  };
}

/** Names of documents have at most 512 bytes; words of the vocabulary are in Latin letters. */
export const isNamable = (word: string): boolean => word.length < 500;

export function wordDocument({ w, c }: WordDocument): WordDocument & { q?: string; t: string[] } {
  const single = withoutDoubledLetters(w);
  return { w, c, ...(single !== w && { q: single }), t: Object.keys(c).map(wordTerm) };
}

/** The sorted words of several parts, each once. */
function* merged(parts: readonly { part: string; words: Iterable<ExportedWord> }[]): Iterable<WordDocument> {
  const heads = parts.map(({ part, words }) => {
    const iterator = words[Symbol.iterator]();
    return { part, iterator, head: iterator.next() };
  });
  for (;;) {
    let smallest: string | undefined;
    for (const { head } of heads)
      if (!head.done && (smallest === undefined || head.value[0] < smallest)) smallest = head.value[0];
    if (smallest === undefined) return;
    const c: Record<string, number> = {};
    for (const each of heads) {
      if (each.head.done || each.head.value[0] !== smallest) continue;
      c[each.part] = each.head.value[1];
      each.head = each.iterator.next();
    }
    yield { w: smallest, c };
  }
}
