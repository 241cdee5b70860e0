/** Numbers in words, as people write house numbers: `ten`, `veintiuno`, `fünfundzwanzig`. */
import { toCardinal as czech } from 'n2words/cs-CZ';
import { toCardinal as danish } from 'n2words/da-DK';
import { toCardinal as german } from 'n2words/de-DE';
import { toCardinal as british } from 'n2words/en-GB';
import { toCardinal as american } from 'n2words/en-US';
import { toCardinal as spanish } from 'n2words/es-ES';
import { toCardinal as finnish } from 'n2words/fi-FI';
import { toCardinal as french } from 'n2words/fr-FR';
import { toCardinal as italian } from 'n2words/it-IT';
import { toCardinal as norwegian } from 'n2words/nb-NO';
import { toCardinal as dutch } from 'n2words/nl-NL';
import { toCardinal as polish } from 'n2words/pl-PL';
import { toCardinal as portuguese } from 'n2words/pt-PT';
import { toCardinal as russian } from 'n2words/ru-RU';
import { toCardinal as swedish } from 'n2words/sv-SE';
import { toCardinal as turkish } from 'n2words/tr-TR';
import { toCardinal as ukrainian } from 'n2words/uk-UA';
import { fold } from './fold.ts';

const languages = [
  ...[american, british, german, french, spanish, italian, portuguese, dutch, danish, norwegian, swedish, finnish],
  ...[polish, czech, russian, ukrainian, turkish],
];
/** Larger house numbers are never written in words. */
const maxNumber = 299;
/** `deux cent quatre-vingt-dix-sept` has the most words. */
const maxWords = 6;

let known: Map<string, number> | undefined;

/** The number spelled by folded words; the table is built on first use, as most texts have digits. */
function numberOf(words: string): number | undefined {
  known ??= new Map(
    languages.flatMap((spelled) =>
      Array.from({ length: maxNumber }, (_, at): [string, number] => [fold(spelled(at + 1)), at + 1]),
    ),
  );
  return known.get(words);
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
