/** Street and place names as words for matching: Latin letters, one spelling for each abbreviation, split compounds. */

import ends from './dictionaries/compound-ends.json' with { type: 'json' };
import directions from './dictionaries/directions.json' with { type: 'json' };
import landmarks from './dictionaries/landmarks.json' with { type: 'json' };
import spellings from './dictionaries/letter-spellings.json' with { type: 'json' };
import wordsOfNames from './dictionaries/name-words.json' with { type: 'json' };
import ordinals from './dictionaries/ordinals.json' with { type: 'json' };
import streetTypes from './dictionaries/street-types.json' with { type: 'json' };
import toponyms from './dictionaries/toponyms.json' with { type: 'json' };
import { fold } from './fold.ts';
import { latin } from './scripts.ts';
import { entriesOf, optionalWords } from './word-lists.ts';

/**
 * A token with its variants, never empty. A name's token has all spellings (`St`: st, street, saint; `Street`: street,
 * st, str), so that a query's token, which has only the typed spelling, need not be expanded. Two tokens match when
 * they share a variant.
 */
export type Word = readonly string[];

/** What `spellingsOf` and `partsOf` depend on, as a text. */
export const spellingRules = (): string => JSON.stringify([[...words().fullForms], compoundEnds]);

/** Second parts of compounds, as German, Dutch, the Nordic languages and Finnish build street names. */
export const compoundEnds: readonly string[] = entriesOf(ends);
const compound = new RegExp(`^(.{3,})(${compoundEnds.join('|')})$`);

