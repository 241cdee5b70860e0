/** The ways in which people write an address. */
import anyAscii from 'any-ascii';
import type { Sample } from './samples.ts';

/** One way to write an address; undefined where the sample lacks what it needs. */
export type Form = { name: string; aim: string; ask(sample: Sample, random: () => number): string | undefined };
export const forms: readonly Form[] = [
  { name: 'street number', aim: '99 %', ask: ({ street, number }) => `${street} ${number}` },
  { name: 'number street', aim: '99 %', ask: ({ street, number }) => `${number} ${street}` },
  {
    name: 'street number, city',
    aim: '99 %',
    ask: ({ street, number, city }) => city && `${street} ${number}, ${city}`,
  },
  {
    name: 'street number, postal code',
    aim: '99 %',
    ask: ({ street, number, postcode }) => postcode && `${street} ${number}, ${postcode}`,
  },
  { name: 'small letters, no diacritics', aim: '98 %', ask: ({ street, number }) => `${plain(street)} ${number}` },
  {
    name: 'one typing mistake',
    aim: '90 %',
    ask: ({ street, number }, random) => `${mistyped(street, random)} ${number}`,
  },
];

/** Latin letters lose their marks; other scripts keep their letters. */
function plain(text: string): string {
  const bare = text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
  return /\p{Script=Latin}/u.test(bare) ? anyAscii(bare).toLowerCase() : bare;
}

/** One letter of a name wrong, missing, doubled by another, or swapped with the next. */
function mistyped(text: string, random: () => number): string {
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
