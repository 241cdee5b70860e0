/** Which streets of a file may be meant by the words of a text: by look-ups alone, before names are compared. */
import { isTelling, type Word } from '../../core/address/words.ts';
import type { Street, StreetFile } from './street-file.ts';
import { countryTerm, matchAll } from './terms.ts';
import { wholeNames } from './whole-name.ts';

/** Streets looked at for one reading in one file: the most prominent ones; bounds the time of a query. */
const mostStreets = 48;

/** What is asked for besides the text: each of `groups` must be met by a term of the street. */
export type Within = { groups: readonly Word[]; country?: string };

/**
 * Streets that may be meant, at most 48. First only by the words that tell streets apart: the lists of streets in a
 * country, or with `street` in their name, are long to go through. Only when that finds too many, by everything.
 */
export function addressCandidates(file: StreetFile, words: readonly Word[], { groups, country }: Within): Street[] {
  const telling = words.filter(isTelling);
  if (telling.length + groups.length > 0) {
    const found = file.matching(matchAll([...telling, ...groups]), mostStreets);
    if (found.length < mostStreets) return found;
  }
  // Too many: those whose whole name is the text, its beginning or its end come first, then any.
  const all = country === undefined ? groups : [...groups, [countryTerm(country)]];
  const streets = new Map<number, Street>();
  const add = (terms: readonly Word[]) => {
    if (streets.size >= mostStreets) return;
    for (const street of file.matching(matchAll(terms), mostStreets)) streets.set(street.id, street);
  };
  for (let left = words.length; left > 0 && left >= words.length - 2; left--) {
    for (const name of new Set([words.slice(0, left), words.slice(words.length - left)])) {
      const rest = words.filter((word) => !name.includes(word));
      add([wholeNames(name), ...rest, ...all]);
    }
  }
  add([...words, ...all]);
  return [...streets.values()].slice(0, mostStreets);
}

/** Streets whose whole name a few words are, at most 48: the most prominent ones. */
export function namedCandidates(file: StreetFile, name: readonly Word[], { groups, country }: Within): Street[] {
  const all = country === undefined ? groups : [...groups, [countryTerm(country)]];
  return file.matching(matchAll([wholeNames(name), ...all]), mostStreets);
}
