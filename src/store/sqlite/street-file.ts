/** One file of streets and addresses, opened: its statements, and its rows as objects. */

import type { LatLng } from '../../core/geo.ts';
import { cellNumbersAround, cellNumbersIn, cellsIn } from '../../core/geo-cells.ts';
import { numberOfObject } from '../../core/osm-object.ts';
import { RecentCache } from '../../core/recent-cache.ts';
import type { Bounds } from '../bounds.ts';
import type { MapHouses, MapStreet } from '../map-contract.ts';
import {
  type Clause,
  type House,
  prominenceOf,
  type Street,
  type StreetArea,
  type StreetPart,
  type Vocabulary,
} from '../street-parts.ts';
import type { CommonWords } from './common-words.ts';
import { openForReading, rows } from './database.ts';
import { nearestVertexKm, unpackHouses, unpackLines, verticesOf } from './house-block.ts';
import { houseCellSize } from './schema.ts';
import { matchAll, matchAny, matchNamed, mayMatch, wholeNamesOf } from './terms.ts';
import { classesOf, openFilter, openVocabulary } from './vocabulary.ts';
import { firstOf, type Named, openWholeNames } from './whole-names.ts';
import type { Triples } from './word-triples.ts';
import { broadName, triplesName } from './word-triples.ts';

// A filter that excludes most cells without a house, without reading the file.

/** Maximum number of cells of a file for which the filter pays off; larger files have houses almost everywhere. */
const maxFilteredCells = 100_000;
const bitsPerCell = 16;

/** A bit per cell number modulo the size; if it is not set, the cell is not included. */
export class CellFilter {
  readonly #bits: Uint8Array;

  constructor(cells: readonly number[]) {
    this.#bits = new Uint8Array((cells.length * bitsPerCell) / 8 + 1);
    for (const cell of cells) this.#bits[this.#byteOf(cell)] |= 1 << (cell & 7);
  }

  mayHold(cell: number): boolean {
    return (this.#bits[this.#byteOf(cell)] & (1 << (cell & 7))) !== 0;
  }

  #byteOf(cell: number): number {
    return Math.floor(cell / 8) % this.#bits.length;
  }
}

type StreetColumns = [
  number,
  string,
  number,
  string,
  number,
  number,
  string | null,
  number,
  string | null,
  number,
  string | null,
  Uint8Array | null,
];
type AreaColumns = [city: string | null, admin1: string | null, country: string, terms: string];
const columns =
  's.id, s.names, s.area, s.postcodes, s.lat, s.lng, s.highway, s.source, s.stretches, s.lines IS NOT NULL, s.objects';
const areasInMemory = 2500;
const northernmostHouse = 89;
/** Maximum number of cells by which streets of a rectangle are looked up. */
const maxMapCells = 64;
const maxBlocksPerCell = 512;

export class StreetFile implements StreetPart {
  readonly number: number;
  readonly vocabulary: Vocabulary;
  readonly sources: string[];
  readonly #matching: (match: string, limit: number) => [number][];
  readonly #withObject: (object: number) => [number][];
  readonly #wholeName: ReturnType<typeof openWholeNames>;
  readonly #byId: (id: number) => StreetColumns[];
  readonly #byIdWithLines: (id: number) => StreetColumns[];
  readonly #blockAt: (street: number, number: number) => [Uint8Array][];
  readonly #blockAfter: (street: number, number: number) => [Uint8Array][];
  readonly #blocks: (street: number) => [Uint8Array][];
  readonly #block: (street: number, first: number) => [Uint8Array][];
  readonly #drawn: (id: number) => [names: string, highway: string | null, bytes: number | null][];
  readonly #lines: (id: number) => [Uint8Array][];
  readonly #blocksOfCell: (cell: number, limit: number) => [street: number, first: number, names: string][];
  readonly #near: (cell: number) => [street: number, first: number][];
  readonly #cells: () => number[];
  #filter: CellFilter | 'none' | undefined;
  readonly #area: (id: number) => AreaColumns[];
  readonly #areas = new RecentCache<number, StreetArea>(areasInMemory);
  readonly #mayHave: (hash: number) => boolean;
  readonly #mayHavePair: (hash: number) => boolean;
  readonly #triples: Triples;
  readonly #classes: readonly number[] | undefined;
  readonly #close: () => void;

