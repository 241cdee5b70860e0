/** What the words of a text may be mistyped forms of. */
import { together } from '../../store/deferred.ts';
import type { Vocabulary } from '../../store/street-parts.ts';
import { isAbbreviation, isDirection, isStreetType } from '../../text/abbreviations.ts';
import { fold } from '../../text/fold.ts';
import { latin } from '../../text/latin.ts';
import { hasLetterPairs, letterPairEdits } from '../../text/letter-pairs.ts';
import { isCompoundEnd, isDistinctive, type Word } from '../../text/words.ts';

/** A stem so short is looked at together with the end of its compound: `lnd` says little, `lndstrasse` all. */
const shortStem = 3;
/** Shorter words of a text are near too many others: `nan` is a mistake away from `san`, which is half of a map. */
const minLetters = 4;
/** Shorter kinds of streets are not what a word is mistyped for: `true` does not mean `rue`. */
const minKindLetters = 4;
/** Shorter beginnings of words say too little. */
const minPrefixLetters = 3;
/** Offered for one word: the commonest. */
const maxOffered = 12;
/** The same for the beginning of a street's name. */
const maxCompletions = 200;
/** A Korean syllable in Latin letters. */
const maxSyllable = 5;
/**
 * Letters of all words of a query that are looked up, each once; a letter of Cyrillic or Greek counts several times. An
 * address has some 60, each looked up in one or two ways; two hundred without sense would take a tenth of a second.
 */
const maxLettersOfQuery = 400;
const weightOfPairs = 3;
const mistypedOrdinal = /^(\d+)[a-z]{1,4}$/;

type Searched = { readonly vocabulary: Vocabulary };

/** Whether a word says only what kind of street is meant, or which part of it: `street`, `north`; whatever the data hold. */
export const isStreetTypeOrDirection = (word: string): boolean => isStreetType(word) || isDirection(word, true);

/** What the corrections of one query share: the words that were looked up, and how many letters may still be. */
export class CorrectionBudget {
  readonly known = new Map<string, Word>();
  #letters = maxLettersOfQuery;

  /** Whether a word may be looked up: then its letters are taken off. */
  take(letters: number): boolean {
    if (letters > this.#letters) return false;
    this.#letters -= letters;
    return true;
  }
}

/** Gives words that stand for what was typed and, with it, for everything it may be a mistyped form of. */
export class Corrections {
  readonly #parts: readonly Searched[];
  readonly #minLetters: number;
  readonly #budget: CorrectionBudget;
  #hasLetterPairs = false;
  /** Words of a Korean text in Latin letters, each with those of its syllables. */
  #syllables: ReadonlyMap<string, readonly string[]> = new Map();

  /** For the words of one query. Words of fewer letters stay as they are. */
  constructor(parts: readonly Searched[], budget = new CorrectionBudget(), letters = minLetters) {
    this.#parts = parts;
    this.#budget = budget;
    this.#minLetters = letters;
  }

