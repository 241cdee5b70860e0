/** The streets and addresses of one part, in an index. */
import { baseNumber, normaliseHouseNumber } from '../../../src/core/address/house-number.ts';
import {
  type Bounds,
  cellNumber,
  cellNumbersAround,
  cellNumbersIn,
  cellsIn,
  type LatLng,
} from '../../../src/core/geo.ts';
import type { MapHouses, MapStreet } from '../../../src/store/map-contract.ts';
import { nearestVertexKm, unpackHouses, unpackLines, verticesOf } from '../../../src/store/sqlite/house-block.ts';
import { houseCellSize } from '../../../src/store/sqlite/schema.ts';
import {
  type Clause,
  type House,
  prominenceOf,
  type Street,
  type StreetArea,
  type StreetPart,
  type Vocabulary,
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
import type { SearchedIndex } from './look-ups.ts';
import { openVocabulary } from './vocabulary.ts';

const northernmostHouse = 89;
/** Maximum number of streets with a house in the few cells around a point; there are never that many. */
const maxNear = 2000;
/** As for maps over files. */
const maxMapCells = 64;
/** Maximum number of streets drawn. */
const maxDrawn = 5000;

export class StreetDocuments implements StreetPart {
  readonly number: number;
  readonly vocabulary: Vocabulary;
  readonly sources: string[];
  readonly #classes: readonly number[] | undefined;
  readonly #state: SearchedIndex;

  constructor(state: SearchedIndex, { number, streets }: PartFacts) {
    this.number = number;
    this.sources = [...streets!.sources];
    this.#classes = streets!.classes;
    this.vocabulary = openVocabulary(state, `s${number}`, streets!.records);
    this.#state = state;
  }

  settle(): void {
    this.#state.settle();
  }

  mayMatch(): undefined {}

  matching(clauses: readonly Clause[], limit: number): number[] {
    return this.#found(filtersOf(clauses), limit);
  }

  street(id: number): Street {
    return this.#streetOf(id, this.#document(id));
  }

  streetFrom(id: number, from: LatLng): { street: Street; km: number } {
    const document = this.#document(id);
    const km = document.l === undefined ? Number.POSITIVE_INFINITY : nearestVertexKm(this.#lines(id, document.l), from);
    return { street: this.#streetOf(id, document), km };
  }

  vertices(id: number): LatLng[] {
    const { l } = this.#document(id);
    return l === undefined ? [] : verticesOf(this.#lines(id, l));
  }

  area(number: number): StreetArea {
    const { areas } = this.#state;
    const name = areaName(this.number, number);
    let area = areas.get(name);
    if (!area) {
      const document = this.#state
        .lookUps()
        .orNone((lookUps) => required(lookUps.document<AreaDocument>(name), name), undefined);
      if (!document) return unknownArea;
      area = areaOfDocument(document);
      areas.set(name, area);
    }
    return area;
  }

  housesAt(street: number, number: number): House[] {
    const { f = [] } = this.#document(street);
    const after = f.findIndex((first) => first > number);
    const houses = this.#block(street, after < 0 ? f.length : after);
    // The first block may begin above the number, which then has no block.
    return houses.length > 0 && houses[0].base > number ? [] : houses;
  }

  housesAfter(street: number, number: number): House[] {
    const { f = [] } = this.#document(street);
    const first = this.#block(street, 0);
    if (first.length > 0 && first[0].base > number) return first;
    const after = f.findIndex((lowest) => lowest > number);
    return after < 0 ? [] : this.#block(street, after + 1);
  }

  housesNear(from: LatLng, radiusKm: number): { street: number; houses: House[] }[] {
    // Near the poles a circle touches very many cells, and there are no houses.
    if (Math.abs(from.lat) > northernmostHouse) return [];
    const cells = cellNumbersAround(from, radiusKm, houseCellSize).map(houseCellTerm);
    const near = this.#found([anyOf(cells)], maxNear);
    return near.map((street) => ({ street, houses: this.houses(street) }));
  }

  prominence(id: number): number {
    return this.#classes ? prominenceOf(this.#classes, id) : id;
  }

  withObject(object: string): number[] {
    return this.#found([anyOf([objectTerm(object)])], maxNear);
  }

  hasStreet(id: number): boolean {
    return this.#state
      .lookUps()
      .orNone((lookUps) => lookUps.document(streetName(this.number, id)) !== undefined, false);
  }

  houses(street: number): House[] {
    return this.#blocks(street).flat();
  }

  streetsIn(bounds: Bounds, limit: number): MapStreet[] {
    const found = this.#found([anyOf(cellsIn(bounds, maxMapCells))], Math.min(limit, maxDrawn));
    return found.flatMap((id) => {
      const { n, highway = null, l } = this.#document(id);
      if (l === undefined) return [];
      const packed = this.#lines(id, l);
      return [{ name: mainName(n), highway, bytes: packed.length, lines: () => unpackLines(packed) }];
    });
  }

  housesIn(bounds: Bounds): MapHouses[] {
    const cells = cellNumbersIn(bounds, houseCellSize);
    const found = this.#found([anyOf(cells.map(houseCellTerm))], maxDrawn);
    const wanted = new Set(cells);
    return found.flatMap((id) => {
      const street = mainName(this.#document(id).n);
      const blocks = this.#blocks(id).filter((houses) =>
        houses.some((house) => wanted.has(cellNumber(house, houseCellSize))),
      );
      return blocks.map((houses) => ({ street, houses }));
    });
  }

  #blocks(street: number): House[][] {
    const { f = [] } = this.#document(street);
    const blocks = Array.from({ length: f.length + 1 }, (_, block) => block);
    return blocks.map((block) => this.#block(street, block));
  }

  #lines(street: number, l: string): Buffer {
    return bytesOf(l.startsWith('#') ? (this.#extra(street, 'l') ?? '') : l);
  }

  /** A block of houses: the first one is in the street's document. */
  #block(street: number, block: number): House[] {
    const document = this.#document(street);
    const packed = block > 0 ? this.#extra(street, block - 1) : document.h;
    const houses = packed === undefined ? [] : unpackHouses(bytesOf(packed));
    if (!document.live && !document.gone) return houses;
    return withLive(houses, document, { block, sourceNumber: (name) => this.#sourceNumber(name) });
  }

  #streetOf(id: number, { n, a, y, x, p, highway, o = 0, src, r, l, ob }: StreetDocument): Street {
    return {
      id,
      names: n.split('\n'),
      area: a,
      postcodes: p === undefined ? [] : p.split('\n'),
      lat: y / 1e7,
      lng: x / 1e7,
      highway: highway ?? null,
      source: src === undefined ? o : this.#sourceNumber(src),
      interpolationRanges: r ?? null,
      isMapped: l !== undefined,
      objects: ob?.split(' ') ?? [],
    };
  }

  /** Position of a source of live data, which the part's facts do not list. */
  #sourceNumber(name: string): number {
    const number = this.sources.indexOf(name);
    return number < 0 ? this.sources.push(name) - 1 : number;
  }

  #found(filter: readonly object[], limit: number): number[] {
    const body = { size: limit, sort: [{ i: 'asc' }], filter };
    const part = `s${this.number}`;
    const found = this.#state.lookUps().orNone((lookUps) => lookUps.search<StreetDocument>(body, part), []);
    return [...new Set(found.map(({ _id }) => numberOf(_id)))];
  }

  #document(street: number): StreetDocument {
    const name = streetName(this.number, street);
    return required(this.#state.lookUps().document<StreetDocument>(name), name);
  }

  /** A document that one of a street refers to; undefined while it is not fetched. */
  #extra(street: number, block: number | 'l'): string | undefined {
    const name = blockName(this.number, street, block);
    const lookUps = this.#state.lookUps();
    return lookUps.orNone(() => required(lookUps.document<{ b: string }>(name), name).b, undefined);
  }
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
