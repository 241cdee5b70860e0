/**
 * Parts of an address beyond the house: units, floors, staircases, and what only accompanies an address: districts by
 * number, post office boxes, telephones. Split off before interpretation. The words are in dictionaries/units.json.
 */
import postalWords from './dictionaries/postal-words.json' with { type: 'json' };
import units from './dictionaries/units.json' with { type: 'json' };
import { entriesOf } from './word-lists.ts';

/** What was split off a text: the unit, and the rest that no dataset has. */
export type SplitUnit = { text: string; unit: string | undefined; others: readonly string[] };

/** The name of a unit: `4`, `4B`, `B4`, `12-3`, `No. 5`, `#5`, `4 B`; never `3/12`, of which `12` is the house. */
const value =
  "(?:n[°ºo]?[.:]\\s*|nr\\.?\\s*|#\\s*)?(?:\\p{L}{1,2}-?)?\\d{1,4}(?!\\d)[\\p{L}\\d-]{0,8}(?:\\s\\p{L}(?![\\p{L}\\p{N}.'’]))?(?![\\p{L}\\p{N}/])";
/** After a short word: a letter, or a number of up to four digits. */
const shortValue = '(?:\\p{L}?\\d{1,4}\\p{L}?|\\p{L}(?=\\s*(?:,|$)))(?![\\p{L}\\p{N}/])';
const start = '(?<![\\p{L}\\p{N}])';
const end = '(?![\\p{L}\\p{N}])';
/** After a house number, in the same part between commas or at the beginning of the next. */
const afterNumber = '(?<=\\d\\s*\\p{L}?\\s*,\\s*|\\d\\p{L}?\\s+|,\\s*)';
const afterAddress = '(?<=\\d.*\\p{L}.*\\s|\\p{L}.*\\d.*\\s)';

/** A pattern of all words of dictionaries, longer ones first; an apostrophe stands for either form. */
export const alternatives = (...dictionaries: readonly Readonly<Record<string, string | readonly string[]>>[]) =>
  [...new Set(dictionaries.flatMap(entriesOf))]
    .sort((one, other) => other.length - one.length)
    .map((entry) => entry.replaceAll('.', '\\.').replaceAll("'", "[’']").replaceAll(' ', '\\s?'))
    .join('|');

const words = alternatives(units.anywhere, units.floors);
const floors = alternatives(units.floors, units.shortFloors);
const sides = alternatives(units.sides);
const ordinals = `(?:${alternatives(units.ordinals)})`;

