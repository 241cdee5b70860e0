/** The streets and addresses of one part, in an index. */
import { baseNumber, normaliseHouseNumber } from '../../../src/core/address/house-number.ts';
import { cellNumber, cellNumbersAround, cellNumbersIn, cellsIn } from '../../../src/core/geo.ts';
import { nearestVertexKm, unpackHouses, unpackLines, verticesOf } from '../../../src/store/sqlite/house-block.ts';
import { houseCellSize } from '../../../src/store/sqlite/schema.ts';
import {
  type House,
  prominenceOf,
  type Street,
  type StreetArea,
  type StreetPart,
} from '../../../src/store/street-parts.ts';
import {
  type AreaDocument,
  anyOf,
  areaName,
  areaOfDocument,
  blockName,
  filtersOf,
  houseCellTerm,
  type LiveHouse,
  numberOf,
  objectTerm,
  type PartFacts,
  type StreetDocument,
  streetName,
} from './documents.ts';
import type { IndexLookUps, SearchedIndex } from './look-ups.ts';
import { openVocabulary } from './vocabulary.ts';

const northernmostHouse = 89;
/** Maximum number of streets with a house in the few cells around a point; there are never that many. */
const maxNear = 2000;
/** As for maps over files. */
const maxMapCells = 64;
/** Maximum number of streets drawn. */
const maxDrawn = 5000;

/** The streets and addresses of a part. Sources of live data are added to its own. */
export function streetDocuments(state: SearchedIndex, { number, streets }: PartFacts): StreetPart {
  const { classes, records } = streets!;
  const sources = [...streets!.sources];

  function documentOf(street: number): StreetDocument {
    const name = streetName(number, street);
    return required(state.lookUps().document<StreetDocument>(name), name);
  }

  /** A document that one of a street refers to; undefined while it is not fetched. */
  function extraOf(street: number, block: number | 'l'): string | undefined {
    const name = blockName(number, street, block);
    const lookUps = state.lookUps();
    return lookUps.orNone(() => required(lookUps.document<{ b: string }>(name), name).b, undefined);
  }

  const linesOf = (street: number, l: string) => bytesOf(l.startsWith('#') ? (extraOf(street, 'l') ?? '') : l);

  /** A block of houses: the first one is in the street's document. */
  function blockOf(street: number, block: number): House[] {
    const document = documentOf(street);
    const packed = block > 0 ? extraOf(street, block - 1) : document.h;
    const houses = packed === undefined ? [] : unpackHouses(bytesOf(packed));
    return document.live || document.gone ? withLive(houses, document, { block, sourceNumber }) : houses;
  }

  function blocksOf(street: number): House[][] {
    const { f = [] } = documentOf(street);
    return Array.from({ length: f.length + 1 }, (_, block) => blockOf(street, block));
  }

  const streetOf = (id: number, { n, a, y, x, p, highway, o = 0, src, r, l, ob }: StreetDocument): Street => ({
    id,
    names: n.split('\n'),
    area: a,
    postcodes: p === undefined ? [] : p.split('\n'),
    lat: y / 1e7,
    lng: x / 1e7,
    highway: highway ?? null,
    source: src === undefined ? o : sourceNumber(src),
    interpolationRanges: r ?? null,
    isMapped: l !== undefined,
    objects: ob?.split(' ') ?? [],
  });

  /** Position of a source of live data, which the part's facts do not list. */
  function sourceNumber(name: string): number {
    const known = sources.indexOf(name);
    return known < 0 ? sources.push(name) - 1 : known;
  }

  function found(filter: readonly object[], limit: number): number[] {
    const body = { size: limit, sort: [{ i: 'asc' }], filter };
    const hits = state.lookUps().orNone((lookUps) => lookUps.search<StreetDocument>(body, `s${number}`), []);
    return [...new Set(hits.map(({ _id }) => numberOf(_id)))];
  }

  return {
    number,
    sources,
    vocabulary: openVocabulary(state, `s${number}`, records),
    settle: () => state.settle(),
    mayMatch: () => undefined,
    matching: (clauses, limit) => found(filtersOf(clauses), limit),
    street: (id) => streetOf(id, documentOf(id)),
    streetFrom(id, from) {
      const document = documentOf(id);
      const km = document.l === undefined ? Number.POSITIVE_INFINITY : nearestVertexKm(linesOf(id, document.l), from);
      return { street: streetOf(id, document), km };
    },
    vertices(id) {
      const { l } = documentOf(id);
      return l === undefined ? [] : verticesOf(linesOf(id, l));
    },
    area(of) {
      const name = areaName(number, of);
      const known = state.areas.get(name);
      if (known) return known;
      const read = (lookUps: IndexLookUps) => required(lookUps.document<AreaDocument>(name), name);
      const document = state.lookUps().orNone(read, undefined);
      if (!document) return unknownArea;
      const area = areaOfDocument(document);
      state.areas.set(name, area);
      return area;
    },
    housesAt(street, wanted) {
      const { f = [] } = documentOf(street);
      const after = f.findIndex((first) => first > wanted);
      const houses = blockOf(street, after < 0 ? f.length : after);
      // The first block may begin above the number, which then has no block.
      return houses.length > 0 && houses[0].base > wanted ? [] : houses;
    },
    housesAfter(street, wanted) {
      const { f = [] } = documentOf(street);
      const first = blockOf(street, 0);
      if (first.length > 0 && first[0].base > wanted) return first;
      const after = f.findIndex((lowest) => lowest > wanted);
      return after < 0 ? [] : blockOf(street, after + 1);
    },
    housesNear(from, radiusKm) {
      // Near the poles a circle touches very many cells, and there are no houses.
      if (Math.abs(from.lat) > northernmostHouse) return [];
      const cells = cellNumbersAround(from, radiusKm, houseCellSize).map(houseCellTerm);
      return found([anyOf(cells)], maxNear).map((street) => ({ street, houses: blocksOf(street).flat() }));
    },
    prominence: (id) => (classes ? prominenceOf(classes, id) : id),
    withObject: (object) => found([anyOf([objectTerm(object)])], maxNear),
    hasStreet: (id) =>
      state.lookUps().orNone((lookUps) => lookUps.document(streetName(number, id)) !== undefined, false),
    houses: (street) => blocksOf(street).flat(),
    streetsIn(bounds, limit) {
      return found([anyOf(cellsIn(bounds, maxMapCells))], Math.min(limit, maxDrawn)).flatMap((id) => {
        const { n, highway = null, l } = documentOf(id);
        if (l === undefined) return [];
        const packed = linesOf(id, l);
        return [{ name: mainName(n), highway, bytes: packed.length, lines: () => unpackLines(packed) }];
      });
    },
    housesIn(bounds) {
      const cells = cellNumbersIn(bounds, houseCellSize);
      const wanted = new Set(cells);
      return found([anyOf(cells.map(houseCellTerm))], maxDrawn).flatMap((id) => {
        const street = mainName(documentOf(id).n);
        const blocks = blocksOf(id).filter((houses) =>
          houses.some((house) => wanted.has(cellNumber(house, houseCellSize))),
        );
        return blocks.map((houses) => ({ street, houses }));
      });
    },
  };
}

