/**
 * What is kept of an OpenStreetMap extract next to its part, so that changes can be applied without reading it again:
 * positions of all nodes and nodes of all ways in packed blocks, the objects that records are made of, and which street
 * each of them went to. The file is written with the part and never changed: changes are those since then.
 */

/**
 * Name of the file of a part. Its number is raised when the tables change; an extract with an older file is read again.
 */
export const extractBaseName = (part: string) => `extract-4-${part}.sqlite`;

export const schema = `
  CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
  CREATE TABLE nodes (first INTEGER PRIMARY KEY, block BLOB NOT NULL);
  CREATE TABLE ways (first INTEGER PRIMARY KEY, block BLOB NOT NULL);
  CREATE TABLE way_nodes (node INTEGER, way INTEGER);
  CREATE TABLE areas (id INTEGER PRIMARY KEY, tags TEXT NOT NULL, members TEXT NOT NULL, boundary TEXT, rings BLOB);
  CREATE TABLE area_ways (way INTEGER, area INTEGER);
  CREATE TABLE members (key INTEGER, relation INTEGER, street TEXT NOT NULL);
  CREATE TABLE cities (name TEXT PRIMARY KEY, addresses INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE features (
    key INTEGER, cell INTEGER, lat REAL, lng REAL, tags TEXT NOT NULL, around TEXT NOT NULL, is_place INTEGER NOT NULL,
    city TEXT
  );
  CREATE TABLE pieces (key INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT);
  CREATE TABLE records (street INTEGER, key INTEGER, tile INTEGER, fields TEXT NOT NULL);
  CREATE TABLE street_pieces (street INTEGER, name TEXT NOT NULL, city TEXT, key INTEGER, fields TEXT NOT NULL);
  CREATE TABLE streets (
    street INTEGER, area INTEGER, key TEXT NOT NULL, id INTEGER NOT NULL, rank REAL NOT NULL, houses INTEGER NOT NULL,
    mapped INTEGER NOT NULL
  );
  CREATE TABLE pois (key INTEGER PRIMARY KEY, id INTEGER NOT NULL);`;

export const indexes = `
  CREATE INDEX way_nodes_node ON way_nodes (node, way);
  CREATE INDEX area_ways_way ON area_ways (way, area);
  CREATE INDEX members_key ON members (key, relation, street);
  CREATE INDEX members_relation ON members (relation);
  CREATE INDEX features_key ON features (key);
  CREATE INDEX features_cell ON features (cell);
  CREATE INDEX features_place ON features (key) WHERE is_place;
  CREATE INDEX features_city ON features (city) WHERE city IS NOT NULL;
  CREATE INDEX features_city_cell ON features (cell) WHERE city IS NOT NULL;
  CREATE INDEX pieces_name ON pieces (name, city);
  CREATE INDEX records_street ON records (street);
  CREATE INDEX records_key ON records (key, street);
  CREATE INDEX street_pieces_name ON street_pieces (name, city);
  CREATE INDEX street_pieces_street ON street_pieces (street);
  CREATE INDEX streets_street ON streets (street);
  CREATE INDEX streets_area ON streets (area);
  CREATE INDEX streets_rank ON streets (rank, id);`;

/** A relation that is an area: with the boundary that it is and its rings, if any. */
export type KeptArea = {
  id: number;
  tags: Record<string, string>;
  ways: number[];
  isInner: number[];
  boundary?: { level: number; name: string; country?: string };
  rings?: Float64Array[];
};
/** A record of a street before grouping: its object, its tile, and the fields of street-fields.ts. */
export type KeptRecord = { key: number; tile: number; fields: string[] };
/** A record that pieces of a name in a city make; `key` is that of the first piece. */
export type KeptPieces = { name: string; city: string | undefined; key: number; fields: string[] };
export type LocatedObject = { key: number; lat: number; lng: number; tags: Record<string, string> };
export type KeptObject = LocatedObject & { around: object };
/** A street of the part: `street` is the hash of area and key. */
export type KeptStreet = { area: number; key: string; id: number; rank: number; houses: number; isMapped: boolean };

/** Rings as bytes: their number, the number of values of each, then all values. */
export function packRings(rings: readonly Float64Array[]): Uint8Array {
  const values = [rings.length, ...rings.map((ring) => ring.length)];
  const packed = new Float64Array(values.length + rings.reduce((sum, ring) => sum + ring.length, 0));
  packed.set(values);
  let at = values.length;
  for (const ring of rings) {
    packed.set(ring, at);
    at += ring.length;
  }
  return new Uint8Array(packed.buffer);
}

export function unpackRings(bytes: Uint8Array): Float64Array[] {
  const values = new Float64Array(Uint8Array.from(bytes).buffer);
  let at = 1 + values[0];
  return Array.from(values.subarray(1, at), (length) => values.subarray(at, (at += length)));
}

/** Number of the street of an area and a key (cyrb53, public domain); two streets may share one. */
export function streetHash(area: number, key: string): number {
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
