/** Numbers in words, as people write house numbers: `ten`, `veintiuno`, `fünfundzwanzig`. */
import { createRequire } from 'node:module';
import { fold } from './fold.ts';

const languages =
  'en-US en-GB de-DE fr-FR es-ES it-IT pt-PT nl-NL da-DK nb-NO sv-SE fi-FI pl-PL cs-CZ ru-RU uk-UA tr-TR'.split(' ');
/** Larger house numbers are never written in words. */
const maxNumber = 299;
/** `deux cent quatre-vingt-dix-sept` has the most words. */
const maxWords = 6;

let known: Map<string, number> | undefined;

/** The number spelled by folded words; the table is built on first use, as most texts have digits. */
function numberOf(words: string): number | undefined {
  known ??= new Map(languages.flatMap(numbersIn));
  return known.get(words);
}

/** Loaded with the table: a start without the code of the languages takes 7 MB less. */
const require = createRequire(import.meta.url);

function numbersIn(language: string): [string, number][] {
  const { toCardinal }: typeof import('n2words/de-DE') = require(`n2words/${language}`);
  return Array.from({ length: maxNumber }, (_, at) => [fold(toCardinal(at + 1)), at + 1]);
}

/** A number in words and its position in a text. */
export type SpelledNumber = { value: number; from: number; to: number };

/** The longest numbers in words at the start and end of a text, if something else remains. */
export function spelledNumbers(text: string): SpelledNumber[] {
  const words = [...text.matchAll(/[\p{L}\p{N}]+/gu)];
  const longestRun = (runOf: (count: number) => typeof words): SpelledNumber[] => {
    for (let count = Math.min(maxWords, words.length - 1); count > 0; count--) {
      const run = runOf(count);
      const value = numberOf(fold(run.map(([word]) => word).join(' ')));
      const last = run[run.length - 1];
      if (value !== undefined) return [{ value, from: run[0].index, to: last.index + last[0].length }];
    }
    return [];
  };
  return [...longestRun((count) => words.slice(0, count)), ...longestRun((count) => words.slice(-count))];
}
