/** Texts that name the crossing of two streets: `5th & Main, Nashville`, `18 de Julio esquina Ejido`, `угол Мира и Ленина`. */
import words from './dictionaries/crossings.json' with { type: 'json' };
import { entriesOf } from './word-lists.ts';

/** The streets of a crossing, and the rest of the text. */
export type CrossingText = { one: string; other: string; rest: string };

/** Maximum number of connectors; a text with more is a list. */
const maxJoins = 4;
const [signs, letters] = [entriesOf({ signs: words.between.signs }), entriesOf({ ...words.between, signs: '' })];
const connectors = letters.filter((word) => word !== '').join('|');
const join = new RegExp(
  String.raw`\s*[${signs.join('')}]\s*|\s+/\s+|(?<=\p{L}{2})/(?=\p{L}{2})|\s+(?:(?:${connectors})\.?\s+)+`,
  'giu',
);
const before = new RegExp(String.raw`^\s*(?:${entriesOf(words.before).join('|')})\s+`, 'iu');

/** The ways to split a text into two streets and their settlement; empty for most texts. */
export function crossingsIn(text: string): CrossingText[] {
  const joins = [...text.matchAll(join)];
  if (joins.length > maxJoins) return [];
  return joins.flatMap(({ index, 0: { length } }) => {
    const from = text.lastIndexOf(',', index) + 1;
    const comma = text.indexOf(',', index + length);
    const to = comma < 0 ? text.length : comma;
    const one = text.slice(from, index).replace(before, '').trim();
    const other = text.slice(index + length, to).trim();
    const rest = `${text.slice(0, from)} ${text.slice(to + 1)}`.trim();
    return /[\p{L}\p{N}]/u.test(one) && /\p{L}/u.test(other + one) ? [{ one, other, rest }] : [];
  });
}
