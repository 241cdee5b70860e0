/** Corrections: the words that a mistyped word of a text may stand for. */
import type { Budget } from '../../store/address-contract.ts';
import { type Answering, mayBegin, settle, type Vocabulary } from '../../store/street-parts.ts';
import { fold } from '../../text/fold.ts';
import { latin } from '../../text/scripts.ts';
import { isDirection, isStreetType, type Word } from '../../text/words.ts';
import { isSpent, prices, streetsAlone } from '../search-limits.ts';

/** Shorter words are close to too many others: `nan` is one edit from `san`, which is everywhere. */
const minLetters = 4;
/** Shorter prefixes match too many words. */
const minPrefixLetters = 3;
/** Maximum number of corrections of one word, the most frequent first. */
const maxCorrections = 12;
/** The same for the beginning of a street's name. */
const maxCompletions = 200;
/** Maximum number of Latin letters of a letter or syllable. */
const maxSign = 5;
/** A Cyrillic or Greek letter costs as much as several others. */
const signWeight = 3;
const mistypedOrdinal = /^(\d+)[a-z]{1,4}$/;

type Searched = Answering & { readonly number: number; readonly vocabulary: Vocabulary };
export type CorrectionOptions = {
  /** Words of fewer letters are left unchanged; 4 by default. */
  letters?: number;
  /** Whether only words are corrected that no name has. */
  unknownOnly?: boolean;
};

/** Whether a word is only a street type or a direction: `street`, `north`; independent of the data. */
export const isStreetTypeOrDirection = (word: string): boolean => isStreetType(word) || isDirection(word, true);

/** Expands typed words by the words that they may be mistyped forms of; of one query, as what is looked up is cached and bounded. */
export class Corrections {
  readonly #parts: readonly Searched[];
  readonly #cached = new Map<string, Word>();
  /** Words, and whether a name of some part has them. */
  readonly #known = new Map<string, boolean>();
  readonly #taken = new Set<string>();
  readonly #budget: Budget;

  constructor(parts: readonly Searched[], budget = streetsAlone()) {
    this.#parts = parts;
    this.#budget = budget;
  }

