/** Parts of an address beyond the house: units, floors, staircases, boxes. Removed before interpretation. */
import units from './dictionaries/units.json' with { type: 'json' };
import { entriesOf } from './entries.ts';

/** The name of a unit: `4`, `4B`, `B4`, `12-3`, `No. 5`, `#5`, `4 B`; never `3/12`, of which `12` is the house. */
const value =
  "(?:n[°ºo]?[.:]\\s*|nr\\.?\\s*|#\\s*)?(?:\\p{L}{1,2}-?)?\\d{1,4}(?!\\d)[\\p{L}\\d-]{0,8}(?:\\s\\p{L}(?![\\p{L}\\p{N}.'’]))?(?![\\p{L}\\p{N}/])";
const start = '(?<![\\p{L}\\p{N}])';

/** Words that introduce a unit anywhere. */
const unitWords = alternatives(units.anywhere);
/** Shorter ones, which are also parts of names: only after a house number. */
const shortUnitWords = alternatives(units.afterNumber);
const floorWords = alternatives(units.floors);

const patterns: readonly RegExp[] = [
  // `Unit 12/345`, `Lot 3/12`: the house number is kept.
  new RegExp(`${start}(?:${unitWords}|lot|shop|u)\\.?\\s*\\d+\\p{L}?\\s*/\\s*(?=\\d)`, 'giu'),
  new RegExp(`${start}(?:${unitWords})\\.?:?\\s*${value}`, 'giu'),
  // `Suite B`, `Apt. A`: a letter alone.
  new RegExp(
    `${start}(?:apartment|apt|appt|apto|unit|suite|flat|stiege|top|tür|escalier|bâtiment|bât)\\.?\\s*#?\\p{L}(?![\\p{L}\\p{N}'’.])`,
    'giu',
  ),
  /(?<=\d[^,]*[\s,]\s*)(?:ste|bldg)\.?\s*#?\p{L}(?=\s*(?:,|$))/giu,
  new RegExp(`(?<=\\d\\s*\\p{L}?\\s*,\\s*|\\d\\p{L}?\\s+|,\\s*)(?:${shortUnitWords})\\.?:?\\s*${shortValue()}`, 'giu'),
  new RegExp(`(?<=\\d.*\\p{L}.*\\s)(?:ste|rm|bldg|spc)\\.?\\s*${value}`, 'giu'),
  /(?<=\d.*\p{L}.*\s)fl\.?\s*\d{1,2}(?!\d)/giu,
  // Floors of Japan: `明和ビル1F`.
  /(?<=[\p{Script=Katakana}\p{Script=Han}ー]\s?)b?\d{1,2}f(?![\p{L}\p{N}])/giu,
  // The number and its word: `3rd floor`, `2. OG`, `4e étage`, `1º andar`, `1 trappa upp`; a door after it: `2. em. 3`.
  new RegExp(
    `${start}\\d{1,3}(?:st|nd|rd|th|er|e|de|ste|ème|eme|ého|\\.|º|°|ª|-?й)?\\s*(?:${floorWords})\\.?(?:\\s(?:upp|ög|öv|\\d{1,3}(?=\\s*(?:,|$))))?(?![\\p{L}\\p{N}])`,
    'giu',
  ),
  /(?<=\d.*\p{L}.*\s)\d{1,2}(?:st|nd|rd|th)\s*fl\.?(?![\p{L}\p{N}])/giu,
  /(?<![\p{L}\p{N}])(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)\s+(?:floor|fl)(?![\p{L}\p{N}])/giu,
  // Floor and side as Denmark and Spain write them: `2. th`, `st. tv`, `3º izda`, `1º B`.
  /(?<=[\d\p{L}]\s*,?\s*)(?<![\p{L}\p{N}])(?:(?:\d{1,2}|st)\.\s*(?:t\.?h|t\.?v|m\.?f)|\d{1,2}\s(?:t\.h|t\.v|m\.f))\.?(?![\p{L}\p{N}])/giu,
  /(?<=\d\s*\p{L}?\s*,?\s*)\d{1,2}\s?[ºª°]\s*(?:izquierda|izqda|izda|izq|derecha|dcha|der|centro|ctro|esquerdo|esq|direito|dto|drt|\p{L}(?![\p{L}\p{N}'’]))?\.?/giu,
  /(?<=\d\s*\p{L}?\s*,?\s*)d\s?:\s?\d+(?![\p{L}\p{N}])/giu,
  // A second number marked with #: `100 Main St #5`, `… #KI-13`.
  /(?<=\d.*\p{L}.*)\s#\s*(?:\p{L}{1,3}-?)?\d[\p{L}\d-]{0,8}(?![\p{L}\p{N}])/giu,
  /(?<![\p{L}\p{N}])(?:ground floor|basement|penthouse|parterre|erdgeschoss|dachgeschoss|hinterhaus|vorderhaus|rez[- ]de[- ]chaussée|rdc|planta baja|bajo|begane grond|r\/c|parter|földszint|fszt)(?![\p{L}\p{N}])\.?/giu,
  // Boxes of a post office.
  /(?<![\p{L}\p{N}])(?:p\.?\s?o\.?\s?box|postfach|postbus|postboks|postbox|apartado(?: postal)?|caixa postal|casella postale|boîte postale|а\/я)\s*(?:n[°º]\.?\s*)?\d+(?![\p{L}\p{N}])/giu,
  // Words that only announce a postal code.
  /(?<![\p{L}\p{N}])(?:zip(?: ?code)?|post ?code|postal code|plz|cep|código postal|code postal)\.?:?\s*(?=[\p{L}]{0,3}\d)/giu,
];

/** A pattern of all words of a dictionary; an apostrophe stands for either form. */
function alternatives(dictionary: Readonly<Record<string, string>>): string {
  return entriesOf(dictionary).join('|').replaceAll("'", "[’']");
}

/** A unit's value after a short word: a letter, or a number of up to four digits. */
function shortValue(): string {
  return '(?:\\p{L}?\\d{1,4}\\p{L}?|\\p{L}(?=\\s*(?:,|$)))(?![\\p{L}\\p{N}/])';
}

/** Every word with which a unit may begin or end, so that most texts need not be searched. */
const triggers = new Set(
  [units.anywhere, units.afterNumber, units.floors]
    .flatMap(entriesOf)
    .concat('bldg rm spc lot shop u fl upp first second third fourth fifth sixth seventh eighth ninth tenth'.split(' '))
    .concat(
      'ground basement parterre erdgeschoss dachgeschoss rez rdc baja bajo begane r parter földszint fszt'.split(' '),
    )
    .concat(
      'p po pobox postfach postbus postboks postbox apartado caixa casella boîte а zip zipcode post postcode'.split(
        ' ',
      ),
    )
    .concat('postal plz cep código code th tv mf t d f b'.split(' ')),
);
const word = /[\p{L}’']+|[#º°ª]/gu;

/** Removes units, floors and boxes from a text; a text with nothing else is unchanged. */
export function withoutUnits(text: string): string {
  const words = text.toLowerCase().replaceAll('’', "'").match(word) ?? [];
  if (!words.some((one) => triggers.has(one) || /^[#º°ª]$/.test(one))) return text;
  const cleaned = patterns.reduce((rest, pattern) => rest.replace(pattern, ' '), text);
  // In `Flat 2` or `Level Street Unit 5` the number may be the house's.
  return /\p{L}/u.test(cleaned) && /\d/.test(cleaned) ? cleaned : text;
}
