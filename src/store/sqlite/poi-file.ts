/** One file of points of interest, opened. */
import { poiCategories } from '../../core/place-kinds.ts';
import type { Clause, PoiPart } from '../street-parts.ts';
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
  ofCategory: rows<Row>(
    database,
    'SELECT poi, lat, lng FROM kinds WHERE category = ? AND curve BETWEEN ? AND ? LIMIT ?',
  ),
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

/** Opens the file at a path; `number` is its part's. */
export function openPoiFile(path: string, number: number): PoiPart & { close(): void } {
  const database = openForReading(path);
  const sql = statementsOf(database);
  const mayHaveTerm = openFilter(database, 'terms');
  const mayHaveCell = openFilter(database, 'cells');
  const vocabulary = openVocabulary(database, 'pois', mayHaveTerm);
  const { mayHave, mayBeBeside } = vocabulary;

  function mayMatch(clauses: readonly Clause[]): boolean {
    const words = clauses.filter((clause) => Array.isArray(clause));
    const mayBeTogether = (ones: readonly string[], others: readonly string[]) =>
      ones.length * others.length > maxPairs || ones.some((one) => others.some((other) => mayBeBeside(one, other)));
    return words.every(
      (word) => word.some(mayHave) && words.every((other) => other === word || mayBeTogether(word, other)),
    );
  }

  function named(clauses: readonly Clause[], limit: number) {
    if (!mayMatch(clauses)) return [];
    const match = matchAll(clauses, mayHaveTerm, mayHaveCell);
    return match === undefined ? [] : sql.matching(match, limit).map(pointOf);
  }

  return {
    number,
    vocabulary,
    mayMatch,
    matching: (clauses, _, most = noLimit) => named(clauses, most),
    named,
    ofCategory(category, center, radiusKm, _, most = Number.POSITIVE_INFINITY) {
      const kind = poiCategories.indexOf(category);
      const found: Row[] = [];
      for (const [first, last] of curveAround(center, radiusKm)) {
        const left = most - found.length;
        if (left > 0) found.push(...sql.ofCategory(kind, first, last, Number.isFinite(left) ? left : noLimit));
      }
      return found.map(pointOf);
    },
    *poisIn(bounds, limit) {
      for (const [first, last] of curveIn(bounds)) {
        for (const [kind, category] of poiCategories.entries()) {
          for (const [lat, lng, name] of sql.drawn(kind, first, last, limit))
            yield { name, category, lat: lat / 1e7, lng: lng / 1e7 };
        }
      }
    },
    withObject: (object) => sql.withObject(object).map(([id]) => id),
    poi(id) {
      const [columns] = sql.poi(id);
      if (!columns) return undefined;
      const [name, others, kind, lat, lng, cuisine, source, object, tag] = columns;
      const otherNames = others === '' ? [] : others.split('\n');
      const facts = { cuisine, source, object, tag };
      return { name, otherNames, category: poiCategories[kind], lat: lat / 1e7, lng: lng / 1e7, ...facts };
    },
    close: () => database.close(),
  };
}

const pointOf = ([id, lat, lng]: Row) => ({ id, lat: lat / 1e7, lng: lng / 1e7 });
