/** Writes the file of extract-base-schema.ts while an extract is read. */
import { rmSync } from 'node:fs';
import { ByteWriter } from './bytes.ts';
import { createForWriting, type Database, finishWriting } from './database.ts';
import {
  indexes,
  type KeptArea,
  type KeptObject,
  type KeptPieces,
  type KeptRecord,
  type KeptStreet,
  packRings,
  schema,
  streetHash,
} from './extract-base-schema.ts';

const nodesPerBlock = 256;
const waysPerBlock = 64;

export class ExtractBaseWriter {
  readonly #path: string;
  readonly #database: Database;
  readonly #run: Record<string, (...values: (string | number | null | Uint8Array)[]) => unknown>;
  readonly #bytes = new ByteWriter();
  #nodes: { first: number; count: number; id: number; lat: number; lng: number } | undefined;
  readonly #nodeBytes = new ByteWriter();
  #ways: { first: number; count: number; id: number } | undefined;
  #lastNode = Number.NEGATIVE_INFINITY;
  #lastWay = Number.NEGATIVE_INFINITY;
  #isSorted = true;

  constructor(path: string) {
    this.#path = path;
    this.#database = createForWriting(path, schema);
    const insert = (table: string, values: number) => {
      const statement = this.#database.prepare(`INSERT INTO ${table} VALUES (?${', ?'.repeat(values - 1)})`);
      return (...values: (string | number | null | Uint8Array)[]) => statement.run(...values);
    };
    const tables = Object.entries({ facts: 2, nodes: 2, ways: 2, way_nodes: 2, areas: 5, area_ways: 2, members: 3 });
    const others = Object.entries({
      cities: 2,
      features: 8,
      pieces: 3,
      records: 4,
      street_pieces: 5,
      streets: 7,
      pois: 2,
    });
    this.#run = Object.fromEntries([...tables, ...others].map(([table, values]) => [table, insert(table, values)]));
  }

  fact(name: string, value: string): void {
    this.#run.facts(name, value);
  }

  node(id: number, lat: number, lng: number): void {
    if (id <= this.#lastNode) this.#isSorted = false;
    this.#lastNode = id;
    if (!this.#isSorted) return;
    this.#nodes ??= { first: id, count: 0, id, lat: 0, lng: 0 };
    this.#nodeBytes.signed(id - this.#nodes.id);
    this.#nodeBytes.signed(lat - this.#nodes.lat);
    this.#nodeBytes.signed(lng - this.#nodes.lng);
    Object.assign(this.#nodes, { id, lat, lng });
    if (++this.#nodes.count === nodesPerBlock) this.#flushNodes();
  }

  way(id: number, refs: Float64Array, isUsed: boolean): void {
    if (id <= this.#lastWay) this.#isSorted = false;
    this.#lastWay = id;
    if (!this.#isSorted) return;
    this.#ways ??= { first: id, count: 0, id };
    this.#bytes.signed(id - this.#ways.id);
    this.#bytes.unsigned(refs.length);
    let last = 0;
    for (let at = 0; at < refs.length; at++) {
      this.#bytes.signed(refs[at] - last);
      last = refs[at];
    }
    this.#ways.id = id;
    if (++this.#ways.count === waysPerBlock) this.#flushWays();
    if (isUsed) for (const node of new Set(refs)) this.#run.way_nodes(node, id);
  }

  area({ id, tags, ways, isInner, boundary, rings }: KeptArea): void {
    const shape = boundary && rings ? packRings(rings) : null;
    const members = JSON.stringify([ways, isInner]);
    this.#run.areas(id, JSON.stringify(tags), members, boundary ? JSON.stringify(boundary) : null, shape);
    for (const way of new Set(ways)) this.#run.area_ways(way, id);
  }

  member(key: number, relation: number, street: string): void {
    this.#run.members(key, relation, street);
  }

  city(name: string, addresses: number): void {
    this.#run.cities(name, addresses);
  }

  /** `city` is the one that its address names, if any. */
  feature(
    { key, lat, lng, tags, around }: KeptObject,
    { cell, isPlace, city }: { cell: number; isPlace: boolean; city: string | undefined },
  ): void {
    const texts = [JSON.stringify(tags), JSON.stringify(around)];
    this.#run.features(key, cell, lat, lng, ...texts, isPlace ? 1 : 0, city ?? null);
  }

  piece(key: number, name: string, city: string | undefined): void {
    this.#run.pieces(key, name, city ?? null);
  }

  /** A record of a street. */
  record(street: number, { key, tile, fields }: KeptRecord): void {
    this.#run.records(street, key, tile, fields.join('\t'));
  }

  /** A street's record that comes from the pieces of a name in a city. */
  streetPieces(street: number, { name, city, key, fields }: KeptPieces): void {
    this.#run.street_pieces(street, name, city ?? null, key, fields.join('\t'));
  }

  street({ area, key, id, rank, houses, isMapped }: KeptStreet): void {
    this.#run.streets(streetHash(area, key), area, key, id, rank, houses, isMapped ? 1 : 0);
  }

  poi(key: number, id: number): void {
    this.#run.pois(key, id);
  }

  /** Writes the file, unless the extract is not sorted by id, as published ones are. */
  finish(): void {
    if (!this.#isSorted) {
      this.close();
      rmSync(this.#path, { force: true });
      return;
    }
    this.#flushNodes();
    this.#flushWays();
    this.#database.exec(indexes);
    finishWriting(this.#database, this.#path);
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }

  #flushNodes(): void {
    if (this.#nodes) this.#run.nodes(this.#nodes.first, this.#nodeBytes.take());
    this.#nodes = undefined;
  }

  #flushWays(): void {
    if (this.#ways) this.#run.ways(this.#ways.first, this.#bytes.take());
    this.#ways = undefined;
  }
}
