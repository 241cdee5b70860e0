/**
 * Postal codes as people type them and as their country spells them. Inside, a code is compact: upper case, letters
 * and digits only (`SW1A1AA`).
 *
 * formats.json has how each country writes its codes, as readable shapes. In a shape `#` is a digit, `@` a letter, `*`
 * either, anything else stands for itself. `|` marks where a shorter form ends that people use alone (the outward part of a
 * British code), `¦` one that only helps to look a code up. What stands in `[…]` is written by some but is not part of
 * the code (ZIP+4). `countryPrefixes` are the letters people put before a code to name the country (`D-10115`), besides its
 * alpha-2 code. Facts from the Universal Postal Union's country pages and the posts themselves. A country that is not in
 * the table has no postal codes.
 */

import { withPlainDigits } from '../../text/scripts.ts';
import formatsOfCountries from './formats.json' with { type: 'json' };

const countryPrefixes: Readonly<Record<string, readonly string[]>> = formatsOfCountries.countryPrefixes;
/**
 * How many digits stay when a code is rounded down to the code at which its town's range begins: in Brazil data often
 * has only that one (`01000-000` for all of central São Paulo).
 */
export const rangeStartDigits: Readonly<Record<string, readonly number[]>> = formatsOfCountries.rangeStartDigits;

/** Longest compact code; the longest in the table of shapes are Iran's ten digits. */
export const maxCodeLength = 10;

/** A form of a country's code: the pattern of its compact form, and the separators of its spelling. */
type Form = {
  /** The groups are the parts of the code; anything between them is written but not part of it. */
  pattern: RegExp;
  /** Separators by position in the compact code. */
  separators: readonly { at: number; text: string }[];
  length: number;
  /** Lengths of the shorter forms of the code, longest first. */
  shorter: readonly number[];
  /** Length of the form in everyday use: the code's own, or that of its longest shorter form. */
  everyday: number;
};
type Format = { forms: readonly Form[]; prefixes: readonly string[] };

const classes: Record<string, string> = { '#': '[0-9]', '@': '[A-Z]', '*': '[0-9A-Z]' };

const formats: ReadonlyMap<string, Format> = new Map(
  Object.entries(formatsOfCountries.shapes).map(([country, shapes]) => {
    const forms = new Map<string, Form>();
    for (const shape of shapes.split(', ')) {
      const shorter: number[] = [];
      let written = '';
      let everyday: number | undefined;
      for (const piece of shape.split(/(?=[|¦])/)) {
        if (piece.startsWith('|')) everyday = shorter[0];
        written += piece.replace(/[|¦]/, '');
        const form = formOf(written, [...shorter], everyday);
        forms.set(form.pattern.source, form);
        shorter.unshift(form.length);
      }
    }
    const prefixes = [country, ...(countryPrefixes[country] ?? [])];
    return [country, { forms: [...forms.values()].sort((a, b) => b.length - a.length), prefixes }];
  }),
);

function formOf(shape: string, shorter: readonly number[], everyday: number | undefined): Form {
  let source = '(';
  const separators: { at: number; text: string }[] = [];
  let length = 0;
  let isOptional = false;
  for (const sign of shape) {
    if (sign === '[') {
      source += ')(?:';
      isOptional = true;
    } else if (sign === ']') {
      source += ')?(';
      isOptional = false;
    } else if (classes[sign] || /[0-9A-Z]/.test(sign)) {
      source += classes[sign] ?? sign;
      if (!isOptional) length++;
    } else if (!isOptional) separators.push({ at: length, text: sign });
  }
  return { pattern: new RegExp(`^${source})$`), separators, length, shorter, everyday: everyday ?? length };
}

const notAlphanumeric = /[^0-9A-Z]+/g;
const plain = /^[0-9A-Z]*$/;
const notAscii = /[^ -~]/;

/** Letters and digits of a text in upper case; full-width letters and the digits of every script become ASCII. */
export function compact(text: string): string {
  const upper = text.toUpperCase();
  if (plain.test(upper)) return upper;
  if (!notAscii.test(upper)) return upper.replace(notAlphanumeric, '');
  return withPlainDigits(upper.normalize('NFKC')).replace(notAlphanumeric, '');
}

function fit(format: Format, written: string): { form: Form; code: string } | undefined {
  for (const form of format.forms) {
    const match = form.pattern.exec(written);
    if (match) return { form, code: match.slice(1).join('') };
  }
  return undefined;
}

/**
 * The compact code that a text means in a country: any spacing, case and dash, with or without the country's letters
 * before it, without what is not part of the code (`90210` for `90210-1234`). Undefined when the text does not have the
 * shape of the country's codes, or the country has none. Idempotent.
 */
export function readPostalCode(country: string, text: string): string | undefined {
  const format = formats.get(country);
  if (!format) return undefined;
  const written = compact(text);
  const found = fit(format, written);
  if (found) return found.code;
  for (const prefix of format.prefixes) {
    if (written.startsWith(prefix)) {
      const rest = fit(format, written.slice(prefix.length));
      if (rest) return rest.code;
    }
  }
  // Where the country's letters belong to the code (LV-1010), people leave them out.
  return fit(format, country + written)?.code;
}

