/**
 * Words within one typing mistake (a wrong, missing or extra letter, or two neighbours swapped), found by deletions:
 * two words are that near only if they, or they less one letter, have something in common (symmetric deletion, as in
 * Garbe's SymSpell). The cost depends on the length of the word, not on the number of words.
 */
import { isAbbreviation } from '../../text/abbreviations.ts';
import { isGeneric } from '../../text/words.ts';
import { type Database, rows } from './database.ts';

const shortest = 3;
/** Shorter words of a text are near too many others: `nan` is a mistake away from `san`, which is half of a map. */
const leastMistyped = 4;
/** Shorter kinds of streets are not what a word is mistyped for: `true` does not mean `rue`. */
const leastKind = 4;
/** A kind of street is what so many of the streets are called at least; `Fort` or `Point` are names in most places. */
const kindShare = 1 / 50;
const spelled = /^[a-z][a-z]*$/;
/** Offered first: the commonest. */
const mostOffered = 12;
/** Shorter beginnings of words say too little; of the words with one, so many are looked at. */
const leastBegun = 3;
const mostBegun = 512;
const begunAtOnce = 32;

/** FNV-1a over UTF-16 units, 32 bits. */
function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/**
 * A word as it is and with doubled letters single: so `strase`, and `straie` for `straße`, are near `strasse`. Not where
 * next to nothing is left: `zzzz` is not near `iii`.
 */
function forms(word: string): string[] {
  const squeezed = word.replace(/(.)\1+/g, '$1');
  return squeezed === word || squeezed.length < shortest ? [word] : [word, squeezed];
}

const mistypedOrdinal = /^(\d+)[a-z]{1,4}$/;

/** Hashes of a word's forms and of each less one of its letters. */
function deletions(word: string): Set<number> {
  const hashes = new Set<number>();
  for (const form of forms(word)) {
    hashes.add(hashOf(form));
    for (let at = 0; at < form.length; at++) hashes.add(hashOf(form.slice(0, at) + form.slice(at + 1)));
  }
  return hashes;
}

/** Fills the spelling tables from the words of a term index. */
export function writeSpelling(database: Database, termIndex: string): void {
  database.exec(`CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, ${termIndex}, row);
    CREATE TEMP TABLE deletions (hash INTEGER, word INTEGER)`);
  const addWord = database.prepare('INSERT INTO words VALUES (?, ?, ?)');
  const addDeletion = database.prepare('INSERT INTO deletions VALUES (?, ?)');
  let id = 0;
  const vocabulary = database.prepare('SELECT term, doc FROM temp.vocabulary').iterate();
  for (const { term, doc } of vocabulary as Iterable<{ term: string; doc: number }>) {
    if (term.length < shortest || !spelled.test(term)) continue;
    addWord.run(++id, term, doc);
    for (const hash of deletions(term)) addDeletion.run(hash, id);
  }
  database.exec(`INSERT INTO spelling SELECT DISTINCT hash, word FROM deletions ORDER BY hash, word;
    DROP TABLE deletions; DROP TABLE temp.vocabulary`);
}

export class Spelling {
  readonly #find: (hash: number) => [word: string, documents: number][];
  readonly #word: (id: number) => [word: string][];
  readonly #from: (id: number, limit: number) => [word: string, documents: number][];
  readonly #wordCount: number;
  readonly #leastOfKind: number;

  /** `table` is that of the records whose words are in the index. */
  constructor(database: Database, table: 'streets' | 'pois') {
    this.#find = rows(
      database,
      'SELECT w.word, w.documents FROM spelling s JOIN words w ON w.id = s.word WHERE s.hash = ?',
    );
    this.#word = rows(database, 'SELECT word FROM words WHERE id = ?');
    this.#from = rows(database, 'SELECT word, documents FROM words WHERE id >= ? ORDER BY id LIMIT ?');
    [[this.#wordCount]] = rows<[number]>(database, 'SELECT IFNULL(MAX(id), 0) FROM words')();
    const [[records]] = rows<[number | null]>(database, `SELECT MAX(id) FROM ${table}`)();
    this.#leastOfKind = (records ?? 0) * kindShare;
  }

  /** Whether a word says only what kind of thing many of the streets are, or which part of it: `street`, `north`. */
  isKind(word: string): boolean {
    if (!isGeneric([word])) return false;
    if (word.length < shortest) return true;
    const known = this.#find(hashOf(word)).find(([candidate]) => candidate === word);
    return (known?.[1] ?? 0) >= this.#leastOfKind;
  }

  /**
   * Words that a word may be a mistyped form of, the commonest first, itself left out; empty for numbers, and for words
   * of less than `least` letters, 4 unless told. Never a kind of street in short, and in full where that is asked for.
   */
  near(word: string, { alsoKinds, least = leastMistyped }: { alsoKinds: boolean; least?: number }): string[] {
    const ordinal = mistypedOrdinal.exec(word);
    if (ordinal) return [ordinal[1]];
    if (word.length < least || !spelled.test(word)) return [];
    const isMeant = (candidate: string, documents: number) => {
      if (candidate === word || !isNear(word, candidate)) return false;
      // Rare ones are names: `Polk` in San Francisco is not the Bulgarian short form of colonel.
      if (documents < this.#leastOfKind || !isGeneric([candidate])) return true;
      return alsoKinds && candidate.length >= leastKind && !isAbbreviation(candidate);
    };
    const found = new Map<string, number>();
    for (const hash of deletions(word)) {
      for (const [candidate, documents] of this.#find(hash)) {
        if (isMeant(candidate, documents)) found.set(candidate, documents);
      }
    }
    return commonest([...found]);
  }

  /** Words that begin with what was typed of one, the commonest first, kinds of streets left out. */
  begun(start: string): string[] {
    if (start.length < leastBegun || !spelled.test(start)) return [];
    const found: [string, number][] = [];
    const first = this.#firstFrom(start);
    const end = Math.min(first + mostBegun, this.#wordCount + 1);
    for (let from = first; from < end; from += begunAtOnce) {
      for (const [word, documents] of this.#from(from, begunAtOnce)) {
        if (!word.startsWith(start)) return commonest(found);
        if (word !== start && !(documents >= this.#leastOfKind && isGeneric([word]))) found.push([word, documents]);
      }
    }
    return commonest(found);
  }

  /** Identifier of the first word that is not before a text: words are numbered in their order, from 1. */
  #firstFrom(text: string): number {
    let [low, high] = [1, this.#wordCount + 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#word(middle)[0][0] < text) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function commonest(words: [word: string, documents: number][]): string[] {
  const sorted = words.sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return sorted.slice(0, mostOffered).map(([word]) => word);
}

function isNear(left: string, right: string): boolean {
  return forms(left).some((form) => forms(right).some((other) => isWithinOneMistake(form, other)));
}

/** Whether two words are equal or one mistake apart. */
export function isWithinOneMistake(left: string, right: string): boolean {
  let start = 0;
  while (start < left.length && left[start] === right[start]) start++;
  let [leftEnd, rightEnd] = [left.length, right.length];
  while (leftEnd > start && rightEnd > start && left[leftEnd - 1] === right[rightEnd - 1]) {
    leftEnd--;
    rightEnd--;
  }
  const [fromLeft, fromRight] = [leftEnd - start, rightEnd - start];
  if (fromLeft <= 1 && fromRight <= 1) return true;
  const isSwap = fromLeft === 2 && fromRight === 2;
  return isSwap && left[start] === right[start + 1] && left[start + 1] === right[start];
}
