/**
 * Writes a file of streets and addresses: records are spilled by street, grouped part by part, sorted by prominence
 * class and then along the curve, and written in one pass in the order of their row ids. So the first rows that a
 * search finds are the most prominent ones, and neighbours are adjacent in every posting list: the rows of a city or a
 * cell are one short range per class, and a search there reads only that range of the long list of a common name.
 */
import { dirname } from 'node:path';
import { numberOfObject } from '../../core/osm-object.ts';
import { RecentCache } from '../../core/recent-cache.ts';
import { type Drop, defaultMemoryMb, type StreetBatch } from '../../core/source-records.ts';
import { codeKey, nameWords, postcodeWords, searchTerms, streetKey, wholeName } from '../../text/words.ts';
import { maxStreets } from '../identifiers.ts';
import type { StreetArea } from '../street-parts.ts';
import { DistinctHashes } from './bytes.ts';
import { bytesOf, createForWriting, type Database, finishWriting, type Value } from './database.ts';
import { curveAt, curveLength } from './house-block.ts';
import { optimizeTerms, streetSchema } from './schema.ts';
import { Spools } from './spool.ts';
import { AreaTable, groupStreets, linesOf, type StreetRow } from './street-groups.ts';
import { pairHash, TermFilter, termHash } from './term-filter.ts';
import { countryTerm, postcodeTerm } from './terms.ts';
import { writeVocabulary } from './vocabulary.ts';
import { writeWholeNames } from './whole-names.ts';
import { isPaired, WordTriples, wholeNameTerm } from './word-triples.ts';

const keysInMemory = 25_000;
/** Share of the memory for each of what is sorted: records by street, and streets by rank. */
const spoolShare = 0.25;

/** Writes a file of streets from records in any order, with `memoryMb` for sorting, 512 by default. */
export function streetWriter({ path, memoryMb, dropped }: { path: string; memoryMb?: number; dropped: Drop }) {
  const areas = new AreaTable();
  // One for each, so that the room of the records is free when the streets are written.
  const makeSpools = () => new Spools(dirname(path), (memoryMb ?? defaultMemoryMb) * spoolShare * 1e6);
  const spools = { records: makeSpools(), sorted: makeSpools() };
  /** Records by street, as lines of fields separated by tabs. */
  const recordSpool = spools.records.spool<string>();
  const sorted = spools.sorted.spool<StreetRow>();
  /** Settlements with mapped streets, where no geometry is derived from addresses. */
  const mappedAreas = new Set<number>();
  const sources: string[] = [];
  const keys = new RecentCache<string, string>(keysInMemory);
  let file: ReturnType<typeof streetRowFile> | undefined;

  return {
    areas,
    /** Number by which records name a source. */
    source(name: string): number {
      const known = sources.indexOf(name);
      return known >= 0 ? known : sources.push(name) - 1;
    },
    /** Adds records; `areaOf` returns a record's number in `areas`. */
    add(
      batch: StreetBatch,
      source: number,
      areaOf: (record: StreetBatch['addresses' | 'streets' | 'interpolations'][number]) => number,
    ): void {
      for (const record of batch.streets) mappedAreas.add(areaOf(record));
      for (const { street, area, line } of linesOf(batch, source, areaOf)) {
        const key = keys.getOrInsertComputed(street, () => streetKey(street));
        recordSpool.add(streetHash(area, key), line);
      }
    },
    /** Writes the file. Returns the numbers of addresses and of streets with a geometry by country. */
    finish(progress: (share: number) => void) {
      const counts: Record<'addresses' | 'streets', Record<string, number>> = { addresses: {}, streets: {} };
      const add = (kind: 'addresses' | 'streets', { area }: StreetRow, count: number) => {
        const { country } = areas.areas[area];
        if (count > 0) counts[kind][country] = (counts[kind][country] ?? 0) + count;
      };
      let rows = 0;
      let read = 0;
      // Two streets may share a hash.
      for (const lines of recordSpool.lines()) {
        const records = lines.split('\n').map((line) => line.split('\t'));
        for (const street of groupStreets(records, dropped, (area) => mappedAreas.has(area))) {
          sorted.add(rankOf(street, areas.areas), street);
          add('addresses', street, street.houseCount);
          add('streets', street, street.lines ? 1 : 0);
          if (++rows > maxStreets)
            throw new Error(`${path} has more than ${maxStreets} streets; split it into several parts`);
        }
        read += records.length;
        if (rows % 1000 === 0) progress((0.4 * read) / recordSpool.size);
      }
      spools.records[Symbol.dispose]();
      file = streetRowFile(path, sources, areas.areas);
      let done = 0;
      for (const street of sorted) {
        file.add(++done, street);
        if (done % 1000 === 0) progress(0.4 + (0.5 * done) / rows);
      }
      progress(0.9);
      file.finish();
      return counts;
    },
    /** Closes all files, whether writing finished or failed. */
    close(): void {
      for (const each of Object.values(spools)) each[Symbol.dispose]();
      file?.close();
    },
  };
}

