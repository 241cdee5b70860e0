/** Street and place names as words for matching: Latin letters, one spelling for each abbreviation, split compounds. */
import anyAscii from 'any-ascii';
import { fold } from '../fold.ts';
import { equivalents } from './equivalents.ts';

/** A word of a name: each spelling it may stand for, never empty. Two words are alike when they share a spelling. */
export type Word = readonly string[];

/** Small words that people leave out or mistake; they count only in a name that has no other words. */
const smallWords = new Set('de la le les du des el los las del della dei di da do das dos of the'.split(' '));

/** Second parts of compounds, as German, Dutch, the Nordic languages and Finnish build street names. */
const compoundEnds =
  'strasse str straat gasse gatan gata gaten gade platz plein plads weg vagen vegen veien vei vej laan katu tie'
    .split(' ')
    .sort((left, right) => right.length - left.length);
const shortestStem = 3;

const elision = /(?<![\p{L}\p{N}])(l|d|dell|dall|all|nell)['’‘´`]/giu;
/** `Storg. 5`, `Rathauspl.`: a compound whose end is cut to a letter or two. */
const cutCompound = /(?<=\p{L}{4})(pl|gt|g|v|k|t)\.(?=[\s,\d]|$)/giu;
/** `C.so`, `p.zza`, `b-r`: abbreviations with a mark inside. */
const markedInside = /(?<![\p{L}\p{N}])(\p{L})[.:](za|zza|zle|so|le|ta|lo|go|te|da|la|a|t)(?![\p{L}\p{N}])/giu;
const cyrillicMarked = /(?<![\p{L}\p{N}])(пр|б|кв|м|д|к)-(т|кт|д|р|л|н|с)(?![\p{L}\p{N}])/giu;
const ordinal = /^(\d+)(?:st|nd|rd|th|er|ere|eme|ieme|e)$/;
const germanLetters: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' };
const germanLetter = /[äöüøå]/g;

/** A folded word in Latin letters and digits; `''` where nothing of it is a letter or digit. */
function latin(word: string): string {
  return /^[a-z0-9]*$/.test(word)
    ? word
    : anyAscii(word)
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '');
}

/** A text as folded words in Latin letters, its abbreviations not yet looked up. */
export function plainWords(text: string): string[] {
  const marked = text
    .replace(elision, ' ')
    .replace(cutCompound, ' $1 ')
    .replace(markedInside, '$1$2')
    .replace(cyrillicMarked, '$1$2');
  return fold(marked)
    .split(' ')
    .map(latin)
    .filter((word) => word !== '');
}

const spellings = readEquivalents();

function readEquivalents(): ReadonlyMap<string, Word> {
  const found = new Map<string, Set<string>>();
  for (const group of Object.values(equivalents).join(';').split(';')) {
    const [full, ...short] = group
      .trim()
      .split(/\s+/)
      .map((word) => latin(fold(word).replaceAll(' ', '')));
    if (!found.has(full)) found.set(full, new Set([full]));
    for (const word of short) {
      const set = found.get(word) ?? new Set();
      found.set(word, set.add(full));
    }
  }
  return new Map([...found].map(([word, set]) => [word, [...set.add(word)]]));
}

/** The spellings a folded Latin word may stand for, itself among them: `T` is a street's name as well as `Torget`. */
export function spellingsOf(word: string): Word {
  const known = spellings.get(word);
  if (known) return known;
  const number = ordinal.exec(word);
  return [number ? number[1] : word];
}

/** Whether a word says only what kind of thing a name is of, or which part of it: `street`, `weg`, `north`. */
export function isGeneric(word: Word): boolean {
  return word.some((spelling) => spellings.has(spelling) || compoundEnds.includes(spelling));
}

/** A compound's two parts, undefined for other words. */
export function compoundParts(word: string): [stem: string, end: string] | undefined {
  for (const end of compoundEnds) {
    if (word.length >= end.length + shortestStem && word.endsWith(end)) return [word.slice(0, -end.length), end];
  }
  return undefined;
}

/** The words of a name or a query in order, compounds as two words, small words left out unless nothing else is there. */
export function nameWords(text: string): Word[] {
  return wordsOf(plainWords(text));
}

/** The same of words that plainWords gave. */
export function wordsOf(plain: readonly string[]): Word[] {
  const weighty = plain.filter((word) => !smallWords.has(word));
  const words: Word[] = [];
  for (const word of weighty.length > 0 ? weighty : plain) {
    const parts = spellings.has(word) ? undefined : compoundParts(word);
    if (parts) words.push([parts[0]], spellingsOf(parts[1]));
    else words.push(spellingsOf(word));
  }
  return words;
}

/** Everything a name is to be found by: all spellings, compounds whole too, and `ae` for `ä`. */
export function searchTerms(name: string): string[] {
  const terms = new Set<string>();
  const add = (text: string) => {
    for (const word of plainWords(text)) {
      if (compoundParts(word) && !spellings.has(word)) terms.add(word);
    }
    for (const word of nameWords(text)) for (const spelling of word) terms.add(spelling);
  };
  add(name);
  const lower = name.toLowerCase().normalize('NFC');
  const german = lower.replace(germanLetter, (letter) => germanLetters[letter]);
  if (german !== lower) add(german);
  return [...terms];
}

/**
 * What names of one street in one city have in common: folded, abbreviations with one meaning written out. Names that
 * might be different streets (`Avenue S`, `Avenue South`) have different keys.
 */
export function streetKey(name: string): string {
  return plainWords(name)
    .flatMap((word) => {
      const parts = spellings.has(word) ? undefined : compoundParts(word);
      return parts ? [parts[0], single(parts[1])] : [single(word)];
    })
    .join(' ');
}

function single(word: string): string {
  const others = spellingsOf(word).filter((spelling) => spelling !== word);
  return others.length === 1 && word.length > 1 ? others[0] : word;
}

/** Whether two words share a spelling. */
export function alike(left: Word, right: Word): boolean {
  return left.some((spelling) => right.includes(spelling));
}