/** What is written with marks or in one piece, and how it is without. */
const marks: readonly (readonly [pattern: RegExp, plain: string])[] = [
  [/(?<![\p{L}\p{N}])(l|d|dell|dall|all|nell)['’‘´`]/giu, ' '],
  // `Storg. 5`, `Rathauspl.`: a compound whose end is cut to a letter or two.
  [/(?<=\p{L}{4})(pl|gt|g|v|k|t)\.(?=[\s,\d]|$)/giu, ' $1 '],
  // `C.so`, `p.zza`, `b-r`: abbreviations with a mark inside.
  [/(?<![\p{L}\p{N}])(\p{L})[.:](za|zza|zle|so|le|ta|lo|go|te|da|la|a|t)(?![\p{L}\p{N}])/giu, '$1$2'],
  [/(?<![\p{L}\p{N}])(пр|б|кв|м|д|к)-(т|кт|д|р|л|н|с)(?![\p{L}\p{N}])/giu, '$1$2'],
  // `ซ.สุขุมวิท`, `ซอยสุขุมวิท`: Thai writes the kind of street and its name in one piece.
  [/(?<!\p{Script=Thai}\p{M}*)(ซอย|ถนน|ซ\.|ถ\.)(?=\p{Script=Thai})/gu, '$1 '],
  // `霞ヶ関`, `霞が関`; `虎ノ門`, `虎の門`: particles that are written in several ways.
  [/(?<=\p{Script=Han})[ヶケガ](?=\p{Script=Han})/gu, 'が'],
  [/(?<=\p{Script=Han})[ノ之](?=\p{Script=Han})/gu, 'の'],
];
const ordinal = /^(\d+)(?:st|nd|rd|th|er|ere|eme|ieme|e)$/;
/** What all of these have: most texts need none of them. */
const mayBeMarked = /[-.:'’‘´`\p{Script=Han}\p{Script=Thai}]/u;
/** A text as folded words in Latin letters, abbreviations not yet expanded. */
export function plainWords(text: string): string[] {
  const plain = mayBeMarked.test(text) ? marks.reduce((rest, [mark, by]) => rest.replace(mark, by), text) : text;
  return fold(plain)
    .split(' ')
    .map(latin)
    .filter((word) => word !== '');
}

/** The full forms a folded Latin word may stand for, and itself: `T` is a street's name as well as `Torget`. */
function spellingsOf(word: string): Word {
  const known = fullFormsOf(word);
  if (known) return known;
  const number = ordinal.exec(word);
  return [number ? number[1] : word];
}

/** Every spelling of a name's word, the first full form first. */
function everySpelling(word: string): Word {
  const full = spellingsOf(word);
  const all = new Set(full);
  for (const form of full) for (const short of shortFormsOf(form) ?? []) all.add(short);
  return [...all];
}

/** Whether a word is generic, a kind of thing or part of it: `street`, `weg`, `north`. */
export function isGeneric(word: Word): boolean {
  return word.some((spelling) => !/^\d/.test(spelling) && fullFormsOf(spelling) !== undefined);
}

/** Whether a word distinguishes streets well enough for a look-up: `T` in `T Street` does, `Street` does not. */
export function isDistinctive(word: Word): boolean {
  return word[0].length === 1 || !isGeneric(word);
}

/** Letters that German and the Nordic languages also write with two: `ä` as `ae`. */
const pairs: Readonly<Record<string, string>> = spellings;
const spelledOut = new RegExp(`[${Object.keys(pairs).join('')}]`, 'g');

/** A name in small letters with `ae` for `ä` and so on; undefined where that changes nothing. */
export function withLettersSpelledOut(name: string): string | undefined {
  const lower = name.toLowerCase().normalize('NFC');
  const spelled = lower.replace(spelledOut, (letter) => pairs[letter]);
  return spelled === lower ? undefined : spelled;
}

/** A compound's two parts, undefined for other words. */
function compoundParts(word: string): [stem: string, end: string] | undefined {
  const found = compound.exec(word);
  return found ? [found[1], found[2]] : undefined;
}

/** The words of a name in order, compounds as two words, optional words left out unless nothing else is there. */
export function nameWords(name: string): Word[] {
  const words = withoutOptionalWords(name).map(everySpelling);
  const german = withLettersSpelledOut(name);
  if (german === undefined) return words;
  // `Mühle` is also typed `Muehle`.
  const others = withoutOptionalWords(german).map(everySpelling);
  return others.length === words.length ? words.map((word, at) => [...new Set([...word, ...others[at]])]) : words;
}

/**
 * Maximum number of words, and of letters once folded (`ﷺ` is eighteen), of a name or address; each word costs
 * look-ups.
 */
const maxWords = 32;
const maxLetters = 400;

/**
 * The words of a query in order, as nameWords returns those of a name, but each with the one spelling that was typed.
 * Empty for a text without a letter or digit, and for one too long to be a name or an address.
 */
export function queryWords(text: string): Word[] {
  const words = withoutOptionalWords(text);
  if (isTooLong(words)) return [];
  return words.map((word) => (fullFormsOf(word) ? [word] : spellingsOf(word)));
}

/** Whether words are too many or too long to be a name or an address. */
export const isTooLong = (words: readonly string[]): boolean =>
  words.length > maxWords || words.reduce((sum, { length }) => sum + length, 0) > maxLetters;

/** All search terms of a name: its words in every spelling, and compounds joined. */
export function searchTerms(name: string): string[] {
  const terms = new Set(nameWords(name).flat());
  for (const text of [name, withLettersSpelledOut(name) ?? '']) {
    for (const word of plainWords(text)) if (partsOf(word)) terms.add(word);
  }
  return [...terms];
}

/** The words of a text, compounds as two, optional words left out unless nothing else is there. */
function withoutOptionalWords(text: string): string[] {
  const plain = plainWords(text);
  const required = plain.filter((word) => !optionalWords.has(word));
  return (required.length > 0 ? required : plain).flatMap((word) => partsOf(word) ?? [word]);
}

/** A compound's two parts, by which its names are found; undefined for other words, and for abbreviations. */
export const partsOf = (word: string) => (fullFormsOf(word) ? undefined : compoundParts(word));

/**
 * The common form of names of one street in one city: folded, unambiguous abbreviations expanded. Names that might be
 * different streets (`Avenue S`, `Avenue South`) have different keys.
 */
export function streetKey(name: string): string {
  return plainWords(name)
    .flatMap((word) => {
      const parts = partsOf(word);
      return parts ? [parts[0], single(parts[1])] : [single(word)];
    })
    .join(' ');
}

function single(word: string): string {
  const others = spellingsOf(word).filter((spelling) => spelling !== word);
  return others.length === 1 && word.length > 1 ? others[0] : word;
}

/** Whether two words share a spelling. */
export function sharesVariant(left: Word, right: Word): boolean {
  return left.some((spelling) => right.includes(spelling));
}

/** Whether two lists have the same words in order, each in some spelling. */
export const areSameWords = (left: readonly Word[], right: readonly Word[]): boolean =>
  left.length === right.length && left.every((word, at) => sharesVariant(word, right[at]));

const maxSpellings = 32;

/**
 * A term for a whole name, from the first full form of each word, so that a name of common words is found among many
 * longer ones.
 */
export function wholeName(words: readonly Word[]): string {
  return words.map(([first]) => first).join('');
}

/** Such terms for every combination of a query's variants, limited in number. */
export function wholeNames(words: readonly Word[]): Word {
  let names = [''];
  for (const word of words) {
    const forms = [...new Set(word.flatMap(spellingsOf))];
    const most = Math.ceil(maxSpellings / forms.length);
    names = names.slice(0, most).flatMap((name) => forms.map((form) => name + form));
  }
  return names.slice(0, maxSpellings);
}

/** The words of a postal code as they are typed in a text: its parts, letters and digits apart, and all in one. */
export function postcodeWords(code: string): string[] {
  const words = code.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const joined = words.join('');
  // `1614LN` is also written `1614 LN`.
  const parts = joined.match(/[a-z]+|[0-9]+/g) ?? [];
  return joined === '' ? [] : [...words, ...parts, joined];
}

/** A postal code's letters and digits, for comparison. */
export const codeKey = (code: string) => code.toLowerCase().replace(/[^a-z0-9]/g, '');

// Words that people write in more than one way, from the dictionaries: each entry is a full form and its short ones, as people write
// them. A short form may stand for several full ones (`st`: street, saint); matching tries each.

type Dictionary = Readonly<Record<string, readonly string[]>>;

/** The entries of dictionaries with each word folded, in Latin letters, full form first. */
function latinEntries(...dictionaries: readonly Dictionary[]): [full: string, ...short: string[]][] {
  return dictionaries.flatMap(entriesOf).map((entry) => {
    const [full, ...short] = entry.split(' ').map((word) => latin(fold(word).replaceAll(' ', '')));
    return [full, ...short];
  });
}

/** What the dictionaries say, read on first use: 20 ms, and the table of Latin letters with it. */
function readWords() {
  const directionEntries = latinEntries(directions).flat();
  return {
    ...readForms(),
    streetTypes: new Set(latinEntries(streetTypes).flat()),
    directions: new Set(directionEntries),
    /** Shorter ones are as often typing mistakes: `est` for `st`. */
    longDirections: new Set(directionEntries.filter(({ length }) => length > 3)),
    placeSpellings: readPlaceSpellings(),
  };
}

const noWords = () => new Set<string>();
let read: ReturnType<typeof readWords> | undefined;
const words = () => (read ??= readWords());

/** The full forms of every word, itself last; and the short forms of every full one. */
function readForms() {
  const full = new Map<string, Set<string>>();
  const short = new Map<string, Set<string>>();
  for (const [word, ...abbreviations] of latinEntries(
    streetTypes,
    landmarks,
    toponyms,
    directions,
    wordsOfNames,
    ordinals,
  )) {
    if (!full.has(word)) full.set(word, new Set([word]));
    for (const abbreviation of abbreviations) {
      full.getOrInsertComputed(abbreviation, noWords).add(word);
      short.getOrInsertComputed(word, noWords).add(abbreviation);
    }
  }
  return {
    fullForms: new Map([...full].map(([word, set]): [string, readonly string[]] => [word, [...set.add(word)]])),
    shortForms: short as ReadonlyMap<string, ReadonlySet<string>>,
  };
}

/** The full forms that a folded Latin word may stand for, itself last; undefined for words of no dictionary. */
export const fullFormsOf = (word: string): readonly string[] | undefined => words().fullForms.get(word);

/** The short forms of a full form; undefined where it has none. */
export const shortFormsOf = (word: string): ReadonlySet<string> | undefined => words().shortForms.get(word);

/** Whether a word is only the short form of others: `ave`, `str`; not `torget`, which is also written in full. */
export const isAbbreviation = (word: string): boolean => words().fullForms.has(word) && !words().shortForms.has(word);

/** Whether names often lack a word that is typed: a kind of street, a title in short, an initial. */
export const isOmissible = (word: string): boolean =>
  !isDirection(word, true) && (isStreetType(word) || isAbbreviation(word) || /^\p{L}$/u.test(word));

/** Whether a name is a number: of an area it is the code. */
export const isNumeric = (text: string): boolean => /^\d+$/.test(text);

/** Whether a folded Latin word is a street type and hardly ever a name: `street`, `ul`. */
export const isStreetType = (word: string): boolean => words().streetTypes.has(word);

/** Whether a folded Latin word is a direction: `north`, and with `includesShort` also `nw`. */
export const isDirection = (word: string, includesShort: boolean): boolean =>
  (includesShort ? words().directions : words().longDirections).has(word);

/**
 * The other ways to write a word of a place's name: `saint` for `st`, `st` and `sankt` for `saint`. Empty for words that
 * have none. Single letters stand for the long word only, never the other way: `s` is too short to begin a name.
 */
export const placeWordSpellings = (word: string): readonly string[] => words().placeSpellings.get(word) ?? [];

function readPlaceSpellings(): ReadonlyMap<string, string[]> {
  const meanings = new Map<string, string[]>();
  for (const [full, ...abbreviations] of latinEntries(toponyms, { en: directions.en })) {
    for (const short of abbreviations) meanings.set(short, [...(meanings.get(short) ?? []), full]);
  }
  const spellings = new Map<string, Set<string>>();
  for (const [short, full] of meanings) {
    spellings.set(short, new Set(full));
    for (const word of short.length > 1 ? full : [])
      for (const other of [short, ...full]) if (other !== word) spellings.getOrInsertComputed(word, noWords).add(other);
  }
  return new Map([...spellings].map(([word, others]) => [word, [...others]]));
}
