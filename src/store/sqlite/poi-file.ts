/** One file of points of interest, opened. */
import type { Bounds, LatLng } from '../../core/geo.ts';
import { type PoiCategory, poiCategories } from '../../core/place-kinds.ts';
import type { MapPoi } from '../map-contract.ts';
import type { Clause, PoiPart, Vocabulary } from '../street-parts.ts';
import { type Database, openForReading, rows } from './database.ts';
import { curveAround, curveIn } from './house-block.ts';
import { matchAll } from './terms.ts';
import { openFilter, openVocabulary } from './vocabulary.ts';

type PoiColumns = [
  name: string | null,
  others: string,
  category: number,
  lat: number,
  lng: number,
  cuisine: string | null,
  source: string,
  object: string | null,
  tag: string | null,
];
/** Maximum number of pairs of words that are looked up for two clauses: more take longer than a search. */
const maxPairs = 64;
/** Of a query that returns all rows. */
const noLimit = -1;
type Row = [id: number, lat: number, lng: number];

const statementsOf = (database: Database) => ({
  matching: rows<Row>(
    database,
    'SELECT p.id, p.lat, p.lng FROM poi_terms t CROSS JOIN pois p ON p.id = t.rowid WHERE t.poi_terms MATCH ? LIMIT ?',
  ),
  ofCategory: rows<Row>(database, 'SELECT poi, lat, lng FROM kinds WHERE category = ? AND curve BETWEEN ? AND ?'),
  drawn: rows<[lat: number, lng: number, name: string | null]>(
    database,
    `SELECT k.lat, k.lng, p.name FROM kinds k CROSS JOIN pois p ON p.id = k.poi
       WHERE k.category = ? AND k.curve BETWEEN ? AND ? LIMIT ?`,
  ),
  withObject: rows<[id: number]>(database, 'SELECT id FROM pois WHERE object = ? ORDER BY id'),
  poi: rows<PoiColumns>(
    database,
    `SELECT p.name, p.others, p.category, p.lat, p.lng, p.cuisine, s.name, p.object, p.tag
       FROM pois p JOIN sources s ON s.id = p.source WHERE p.id = ?`,
  ),
});

export class PoiFile implements PoiPart {
  readonly number: number;
  readonly vocabulary: Vocabulary;
  readonly #database: Database;
  readonly #sql: ReturnType<typeof statementsOf>;
  readonly #mayHave: (hash: number) => boolean;
  readonly #mayHaveCell: (hash: number) => boolean;

  constructor(path: string, number: number) {
    this.number = number;
    this.#database = openForReading(path);
    this.#sql = statementsOf(this.#database);
    this.#mayHave = openFilter(this.#database, 'terms');
    this.#mayHaveCell = openFilter(this.#database, 'cells');
    this.vocabulary = openVocabulary(this.#database, 'pois', this.#mayHave);
  }

  mayMatch(clauses: readonly Clause[]): boolean {
    const { mayHave, mayBeBeside } = this.vocabulary;
    const words = clauses.filter((clause) => Array.isArray(clause));
    const mayBeTogether = (ones: readonly string[], others: readonly string[]) =>
      ones.length * others.length > maxPairs || ones.some((one) => others.some((other) => mayBeBeside(one, other)));
    return words.every(
      (word) => word.some(mayHave) && words.every((other) => other === word || mayBeTogether(word, other)),
    );
  }

  matching(clauses: readonly Clause[]) {
    return this.named(clauses, noLimit);
  }

  named(clauses: readonly Clause[], limit: number) {
    if (!this.mayMatch(clauses)) return [];
    const match = matchAll(clauses, this.#mayHave, this.#mayHaveCell);
    return match === undefined ? [] : this.#sql.matching(match, limit).map(pointOf);
  }

  ofCategory(category: PoiCategory, center: LatLng, radiusKm: number) {
    const number = poiCategories.indexOf(category);
    return curveAround(center, radiusKm).flatMap(([first, last]) =>
      this.#sql.ofCategory(number, first, last).map(pointOf),
    );
  }

  *poisIn(bounds: Bounds, limit: number): Generator<MapPoi> {
    for (const [first, last] of curveIn(bounds)) {
      for (const [number, category] of poiCategories.entries()) {
        for (const [lat, lng, name] of this.#sql.drawn(number, first, last, limit))
          yield { name, category, lat: lat / 1e7, lng: lng / 1e7 };
      }
    }
  }

  withObject(object: string): number[] {
    return this.#sql.withObject(object).map(([id]) => id);
  }

  poi(id: number) {
    const [columns] = this.#sql.poi(id);
    if (!columns) return undefined;
    const [name, others, category, lat, lng, cuisine, source, object, tag] = columns;
    const otherNames = others === '' ? [] : others.split('\n');
    return {
      name,
      otherNames,
      category: poiCategories[category],
      lat: lat / 1e7,
      lng: lng / 1e7,
      cuisine,
      source,
      object,
      tag,
    };
  }

  close(): void {
    this.#database.close();
  }
}

const pointOf = ([id, lat, lng]: Row) => ({ id, lat: lat / 1e7, lng: lng / 1e7 });