/** Number of the street of an area and a key (cyrb53, public domain); two streets may share one. */
function streetHash(area: number, key: string): number {
  let [high, low] = [0xdeadbeef ^ area, 0x41c6ce57 ^ area];
  for (let at = 0; at < key.length; at++) {
    const unit = key.charCodeAt(at);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 4294967296 * (2097151 & low) + (high >>> 0);
}

// The pairs of words that streets of a file have together: a street's with its town's, for example. Most parts have both
// words of an address somewhere, and few have them in one street, which the index finds out in 10 to 30 µs.

/** A file with more of them has no filter: it would take more than 24 MB of memory, and 64 MB to be made. */
const maxPairs = 2 ** 24;
/** Maximum number of words of a street. */
const maxWords = 200;

function wordPairs() {
  const pairs = new DistinctHashes();
  let isTooLarge = false;
  return {
    /** Adds all pairs of the words of a street. */
    add(words: readonly string[]): void {
      isTooLarge ||= words.length > maxWords || pairs.length > maxPairs;
      if (isTooLarge) return;
      const hashes = words.map(termHash);
      for (const [at, one] of hashes.entries()) {
        for (let other = at + 1; other < hashes.length; other++) pairs.push(pairHash(one, hashes[other]));
      }
    },
    /** The filter of the pairs; undefined where there are too many. */
    filter: () => (isTooLarge ? undefined : TermFilter.of(pairs.distinct())),
  };
}

const classCount = 12;
/** Number of hash values that distinguish streets with one class and position on the curve. */
const ties = 2 ** 16;

/** The sort key: by falling prominence class, then along the curve; independent of other streets. */
function rankOf(street: StreetRow, areas: readonly StreetArea[]): number {
  const { city, admin1, country } = areas[street.area];
  const place = prominenceClass(street) * curveLength + curveAt(street);
  return place * ties + (streetHash(0, `${street.key} ${city} ${admin1} ${country}`) % ties);
}

/** 0 for the most prominent streets: those with many houses or vertices. */
function prominenceClass({ houseCount, vertexCount }: StreetRow): number {
  return Math.max(0, classCount - 1 - Math.floor(Math.log2(1 + houseCount + vertexCount / 4)));
}

/** Writes a file of streets; those with lower ids must be added first. */
function streetRowFile(path: string, sources: readonly string[], areas: readonly StreetArea[]) {
  const database = createForWriting(path, streetSchema);
  writeNames(database, sources, areas);
  database.exec(`CREATE TEMP TABLE cells (cell INTEGER, street INTEGER, first INTEGER);
    CREATE TEMP TABLE found_objects (object INTEGER, street INTEGER)`);
  const insert = (sql: string): ((...values: Value[]) => unknown) => {
    const statement = database.prepare(sql);
    return (...values) => statement.run(...values);
  };
  const run = {
    streets: insert('INSERT INTO streets VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'),
    houses: insert('INSERT INTO houses VALUES (?, ?, ?)'),
    objects: insert('INSERT INTO found_objects VALUES (?, ?)'),
    cells: insert('INSERT INTO cells VALUES (?, ?, ?)'),
    terms: insert('INSERT INTO street_terms (rowid, terms) VALUES (?, ?)'),
  };
  const pairs = wordPairs();
  const triples = new WordTriples();
  /** The first identifier of each prominence class. */
  const classes: number[] = [];

  return {
    add(id: number, street: StreetRow): void {
      const { names, postcodes, lat, lng, highway, source, stretches, lines, blocks, objects, houseObjects } = street;
      while (classes.length <= prominenceClass(street)) classes.push(id);
      const pieces = objects.length > 0 ? objects.join(' ') : null;
      const [y, x] = [Math.round(lat * 1e7), Math.round(lng * 1e7)];
      const texts = [names.join('\n'), street.area, postcodes.join('\n')];
      run.streets(id, ...texts, y, x, highway, source, stretches, lines, pieces);
      for (const object of [...objects, ...houseObjects]) run.objects(numberOfObject(object), id);
      for (const { first, bytes, cells } of blocks) {
        run.houses(id, first, bytes);
        for (const cell of cells) run.cells(cell, id, first);
      }
      const area = areas[street.area];
      const terms = [...termsOf(street, area)];
      run.terms(id, terms.join(' '));
      pairs.add(terms.filter(isPaired));
      triples.add(street, area);
    },
    finish(): void {
      database.exec(`INSERT INTO near SELECT cell, street, first FROM cells ORDER BY cell, street, first;
        INSERT OR IGNORE INTO objects SELECT object, street FROM found_objects ORDER BY object, street;
        DROP TABLE cells; DROP TABLE found_objects; ${optimizeTerms('street_terms')}`);
      writeVocabulary(database, 'street_terms');
      writeWholeNames(database);
      const addFilter = insert('INSERT INTO filters VALUES (?, ?)');
      addFilter('classes', new Uint8Array(Int32Array.from(classes).buffer));
      const ofPairs = pairs.filter();
      if (ofPairs) addFilter('pairs', ofPairs.bytes);
      for (const [name, filter] of triples.filters(bytesOf(database))) addFilter(name, filter.bytes);
      finishWriting(database, path);
    },
    close(): void {
      if (database.isOpen) database.close();
    },
  };
}

function writeNames(database: Database, sources: readonly string[], areas: readonly StreetArea[]): void {
  const addSource = database.prepare('INSERT INTO sources VALUES (?, ?)');
  for (const [id, name] of sources.entries()) addSource.run(id, name);
  const addArea = database.prepare('INSERT INTO areas VALUES (?, ?, ?, ?, ?)');
  for (const [id, { city, admin1, country, terms }] of areas.entries()) {
    addArea.run(id, city, admin1, country, terms.join(' '));
  }
}

/** All search terms of a street: names, whole names, settlement, postal codes, country and cells. */
export function termsOf(
  { names, postcodes, cells }: Pick<StreetRow, 'names' | 'postcodes' | 'cells'>,
  area: Pick<StreetArea, 'terms' | 'country'>,
): Set<string> {
  const terms = new Set(area.terms);
  for (const name of names) {
    for (const term of searchTerms(name)) terms.add(term);
    terms.add(wholeNameTerm(wholeName(nameWords(name))));
  }
  for (const code of postcodes) {
    for (const word of postcodeWords(code)) terms.add(word);
    if (codeKey(code) !== '') terms.add(postcodeTerm(codeKey(code)));
  }
  terms.add(countryTerm(area.country));
  for (const cell of cells) terms.add(cell);
  return terms;
}
