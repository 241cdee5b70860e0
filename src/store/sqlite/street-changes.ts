/**
 * Changes of a file of streets, in a separate file: new and modified streets, and which of the first file are replaced.
 * Identifiers of the first file have gaps, so that new streets fit into its order.
 */
import { maxStreets } from '../identifiers.ts';
import type { Area } from './area-table.ts';
import type { ExtractBase } from './extract-base.ts';
import type { KeptStreet } from './extract-base-schema.ts';
import type { StreetFile } from './street-file.ts';
import type { StreetRow } from './street-groups.ts';
import { rankOf, StreetRowFile, termsOf } from './street-rows.ts';
import { isCorrectable } from './vocabulary.ts';

/** The replaced rows of the first file, and how many of them had each word. */
export const changesSchema = `
  CREATE TABLE replaced (id INTEGER PRIMARY KEY);
  CREATE TABLE lost (word TEXT PRIMARY KEY, records INTEGER NOT NULL) WITHOUT ROWID;`;

type Changes = { replaced: readonly KeptStreet[]; rows: readonly StreetRow[]; areas: readonly Area[] };

/** Writes the changes of an opened file of streets. */
export function writeStreetChanges(path: string, base: ExtractBase, streets: StreetFile, changes: Changes): void {
  const file = new StreetRowFile(path, streets.sources, changes.areas, changesSchema);
  try {
    for (const { id, row } of numbered(base, changes)) file.add(id, row);
    const addReplaced = file.insert('INSERT INTO replaced VALUES (?)');
    const addLost = file.insert('INSERT INTO lost VALUES (?, ?)');
    const lost = new Map<string, number>();
    for (const { id } of changes.replaced) {
      addReplaced(id);
      const { names, postcodes, area } = streets.street(id);
      for (const word of termsOf({ names, postcodes, cells: [] }, streets.area(area)))
        lost.set(word, (lost.get(word) ?? 0) + 1);
    }
    for (const [word, records] of lost) if (isCorrectable(word)) addLost(word, records);
    file.finish();
  } finally {
    file.close();
  }
}

/**
 * Rows with their identifiers, ascending: the former one of a street with the same rank; else one between those of its
 * neighbours in rank. If that gap is full, the street comes last.
 */
function numbered(base: ExtractBase, { replaced, rows, areas }: Changes): { id: number; row: StreetRow }[] {
  const former = new Map(replaced.map((street) => [`${street.area} ${street.key}`, street]));
  const ranked = rows.map((row) => ({ row, rank: rankOf(row, areas) })).sort((a, b) => a.rank - b.rank);
  const result: { id: number; row: StreetRow }[] = [];
  const taken = new Set<number>();
  const gaps = new Map<string, { before: number; after: number | undefined; rows: StreetRow[] }>();
  for (const { row, rank } of ranked) {
    const same = former.get(`${row.area} ${row.key}`);
    if (same?.rank === rank) {
      result.push({ id: same.id, row });
      continue;
    }
    const { before, after } = base.around(rank);
    const gap = gaps.get(`${before}`) ?? { before, after, rows: [] };
    gap.rows.push(row);
    gaps.set(`${before}`, gap);
  }
  const late: StreetRow[] = [];
  let last = 0;
  for (const { before, after, rows: between } of gaps.values()) {
    last = Math.max(last, before);
    const end = after ?? Math.min(maxStreets, before + between.length + 1);
    const step = (end - before) / (between.length + 1);
    for (const [at, row] of between.entries()) {
      const id = Math.floor(before + (at + 1) * step);
      if (step < 1 || id <= before || taken.has(id)) late.push(row);
      else {
        taken.add(id);
        result.push({ id, row });
      }
    }
  }
  const highest = Math.max(last, base.lastStreet(), ...result.map(({ id }) => id));
  for (const [at, row] of late.entries()) result.push({ id: highest + 1 + at, row });
  return result.sort((a, b) => a.id - b.id);
}
