/**
 * The words that streets of a file have three together: `Station Lane, Garbator`. Twenty parts of a country have many towns of one
 * name and a common street's name in each, so that all pairs of words are there, but rarely in one street. What streets share with
 * all others of their region is left out: regions and countries have dozens of names, which would make up most triples.
 */
import { fullFormsOf, isAbbreviation } from '../../text/abbreviations.ts';
import { postcodeWords } from '../../text/postcode-words.ts';
import { wholeName } from '../../text/whole-name.ts';
import { nameWords, partsOf, spellingRules, type Word } from '../../text/words.ts';
import type { Area } from './area-table.ts';
import { HashList } from './bytes.ts';
import type { StreetRow } from './street-groups.ts';
import { pairHash, TermFilter, termHash } from './term-filter.ts';

// Names of terms that are words of a name, or a whole one.

/** The term of a name as a whole. */
export const wholeNameTerm = (name: string) => `=n${name}`;

/** Whether a term is a word that is kept with others: no number, no postal code. */
export const isPaired = (term: string): boolean => /^[a-z]/.test(term);

/** Streets with more words of their own are known by each word only: a street with names in four languages has a thousand triples. */
const maxOwnWords = 6;
/** With more hashes there is no filter, as for pairs. */
const maxHashes = 2 ** 24;
/** The filter's share of a file, and the bits of a hash below which a filter excludes too little. */
const maxShare = 0.015;
const [minBits, maxBits] = [5, 12];
const namesInMemory = 20_000;

let rules: string | undefined;
const rulesHash = () => (rules ??= termHash(spellingRules()).toString(36));
/** Names of the filters. With other dictionaries names have other words, so that a filter made with these says nothing. */
export const triplesName = () => `triples ${rulesHash()}`;
export const broadName = () => `broad ${rulesHash()}`;

/** Hash of three words in any order, by their hashes. A whole name and a word have their `pairHash`. */
export const tripleHash = (one: number, two: number, three: number): number =>
  pairHash(pairHash(one, two), three) ^ pairHash(pairHash(two, three), one) ^ pairHash(pairHash(one, three), two);
/** Hash by which a word is known of a street with too many words. */
export const manyHash = (word: number): number => pairHash(word, 0x6d616e79);

/** The words that a typed one stands for, as `ownWords` has them; undefined for one that these leave out. */
export function fullWords(typed: string): readonly string[] | undefined {
  if (!isPaired(typed) || partsOf(typed)) return undefined;
  return fullFormsOf(typed) ?? [typed];
}

/** The spellings of a word to one of which each of them leads by `fullWords`. */
function fullSpellings(word: Word): Word {
  const letters = word.filter(isPaired);
  const full = letters.filter((spelling) => !isAbbreviation(spelling));
  // `sixth` is a short form of `6`, of which no triples are kept.
  return [
    ...full,
    ...letters.filter(
      (spelling) => !fullFormsOf(spelling)?.some((form) => full.includes(form)) && !full.includes(spelling),
    ),
  ];
}

/** The words of a name, without the short forms of others, and the hash of its term as a whole. */
type Name = { words: readonly string[]; whole: number; isPair: boolean };
const known = new Map<string, Name>();

function readName(name: string): Name {
  let read = known.get(name);
  if (!read) {
    if (known.size >= namesInMemory) known.clear();
    const all = nameWords(name);
    const words = all.flatMap(fullSpellings);
    const whole = wholeName(all);
    const isPair = words.length === 2 && words[0] !== words[1] && whole === words.join('');
    read = { words, whole: termHash(wholeNameTerm(whole)), isPair };
    known.set(name, read);
  }
  return read;
}

export class WordTriples {
  readonly #hashes = new HashList();
  /** By their last bits, as most come again soon. */
  readonly #latest = new Uint32Array(2 ** 16);
  readonly #broad = new Set<number>();
  readonly #areas = new Set<object>();

  /** Adds a street by its names and its settlement. */
  add({ names, postcodes }: Pick<StreetRow, 'names' | 'postcodes'>, area: Pick<Area, 'city' | 'terms'>): void {
    if (this.#hashes.count > maxHashes) return;
    this.#addBroad(area, postcodes);
    const all = names.map(readName);
    const ofCity = readName(area.city ?? '').words;
    const words = new Set([...all.flatMap(({ words }) => words), ...ofCity]);
    const hashes = Array.from(words, termHash);
    for (const { whole } of all) for (const hash of hashes) this.#add(pairHash(whole, hash));
    // A name of two words, neither of them in its settlement's name, is kept with each other word.
    const isPair = all.length === 1 && all[0].isPair && !all[0].words.some((word) => ofCity.includes(word));
    if (hashes.length > maxOwnWords) for (const hash of hashes) this.#add(manyHash(hash));
    else
      for (const [at, one] of hashes.entries())
        for (let two = at + 1; two < hashes.length; two++)
          for (let three = isPair && two === 1 ? hashes.length : two + 1; three < hashes.length; three++)
            this.#add(tripleHash(one, hashes[two], hashes[three]));
  }

  /** Adds the words by which a street is found that are not its own: of its region and country, and letters of postal codes. */
  #addBroad(area: Pick<Area, 'city' | 'terms'>, postcodes: readonly string[]): void {
    for (const code of postcodes)
      for (const word of postcodeWords(code)) if (isPaired(word)) this.#broad.add(termHash(word));
    if (this.#areas.has(area)) return;
    this.#areas.add(area);
    const own = new Set(nameWords(area.city ?? '').flat());
    for (const term of area.terms) if (isPaired(term) && !own.has(term)) this.#broad.add(termHash(term));
  }

  #add(signed: number): void {
    const hash = signed >>> 0;
    if (this.#latest[hash & 0xffff] === hash) return;
    this.#latest[hash & 0xffff] = hash;
    this.#hashes.add(hash);
  }

  /** The filters by their names, for a file of so many bytes; none where they would be too large for it. */
  filters(fileBytes: number): [name: string, filter: TermFilter][] {
    const sorted = this.#hashes.hashes.sort();
    const distinct = sorted.filter((hash, at) => at === 0 || hash !== sorted[at - 1]);
    const bits = Math.min(maxBits, Math.floor((8 * maxShare * fileBytes) / Math.max(1, distinct.length)));
    if (this.#hashes.count > maxHashes || bits < minBits) return [];
    return [
      [triplesName(), TermFilter.of(distinct, bits)],
      [broadName(), TermFilter.of([...this.#broad])],
    ];
  }
}
