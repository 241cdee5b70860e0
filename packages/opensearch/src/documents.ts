/**
 * How street-level data lie in an index. One document is one of
 * - `s3.17` a street: street 17 of part 3, found by its terms, with the first of its houses
 * - `b3.17.0` further houses of that street, a block each, and `b3.17.l` the vertices of a long one
 * - `s3.17.o` the objects of its houses: half of its terms, which live data do not change
 * - `a3.4` a settlement of part 3
 * - `p3.9` a point of interest
 * - `wmain` a word of the names, and how many records of each part have it
 * Of these streets, their objects, points and words are searched; the others are fetched by name. Search terms are not stored
 * in the document, as they can be derived from the rest.
 */

import type { Bounds } from '../../../src/core/geo.ts';
import { termsOfClause } from '../../../src/store/sqlite/terms.ts';
import type { StreetFacts } from '../../../src/store/street-engine.ts';
import type { Clause, StreetArea } from '../../../src/store/street-parts.ts';

export type StreetDocument = {
  /** Names, a line each. */
  n: string;
  /** Number of the settlement. */
  a: number;
  /** In 1e-7 degrees. */
  y: number;
  x: number;
  /** Postal codes, a line each. */
  p?: string;
  highway?: string;
  /** Position in the part's sources; 0 where it is missing. */
  o?: number;
  /** Name of the source of a street of live data, in place of `o`. */
  src?: string;
  /** Interpolation lines as JSON. */
  r?: string;
  /** The first block of houses and the packed vertices, in Base64; `#` and their bytes for vertices in a document of their own. */
  h?: string;
  l?: string;
  /** Its pieces as objects of OpenStreetMap: `w12 w13`. */
  ob?: string;
  /** Lowest house numbers of the further blocks. */
  f?: number[];
  /** Houses of live data, and ordinals of deleted houses of the blocks. */
  live?: LiveHouse[];
  gone?: number[];
};

/** A house of live data: its identifier at its source, number, position in 1e-6 degrees, postal code as in a block, ordinal. */
export type LiveHouse = {
  id: string;
  src: string;
  text: string;
  y: number;
  x: number;
  postcode: number;
  ordinal: number;
};

export type AreaDocument = { city: string | null; admin1: string | null; country: string; words: string };
export type PoiDocument = {
  name: string | null;
  /** Other names, a line each. */
  others?: string;
  /** Position in the part's sources; 0 where it is missing. */
  o?: number;
  /** Position in poiCategories. */
  k: number;
  y: number;
  x: number;
  cuisine?: string;
  /** The object of OpenStreetMap that it is (`n12`), and the tag that makes it a point. */
  ob?: string;
  tag?: string;
  /** For live data: the source's identifier, and the source's name in place of `o`. */
  ids?: string;
  src?: string;
};
/** A point's document but its position, as JSON in a column of the index. */
export type PoiColumn = [
  part: number,
  category: number,
  cuisine: string | null,
  name: string | null,
  others: string,
  source: number | string,
  /** Missing in an index of an older program. */
  object?: string | null,
  tag?: string | null,
];
/** A point's document from its column and its position. */
export function poiDocument(
  [, k, cuisine, name, others, source, ob, tag]: PoiColumn,
  y: number,
  x: number,
): PoiDocument {
  return {
    name,
    ...(others !== '' && { others }),
    ...(typeof source === 'string' ? { src: source } : source !== 0 && { o: source }),
    k,
    y,
    x,
    ...(cuisine !== null && { cuisine }),
    ...(ob && { ob }),
    ...(tag && { tag }),
  };
}
/** Counts by part: `s3` of streets, `p3` of points. */
export type WordDocument = { w: string; c: Record<string, number> };

type Kind = 's' | 'p';

/** Metadata of an index. */
export type IndexFacts = StreetFacts & {
  /** Raised when an older program can no longer read the documents. */
  schema: number;
  builtAt: string;
  parts: PartFacts[];
  /** Whether all documents are written. */
  isWhole?: boolean;
};

export type PartFacts = {
  number: number;
  bounds?: Bounds | undefined;
  streets?: { sources: string[]; records: number; classes?: number[] | undefined };
  pois?: { sources: string[]; records: number };
};

export const indexSchema = 1;

/** A longer column would be refused. */
const maxColumnLetters = 8000;

/** Fields that are searched and not returned. */
const notStored = ['t', 'i', 'q', 'at', 'facts', 'sid'];

/** A document as the index returns it. */
export const stored = (document: object): object =>
  Object.fromEntries(Object.entries(document).filter(([field]) => !notStored.includes(field)));

export const indexMapping = (facts: IndexFacts) => ({
  _meta: facts,
  dynamic: false,
  _source: { excludes: notStored },
  properties: {
    // Terms; `i` is the order of prominence, in which they are scanned until enough is found.
    t: { type: 'keyword', doc_values: false, norms: false, index_options: 'docs' },
    i: { type: 'integer', index: false },
    w: { type: 'keyword', norms: false, index_options: 'docs' },
    /** A word with doubled letters single. */
    q: { type: 'keyword', norms: false, index_options: 'docs', doc_values: false },
    at: { type: 'geo_point' },
    /** What a point's document has (`PoiColumn`): a search reads no document, each of which is unpacked with its neighbours. */
    facts: { type: 'keyword', index: false, ignore_above: maxColumnLetters },
    /** The source's identifiers of live data. */
    sid: { type: 'keyword', norms: false, index_options: 'docs', doc_values: false },
  },
});

export const indexSettings = ({ shards, replicas }: { shards: number; replicas: number }) => ({
  index: {
    number_of_shards: shards,
    number_of_replicas: replicas,
    // Rows are sorted by prominence, so that a search for the first few stops early.
    sort: { field: 'i', order: 'asc' },
    refresh_interval: '-1',
  },
});

export const streetName = (part: number, street: number) => `s${part}.${street}`;
export const blockName = (part: number, street: number, block: number | 'l') => `b${part}.${street}.${block}`;
export const areaName = (part: number, area: number) => `a${part}.${area}`;
export const poiName = (part: number, poi: number) => `p${part}.${poi}`;
export const wordName = (word: string) => `w${word}`;
export const objectsName = (part: number, street: number) => `${streetName(part, street)}.o`;
/** Number of a record in its part, from a document's name. */
export const numberOf = (name: string): number => Number(name.split('.')[1]);

/** The terms of all records of a kind in a part, and of the cells of a street's houses. */
export const partTerm = (kind: Kind, part: number) => `=${kind === 's' ? 's' : 'o'}${part}`;
/** The term of the words of a part and kind, which `part` names as in the counts of a word. */
export const wordTerm = (part: string) => `=v${part}`;
/** The term of a street or point by an object of OpenStreetMap. */
export const objectTerm = (object: string) => `=@${object}`;
export const houseCellTerm = (cell: number) => `=h${cell.toString(36)}`;

export const filtersOf = (clauses: readonly Clause[]): object[] =>
  clauses.map((clause) => anyOf(termsOfClause(clause)));

export const anyOf = (terms: readonly string[]): object =>
  terms.length === 1 ? { term: { t: terms[0] } } : { terms: { t: terms } };

export const areaOfDocument = ({ city, admin1, country, words }: AreaDocument): StreetArea => ({
  city,
  admin1,
  country,
  terms: words.split(' '),
});
