/** The ways in which people write an address. */
import anyAscii from 'any-ascii';
import type { Sample } from './samples.ts';

/** One way to write an address. */
export type Form = {
  name: string;
  /** Share of first answers that is aimed at, of addresses at one place. */
  aim: string;
  /** What the text contains besides street and number. */
  parts: readonly ('city' | 'postcode')[];
  /** The text; undefined where the sample lacks what it needs. */
  ask(sample: Sample, random: () => number): string | undefined;
};

export const forms: readonly Form[] = [
  { name: 'street number', aim: '99 %', parts: [], ask: ({ street, number }) => `${street} ${number}` },
  { name: 'number street', aim: '99 %', parts: [], ask: ({ street, number }) => `${number} ${street}` },
  {
    name: 'street number, city',
    aim: '99 %',
    parts: ['city'],
    ask: ({ street, number, city }) => city && `${street} ${number}, ${city}`,
  },
  {
    name: 'street number, postal code',
    aim: '99 %',
    parts: ['postcode'],
    ask: ({ street, number, postcode }) => postcode && `${street} ${number}, ${postcode}`,
  },
  {
    name: 'postal code city, street number',
    aim: '99 %',
    parts: ['city', 'postcode'],
    ask: ({ street, number, city, postcode }) => city && postcode && `${postcode} ${city}, ${street} ${number}`,
  },
  {
    name: 'number street, city postal code, country',
    aim: '99 %',
    parts: ['city', 'postcode'],
    ask: ({ street, number, city, postcode, country }) =>
      city && country && `${number} ${street}, ${[city, postcode].filter(Boolean).join(' ')}, ${country}`,
  },
  {
    name: 'firm, street number, district, city',
    aim: '95 %',
    parts: ['city'],
    ask: ({ street, number, city }, random) =>
      city && `${oneOf(firms, random)}, ${street} ${number}, ${oneOf(districts, random)}, ${city}`,
  },
  {
    name: 'small letters, no diacritics',
    aim: '98 %',
    parts: [],
    ask: ({ street, number }) => `${plain(street)} ${number}`,
  },
  {
    name: 'one typing mistake',
    aim: '90 %',
    parts: [],
    ask: ({ street, number }, random) => `${mistyped(street, random)} ${number}`,
  },
];

/** Names that no file has: what people write besides the address. */
const firms = ['Zwick & Sons Ltd', 'Bäckerei Quirin', 'Café Ombrelle', 'Tellux Consulting', 'Villa Primrose'];
const districts = ['Quartier Zobel', 'Wexford Heights', 'Bezirk Mooslau', 'Zona Pradera', 'Block C'];
const oneOf = (list: readonly string[], random: () => number) => list[Math.floor(random() * list.length)];

/** Latin letters lose their diacritics; other scripts keep their letters. */
function plain(text: string): string {
  const bare = text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
  return /\p{Script=Latin}/u.test(bare) ? anyAscii(bare).toLowerCase() : bare;
}

/** One letter of a name wrong, missing, doubled by another, or swapped with the next. */
export function mistyped(text: string, random: () => number): string {
  const places = [...text.matchAll(/\p{L}(?=\p{L})/gu)].map(({ index }) => index).filter((at) => at > 0);
  if (places.length === 0) return text;
  const at = places[Math.floor(random() * places.length)];
  const other = /\p{Script=Cyrillic}/u.test(text) ? 'оеаинтс' : 'eainrtos';
  const letter = other[Math.floor(random() * other.length)];
  const kind = Math.floor(random() * 4);
  if (kind === 0) return text.slice(0, at) + text.slice(at + 1);
  if (kind === 1) return text.slice(0, at) + letter + text.slice(at);
  if (kind === 2) return text.slice(0, at) + letter + text.slice(at + 1);
  return text.slice(0, at) + text[at + 1] + text[at] + text.slice(at + 2);
}
