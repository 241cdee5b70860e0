/** One file of streets and addresses, opened: its statements, and its rows as objects. */

import { NumberFilter } from '../../core/columns.ts';
import { type Bounds, cellNumbersAround, cellNumbersIn, cellsIn, type LatLng } from '../../core/geo.ts';
import { numberOfObject } from '../../core/osm-object.ts';
import { RecentCache } from '../../core/recent-cache.ts';
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
import { type Database, openForReading, rows } from './database.ts';
import { nearestVertexKm, unpackHouses, unpackLines, verticesOf } from './house-block.ts';
import { houseCellSize } from './schema.ts';
import { matchAll, matchAny, matchNamed, mayMatch, wholeNamesOf } from './terms.ts';
import { type CommonWords, classesOf, openFilter, openVocabulary, sourcesOf } from './vocabulary.ts';
import { firstOf, type Named, openWholeNames } from './whole-names.ts';
import { broadName, type Triples, triplesName } from './word-triples.ts';

/** Maximum number of cells of a file for which a filter pays off; larger files have houses almost everywhere. */
const maxFilteredCells = 100_000;
const bytesPerCell = 2;

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
type Block = [Uint8Array];
type AreaColumns = [city: string | null, admin1: string | null, country: string, terms: string];
const columns =
  's.id, s.names, s.area, s.postcodes, s.lat, s.lng, s.highway, s.source, s.stretches, s.lines IS NOT NULL, s.objects';
const areasInMemory = 2500;
const northernmostHouse = 89;
/** Maximum number of cells by which streets of a rectangle are looked up. */
const maxMapCells = 64;
const maxBlocksPerCell = 512;

const statementsOf = (database: Database) => ({
  withObject: rows<[street: number]>(database, 'SELECT street FROM objects WHERE object = ? ORDER BY street'),
  matching: rows<[id: number]>(database, 'SELECT rowid FROM street_terms WHERE street_terms MATCH ? LIMIT ?'),
  byId: rows<StreetColumns>(database, `SELECT ${columns}, NULL FROM streets s WHERE s.id = ?`),
  byIdWithLines: rows<StreetColumns>(database, `SELECT ${columns}, s.lines FROM streets s WHERE s.id = ?`),
  blockAt: rows<Block>(
    database,
    'SELECT block FROM houses WHERE street = ? AND first <= ? ORDER BY first DESC LIMIT 1',
  ),
  blockAfter: rows<Block>(database, 'SELECT block FROM houses WHERE street = ? AND first > ? ORDER BY first LIMIT 1'),
  block: rows<Block>(database, 'SELECT block FROM houses WHERE street = ? AND first = ?'),
  blocks: rows<Block>(database, 'SELECT block FROM houses WHERE street = ? ORDER BY first'),
  drawn: rows<[names: string, highway: string | null, bytes: number | null]>(
    database,
    'SELECT names, highway, length(lines) FROM streets WHERE id = ?',
  ),
  lines: rows<[Uint8Array]>(database, 'SELECT lines FROM streets WHERE id = ?'),
  blocksOfCell: rows<[street: number, first: number, names: string]>(
    database,
    'SELECT n.street, n.first, s.names FROM near n JOIN streets s ON s.id = n.street WHERE n.cell = ? LIMIT ?',
  ),
  near: rows<[street: number, first: number]>(database, 'SELECT street, first FROM near WHERE cell = ?'),
  cells: rows<[cell: number]>(database, `SELECT DISTINCT cell FROM near LIMIT ${maxFilteredCells + 1}`),
  area: rows<AreaColumns>(database, 'SELECT city, admin1, country, terms FROM areas WHERE id = ?'),
});

export class StreetFile implements StreetPart {
  readonly number: number;
  readonly vocabulary: Vocabulary;
  readonly sources: string[];
  readonly #database: Database;
  readonly #sql: ReturnType<typeof statementsOf>;
  readonly #wholeName: ReturnType<typeof openWholeNames>;
  /** Excludes most cells without a house, without reading the file. */
  #filter: NumberFilter | 'none' | undefined;
  readonly #areas = new RecentCache<number, StreetArea>(areasInMemory);
  readonly #mayHave: (hash: number) => boolean;
  readonly #mayHavePair: (hash: number) => boolean;
  readonly #triples: Triples;
  readonly #classes: readonly number[];