  /**
   * The words of a text, each with its corrections; a single one is corrected to no street type, which is in all names. If the
   * text ends in a letter, the last word may also be a prefix.
   */
  of(words: readonly Word[], text: string, options: CorrectionOptions = {}): Word[] {
    const signs = signsIn(text);
    const isPrefix = /\p{L}\s*$/u.test(text);
    const left = words.map((word) => this.#isLeft(word, options));
    const asked = signs.size > 0 ? this.#parts : this.#matching(words, isPrefix, left);
    return words.map((word, at) => {
      if (left[at]) return word;
      const mayBegin = isPrefix && at === words.length - 1 && word[0].length >= minPrefixLetters;
      const similar = this.#similar(word, options, words.length > 1, asked, signs);
      const completions = mayBegin ? this.#beginning(word[0], false, asked, maxCorrections) : [];
      return completions.length > 0 ? [...new Set([...similar, ...completions])] : similar;
    });
  }

  /** Corrections of one word whose context makes the meaning clear. */
  ofWord(word: Word, options: CorrectionOptions): Word {
    return this.#isLeft(word, options) ? word : this.#similar(word, {}, true, this.#parts, new Map());
  }

  /**
   * The words of a text, the last one expanded by the most frequent words that it is a prefix of, including street
   * types where there are other words (`Pitt S`) or something else says which of the many streets are meant (`Aveni` near a
   * position). Undefined where there are none.
   */
  completed(words: readonly Word[], text: string, withStreetTypes = words.length > 1): Word[] | undefined {
    const [typed] = words[words.length - 1];
    if (!/[\p{L}\p{N}]\s*$/u.test(text) || /^\d/.test(typed) || (words.length === 1 && typed.length < minPrefixLetters))
      return undefined;
    // Of one letter or two, a large vocabulary offers its first words only; street types then come from other parts.
    const isLong = typed.length >= minPrefixLetters;
    const asked = isLong ? this.#parts.filter((part) => mayBegin([part], words)) : this.#parts;
    const completions = this.#beginning(typed, withStreetTypes, asked, maxCompletions);
    return completions.length > 0 ? words.with(-1, [...words[words.length - 1], ...completions]) : undefined;
  }

  /** The parts that have some form of each word, those of `left` as it is: others have no answer to the text. */
  #matching(words: readonly Word[], isLastPrefix: boolean, left: readonly boolean[] = []): readonly Searched[] {
    return this.#parts.filter(({ vocabulary }) =>
      words.every(([typed], at) =>
        left[at]
          ? vocabulary.mayHave(typed)
          : mistypedOrdinal.test(typed) || vocabulary.mayHaveSimilar(typed, isLastPrefix && at === words.length - 1),
      ),
    );
  }

  /** Ends a round of look-ups of words. */
  settle(): void {
    settle(this.#parts);
  }

  /** Whether some name has a word. */
  knows(word: string): boolean {
    const isKnown = () => this.#parts.some(({ vocabulary }) => vocabulary.count(word) > 0);
    return this.#known.getOrInsertComputed(word, isKnown);
  }

  /** Whether a word is not corrected, as some name has it. */
  #isLeft([typed]: Word, { unknownOnly = false }: CorrectionOptions): boolean {
    return unknownOnly && this.knows(typed);
  }

  /** Words with a typed prefix. */
  #beginning(typed: string, withStreetTypes: boolean, asked: readonly Searched[], limit: number): Word {
    const lookUp = ({ vocabulary }: Searched) =>
      vocabulary.withPrefix(typed).filter(([word]) => withStreetTypes || !isStreetTypeOrDirection(word));
    return this.#found(`prefix ${withStreetTypes} ${limit} ${typed}`, [], asked, lookUp, limit);
  }

  /** A word with its corrections. */
  #similar(
    word: Word,
    { letters = minLetters }: CorrectionOptions,
    withStreetTypes: boolean,
    asked: readonly Searched[],
    signs: ReadonlyMap<string, readonly string[]>,
  ): Word {
    const [typed] = word;
    const ordinal = mistypedOrdinal.exec(typed);
    if (ordinal) return [typed, ordinal[1]];
    if (typed.length < letters) return word;
    const own = signs.get(typed) ?? [];
    const key = `${own.join('-')} ${withStreetTypes} ${typed}`;
    if (!this.#taken.has(key)) {
      if (isSpent(this.#budget)) return word;
      this.#budget.left -= typed.length * (own.length > 0 ? signWeight : 1) * prices.correctedLetter;
      this.#taken.add(key);
    }
    return this.#found(key, word, asked, ({ vocabulary }) =>
      [...new Map([...vocabulary.oneEdit(typed), ...signEdits(vocabulary, own)])].filter(
        ([edited]) => withStreetTypes || !isStreetTypeOrDirection(edited),
      ),
    );
  }

  #found(
    key: string,
    typed: Word,
    asked: readonly Searched[],
    lookUp: (part: Searched) => [word: string, records: number][],
    limit = maxCorrections,
  ): Word {
    const isWhole = asked.length === this.#parts.length;
    const cacheKey = isWhole ? key : `${asked.map(({ number }) => number)} ${key}`;
    let words = this.#cached.get(cacheKey);
    if (!words) {
      if (isSpent(this.#budget)) return typed;
      const commonestOf = (part: Searched) => {
        const found = lookUp(part);
        this.#budget.left -= found.length * prices.foundWord;
        return commonest(found, limit);
      };
      words = [...new Set([...typed, ...asked.flatMap(commonestOf)])];
      this.#cached.set(cacheKey, words);
    }
    return words;
  }
}

/** The words of a text in letters or syllables that Latin writes with several, each in the Latin letters of its signs. */
function signsIn(text: string): Map<string, string[]> {
  const words = text.match(/[\p{L}\p{N}]*[\p{Script=Hangul}\p{Script=Cyrillic}\p{Script=Greek}][\p{L}\p{N}]*/gu) ?? [];
  return new Map(
    words.map((word) => [...word].map((sign) => latin(fold(sign)))).map((signs) => [signs.join(''), signs]),
  );
}

/** Words that differ from a typed one by two swapped signs, or by one (up to five Latin letters) behind the first letters. */
function signEdits(vocabulary: Vocabulary, signs: readonly string[]): [word: string, records: number][] {
  const swapped = signs.slice(1).map((sign, at) => signs.toSpliced(at, 2, sign, signs[at]).join(''));
  const known = swapped
    .map((word): [string, number] => [word, vocabulary.count(word)])
    .filter(([, count]) => count > 0);
  const others = [...signs, ''].flatMap((sign, at) => {
    const beginning = signs.slice(0, at).join('');
    const rest = signs.slice(at).join('');
    if (beginning.length < minPrefixLetters) return [];
    const isOneSign = (middle: number) => middle >= 0 && middle <= maxSign;
    return vocabulary.withPrefix(beginning).filter(([word]) => {
      // Another number is another street.
      if (digitsOf(word) !== digitsOf(signs.join(''))) return false;
      const left = word.length - beginning.length;
      return (
        (word.endsWith(rest) && isOneSign(left - rest.length)) ||
        (word.endsWith(rest.slice(sign.length)) && isOneSign(left - rest.length + sign.length))
      );
    });
  });
  return [...known, ...others];
}

const digitsOf = (word: string) => word.replace(/\D/g, '');

function commonest(words: [word: string, records: number][], limit: number): string[] {
  const sorted = words.sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return sorted.slice(0, limit).map(([word]) => word);
}

const eastAsianLetter = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const otherLetter = /(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー])\p{L}/u;

/**
 * Whether one of these names may be meant by a text that has only the beginning of its words, or mistyped ones. The Latin
 * letters of a text in Chinese, Japanese or Korean writing are its sounds, so that they begin names that have nothing to
 * do with it: 渋谷 (segu) is not Segunda.
 */
export function mayBeginOrMistype(text: string, names: readonly string[]): boolean {
  if (!eastAsianLetter.test(text) || otherLetter.test(text)) return true;
  return names.some((name) => eastAsianLetter.test(name));
}
