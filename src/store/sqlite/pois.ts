/** Points of interest around a position. */

import { distanceKm, type LatLng } from '../../core/geo.ts';
import { cellsAround } from '../../core/geo-cells.ts';
import { type PoiCategory, poiCategories } from '../../core/poi-category.ts';
import { queryWords, type Word } from '../../text/words.ts';
import type { Poi, Pois } from '../address-contract.ts';
import { curveAround } from './curve.ts';
import { type Database, openForReading, rows } from './database.ts';
import { identifierOf } from './identifiers.ts';
import { Mistakes } from './mistakes.ts';
import { cuisineTerms, kindTerm } from './poi-terms.ts';
import { Spelling } from './spelling.ts';
import { matchAll } from './terms.ts';

/** The first circle that is searched; then larger ones until enough is found. */
const firstCircleKm = 0.5;
/** A circle grows to one that would hold this many times what is wanted were points spread evenly, by 1.5 to 4 times. */
const hoped = 1.5;

type Row = [id: number, lat: number, lng: number];
type Facts = [name: string | null, category: number, cuisine: string | null];

export class PoiFile {
  readonly spelling: Spelling;
  readonly #database: Database;
  readonly #ofKind: (category: number, first: number, last: number) => Row[];
  /** Points that a term query matches. */
  readonly matching: (match: string) => Row[];
  readonly facts: (id: number) => Facts[];

  constructor(path: string) {
    this.#database = openForReading(path);
    this.spelling = new Spelling(this.#database, 'pois');
    this.matching = rows(
      this.#database,
      'SELECT p.id, p.lat, p.lng FROM poi_terms t CROSS JOIN pois p ON p.id = t.rowid WHERE t.poi_terms MATCH ?',
    );
    this.#ofKind = rows(this.#database, 'SELECT poi, lat, lng FROM kinds WHERE category = ? AND curve BETWEEN ? AND ?');
    this.facts = rows(this.#database, 'SELECT name, category, cuisine FROM pois WHERE id = ?');
  }

  /** The points of a category, a position in poiCategories, in a circle; others of it are among them. */
  ofKind(category: number, center: LatLng, radiusKm: number): Row[] {
    return curveAround(center, radiusKm).flatMap(([first, last]) => this.#ofKind(category, first, last));
  }

  close(): void {
    this.#database.close();
  }
}

export function openPois(files: readonly PoiFile[]): Pois {
  return {
    nearest(from, { radiusKm, category, name, cuisine, limit }) {
      const words = name === undefined ? [] : queryWords(name);
      const kitchens = cuisine === undefined ? [] : cuisineTerms(cuisine);
      if (name !== undefined && words.length === 0) return [];
      if (cuisine !== undefined && kitchens.length === 0) return [];
      const found = search(words);
      return found.length > 0 || name === undefined ? found : search(new Mistakes(files).of(words, name));

      /** The nearest points whose names have a word of each of these. */
      function search(named: readonly Word[]): Poi[] {
        const groups = kitchens.length > 0 ? [...named, kitchens] : named;
        for (let km = Math.min(firstCircleKm, radiusKm); ; ) {
          const found = within(km, groups);
          if (found.length >= limit || km === radiusKm) return found.slice(0, limit).map(poiOf);
          const growth = Math.sqrt((hoped * limit) / Math.max(1, found.length));
          km = Math.min(radiusKm, km * Math.min(4, Math.max(1.5, growth)));
        }
      }

      function within(km: number, groups: readonly Word[]) {
        const found: { id: number; file: number; km: number; lat: number; lng: number }[] = [];
        for (const [file, opened] of files.entries()) {
          for (const [id, y, x] of candidates(opened, from, km, groups, category)) {
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

/** Points in a circle and some around it. A category alone has an index of its own. */
function candidates(
  file: PoiFile,
  from: LatLng,
  km: number,
  groups: readonly Word[],
  category: PoiCategory | undefined,
): Row[] {
  if (category && groups.length === 0) return file.ofKind(poiCategories.indexOf(category), from, km);
  const kind = category ? [[kindTerm(category)]] : [];
  return file.matching(matchAll([...kind, ...groups, cellsAround(from, km)]));
}
