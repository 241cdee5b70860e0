/** Texts typed with the keyboard of another alphabet: `vjcrdf` for москва, `дщтвщт` for london. */
import layouts from './dictionaries/keyboard-layouts.json' with { type: 'json' };

const { en, ...others } = layouts;
const keys = [...en];
const toOther = Object.values(others).map((layout) => mapping(keys, [...layout]));
const toLatin = Object.values(others).map((layout) => mapping([...layout], keys));
const minLetters = 4;
const latinOnly = /^[\p{Script=Latin}\P{L}]+$/u;
const otherOnly = /^[\P{Script=Latin}]+$/u;

/** The texts that the same keys write in other alphabets, or in Latin letters; none for short or mixed texts. */
export function otherKeyboards(text: string): string[] {
  const signs = [...text.toLowerCase().trim()];
  if (signs.length < minLetters || /\d/.test(text)) return [];
  const maps = latinOnly.test(text) ? toOther : otherOnly.test(text) ? toLatin : [];
  const found = maps.map((map) => signs.map((sign) => (/[\s-]/.test(sign) ? sign : (map.get(sign) ?? ''))));
  // A key that the other alphabet lacks was not meant in it.
  const whole = found.filter((typed) => typed.every((sign) => sign !== ''));
  return [...new Set(whole.map((typed) => typed.join('')))];
}

function mapping(from: readonly string[], to: readonly string[]): Map<string, string> {
  return new Map(from.map((sign, at) => [sign, to[at]]));
}
