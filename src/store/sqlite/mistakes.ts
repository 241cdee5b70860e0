/** What the words of a text may be mistyped forms of. */
import { isCompoundEnd, isTelling, type Word } from '../../text/words.ts';
import type { Spelling } from './spelling.ts';

/** A stem so short is looked at together with the end of its compound: `lnd` says little, `lndstrasse` all. */
const shortStem = 3;

/** Gives words that stand for what was typed and, with it, for everything it may be a mistyped form of. */
export class Mistakes {
  readonly #files: readonly { spelling: Spelling }[];
  readonly #least: number | undefined;
  readonly #known = new Map<string, Word>();

  /** For the words of one query: words that were looked up are remembered. `least` as in Spelling.near. */
  constructor(files: readonly { spelling: Spelling }[], least?: number) {
    this.#files = files;
    this.#least = least;
  }

  /**
   * The words of a text, in each what it may be meant to be. `street` is offered only beside a word that tells streets
   * apart: `Main Stret` means `Main Street`, but a word alone that no street has does not mean them all. The last word
   * may also be the beginning of one where the text ends in a letter.
   */
  of(words: readonly Word[], text: string): Word[] {
    const isBegun = /\p{L}\s*$/u.test(text);
    return this.#withWholeCompounds(words).map((word, at, all) => {
      const isBesideTelling = all.some((other, position) => position !== at && this.#isTelling(other));
      const near = this.#near(word, isBesideTelling);
      if (!isBegun || at < all.length - 1) return near;
      return [...new Set([...near, ...this.#begun(word[0])])];
    });
  }

  /** A word that belongs to a text of which other words tell what is meant. */
  ofOne(word: Word): Word {
    return this.#near(word, true);
  }

  #isTelling(word: Word): boolean {
    return isTelling(word) || !this.#files.some(({ spelling }) => spelling.isKind(word[0]));
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

  #begun(start: string): Word {
    return this.#remembered(`begun ${start}`, [], (spelling) => spelling.begun(start));
  }

  #near(word: Word, alsoKinds: boolean): Word {
    if (word.length > 1) return word;
    const options = { alsoKinds, least: this.#least };
    return this.#remembered(`${alsoKinds} ${word[0]}`, word, (spelling) => spelling.near(word[0], options));
  }

  #remembered(key: string, typed: Word, look: (spelling: Spelling) => string[]): Word {
    let words = this.#known.get(key);
    if (!words) {
      words = [...new Set([...typed, ...this.#files.flatMap(({ spelling }) => look(spelling))])];
      this.#known.set(key, words);
    }
    return words;
  }
}
