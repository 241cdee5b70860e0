/** One file of streets and addresses, opened: its statements, and its rows as objects. */

import { NumberFilter } from '../../core/columns.ts';
import { cellNumbersAround, cellNumbersIn, cellsIn } from '../../core/geo.ts';
import { numberOfObject } from '../../core/osm-object.ts';
import { RecentCache } from '../../core/recent-cache.ts';
import {
  type Clause,
  type House,
  prominenceOf,
  type Street,
  type StreetArea,
  type StreetPart,
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

/** Opens the file at a path; `number` is its part's, `common` are the common words of all files. */
export function openStreetFile(path: string, number: number, common?: CommonWords): StreetPart & { close(): void } {
  const database = openForReading(path);
  const sql = statementsOf(database);
  const wholeName = openWholeNames(database);
  /** Excludes most cells without a house, without reading the file. */
  let filter: NumberFilter | 'none' | undefined;
  const areas = new RecentCache<number, StreetArea>(areasInMemory);
  const mayHave = openFilter(database, 'terms');
  const mayHavePair = openFilter(database, 'pairs');
  const triples: Triples = { has: openFilter(database, triplesName), isBroad: openFilter(database, broadName) };
  const classes = classesOf(database);

  /** The streets of whole names, if many streets have one of these. */
  function named(clauses: readonly Clause[], limit: number): number[] | undefined {
    const names = wholeNamesOf(clauses, mayHave);
    if (names === undefined) return undefined;
    const rare: string[] = [];
    const lists: Named[] = [];
    for (const name of names) {
      const found = wholeName(name, limit);
      if (found) lists.push(found);
      else rare.push(name);
    }
    if (lists.length === 0) return undefined;
    if (rare.length > 0) {
      const ids = search([{ wholeName: rare }], limit);
      lists.push({ ids, isComplete: ids.length < limit });
    }
    return firstOf(lists, limit);
  }

  /** The streets that match where all have a name of two of the words, whose list is much shorter than those of the words. */
  function namedTogether(clauses: readonly Clause[], limit: number): number[] | undefined {
    const matches = matchNamed(clauses, mayHave, triples);
    if (matches === undefined) return undefined;
    const lists = matches.map((match) => sql.matching(match, limit).map(([id]) => id));
    if (lists.some(({ length }) => length === limit)) return undefined;
    return [...new Set(lists.flat())].sort((a, b) => a - b).slice(0, limit);
  }

  function search(clauses: readonly Clause[], limit: number): number[] {
    const match = matchAll(clauses, mayHave);
    // Words without a letter or digit leave nothing to search by.
    return match ? sql.matching(match, limit).map(([id]) => id) : [];
  }

  function mayHold(cell: number): boolean {
    if (filter === undefined) {
      const cells = sql.cells().map(([each]) => each);
      const added = new NumberFilter(cells.length * bytesPerCell + 1);
      for (const each of cells) added.add(each);
      filter = cells.length > maxFilteredCells ? 'none' : added;
    }
    return filter === 'none' || filter.mayHave(cell);
  }

  const unpacked = (blocks: readonly Block[]) => blocks.flatMap(([block]) => unpackHouses(block));

  function withLines(id: number) {
    const [columns] = sql.byIdWithLines(id);
    return { columns, lines: columns[columns.length - 1] as Uint8Array | null };
  }

  return {
    number,
    sources: sourcesOf(database),
    vocabulary: openVocabulary(database, 'streets', mayHave, common),
    mayMatch: (clauses) => mayMatch(clauses, mayHave, mayHavePair, triples),
    matching: (clauses, limit, all = clauses) =>
      named(clauses, limit) ?? namedTogether(all, limit) ?? search(clauses, limit),
    street: (id) => streetOf(sql.byId(id)[0]),
    prominence: (id) => prominenceOf(classes, id),
    withObject: (object) => sql.withObject(numberOfObject(object)).map(([street]) => street),
    hasStreet: (id) => sql.byId(id).length > 0,
    streetFrom(id, from) {
      const { columns, lines } = withLines(id);
      return { street: streetOf(columns), km: lines ? nearestVertexKm(lines, from) : Number.POSITIVE_INFINITY };
    },
    vertices(id) {
      const { lines } = withLines(id);
      return lines ? verticesOf(lines) : [];
    },
    housesAt: (street, wanted) => unpacked(sql.blockAt(street, wanted)),
    housesAfter: (street, wanted) => unpacked(sql.blockAfter(street, wanted)),
    houses: (street) => unpacked(sql.blocks(street)),
    housesNear(from, radiusKm) {
      const found = new Map<string, { street: number; houses: House[] }>();
      // Near the poles a circle touches very many cells, and there are no houses.
      if (Math.abs(from.lat) > northernmostHouse) return [];
      for (const cell of cellNumbersAround(from, radiusKm, houseCellSize)) {
        if (!mayHold(cell)) continue;
        for (const [street, first] of sql.near(cell)) {
          const key = `${street} ${first}`;
          if (!found.has(key)) found.set(key, { street, houses: unpacked(sql.block(street, first)) });
        }
      }
      return [...found.values()];
    },
    *streetsIn(bounds, limit) {
      for (const [id] of sql.matching(matchAny(cellsIn(bounds, maxMapCells)), limit)) {
        const [[names, highway, bytes]] = sql.drawn(id);
        if (bytes === null) continue;
        yield { name: mainName(names), highway, bytes, lines: () => unpackLines(sql.lines(id)[0][0]) };
      }
    },
    *housesIn(bounds) {
      const seen = new Set<string>();
      for (const cell of cellNumbersIn(bounds, houseCellSize)) {
        for (const [street, first, names] of sql.blocksOfCell(cell, maxBlocksPerCell)) {
          const key = `${street} ${first}`;
          if (seen.has(key)) continue;
          seen.add(key);
          yield { street: mainName(names), houses: unpacked(sql.block(street, first)) };
        }
      }
    },
    area: (id) => areas.getOrInsertComputed(id, () => areaOf(sql.area(id)[0])),
    close: () => database.close(),
  };
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