  /** `common` are the common words of all files. */
  constructor(path: string, number: number, common?: CommonWords) {
    this.number = number;
    const database = openForReading(path);
    this.#database = database;
    this.#sql = statementsOf(database);
    this.#wholeName = openWholeNames(database);
    this.sources = sourcesOf(database);
    this.#mayHave = openFilter(database, 'terms');
    this.#mayHavePair = openFilter(database, 'pairs');
    this.#triples = { has: openFilter(database, triplesName), isBroad: openFilter(database, broadName) };
    this.#classes = classesOf(database);
    this.vocabulary = openVocabulary(database, 'streets', this.#mayHave, common);
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
    const lists = matches.map((match) => this.#sql.matching(match, limit).map(([id]) => id));
    if (lists.some(({ length }) => length === limit)) return undefined;
    return [...new Set(lists.flat())].sort((a, b) => a - b).slice(0, limit);
  }

  #search(clauses: readonly Clause[], limit: number): number[] {
    const match = matchAll(clauses, this.#mayHave);
    // Words without a letter or digit leave nothing to search by.
    return match ? this.#sql.matching(match, limit).map(([id]) => id) : [];
  }

  street(id: number): Street {
    return streetOf(this.#sql.byId(id)[0]);
  }

  prominence(id: number): number {
    return prominenceOf(this.#classes, id);
  }

  withObject(object: string): number[] {
    return this.#sql.withObject(numberOfObject(object)).map(([street]) => street);
  }

  hasStreet(id: number): boolean {
    return this.#sql.byId(id).length > 0;
  }

  streetFrom(id: number, from: LatLng): { street: Street; km: number } {
    const [columns] = this.#sql.byIdWithLines(id);
    const lines = columns[columns.length - 1] as Uint8Array | null;
    return { street: streetOf(columns), km: lines ? nearestVertexKm(lines, from) : Number.POSITIVE_INFINITY };
  }

  vertices(id: number): LatLng[] {
    const [columns] = this.#sql.byIdWithLines(id);
    const lines = columns[columns.length - 1] as Uint8Array | null;
    return lines ? verticesOf(lines) : [];
  }

  housesAt(street: number, number: number): House[] {
    return this.#sql.blockAt(street, number).flatMap(([block]) => unpackHouses(block));
  }

  housesAfter(street: number, number: number): House[] {
    return this.#sql.blockAfter(street, number).flatMap(([block]) => unpackHouses(block));
  }

  houses(street: number): House[] {
    return this.#sql.blocks(street).flatMap(([block]) => unpackHouses(block));
  }

  housesNear(from: LatLng, radiusKm: number): { street: number; houses: House[] }[] {
    const found = new Map<string, { street: number; houses: House[] }>();
    // Near the poles a circle touches very many cells, and there are no houses.
    if (Math.abs(from.lat) > northernmostHouse) return [];
    for (const cell of cellNumbersAround(from, radiusKm, houseCellSize)) {
      if (!this.#mayHold(cell)) continue;
      for (const [street, first] of this.#sql.near(cell)) {
        const key = `${street} ${first}`;
        if (!found.has(key))
          found.set(key, { street, houses: this.#sql.block(street, first).flatMap(([block]) => unpackHouses(block)) });
      }
    }
    return [...found.values()];
  }

  *streetsIn(bounds: Bounds, limit: number): Generator<MapStreet> {
    for (const [id] of this.#sql.matching(matchAny(cellsIn(bounds, maxMapCells)), limit)) {
      const [[names, highway, bytes]] = this.#sql.drawn(id);
      if (bytes === null) continue;
      yield { name: mainName(names), highway, bytes, lines: () => unpackLines(this.#sql.lines(id)[0][0]) };
    }
  }

  *housesIn(bounds: Bounds): Generator<MapHouses> {
    const seen = new Set<string>();
    for (const cell of cellNumbersIn(bounds, houseCellSize)) {
      for (const [street, first, names] of this.#sql.blocksOfCell(cell, maxBlocksPerCell)) {
        const key = `${street} ${first}`;
        if (seen.has(key)) continue;
        seen.add(key);
        yield {
          street: mainName(names),
          houses: this.#sql.block(street, first).flatMap(([block]) => unpackHouses(block)),
        };
      }
    }
  }

  #mayHold(cell: number): boolean {
    if (this.#filter === undefined) {
      const cells = this.#sql.cells().map(([cell]) => cell);
      const filter = new NumberFilter(cells.length * bytesPerCell + 1);
      for (const each of cells) filter.add(each);
      this.#filter = cells.length > maxFilteredCells ? 'none' : filter;
    }
    return this.#filter === 'none' || this.#filter.mayHave(cell);
  }

  area(id: number): StreetArea {
    return this.#areas.getOrInsertComputed(id, () => areaOf(this.#sql.area(id)[0]));
  }

  close(): void {
    this.#database.close();
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
