/** What people write before a postal code: a word for it, or the sign of its country. */
import words from './dictionaries/postal-words.json' with { type: 'json' };

const signs: Readonly<Record<string, string>> = words.countries;
/** Words for a code and the countries (alpha-2) where it is the word, longer ones first: `zip code` has `zip` in it. */
const labels = Object.entries(words.labels)
  .flatMap(([countries, entries]) => entries.map((entry) => ({ countries: countries.split(' '), entry })))
  .sort((left, right) => right.entry.length - left.entry.length);
const label = new RegExp(
  `(?<!\\p{L})(${labels.map(({ entry }) => entry.replaceAll('.', '\\.')).join('|')})[:.]?\\s*(?=\\p{L}{0,3}[-–]?\\d)`,
  'iu',
);
/** `D-80331`, `CH 8001`; a single letter before a number with a blank may be anything. */
const sign = /(?<![\p{L}\p{N}])(?:([A-Za-z]{1,3})[-–]\s?|([A-Z]{2,3}) )(?=\d[\d -]{2,}(?!\p{L}))/u;

/**
 * A text without what announces its postal code, and the countries (alpha-2) that this is usual in, likeliest first;
 * `otherwise` is what to read where those have no such code: a code of Denmark is not one of another country.
 */
export function announcedCode(typed: string): { text: string; countries: readonly string[]; otherwise: string } {
  const named = label.exec(typed)?.[1].toLowerCase();
  const text = named === undefined ? typed : typed.replace(label, '');
  const [found, beforeHyphen, beforeBlank] = sign.exec(text) ?? [];
  const letters = (beforeHyphen ?? beforeBlank)?.toUpperCase();
  const country = letters && (signs[letters] ?? (letters.length === 2 ? letters : undefined));
  if (country) return { text: text.replace(found!, ''), countries: [country], otherwise: typed };
  const ofLabel = labels.find(({ entry }) => entry === named)?.countries ?? [];
  return { text, countries: ofLabel.filter((each) => each !== ''), otherwise: text };
}