type Kind = 'unit' | 'other' | 'sign';
const patterns: readonly (readonly [kind: Kind, pattern: RegExp])[] = [
  // `Unit 12/345`, `Lot 3/12`: the house number is kept.
  ['unit', new RegExp(`${start}(?:${words}|lot|shop|u)\\.?\\s*\\d+\\p{L}?\\s*/\\s*(?=\\d)`, 'giu')],
  ['other', new RegExp(`${start}(?:${alternatives(units.contacts)}|☎)[.:]*\\s*[+\\d][\\d\\s()/-]{4,}\\d`, 'giu')],
  // `Canelones 1130 entre Paraguay y Río Negro`: the cross streets of its block.
  ['other', new RegExp(`(?<=\\d\\p{L}?\\s*,?\\s+)(?:${alternatives(units.between)})\\s+\\p{L}[^,]*`, 'giu')],
  ['other', new RegExp(`${start}(?:${alternatives(units.boxes)})\\.?\\s*(?:n[°ºo]?\\.?\\s*)?\\d+${end}`, 'giu')],
  ['other', new RegExp(`${start}(?:${alternatives(units.districts)})\\s?\\d{1,2}${end}`, 'giu')],
  // The number and its word: `3rd floor`, `2. OG links`, `4e étage`, `3ος όροφος`, `II piętro`; a door: `2. em. 3`.
  [
    'unit',
    new RegExp(
      `${start}(?:\\d{1,3}|[ivx]{1,4}|${alternatives(units.ordinalWords)})${ordinals}?\\.?\\s*(?:${floors})\\.?(?:\\s(?:${sides}|\\d{1,3}(?=\\s*(?:,|$))))?${end}`,
      'giu',
    ),
  ],
  ['unit', new RegExp(`${start}(?:${words})\\.?:?\\s*${value}`, 'giu')],
  // `Suite B`, `Apt. A`, `esc. A 2º C`: a letter alone.
  ['unit', new RegExp(`${start}(?:${alternatives(units.letters)})\\.?\\s*#?\\p{L}(?![\\p{L}\\p{N}'’.])`, 'giu')],
  ['unit', /(?<=\d[^,]*[\s,]\s*)(?:ste|bldg)\.?\s*#?\p{L}(?=\s*(?:,|$))/giu],
  [
    'unit',
    new RegExp(`${afterNumber}(?:${alternatives(units.afterNumber, units.shortFloors)})\\.?:?\\s*${shortValue}`, 'giu'),
  ],
  ['unit', new RegExp(`(?<=\\d.*\\p{L}.*\\s)(?:ste|rm|bldg|spc|lot|fl)\\.?\\s*${value}`, 'giu')],
  // Floor and door as Denmark, Spain and Portugal write them: `2. th`, `3º izda`, `1º B`, `2.º Dto`; `2n 1a`, `2º 1ª`.
  [
    'unit',
    new RegExp(
      `${afterNumber}${start}(?:(?:\\d{1,2}|st)(?:\\.?[ºª°]|\\.)\\.?\\s*|\\d{1,2}\\s)(?:${sides})\\.?${end}`,
      'giu',
    ),
  ],
  ['unit', /(?<=\d\s*\p{L}?\s*,?\s*)\d{1,2}\s?(?:\.?[ºª°]|[rnt])\s?\d{1,2}(?:\.?[ºª°]|a)(?![\p{L}\p{N}])/giu],
  ['unit', /(?<=\d\s*\p{L}?\s*,?\s*|\p{L}\s)\d{1,2}\s?\.?[ºª°](?:\s\p{L}(?![\p{L}\p{N}'’]))?(?![\p{L}\p{N}])/giu],
  ['unit', /(?<=\d\s*\p{L}?\s*,?\s*)d\s?:\s?\d+(?![\p{L}\p{N}])/giu],
  // A second number marked with #: `100 Main St #5`, `… #KI-13`; of `18 de Julio # 1234` the first is no house.
  ['unit', /(?<=\d(?!\d*\s+(?:de|di)\s).*\p{L}.*)\s#\s*(?:\p{L}{1,3}-?)?\d[\p{L}\d-]{0,8}(?![\p{L}\p{N}])/giu],
  // Staircase and flat as Finland writes them: `12 A 3`.
  ['unit', /(?<=\p{L}\s+\d{1,4}\s)\p{Lu}\s\d{1,3}(?=\s*(?:,|$))/gu],
  ['unit', new RegExp(`${start}(?:${alternatives(units.alone)})${end}\\.?`, 'giu')],
  ['unit', new RegExp(`${afterAddress}(?:${alternatives(units.aloneAfterNumber)})(?=\\s*(?:,|$))\\.?`, 'giu')],
  // Words that only announce a postal code; `Chemin du Pin 120` has a house number.
  [
    'sign',
    new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives(postalWords.labels)})\\.?:?\\s*(?=\\p{L}{1,3}\\d|\\d{4})`, 'giu'),
  ],
];

/** Every word with which a unit may begin or end, so that most texts need not be searched. */
const triggers = new Set(
  [...Object.entries(units).flatMap(([list, entries]) => (list === 'ordinals' ? [] : entriesOf(entries)))]
    .concat(entriesOf(postalWords.labels))
    .flatMap((entry) => entry.match(/[\p{L}']+/gu) ?? [])
    .concat('lot shop u f d'.split(' ')),
);
const word = /[\p{L}’']+/gu;
/** Units without such a word: `#5`, `2º 1ª`, `2n 1a`, `12 A 3`. */
const withoutWord = /[#º°ª☎]|\d[rnt]\s?\d{1,2}a|\d\s\p{Lu}\s\d/u;

/** Splits units, floors and boxes off a text; one with nothing else is unchanged. */
export function splitUnit(text: string): SplitUnit {
  const typed = text.toLowerCase().replaceAll('’', "'").match(word) ?? [];
  if (!withoutWord.test(text) && !typed.some((one) => triggers.has(one))) return { text, unit: undefined, others: [] };
  const found: { kind: Kind; part: string; at: number }[] = [];
  const cleaned = patterns.reduce(
    (rest, [kind, pattern]) =>
      rest.replace(pattern, (part: string) => {
        found.push({ kind, part: part.trim(), at: text.indexOf(part) });
        return ' ';
      }),
    text,
  );
  // In `Flat 2` or `Level Street Unit 5` the number may be the house's.
  if (!/\p{L}/u.test(cleaned) || !/\d/.test(cleaned)) return { text, unit: undefined, others: [] };
  const of = (wanted: Kind) =>
    found
      .filter(({ kind }) => kind === wanted)
      .sort((one, other) => one.at - other.at)
      .map(({ part }) => part.replace(/^[\s,#]+(?=\p{L})|[\s,/]+$/gu, ''));
  return { text: cleaned, unit: of('unit').join(' ') || undefined, others: of('other') };
}
