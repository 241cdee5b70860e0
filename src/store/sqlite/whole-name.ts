import type { Word } from '../../core/address/words.ts';

const mostSpellings = 32;

/** One term for a name as a whole, so that a name of common words is found among many longer ones. */
export function wholeName(words: readonly Word[]): string {
  return `=n${words.map(([first]) => first).join('')}`;
}

/** Such terms for every spelling of the words, the first ones where there are very many. */
export function wholeNames(words: readonly Word[]): Word {
  let names = ['=n'];
  for (const word of words) {
    names = names.flatMap((name) => word.map((spelling) => name + spelling)).slice(0, mostSpellings);
  }
  return names;
}
