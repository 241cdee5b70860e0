import { spellingsOf, type Word } from './words.ts';

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
    names = names.flatMap((name) => forms.map((form) => name + form)).slice(0, maxSpellings);
  }
  return names;
}