const unknownArea: StreetArea = { city: null, admin1: null, country: '', terms: [] };
const mainName = (names: string) => names.split('\n', 1)[0];
const bytesOf = (text: string) => Buffer.from(text, 'base64');

/** Live data may delete a document between two look-ups of one search; it is then reported as damage. */
function required<T>(document: T | undefined, name: string): T {
  if (document === undefined) throw new Error(`the index has no document ${name}`);
  return document;
}

/** The houses of a block without the deleted ones, and with the live ones whose numbers belong there. */
function withLive(
  houses: readonly House[],
  { live = [], gone = [], f = [] }: StreetDocument,
  { block, sourceNumber }: { block: number; sourceNumber: (name: string) => number },
) {
  const from = block === 0 ? 0 : f[block - 1];
  const to = f[block] ?? Number.POSITIVE_INFINITY;
  const added = live
    .map((house) => houseOf(house, sourceNumber(house.src)))
    .filter(({ base }) => base >= from && base < to);
  const kept = houses.filter(({ ordinal }) => !gone.includes(ordinal));
  return [...kept, ...added].sort((one, other) => one.base - other.base);
}

function houseOf({ text, y, x, postcode, ordinal }: LiveHouse, source: number): House {
  const base = baseNumber(normaliseHouseNumber(text));
  return { ordinal, text, base, lat: y / 1e6, lng: x / 1e6, postcode, source };
}
