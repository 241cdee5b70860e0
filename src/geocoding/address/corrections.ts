/** Corrections: the words that a mistyped word of a text may stand for. */
import { together } from '../../store/deferred.ts';
import type { Vocabulary } from '../../store/street-parts.ts';
import { isDirection, isStreetType } from '../../text/abbreviations.ts';
import { fold } from '../../text/fold.ts';
import { latin } from '../../text/latin.ts';
import { hasLetterPairs, letterPairEdits } from '../../text/letter-pairs.ts';
import type { Word } from '../../text/words.ts';

/** Shorter words are close to too many others: `nan` is one edit from `san`, which is everywhere. */
const minLetters = 4;
/** Shorter prefixes match too many words. */
const minPrefixLetters = 3;
/** Maximum number of corrections of one word, the most frequent first. */
const maxCorrections = 12;
/** The same for the beginning of a street's name. */
const maxCompletions = 200;
/** Maximum number of Latin letters in a Korean syllable. */
const maxSyllable = 5;
/**
 * Maximum number of letters, over all distinct words of a query, that are looked up; a Cyrillic or Greek letter counts
 * several times. An address has about 60. Two hundred random letters would take a tenth of a second.
 */
const maxQueryLetters = 400;
const letterPairWeight = 3;
const mistypedOrdinal = /^(\d+)[a-z]{1,4}$/;

type Searched = { readonly number: number; readonly vocabulary: Vocabulary };
export type CorrectionOptions = {
  /** Words of fewer letters are left unchanged; 4 by default. */
  letters?: number;
  /** Whether only words are corrected that no name has. */
  unknownOnly?: boolean;
};

/** Whether a word is only a street type or a direction: `street`, `north`; independent of the data. */
export const isStreetTypeOrDirection = (word: string): boolean => isStreetType(word) || isDirection(word, true);

/** Shared by the corrections of one query: the words looked up so far, and how many more letters may be. */
export class CorrectionBudget {
  readonly cached = new Map<string, Word>();
  /** Words, and whether a name of some part has them. */
  readonly known = new Map<string, boolean>();
  readonly #taken = new Set<string>();
  #lettersLeft = maxQueryLetters;

