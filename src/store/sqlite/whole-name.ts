import type { Word } from '../../core/address/words.ts';

/** One term for a name as a whole, so that a name of common words is found among many longer ones. */
export function wholeName(words: readonly Word[]): string {
  return `=n${words.map(([first]) => first).join('')}`;
}
