/** Free text to what it may mean: which part is the house number, and the words that are left. */
import { normaliseHouseNumber } from './house-number.ts';
import { isGeneric, queryWords, type Word } from './words.ts';

/** One reading of a text. `words` name the street and what it lies in, in any order. */
export type Reading = { houseNumber: string | undefined; words: Word[] };

/** Most readings with a number that are tried; a text with more numbers is no address. */
const mostReadings = 6;

const unitWord =
  'apartment|appartement|appartamento|apartamento|apart|appt|apto|apt|unit|suite|flat|room|floor|level|depto|departamento|' +
  'piso|puerta|oficina|andar|bloco|fração|interno|scala|piano|wohnung|whg|stiege|stg|stock|etage|top|tür|bâtiment|bât|' +
  'escalier|étage|verdieping|lägenhet|lgh|leilighet|lejlighed|asunto|lokal|mieszkanie|квартира|кв|этаж|подъезд|офис|' +
  'помещение|daire|kat|διαμέρισμα';
const units: readonly RegExp[] = [
  // A word and its number: `Apt 4`, `Top 5`, `кв. 12`.
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${unitWord})\\.?\\s*(?:n[°º.]\\s*|#\\s*)?\\d+\\s?\\p{L}?(?![\\p{L}\\p{N}])`, 'giu'),
  /(?<=[\d,]\s*\p{L}?\s*,?\s+)(?:ste|rm|fl|lvl)\.?\s*\d+\p{L}?(?![\p{L}\p{N}])/giu,
  /(?<![\p{L}\p{N}])(?:apartment|apt|unit|suite|flat)\.?\s*\p{L}(?![\p{L}\p{N}])/giu,
  // The number and its word: `3rd floor`, `2. OG`, `4e étage`, `1º andar`.
  /(?<![\p{L}\p{N}])\d+(?:st|nd|rd|th|er|e|ème|eme|\.|º|ª)?\s*(?:floor|og|ug|stock|etage|étage|andar|piso|piano|verdieping|kerros|этаж)(?![\p{L}\p{N}])/giu,
  // A second number marked with #: `100 Main St #5`.
  /(?<=\d.*\p{L}.*)\s#\s*\d+\s?\p{L}?(?![\p{L}\p{N}])/giu,
  /(?<![\p{L}\p{N}])(?:ground floor|parterre|erdgeschoss|rez[- ]de[- ]chaussée|rdc|planta baja|bajo)(?![\p{L}\p{N}])/giu,
];
/** `D-10115`, `FL-9490`: the country's sign before a postal code. */
const postalSign = /(?<![\p{L}\p{N}])\p{Lu}{1,3}[-–](?=\d{4,5}(?!\d))/gu;

/** `12`, `12a`, `32Bis`, `39к2`, `12-14`, `723-B`, `N12`; an ordinal such as `42nd` is none. */
const base =
  '\\p{L}?(?!\\d+(?:st|nd|rd|th|er|ère|ème|й|я|ая|ый)(?![\\p{L}\\p{N}]))\\d{1,6}(?:[-/]?\\p{L}{1,4}\\d{0,3}|[-–/]\\d{1,6})*';
/** What may follow after a blank: ` bis`, ` A`, ` b-c`, ` 1/2`, ` - 14`, ` корп. 2`, ` B 9`. */
const rest = [
  '\\s(?:bis|ter|quater)(?!\\p{L})',
  '\\s\\d/\\d(?!\\d)',
  "\\s\\p{L}(?:-\\p{L})?(?![\\p{L}\\p{N}'’.-])(?:\\s\\d{1,4}(?!\\d))?",
  '\\s?[-–/]\\s?\\d{1,6}\\p{L}?(?![\\p{L}\\p{N}])',
  '\\s?,?\\s?(?:корпус|корп\\.?|korpus|korp\\.?|к\\.?|строение|стр\\.?|[сc]\\.?)\\s?(?:\\d+|\\p{L}(?!\\p{L}))(?:\\s?(?:стр\\.?|с)\\s?\\d+)?',
].join('|');
const numberPattern = new RegExp(
  '(?<![\\p{L}\\p{N}])(?:(?<mark>n[°ºo]\\.?|nr\\.?|no\\.?|num\\.?|#|№|д\\.|дом|вл\\.|владение)\\s*)?' +
    `(?<base>${base})(?![\\p{L}\\p{N}])(?<rest>${rest})?`,
  'giu',
);

/** Takes units and floors out of a text. */
export function withoutUnits(text: string): string {
  const cleaned = units.reduce((rest, pattern) => rest.replace(pattern, ' '), text);
  // What is only a unit is left alone: in `Flat 2` or `Level Street Unit 5` the number may be the house's.
  return /\p{L}/u.test(cleaned) && /\d/.test(cleaned) ? cleaned : text;
}

/** The readings of a text, likeliest first; the last one takes no number to be a house number. */
export function readings(text: string): Reading[] {
  const cleaned = withoutUnits(text.normalize('NFC').replace(postalSign, ''));
  const found: { likelihood: number; reading: Reading }[] = [];
  const matches = [...cleaned.matchAll(numberPattern)];
  for (const [order, match] of matches.entries()) {
    const { mark, base, rest } = match.groups as { mark?: string; base: string; rest?: string };
    const isLast = order === matches.length - 1;
    let likelihood = order === 0 && cleaned.slice(0, match.index).trim() === '' ? 6 : isLast ? 4 : 3 - order / 10;
    if (mark) likelihood += 6;
    // Postal codes have five digits or more; `17.` before a word is an ordinal.
    if (/^\d{5,}$/.test(base)) likelihood -= 4;
    if (/^\.\s*\p{L}/u.test(cleaned.slice(match.index + match[0].length))) likelihood -= 3;
    const start = match.index;
    const baseEnd = start + match[0].length - (rest?.length ?? 0);
    const take = (end: number, number: string, likely: number) => {
      const words = queryWords(`${cleaned.slice(0, start)} ${cleaned.slice(end)}`);
      if (words.length > 0) found.push({ likelihood: likely, reading: { houseNumber: number, words } });
    };
    if (rest) {
      const end = start + match[0].length;
      // In `1745 T Street` the letter is the street's name.
      const [next] = queryWords(/^\s*[\p{L}.]+/u.exec(cleaned.slice(end))?.[0] ?? '');
      const isName = next !== undefined && isGeneric(next) && !/\d/.test(rest);
      take(end, normaliseHouseNumber(base + rest), likelihood + (isName ? -0.5 : 0.5));
    }
    take(baseEnd, normaliseHouseNumber(base), likelihood);
  }
  found.sort((left, right) => right.likelihood - left.likelihood);
  const words = queryWords(cleaned);
  const list = found.slice(0, mostReadings).map(({ reading }) => reading);
  return words.length > 0 ? [...list, { houseNumber: undefined, words }] : list;
}
