import numbers from './dictionaries/number-words.json' with { type: 'json' };
import { fold } from './fold.ts';

const values: ReadonlyMap<string, number> = new Map(
  Object.values(numbers).flatMap((words) => words.split(' ').map((word, at): [string, number] => [fold(word), at + 1])),
);

/** The number that a word says, `ten` or `zwölf`; undefined for other words. */
export const numberOfWord = (word: string): number | undefined => values.get(fold(word));