/** A text with the routing key of a district of Dublin, which are numbered for people: D02 for `Dublin 2`. */
export const withRoutingKey = (text: string): string =>
  text.replace(
    /(?<![\p{L}\p{N}])dublin[\s-]*(\d{1,2})(?![\p{L}\p{N}])/iu,
    (_, number: string) => `D${number.padStart(2, '0')}`,
  );

/** A code that a spreadsheet or habit took leading zeros from (`1067`, `D2`), with them; unchanged where it is no such code. */
export function withLeadingZeros(country: string, text: string): string {
  const format = formats.get(country);
  const written = compact(withRoutingKey(text));
  const padded = format?.forms.map(({ length }) =>
    written.replace(/\d+$/, (digits) => digits.padStart(length - written.length + digits.length, '0')),
  );
  return padded?.findLast((code) => fit(format!, code)) ?? text;
}

/** The form that a compact code has in its country; undefined when it has none of them. */
function formOfCode(country: string, code: string): Form | undefined {
  return formats.get(country)?.forms.find(({ pattern, length }) => length === code.length && pattern.test(code));
}

/** The shorter forms that a compact code has in its country, longest first: `SW1A` for `SW1A1AA`. Often none. */
export function shorterForms(country: string, code: string): string[] {
  return (formOfCode(country, code)?.shorter ?? []).map((length) => code.slice(0, length));
}

/** The same of the beginning of a code, which may be several: `SW1A` of `SW1A9`. */
export function shorterFormsOfUnfinished(country: string, beginning: string): string[] {
  const forms = formats.get(country)?.forms.filter(({ length }) => length > beginning.length) ?? [];
  const lengths = forms.flatMap(({ shorter }) => shorter).filter((length) => length < beginning.length);
  return lengths.map((length) => beginning.slice(0, length));
}

/** The form of a compact code in everyday use: `SW1A` of `SW1A1AA`; most often the code itself. */
export function everydayForm(country: string, code: string): string {
  return code.slice(0, formOfCode(country, code)?.everyday);
}

/** Possible starts of the range of codes that contains a compact code, nearest first; empty in most countries. */
export function rangeStarts(country: string, code: string): string[] {
  const starts = (rangeStartDigits[country] ?? []).map((digits) => code.slice(0, digits).padEnd(code.length, '0'));
  return [...new Set(starts)].filter((start) => start !== code);
}

/** A compact code in its country's official spelling (`SW1A 1AA`); unchanged if the shape is unknown. */
export function spellPostalCode(country: string, code: string): string {
  const form = formOfCode(country, code);
  if (!form?.separators.length) return code;
  let spelled = '';
  let from = 0;
  for (const { at, text } of form.separators) {
    spelled += code.slice(from, at) + text;
    from = at;
  }
  return spelled + code.slice(from);
}

/** A row of a source that has a position for each code. */
export type MeasuredPostalRow = {
  /** Alpha-2 code. */
  country: string;
  /** The code as the source writes it. */
  code: string;
  place: string;
  /** Region names; null when unknown. */
  admin1: string | null;
  admin2: string | null;
  lat: number | null;
  lng: number | null;
  /** `point`: measured for this row; `place`: estimated, or that of a larger place. Null without position. */
  accuracy: 'point' | 'place' | null;
  /** Whether the code is for post boxes or one large receiver; then it is not a code of the town around. */
  isForBoxes?: boolean;
};

/** A row of a source that only says which place a code belongs to; its position is that of the place it is joined with. */
export type NamedPostalRow = {
  /** Alpha-2 code. */
  country: string;
  /** The code as the source writes it. */
  code: string;
  /** The place as the source names it. */
  place: string;
  /** Names under which the gazetteer may know the place, best first. */
  names: readonly string[];
  /** Gazetteer code of the second-level region that holds it, if the source has it. */
  admin2Code?: string;
  /** Name of the first-level region in any language, if the source has it. */
  admin1Name?: string;
  /** How often the source saw code and place together. */
  weight: number;
};

// Compact postal codes as numbers that sort as the codes do, so that a column of them allows binary search: ten base-37
// digits, `0`–`9` and `A`–`Z` as 1–36, the missing ones at the end as 0. 37^10 < 2^53, so it is exact.

/** Base and number of digits of such a number. */
const base = 37;
/** The upper and the lower five digits. */
const halfBase = base ** 5;
const signs = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** The number of a compact code (1 to 10 letters and digits); NaN when it is none. */
export function postalKey(code: string): number {
  if (code.length === 0 || code.length > maxCodeLength) return Number.NaN;
  let key = 0;
  for (let at = 0; at < maxCodeLength; at++) {
    let digit = 0;
    if (at < code.length) {
      const sign = code.charCodeAt(at);
      if (sign >= 48 && sign <= 57) digit = sign - 47;
      else if (sign >= 65 && sign <= 90) digit = sign - 54;
      else return Number.NaN;
    }
    key = key * base + digit;
  }
  return key;
}

/** The compact code of a number that postalKey made. */
export function codeOfKey(key: number): string {
  // In two halves, each within 32 bits: a remainder of whole numbers is several times as fast as one of floating ones.
  const first = Math.floor(key / halfBase);
  return codeOfHalf(first) + codeOfHalf(key - first * halfBase);
}

function codeOfHalf(half: number): string {
  let code = '';
  for (let rest = half | 0; rest > 0; rest = (rest / base) | 0) {
    const digit = (rest % base) | 0;
    if (digit > 0) code = signs[digit - 1] + code;
  }
  return code;
}
