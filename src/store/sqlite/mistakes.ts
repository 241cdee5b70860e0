/** What the words of a text may be mistyped forms of. */
import { isTelling, type Word } from '../../core/address/words.ts';
import type { Spelling } from './spelling.ts';

/** Gives words that stand for what was typed and, with it, for everything it may be a mistyped form of. */
export class Mistakes {
  readonly #files: readonly { spelling: Spelling }[];
  readonly #known = new Map<string, Word>();

  /** For the words of one query: words that were looked up are remembered. */
  constructor(files: readonly { spelling: Spelling }[]) {
    this.#files = files;
  }

  /**
   * The words of a text, in each what it may be meant to be. `street` is offered only beside a word that tells streets
   * apart: `Main Stret` means `Main Street`, but a word alone that no street has does not mean them all.
   */
  of(words: readonly Word[]): Word[] {
    return words.map((word, at) => {
      const isBesideTelling = words.some((other, position) => position !== at && isTelling(other));
      return this.#near(word, isBesideTelling);
    });
  }

  /** A word that belongs to a text of which other words tell what is meant. */
  ofOne(word: Word): Word {
    return this.#near(word, true);
  }

  #near(word: Word, alsoGeneric: boolean): Word {
    if (word.length > 1) return word;
    const key = `${alsoGeneric} ${word[0]}`;
    let near = this.#known.get(key);
    if (!near) {
      const found = this.#files.flatMap(({ spelling }) => spelling.near(word[0], { alsoGeneric }));
      near = [...new Set([...word, ...found])];
      this.#known.set(key, near);
    }
    return near;
  }
}
