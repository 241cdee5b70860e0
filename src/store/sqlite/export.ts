/** The rows of the street-level files, for filling another engine. */
import type { LatLng } from '../../core/geo.ts';
import { type Database, openForReading, rows, type Value } from './database.ts';
import { verticesOf } from './house-block.ts';
import { cellNames } from './street-groups.ts';
import { classesOf, recordsOf, sourcesOf } from './vocabulary.ts';

type ExportedArea = { id: number; city: string | null; admin1: string | null; country: string; words: string };

/** A street as the file has it; `lat`, `lng` in 1e-7 degrees, names and postal codes a line each. */
export type ExportedStreet = {
  id: number;
  names: string;
  area: number;
  postcodes: string;
  lat: number;
  lng: number;
  highway: string | null;
  source: number;
  stretches: string | null;
  lines: Uint8Array | null;
  /** As the table has them. */
  objects: string | null;
  blocks: { first: number; block: Uint8Array }[];
};
export type ExportedPoi = {
  id: number;
  name: string | null;
  others: string;
  category: number;
  lat: number;
  lng: number;
  cuisine: string | null;
  source: number;
  object: string | null;
  tag: string | null;
};
export type ExportedWord = [word: string, records: number];

export type StreetExport = ReturnType<typeof exportStreets>;
export type PoiExport = ReturnType<typeof exportPois>;

/** The streets of a file. */
export function exportStreets(path: string) {
  const database = openForReading(path);
  const all = <T>(sql: string) => database.prepare(sql).all() as unknown as T[];
  const blocksOf = rows<[number, Uint8Array]>(
    database,
    'SELECT first, block FROM houses WHERE street = ? ORDER BY first',
  );
  return {
    ...exported(database, 'streets'),
    /** The first identifier of each prominence class. */
    classes: classesOf(database),
    areas: all<ExportedArea>('SELECT id, city, admin1, country, terms AS words FROM areas ORDER BY id'),
    *streets(): Iterable<ExportedStreet> {
      const streets = database.prepare('SELECT * FROM streets ORDER BY id').iterate() as unknown as Iterable<
        Omit<ExportedStreet, 'blocks'>
      >;
      for (const street of streets)
        yield { ...street, blocks: blocksOf(street.id).map(([first, block]) => ({ first, block })) };
    },
  };
}

/** The points of a file. */
export function exportPois(path: string) {
  const database = openForReading(path);
  return {
    ...exported(database, 'pois'),
    pois: () => database.prepare('SELECT * FROM pois ORDER BY id').iterate() as unknown as Iterable<ExportedPoi>,
  };
}

/** What files of both kinds have; `records` is the number of streets or points. */
const exported = (database: Database, table: 'streets' | 'pois') => ({
  records: recordsOf(database, table),
  sources: sourcesOf(database),
  *words(): Iterable<ExportedWord> {
    const words = database.prepare('SELECT word, documents FROM words ORDER BY word').iterate();
    for (const { word, documents } of words as Iterable<Record<string, Value>>)
      yield [word as string, documents as number];
  },
  close: () => database.close(),
});

/** Search cells of a street: of its vertices, and of its houses where only these are known. */
export function cellsOf(
  { lat, lng, highway, lines }: Pick<ExportedStreet, 'lat' | 'lng' | 'highway' | 'lines'>,
  houses: readonly LatLng[],
): string[] {
  const middle = { lat: lat / 1e7, lng: lng / 1e7 };
  const vertices = lines ? verticesOf(lines) : [];
  // Lines derived from houses have a vertex for some of them only.
  const places = new Set(highway === null ? houses.map(placeOf) : []);
  const isOfHouses = highway === null && vertices.every((vertex) => places.has(placeOf(vertex)));
  return cellNames([middle, ...(isOfHouses ? houses : vertices)]);
}

/** A position to the precision of houses. */
const placeOf = ({ lat, lng }: LatLng) => `${Math.round(lat * 1e6)} ${Math.round(lng * 1e6)}`;