  /** Whether a word may be looked up; if so, its letters are deducted, once per `key`. */
  take(key: string, letters: number): boolean {
    if (this.#taken.has(key)) return true;
    if (letters > this.#lettersLeft) return false;
    this.#lettersLeft -= letters;
    this.#taken.add(key);
    return true;
  }
}

/** Expands typed words by the words that they may be mistyped forms of. */
export class Corrections {
  readonly #parts: readonly Searched[];
  readonly #minLetters: number;
  readonly #unknownOnly: boolean;
  readonly #budget: CorrectionBudget;
  /** The parts whose words are offered: those that may have all words of the text. */
  #asked: readonly Searched[];
  #hasLetterPairs = false;
  /** Words of a Korean text in Latin letters, each with those of its syllables. */
  #syllables: ReadonlyMap<string, readonly string[]> = new Map();

  /** Corrects the words of one query. */
  constructor(
    parts: readonly Searched[],
    budget = new CorrectionBudget(),
    { letters = minLetters, unknownOnly = false }: CorrectionOptions = {},
  ) {
    this.#parts = parts;
    this.#asked = parts;
    this.#budget = budget;
    this.#minLetters = letters;
    this.#unknownOnly = unknownOnly;
  }

  /**
   * The words of a text, each with its corrections; a single one is corrected to no street type, which is in all names. If the
   * text ends in a letter, the last word may also be a prefix.
   */
  of(words: readonly Word[], text: string): Word[] {
    this.#hasLetterPairs = hasLetterPairs(text);
    // Korean names are one word, whose last syllable is the street type.
    this.#syllables = koreanSyllables(text);
    const isKorean = this.#syllables.size > 0;
    const isPrefix = /\p{L}\s*$/u.test(text);
    together(words, (word) => this.#isLeft(word));
    if (!this.#hasLetterPairs && !isKorean) this.#askOnlyMatching(words, isPrefix);
    return together(words, (word, at) => {
      const mayBegin = (isKorean || (isPrefix && at === words.length - 1)) && !this.#isLeft(word);
      const lookUps = [() => this.ofWord(word, words.length > 1), () => (mayBegin ? this.#completions(word[0]) : [])];
      const [similar, completions] = together(lookUps, (lookUp) => lookUp());
      return completions.length > 0 ? [...new Set([...similar, ...completions])] : similar;
    });
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
    if (typed.length >= minPrefixLetters) this.#askOnlyMatching(words, true);
    const completions = this.#cached(
      `completed ${withStreetTypes} ${typed}`,
      [],
      ({ vocabulary }) =>
        vocabulary.withPrefix(typed).filter(([word]) => withStreetTypes || !isStreetTypeOrDirection(word)),
      maxCompletions,
    );
    return completions.length > 0 ? words.with(-1, [...words[words.length - 1], ...completions]) : undefined;
  }

  /** Excludes parts without any form of one of the words: they have no answer to the text. */
  #askOnlyMatching(words: readonly Word[], isLastPrefix: boolean): void {
    if (this.#parts.length === 1) return;
    const mayHaveForm = (vocabulary: Vocabulary, word: Word, isPrefix: boolean) =>
      word.some((spelling) => mistypedOrdinal.test(spelling) || vocabulary.mayHaveSimilar(spelling, isPrefix));
    const left = words.filter((word) => this.#isLeft(word));
    this.#asked = this.#parts.filter(
      ({ vocabulary }) =>
        left.every(([typed]) => vocabulary.mayHave(typed)) &&
        words.every(
          (word, at) => left.includes(word) || mayHaveForm(vocabulary, word, isLastPrefix && at === words.length - 1),
        ),
    );
  }

  /** Whether a word is not corrected, as some name has it. */
  #isLeft([typed, ...others]: Word): boolean {
    if (!this.#unknownOnly || others.length > 0) return false;
    const { known } = this.#budget;
    let isKnown = known.get(typed);
    if (isKnown === undefined) {
      isKnown = this.#parts.some(({ vocabulary }) => vocabulary.count(typed) > 0);
      known.set(typed, isKnown);
    }
    return isKnown;
  }

  /** Words with a typed prefix, street types left out. */
  #completions(typed: string): Word {
    if (typed.length < minPrefixLetters) return [];
    return this.#cached(`prefix ${typed}`, [], ({ vocabulary }) =>
      vocabulary.withPrefix(typed).filter(([word]) => !isStreetTypeOrDirection(word)),
    );
  }

  /** A word with its corrections. */
  ofWord(word: Word, withStreetTypes = true): Word {
    if (word.length > 1 || this.#isLeft(word)) return word;
    const [typed] = word;
    const ordinal = mistypedOrdinal.exec(typed);
    if (ordinal) return [typed, ordinal[1]];
    if (typed.length < this.#minLetters) return word;
    const [key, weight] = this.#hasLetterPairs
      ? [`pairs ${withStreetTypes} ${typed}`, letterPairWeight]
      : [`${withStreetTypes} ${typed}`, 1];
    if (!this.#budget.take(key, typed.length * weight)) return word;
    return this.#cached(key, word, ({ vocabulary }) =>
      this.#edited(vocabulary, typed).filter(([edited]) => withStreetTypes || !isStreetTypeOrDirection(edited)),
    );
  }

  #edited(vocabulary: Vocabulary, typed: string): [word: string, records: number][] {
    const found = new Map(vocabulary.oneEdit(typed));
    const pairs = this.#hasLetterPairs ? [...letterPairEdits(typed)] : [];
    const counts = together(pairs, (edited) => (edited === typed ? 0 : vocabulary.count(edited)));
    for (const [at, edited] of pairs.entries()) if (counts[at] > 0) found.set(edited, counts[at]);
    for (const [word, records] of syllableEdits(vocabulary, this.#syllables.get(typed) ?? [])) found.set(word, records);
    return [...found];
  }

  #cached(
    key: string,
    typed: Word,
    lookUp: (part: Searched) => [word: string, records: number][],
    limit = maxCorrections,
  ): Word {
    const isWhole = this.#asked.length === this.#parts.length;
    const cacheKey = isWhole ? key : `${this.#asked.map(({ number }) => number)} ${key}`;
    let words = this.#budget.cached.get(cacheKey);
    if (!words) {
      const corrections = together(this.#asked, (part) => commonest(lookUp(part), limit));
      words = [...new Set([...typed, ...corrections.flat()])];
      this.#budget.cached.set(cacheKey, words);
    }
    return words;
  }
}

/** The words of a text that are written in syllables. */
function koreanSyllables(text: string): Map<string, string[]> {
  const words = text.match(/[\p{L}\p{N}]*\p{Script=Hangul}[\p{L}\p{N}]*/gu) ?? [];
  return new Map(
    words.map((word) => [...word].map((sign) => latin(fold(sign)))).map((signs) => [signs.join(''), signs]),
  );
}

/** Words that differ from a typed one by one syllable (two to five Latin letters), never the first. */
function syllableEdits(vocabulary: Vocabulary, signs: readonly string[]): [word: string, records: number][] {
  return signs.slice(1).flatMap((sign, before) => {
    const beginning = signs.slice(0, before + 1).join('');
    const rest = signs.slice(before + 1).join('');
    if (beginning.length < minPrefixLetters) return [];
    const isOneSyllable = (middle: number) => middle >= 0 && middle <= maxSyllable;
    return vocabulary.withPrefix(beginning).filter(([word]) => {
      // Another number is another street.
      if (digitsOf(word) !== digitsOf(signs.join(''))) return false;
      const left = word.length - beginning.length;
      return (
        (word.endsWith(rest) && isOneSyllable(left - rest.length)) ||
        (word.endsWith(rest.slice(sign.length)) && isOneSyllable(left - rest.length + sign.length))
      );
    });
  });
}

const digitsOf = (word: string) => word.replace(/\D/g, '');

function commonest(words: [word: string, records: number][], limit: number): string[] {
  const sorted = words.sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return sorted.slice(0, limit).map(([word]) => word);
}
