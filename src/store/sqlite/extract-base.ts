/**
 * The file of extract-base-schema.ts, opened.
 *
 * Blocks of nodes and ways in the order of their ids, as extract-base-writer.ts packs them.
 */
import type { Bounds } from '../bounds.ts';
import { ByteReader } from './bytes.ts';
import { type Database, openForReading, rows } from './database.ts';
import {
  type KeptArea,
  type KeptObject,
  type KeptPieces,
  type KeptRecord,
  type KeptStreet,
  type LocatedObject,
  streetHash,
  unpackRings,
} from './extract-base-schema.ts';

const blocksInMemory = 4096;

/** The ids of a block, ascending, and the value of each. */
type IdBlock<T> = { ids: Float64Array; of(at: number): T };

/** Finds the value of an id; recently unpacked blocks are cached. */
class IdBlocks<T> {
  readonly #find: (id: number) => [first: number, block: Uint8Array][];
  readonly #unpack: (first: number, bytes: Uint8Array) => IdBlock<T>;
  /** By their first ids. */
  #blocks: IdBlock<T>[] = [];

  /** `find` returns the block that contains an id, if any. */
  constructor(
    find: (id: number) => [first: number, block: Uint8Array][],
    unpack: (first: number, bytes: Uint8Array) => IdBlock<T>,
  ) {
    this.#find = find;
    this.#unpack = unpack;
  }

  get(id: number): T | undefined {
    let at = this.#before(id);
    let block = this.#blocks[at - 1];
    if (!block || block.ids[block.ids.length - 1] < id) {
      const [row] = this.#find(id);
      if (!row) return undefined;
      if (block?.ids[0] !== row[0]) {
        if (this.#blocks.length >= blocksInMemory) {
          this.#blocks = [];
          at = 0;
        }
        block = this.#unpack(...row);
        this.#blocks.splice(at, 0, block);
      }
    }
    const { ids } = block;
    let [low, high] = [0, ids.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (ids[middle] < id) low = middle + 1;
      else high = middle;
    }
    return ids[low] === id ? block.of(low) : undefined;
  }