  /** `common` are the common words of all files. */
  constructor(path: string, number: number, common?: CommonWords) {
    this.number = number;
    const database = openForReading(path);
    this.#withObject = rows(database, 'SELECT street FROM objects WHERE object = ? ORDER BY street');
    this.#matching = rows(database, 'SELECT rowid FROM street_terms WHERE street_terms MATCH ? LIMIT ?');
    this.#wholeName = openWholeNames(database);
    this.#byId = rows(database, `SELECT ${columns}, NULL FROM streets s WHERE s.id = ?`);
    this.#byIdWithLines = rows(database, `SELECT ${columns}, s.lines FROM streets s WHERE s.id = ?`);
    this.#blockAt = rows(
      database,
      'SELECT block FROM houses WHERE street = ? AND first <= ? ORDER BY first DESC LIMIT 1',
    );
    this.#blockAfter = rows(database, 'SELECT block FROM houses WHERE street = ? AND first > ? ORDER BY first LIMIT 1');
    this.#block = rows(database, 'SELECT block FROM houses WHERE street = ? AND first = ?');
    this.#blocks = rows(database, 'SELECT block FROM houses WHERE street = ? ORDER BY first');
    this.#drawn = rows(database, 'SELECT names, highway, length(lines) FROM streets WHERE id = ?');
    this.#lines = rows(database, 'SELECT lines FROM streets WHERE id = ?');
    this.#blocksOfCell = rows(
      database,
      'SELECT n.street, n.first, s.names FROM near n JOIN streets s ON s.id = n.street WHERE n.cell = ? LIMIT ?',
    );
    this.#near = rows(database, 'SELECT street, first FROM near WHERE cell = ?');
    const cells = rows<[number]>(database, `SELECT DISTINCT cell FROM near LIMIT ${maxFilteredCells + 1}`);
    this.#cells = () => cells().map(([cell]) => cell);
    this.#area = rows(database, 'SELECT city, admin1, country, terms FROM areas WHERE id = ?');
    this.sources = rows<[string]>(database, 'SELECT name FROM sources ORDER BY id')().map(([name]) => name);
    this.#mayHave = openFilter(database, 'terms');
    this.#mayHavePair = openFilter(database, 'pairs');
    this.#triples = { has: openFilter(database, triplesName), isBroad: openFilter(database, broadName) };
    this.#classes = classesOf(database);
    this.vocabulary = openVocabulary(database, 'streets', this.#mayHave, common);
    this.#close = () => database.close();
  }

  mayMatch(clauses: readonly Clause[]): boolean {
    return mayMatch(clauses, this.#mayHave, this.#mayHavePair, this.#triples);
  }

  matching(clauses: readonly Clause[], limit: number, all = clauses): number[] {
    return this.#named(clauses, limit) ?? this.#namedTogether(all, limit) ?? this.#search(clauses, limit);
  }

  /** The streets of whole names, if many streets have one of these. */
  #named(clauses: readonly Clause[], limit: number): number[] | undefined {
    const names = wholeNamesOf(clauses, this.#mayHave);
    if (names === undefined) return undefined;
    const rare: string[] = [];
    const lists: Named[] = [];
    for (const name of names) {
      const named = this.#wholeName(name, limit);
      if (named) lists.push(named);
      else rare.push(name);
    }
    if (lists.length === 0) return undefined;
    if (rare.length > 0) {
      const ids = this.#search([{ wholeName: rare }], limit);
      lists.push({ ids, isComplete: ids.length < limit });
    }
    return firstOf(lists, limit);
  }

  /** The streets that match where all have a name of two of the words, whose list is much shorter than those of the words. */
  #namedTogether(clauses: readonly Clause[], limit: number): number[] | undefined {
    const matches = matchNamed(clauses, this.#mayHave, this.#triples);
    if (matches === undefined) return undefined;
    const lists = matches.map((match) => this.#matching(match, limit).map(([id]) => id));
    if (lists.some(({ length }) => length === limit)) return undefined;
    return [...new Set(lists.flat())].sort((a, b) => a - b).slice(0, limit);
  }

  #search(clauses: readonly Clause[], limit: number): number[] {
    const match = matchAll(clauses, this.#mayHave);
    // Words without a letter or digit leave nothing to search by.
    return match ? this.#matching(match, limit).map(([id]) => id) : [];
  }

  street(id: number): Street {
    return streetOf(this.#byId(id)[0]);
  }

  prominence(id: number): number {
    return prominenceOf(this.#classes, id);
  }

  withObject(object: string): number[] {
    return this.#withObject(numberOfObject(object)).map(([street]) => street);
  }

  hasStreet(id: number): boolean {
    return this.#byId(id).length > 0;
  }

  streetFrom(id: number, from: LatLng): { street: Street; km: number } {
    const [columns] = this.#byIdWithLines(id);
    const lines = columns[columns.length - 1] as Uint8Array | null;
    return { street: streetOf(columns), km: lines ? nearestVertexKm(lines, from) : Number.POSITIVE_INFINITY };
  }

  vertices(id: number): LatLng[] {
    const [columns] = this.#byIdWithLines(id);
    const lines = columns[columns.length - 1] as Uint8Array | null;
    return lines ? verticesOf(lines) : [];
  }

  housesAt(street: number, number: number): House[] {
    return this.#blockAt(street, number).flatMap(([block]) => unpackHouses(block));
  }

  housesAfter(street: number, number: number): House[] {
    return this.#blockAfter(street, number).flatMap(([block]) => unpackHouses(block));
  }

  houses(street: number): House[] {
    return this.#blocks(street).flatMap(([block]) => unpackHouses(block));
  }

  housesNear(from: LatLng, radiusKm: number): { street: number; houses: House[] }[] {
    const found = new Map<string, { street: number; houses: House[] }>();
    // Near the poles a circle touches very many cells, and there are no houses.
    if (Math.abs(from.lat) > northernmostHouse) return [];
    for (const cell of cellNumbersAround(from, radiusKm, houseCellSize)) {
      if (!this.#mayHold(cell)) continue;
      for (const [street, first] of this.#near(cell)) {
        const key = `${street} ${first}`;
        if (!found.has(key))
          found.set(key, { street, houses: this.#block(street, first).flatMap(([block]) => unpackHouses(block)) });
      }
    }
    return [...found.values()];
  }

  *streetsIn(bounds: Bounds, limit: number): Generator<MapStreet> {
    for (const [id] of this.#matching(matchAny(cellsIn(bounds, maxMapCells)), limit)) {
      const [[names, highway, bytes]] = this.#drawn(id);
      if (bytes === null) continue;
      yield { name: mainName(names), highway, bytes, lines: () => unpackLines(this.#lines(id)[0][0]) };
    }
  }

  *housesIn(bounds: Bounds): Generator<MapHouses> {
    const seen = new Set<string>();
    for (const cell of cellNumbersIn(bounds, houseCellSize)) {
      for (const [street, first, names] of this.#blocksOfCell(cell, maxBlocksPerCell)) {
        const key = `${street} ${first}`;
        if (seen.has(key)) continue;
        seen.add(key);
        const houses = this.#block(street, first).flatMap(([block]) => unpackHouses(block));
        yield {
          street: mainName(names),
          houses: houses.map(({ text, lat, lng }) => ({ number: text, lat, lng })),
        };
      }
    }
  }

  #mayHold(cell: number): boolean {
    if (this.#filter === undefined) {
      const cells = this.#cells();
      this.#filter = cells.length > maxFilteredCells ? 'none' : new CellFilter(cells);
    }
    return this.#filter === 'none' || this.#filter.mayHold(cell);
  }

  area(id: number): StreetArea {
    return this.#areas.getOrInsertComputed(id, () => areaOf(this.#area(id)[0]));
  }

  close(): void {
    this.#close();
  }
}

const mainName = (names: string) => names.split('\n', 1)[0];

const areaOf = ([city, admin1, country, terms]: AreaColumns): StreetArea => ({
  city,
  admin1,
  country,
  terms: terms.split(' '),
});

function streetOf([
  id,
  names,
  area,
  postcodes,
  lat,
  lng,
  highway,
  source,
  stretches,
  isMapped,
  objects,
]: StreetColumns): Street {
  return {
    id,
    names: names.split('\n'),
    area,
    postcodes: postcodes === '' ? [] : postcodes.split('\n'),
    lat: lat / 1e7,
    lng: lng / 1e7,
    highway,
    source,
    interpolationRanges: stretches,
    isMapped: isMapped === 1,
    objects: objects === null ? [] : objects.split(' '),
  };
}
