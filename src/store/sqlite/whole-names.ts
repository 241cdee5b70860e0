/**
 * The first streets of each name that many streets have. A look-up takes a quarter of the time of the search index, which
 * costs the same however few streets a part has: twenty parts are asked for the same name.
 */
import { ProtobufReader } from '../../core/protobuf-reader.ts';
import { ByteWriter } from './bytes.ts';
import { type Database, rows } from './database.ts';
import { wholeNameTerm } from './word-triples.ts';

/** Rarer names are in few parts. */
const minStreets = 8;
/** Number of streets kept of a name: as many as ten parts, or one part for an address, are asked for. */
const maxStreets = 64;

/** Streets in the order of their identifiers; `isComplete` if there are no others. */
export type Named = { ids: readonly number[]; isComplete: boolean };

/** Fills the table from the search index. */
export function writeWholeNames(database: Database): void {
  database.exec('CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, street_terms, row)');
  const prefix = wholeNameTerm('');
  const names = rows<[string]>(
    database,
    `SELECT term FROM temp.vocabulary WHERE term >= '${prefix}' AND term < '${prefix}\u{10ffff}' AND doc >= ${minStreets}`,
  )();
  database.exec('DROP TABLE temp.vocabulary');
  const find = rows<[number]>(
    database,
    `SELECT rowid FROM street_terms WHERE street_terms MATCH ? LIMIT ${maxStreets}`,
  );
  const add = database.prepare('INSERT INTO whole_names VALUES (?, ?)');
  const bytes = new ByteWriter();
  for (const [term] of names) {
    let before = 0;
    for (const [id] of find(`"${term}"`)) {
      bytes.writeVarint(id - before);
      before = id;
    }
    add.run(term.slice(prefix.length), bytes.take());
  }
}

/** The first streets of a name, at most `limit`; undefined where it is not in the table. */
export function openWholeNames(database: Database): (name: string, limit: number) => Named | undefined {
  const read = rows<[Uint8Array]>(database, 'SELECT streets FROM whole_names WHERE name = ?');
  return (name, limit) => {
    const [found] = read(name);
    if (!found) return undefined;
    const bytes = new ProtobufReader(found[0]);
    const ids: number[] = [];
    for (let id = 0; !bytes.isAtEnd && ids.length < limit; ids.push(id)) id += bytes.varint();
    return { ids, isComplete: bytes.isAtEnd && ids.length < maxStreets };
  };
}

/** The first streets of several names, at most `limit`; undefined where too few of a name are known for that. */
export function firstOf(lists: readonly Named[], limit: number): number[] | undefined {
  if (lists.length === 1) {
    const [{ ids, isComplete }] = lists;
    return isComplete || ids.length >= limit ? ids.slice(0, limit) : undefined;
  }
  // Behind the last known street of a name there may be others, before those of the other names.
  let last = Number.POSITIVE_INFINITY;
  for (const { ids, isComplete } of lists) if (!isComplete) last = Math.min(last, ids[ids.length - 1]);
  const ids = [...new Set(lists.flatMap(({ ids }) => ids))].sort((a, b) => a - b);
  const known = ids.filter((id) => id <= last);
  return known.length >= limit || last === Number.POSITIVE_INFINITY ? known.slice(0, limit) : undefined;
}
