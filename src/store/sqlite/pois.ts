/** Points of interest around a position. */
import { queryWords, type Word } from '../../core/address/words.ts';
import { distanceKm } from '../../core/geo.ts';
import { cellsAround } from '../../core/geo-cells.ts';
import { poiCategories } from '../../core/poi-category.ts';
import type { Poi, Pois } from '../address-contract.ts';
import { type Database, openForReading, rows } from './database.ts';
import { identifierOf } from './identifiers.ts';
import { Mistakes } from './mistakes.ts';
import { cuisineTerms, kindTerm } from './poi-terms.ts';
import { Spelling } from './spelling.ts';
import { matchAll } from './terms.ts';

/** Circles that are searched one after the other until enough is found, km. */
const circlesKm = [0.4, 1, 3, 9, 25];

type Row = [id: number, lat: number, lng: number];
type Facts = [name: string, category: number, cuisine: string | null];

export class PoiFile {
  /** Undefined in files that were built before points of interest were found by mistyped names. */
  readonly spelling: Spelling | undefined;
  readonly #database: Database;
  readonly matching: (match: string) => Row[];
  readonly facts: (id: number) => Facts[];

  constructor(path: string) {
    this.#database = openForReading(path);
    const tables = rows<[string]>(this.#database, "SELECT name FROM sqlite_schema WHERE name = 'spelling'")();
    this.spelling = tables.length > 0 ? new Spelling(this.#database, 'pois') : undefined;
    this.matching = rows(
      this.#database,
      'SELECT p.id, p.lat, p.lng FROM poi_terms t CROSS JOIN pois p ON p.id = t.rowid WHERE t.poi_terms MATCH ?',
    );
    this.facts = rows(this.#database, 'SELECT name, category, cuisine FROM pois WHERE id = ?');
  }

  close(): void {
    this.#database.close();
  }
}

const hasSpelling = (file: PoiFile): file is PoiFile & { spelling: Spelling } => file.spelling !== undefined;

export function openPois(files: readonly PoiFile[]): Pois {
  return {
    nearest(from, { radiusKm, category, name, cuisine, limit }) {
      const groups: Word[] = [];
      if (category) groups.push([kindTerm(category)]);
      const words = name === undefined ? [] : queryWords(name);
      if (name !== undefined && words.length === 0) return [];
      if (cuisine !== undefined) {
        const terms = cuisineTerms(cuisine);
        if (terms.length === 0) return [];
        groups.push(terms);
      }
      const found = search(words);
      return found.length > 0 || name === undefined
        ? found
        : search(new Mistakes(files.filter(hasSpelling)).of(words, name));

      /** The nearest points whose names have a word of each of these. */
      function search(named: readonly Word[]): Poi[] {
        for (const circleKm of circlesKm.filter((km) => km < radiusKm)) {
          const found = within(circleKm, named);
          if (found.length >= limit) return found.slice(0, limit).map(poiOf);
        }
        return within(radiusKm, named).slice(0, limit).map(poiOf);
      }

      function within(km: number, named: readonly Word[]) {
        const match = matchAll([...groups, ...named, cellsAround(from, km)]);
        const found: { id: number; file: number; km: number; lat: number; lng: number }[] = [];
        for (const [file, opened] of files.entries()) {
          for (const [id, y, x] of opened.matching(match)) {
            const position = { lat: y / 1e7, lng: x / 1e7 };
            const distance = distanceKm(from, position);
            if (distance <= km) found.push({ id, file, km: distance, ...position });
          }
        }
        return found.sort((a, b) => a.km - b.km || a.id - b.id || a.file - b.file);
      }

      function poiOf({ id, file, km, lat, lng }: ReturnType<typeof within>[number]): Poi {
        const [poiName, kind, cuisines] = files[file].facts(id)[0];
        return {
          id: identifierOf(id, file),
          name: poiName,
          category: poiCategories[kind],
          lat,
          lng,
          distanceKm: km,
          cuisine: cuisines,
        };
      }
    },
  };
}