  /** Number of blocks in memory that begin with an id or one before it. */
  #before(id: number): number {
    let [low, high] = [0, this.#blocks.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#blocks[middle].ids[0] <= id) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Positions in units of 1e-7 degrees. */
function unpackNodes(first: number, bytes: Uint8Array): IdBlock<readonly [lat: number, lng: number]> {
  const ids: number[] = [];
  const positions: number[] = [];
  const reader = new ByteReader(bytes);
  let [id, lat, lng] = [first, 0, 0];
  while (!reader.isAtEnd) {
    id += reader.signed();
    lat += reader.signed();
    lng += reader.signed();
    ids.push(id);
    positions.push(lat, lng);
  }
  const packed = Int32Array.from(positions);
  return { ids: Float64Array.from(ids), of: (at) => [packed[2 * at], packed[2 * at + 1]] };
}

/** The nodes of ways. */
function unpackWays(first: number, bytes: Uint8Array): IdBlock<Float64Array> {
  const ids: number[] = [];
  const ways: Float64Array[] = [];
  const reader = new ByteReader(bytes);
  let id = first;
  while (!reader.isAtEnd) {
    id += reader.signed();
    const refs = new Float64Array(reader.unsigned());
    let last = 0;
    for (let at = 0; at < refs.length; at++) refs[at] = last += reader.signed();
    ids.push(id);
    ways.push(refs);
  }
  return { ids: Float64Array.from(ids), of: (at) => ways[at] };
}

type LocatedRow = [key: number, lat: number, lng: number, tags: string];
type FeatureRow = [...LocatedRow, around: string];
type AreaRow = [id: number, tags: string, members: string, boundary: string | null, rings: Uint8Array | null];
type StreetColumns = [area: number, key: string, id: number, rank: number, houses: number, mapped: number];

export class ExtractBase {
  readonly #database: Database;
  readonly #nodes: IdBlocks<readonly [lat: number, lng: number]>;
  readonly #ways: IdBlocks<Float64Array>;
  readonly #waysOfNode: (node: number) => [number][];
  readonly #areasOfWay: (way: number) => [number][];
  readonly #area: (id: number) => AreaRow[];
  readonly #streetsOfMember: (key: number) => [relation: number, street: string][];
  readonly #membersOf: (relation: number) => [number][];
  readonly #feature: (key: number) => FeatureRow[];
  readonly #featuresIn: (cell: number) => LocatedRow[];
  readonly #citiesIn: (cell: number) => LocatedRow[];
  readonly #piece: (key: number) => [name: string, city: string | null][];
  readonly #pieces: (name: string, city: string | null) => [number][];
  readonly #streetsOf: (key: number) => [number][];
  readonly #recordsOf: (street: number) => [key: number, tile: number, fields: string][];
  readonly #piecesOf: (street: number) => [name: string, city: string | null, key: number, fields: string][];
  readonly #streetsOfName: (name: string, city: string | null) => [number][];
  readonly #streets: (street: number) => StreetColumns[];
  readonly #streetsIn: (area: number) => StreetColumns[];
  readonly #before: (rank: number) => [number][];
  readonly #after: (rank: number) => [number][];
  readonly #poi: (key: number) => [number][];

  constructor(path: string) {
    const database = openForReading(path);
    this.#database = database;
    const block = (table: string) =>
      rows<[number, Uint8Array]>(
        database,
        `SELECT first, block FROM ${table} WHERE first <= ? ORDER BY first DESC LIMIT 1`,
      );
    this.#nodes = new IdBlocks(block('nodes'), unpackNodes);
    this.#ways = new IdBlocks(block('ways'), unpackWays);
    this.#waysOfNode = rows(database, 'SELECT way FROM way_nodes WHERE node = ?');
    this.#areasOfWay = rows(database, 'SELECT area FROM area_ways WHERE way = ?');
    this.#area = rows(database, 'SELECT id, tags, members, boundary, rings FROM areas WHERE id = ?');
    this.#streetsOfMember = rows(database, 'SELECT relation, street FROM members WHERE key = ? ORDER BY relation');
    this.#membersOf = rows(database, 'SELECT key FROM members WHERE relation = ?');
    this.#feature = rows(database, 'SELECT key, lat, lng, tags, around FROM features WHERE key = ?');
    const located = 'SELECT key, lat, lng, tags FROM features WHERE cell = ?';
    this.#featuresIn = rows(database, `${located} ORDER BY key`);
    this.#citiesIn = rows(database, `${located} AND city IS NOT NULL ORDER BY key`);
    this.#piece = rows(database, 'SELECT name, city FROM pieces WHERE key = ?');
    this.#pieces = rows(database, 'SELECT key FROM pieces WHERE name = ? AND city IS ?');
    this.#streetsOf = rows(database, 'SELECT street FROM records WHERE key = ?');
    this.#recordsOf = rows(database, 'SELECT key, tile, fields FROM records WHERE street = ? ORDER BY rowid');
    const pieces = 'SELECT name, city, key, fields FROM street_pieces WHERE street = ? ORDER BY rowid';
    this.#piecesOf = rows(database, pieces);
    this.#streetsOfName = rows(database, 'SELECT DISTINCT street FROM street_pieces WHERE name = ? AND city IS ?');
    const columns = 'area, key, id, rank, houses, mapped';
    this.#streets = rows(database, `SELECT ${columns} FROM streets WHERE street = ?`);
    this.#streetsIn = rows(database, `SELECT ${columns} FROM streets WHERE area = ?`);
    this.#before = rows(database, 'SELECT id FROM streets WHERE rank <= ? ORDER BY rank DESC, id DESC LIMIT 1');
    this.#after = rows(database, 'SELECT id FROM streets WHERE rank > ? ORDER BY rank, id LIMIT 1');
    this.#poi = rows(database, 'SELECT id FROM pois WHERE key = ?');
  }

  fact(name: string): string | undefined {
    return rows<[string]>(this.#database, 'SELECT value FROM facts WHERE name = ?')(name)[0]?.[0];
  }

  /** A node's position in units of 1e-7 degrees. */
  node(id: number): readonly [lat: number, lng: number] | undefined {
    return this.#nodes.get(id);
  }

  refs(way: number): Float64Array | undefined {
    return this.#ways.get(way);
  }

  waysOfNode(node: number): number[] {
    return this.#waysOfNode(node).map(([way]) => way);
  }

  areasOfWay(way: number): number[] {
    return this.#areasOfWay(way).map(([area]) => area);
  }

  area(id: number): KeptArea | undefined {
    return this.#area(id).map(areaOf)[0];
  }

  /** All boundaries, in the order of the file. */
  boundaries(): KeptArea[] {
    const sql = 'SELECT id, tags, members, boundary, rings FROM areas WHERE boundary IS NOT NULL ORDER BY id';
    return rows<AreaRow>(this.#database, sql)().map(areaOf);
  }

  streetsOfMember(key: number): { relation: number; street: string }[] {
    return this.#streetsOfMember(key).map(([relation, street]) => ({ relation, street }));
  }

  membersOf(relation: number): number[] {
    return this.#membersOf(relation).map(([key]) => key);
  }

  /** Number of addresses with each city. */
  cities(): Map<string, number> {
    return new Map(rows<[string, number]>(this.#database, 'SELECT name, addresses FROM cities')());
  }

  feature(key: number): KeptObject | undefined {
    return this.#feature(key).map(featureOf)[0];
  }

  /** Features of a cell, in the order of the file. */
  featuresIn(cell: number): LocatedObject[] {
    return this.#featuresIn(cell).map(locatedOf);
  }

  /** Those of them whose addresses name a city. */
  featuresWithCityIn(cell: number): LocatedObject[] {
    return this.#citiesIn(cell).map(locatedOf);
  }

  /** Features whose addresses name a city. */
  featuresNaming(city: string): LocatedObject[] {
    const sql = 'SELECT key, lat, lng, tags FROM features WHERE city = ?';
    return rows<LocatedRow>(this.#database, sql)(city).map(locatedOf);
  }

  /** Positions of features in a box. */
  positionsIn({ south, west, north, east }: Bounds): { lat: number; lng: number }[] {
    const sql = 'SELECT lat, lng FROM features WHERE lat BETWEEN ? AND ? AND lng BETWEEN ? AND ?';
    return rows<[number, number]>(this.#database, sql)(south, north, west, east).map(([lat, lng]) => ({ lat, lng }));
  }

  /** Settlements and quarters, in the order of the file. */
  places(): LocatedObject[] {
    const sql = 'SELECT key, lat, lng, tags FROM features WHERE is_place ORDER BY key';
    return rows<LocatedRow>(this.#database, sql)().map(locatedOf);
  }

  piece(key: number): { name: string; city: string | undefined } | undefined {
    return this.#piece(key).map(([name, city]) => ({ name, city: city ?? undefined }))[0];
  }

  pieces(name: string, city: string | undefined): number[] {
    return this.#pieces(name, city ?? null).map(([key]) => key);
  }

  /** Streets that have records of an object. */
  streetsOf(key: number): number[] {
    return this.#streetsOf(key).map(([street]) => street);
  }

  /** The records of a street that objects make, in the order of the import. */
  recordsOf(street: number): KeptRecord[] {
    return this.#recordsOf(street).map(([key, tile, fields]) => ({ key, tile, fields: fields.split('\t') }));
  }

  /** The records of a street that pieces of names make, in the order of the import. */
  piecesOf(street: number): KeptPieces[] {
    return this.#piecesOf(street).map(([name, city, key, fields]) => ({
      name,
      city: city ?? undefined,
      key,
      fields: fields.split('\t'),
    }));
  }

  streetsOfName(name: string, city: string | undefined): number[] {
    return this.#streetsOfName(name, city ?? null).map(([street]) => street);
  }

  /** The streets of one hash, mostly one. */
  streets(hash: number): KeptStreet[] {
    return this.#streets(hash).map(streetOf);
  }

  /** Names and cities of whose pieces the streets of an area are made. */
  *namesIn(area: number): Generator<{ name: string; city: string | undefined }> {
    for (const { key } of this.streetsIn(area)) yield* this.piecesOf(streetHash(area, key));
  }

  streetsIn(area: number): KeptStreet[] {
    return this.#streetsIn(area).map(streetOf);
  }

  /** Identifiers of the streets before and after a rank; 0 and `undefined` where there is none. */
  around(rank: number): { before: number; after: number | undefined } {
    return { before: this.#before(rank)[0]?.[0] ?? 0, after: this.#after(rank)[0]?.[0] };
  }

  /** The highest identifier of a street. */
  lastStreet(): number {
    return rows<[number]>(this.#database, 'SELECT IFNULL(MAX(id), 0) FROM streets')()[0][0];
  }

  lastPoi(): number {
    return rows<[number]>(this.#database, 'SELECT IFNULL(MAX(id), 0) FROM pois')()[0][0];
  }

  /** Identifier of a point of interest. */
  poi(key: number): number | undefined {
    return this.#poi(key)[0]?.[0];
  }

  close(): void {
    this.#database.close();
  }
}

const areaOf = ([id, tags, members, boundary, rings]: AreaRow): KeptArea => {
  const [ways, isInner] = JSON.parse(members) as [number[], number[]];
  return {
    id,
    tags: JSON.parse(tags),
    ways,
    isInner,
    ...(boundary && { boundary: JSON.parse(boundary) }),
    ...(rings && { rings: unpackRings(rings) }),
  };
};

const locatedOf = ([key, lat, lng, tags]: LocatedRow): LocatedObject => ({ key, lat, lng, tags: JSON.parse(tags) });

const featureOf = ([key, lat, lng, tags, around]: FeatureRow): KeptObject => ({
  ...locatedOf([key, lat, lng, tags]),
  around: JSON.parse(around),
});

const streetOf = ([area, key, id, rank, houses, mapped]: StreetColumns): KeptStreet => ({
  area,
  key,
  id,
  rank,
  houses,
  isMapped: mapped === 1,
});
