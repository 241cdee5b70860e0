/**
 * Writes a file of points of interest: rows in the order of a space-filling curve, so that neighbours are stored
 * together.
 */

import { cellsAt } from '../../core/geo.ts';
import { poiCategories } from '../../core/place-kinds.ts';
import type { Drop, PoiRecord } from '../../core/source-records.ts';
import { cuisinesOf } from '../../text/word-lists.ts';
import { nameWords } from '../../text/words.ts';
import { DistinctHashes } from './bytes.ts';
import { createForWriting, type Database, finishWriting } from './database.ts';
import type { ExportedPoi } from './export.ts';
import { curveAt } from './house-block.ts';
import { optimizeTerms, poiSchema } from './schema.ts';
import { TermFilter } from './term-filter.ts';
import { categoryTerm, cuisineTerm } from './terms.ts';
import { besideHash, writeVocabulary } from './vocabulary.ts';

/** Maximum number of words beside others for a filter of these. */
const maxBeside = 2 ** 24;

/** Writes the file of points at a path. */
export function poiWriter(path: string, dropped: Drop) {
  const sources: string[] = [];
  const database = createForWriting(path, poiSchema);
  database.exec(`CREATE TEMP TABLE waiting (
    curve INTEGER, name TEXT, others TEXT, category INTEGER, lat INTEGER, lng INTEGER, cuisine TEXT, source INTEGER,
    object TEXT, tag TEXT)`);
  const statement = database.prepare('INSERT INTO waiting VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');

  return {
    source(name: string): number {
      const known = sources.indexOf(name);
      return known >= 0 ? known : sources.push(name) - 1;
    },
    add(pois: readonly PoiRecord[], source: number): void {
      for (const { name, otherNames, category, lat, lng, cuisine, sourceId = null, tag = null } of pois) {
        const [y, x] = [Math.round(lat * 1e7), Math.round(lng * 1e7)];
        const others = otherNames?.join('\n') ?? '';
        const at = poiCategories.indexOf(category);
        statement.run(curveAt({ lat, lng }), name ?? null, others, at, y, x, cuisine ?? null, source, sourceId, tag);
      }
    },
    /** Writes the file and returns the number of its points. */
    finish(progress: (share: number) => void): number {
      const addSource = database.prepare('INSERT INTO sources VALUES (?, ?)');
      for (const [id, name] of sources.entries()) addSource.run(id, name);
      // Overlapping extracts share objects.
      database.exec(`INSERT INTO pois
        SELECT NULL, name, others, category, lat, lng, cuisine, min(source),
          CASE WHEN max(tag) IS NULL THEN NULL ELSE object END, max(tag) FROM waiting
        GROUP BY curve, name, category, lat, lng, others, cuisine, object
        ORDER BY curve, name, category, lat, lng, object`);
      const { waiting, kept } = database
        .prepare('SELECT (SELECT count(*) FROM waiting) waiting, (SELECT count(*) FROM pois) kept')
        .get() as { waiting: number; kept: number };
      if (waiting > kept) dropped('duplicate point of interest', waiting - kept);
      const beside = writeTerms(database, (id) => progress(id / kept));
      database.function('curve', (lat, lng) => curveAt({ lat: Number(lat) / 1e7, lng: Number(lng) / 1e7 }));
      database.exec(`INSERT INTO kinds SELECT category, curve(lat, lng) AS place, id, lat, lng FROM pois
        ORDER BY category, place, id`);
      database.exec(`DROP TABLE waiting; ${optimizeTerms('poi_terms')}`);
      writeVocabulary(database, 'poi_terms');
      if (beside.length <= maxBeside)
        database.prepare('INSERT INTO filters VALUES (?, ?)').run('beside', TermFilter.of(beside.distinct()).bytes);
      finishWriting(database, path);
      return kept;
    },
    /** Closes the file, whether writing finished or failed. */
    close(): void {
      if (database.isOpen) database.close();
    },
  };
}

/** The terms of a point, except its cell; `category` is an index in poiCategories. */
export function poiTerms(poi: { names: readonly string[]; category: number; cuisine: string | null }): Set<string> {
  const terms = new Set([categoryTerm(poiCategories[poi.category])]);
  for (const name of poi.names) for (const word of nameWords(name)) for (const spelling of word) terms.add(spelling);
  for (const kind of cuisinesOf(poi.cuisine ?? '')) terms.add(cuisineTerm(kind));
  return terms;
}

/** Fills the search index. Returns the words of names beside others of these. */
function writeTerms(database: Database, progress: (id: number) => void): DistinctHashes {
  const beside = new DistinctHashes();
  const addTerms = database.prepare('INSERT INTO poi_terms (rowid, terms) VALUES (?, ?)');
  const all = database.prepare('SELECT id, name, others, category, lat, lng, cuisine FROM pois ORDER BY id').iterate();
  for (const { id, name, others, category, lat, lng, cuisine } of all as Iterable<ExportedPoi>) {
    const terms = poiTerms({ names: [name ?? '', ...others.split('\n')], category, cuisine });
    addTerms.run(id, [...terms, ...cellsAt({ lat: lat / 1e7, lng: lng / 1e7 })].join(' '));
    for (const word of beside.length > maxBeside ? [] : terms) {
      for (const other of terms) {
        const hash = other === word ? undefined : besideHash(word, other);
        if (hash !== undefined) beside.push(hash);
      }
    }
    if (id % 1000 === 0) progress(id);
  }
  return beside;
}
