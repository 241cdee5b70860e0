/** The valid rows of a file and its file of changes, and the words of both. */
import type { Vocabulary } from '../street-parts.ts';
import { openForReading, rows } from './database.ts';

export type ChangedRows = {
  /** Whether a row of the first file no longer counts. */
  isReplaced(id: number): boolean;
  /** Whether a row is that of the second file. */
  isChanged(id: number): boolean;
  vocabulary: Vocabulary;
};

const maxStarting = 512;

/** Opens the changes at a path. */
export function openChangedRows(
  path: string,
  table: 'streets' | 'pois',
  before: Vocabulary,
  changes: Vocabulary,
): ChangedRows {
  const database = openForReading(path);
  try {
    const ids = (sql: string) => Float64Array.from(rows<[number]>(database, sql)(), ([id]) => id);
    const replaced = ids('SELECT id FROM replaced ORDER BY id');
    const changed = ids(`SELECT id FROM ${table} ORDER BY id`);
    const lost = new Map(rows<[string, number]>(database, 'SELECT word, records FROM lost')());
    return {
      isReplaced: (id) => holds(replaced, id),
      isChanged: (id) => holds(changed, id),
      vocabulary: together(before, changes, lost, replaced.length),
    };
  } finally {
    database.close();
  }
}

function holds(sorted: Float64Array, id: number): boolean {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle] < id) low = middle + 1;
    else high = middle;
  }
  return sorted[low] === id;
}

function together(
  before: Vocabulary,
  changes: Vocabulary,
  lost: ReadonlyMap<string, number>,
  gone: number,
): Vocabulary {
  const count = (word: string) => before.count(word) - (lost.get(word) ?? 0) + changes.count(word);
  const withCounts = (words: Iterable<string>) =>
    [...new Set(words)].map((word): [string, number] => [word, count(word)]).filter(([, records]) => records > 0);
  return {
    records: before.records - gone + changes.records,
    count,
    mayHave: (word) => before.mayHave(word) || changes.mayHave(word),
    mayHaveSimilar: (word, isPrefix) => before.mayHaveSimilar(word, isPrefix) || changes.mayHaveSimilar(word, isPrefix),
    mayBePrefix: (text) => before.mayBePrefix(text) || changes.mayBePrefix(text),
    oneEdit: (word) => withCounts([...before.oneEdit(word), ...changes.oneEdit(word)].map(([each]) => each)),
    withPrefix(text) {
      const words = [...before.withPrefix(text), ...changes.withPrefix(text)].map(([word]) => word);
      return withCounts(words.sort()).slice(0, maxStarting);
    },
  };
}