  /**
   * The words of a text, in each what it may be meant to be. `street` is offered only beside a word that tells streets
   * apart: `Main Stret` means `Main Street`, but a word alone that no street has does not mean them all; with
   * `hasKinds` beside any word, for who sees to that. The last word may also be the beginning of one where the text ends in a
   * letter.
   */
  of(words: readonly Word[], text: string, hasKinds = false): Word[] {
    this.#hasLetterPairs = hasLetterPairs(text);
    // Korean names are one word, the kind of street its last syllable.
    this.#syllables = koreanSyllables(text);
    const isKorean = this.#syllables.size > 0;
    const isPrefix = /\p{L}\s*$/u.test(text);
    const all = this.#withWholeCompounds(words);
    return together(all, (word, at) => {
      const isBesideTelling =
        (hasKinds && all.length > 1) ||
        all.some((other, position) => position !== at && (isDistinctive(other) || !isStreetTypeOrDirection(other[0])));
      const near = this.#near(word, isBesideTelling);
      if (!isKorean && (!isPrefix || at < all.length - 1)) return near;
      return [...new Set([...near, ...this.#completions(word[0])])];
    });
  }

  /**
   * The words of a text whose last one was perhaps not finished: it stands for itself and for the commonest words that
   * it begins, kinds of streets too where there are other words (`Pitt S`). Undefined where no word begins so.
   */
  completed(words: readonly Word[], text: string): Word[] | undefined {
    const [typed] = words[words.length - 1];
    if (!/[\p{L}\p{N}]\s*$/u.test(text) || /^\d/.test(typed) || (words.length === 1 && typed.length < minPrefixLetters))
      return undefined;
    const completions = this.#remembered(
      `completed ${typed}`,
      [],
      ({ vocabulary }) =>
        vocabulary.startingWith(typed).filter(([word]) => words.length > 1 || !isStreetTypeOrDirection(word)),
      maxCompletions,
    );
    return completions.length > 0 ? words.with(-1, [...words[words.length - 1], ...completions]) : undefined;
  }

  /** A word that belongs to a text of which other words tell what is meant. */
  ofOne(word: Word): Word {
    return this.#near(word, true);
  }

  /** Compounds of a short stem in one piece, where they are a mistake away from something. */
  #withWholeCompounds(words: readonly Word[]): Word[] {
    const whole: Word[] = [];
    for (let at = 0; at < words.length; at++) {
      const [stem, end] = [words[at][0], words[at + 1]?.[0]];
      const compound = stem.length === shortStem && end !== undefined && isCompoundEnd(end) ? [stem + end] : undefined;
      const near = compound && this.#near(compound, false);
      if (near && near.length > 1) {
        whole.push(near);
        at++;
      } else whole.push(words[at]);
    }
    return whole;
  }

  /** Words that begin with what was typed of one, kinds of streets left out. */
  #completions(typed: string): Word {
    if (typed.length < minPrefixLetters) return [];
    return this.#remembered(`prefix ${typed}`, [], ({ vocabulary }) =>
      vocabulary.startingWith(typed).filter(([word]) => !isStreetTypeOrDirection(word)),
    );
  }

  /** Never a kind of street in short, and in full where that is asked for. */
  #near(word: Word, hasKinds: boolean): Word {
    if (word.length > 1) return word;
    const [typed] = word;
    const ordinal = mistypedOrdinal.exec(typed);
    if (ordinal) return [typed, ordinal[1]];
    if (typed.length < this.#minLetters) return word;
    const [key, weight] = this.#hasLetterPairs
      ? [`pairs ${hasKinds} ${typed}`, weightOfPairs]
      : [`${hasKinds} ${typed}`, 1];
    if (!this.#budget.known.has(key) && !this.#budget.take(typed.length * weight)) return word;
    return this.#remembered(key, word, ({ vocabulary }) =>
      this.#edited(vocabulary, typed).filter(([candidate]) => {
        if (!isStreetTypeOrDirection(candidate)) return true;
        return hasKinds && candidate.length >= minKindLetters && !isAbbreviation(candidate);
      }),
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

  #remembered(
    key: string,
    typed: Word,
    look: (part: Searched) => [word: string, records: number][],
    most = maxOffered,
  ): Word {
    let words = this.#budget.known.get(key);
    if (!words) {
      const offered = together(this.#parts, (part) => commonest(look(part), most));
      words = [...new Set([...typed, ...offered.flat()])];
      this.#budget.known.set(key, words);
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

/** Words with a syllable more, less or another than a typed one, not the first: in Latin letters that is two to five. */
function syllableEdits(vocabulary: Vocabulary, signs: readonly string[]): [word: string, records: number][] {
  return signs.slice(1).flatMap((sign, before) => {
    const beginning = signs.slice(0, before + 1).join('');
    const rest = signs.slice(before + 1).join('');
    if (beginning.length < minPrefixLetters) return [];
    const isOneAway = (middle: number) => middle >= 0 && middle <= maxSyllable;
    return vocabulary.startingWith(beginning).filter(([word]) => {
      // Another number is another street.
      if (digitsOf(word) !== digitsOf(signs.join(''))) return false;
      const left = word.length - beginning.length;
      return (
        (word.endsWith(rest) && isOneAway(left - rest.length)) ||
        (word.endsWith(rest.slice(sign.length)) && isOneAway(left - rest.length + sign.length))
      );
    });
  });
}

const digitsOf = (word: string) => word.replace(/\D/g, '');

function commonest(words: [word: string, records: number][], most: number): string[] {
  const sorted = words.sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return sorted.slice(0, most).map(([word]) => word);
}
