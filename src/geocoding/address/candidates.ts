/** Which streets of a file may be meant by the words of a text: by look-ups alone, before names are compared. */

import { type BoundingBox, circleAround } from '../../core/bounding-box.ts';
import { inTurn } from '../../store/deferred.ts';
import type { Clause, Street, StreetPart } from '../../store/street-parts.ts';
import { isStreetType } from '../../text/abbreviations.ts';
import { wholeNames } from '../../text/whole-name.ts';
import { isDistinctive, type Word } from '../../text/words.ts';

/** Streets looked at for one reading in one file: the most prominent ones; bounds the time of a query. */
const maxMeant = 48;
/** The same where streets alone are asked for. */
const maxNamed = 300;

/** What is asked for besides the text: each of `groups` must be met by a term of the street. */
export type Within = { groups: readonly Clause[]; country?: string };

/**
 * Streets that may be meant by an address, at most 48, in no order. First only by the words that tell streets apart: the
 * lists of streets in a country, or with `street` in their name, are long to go through. Only when that finds too many,
 * by everything.
 */
export function addressCandidates(file: StreetPart, words: readonly Word[], within: Within): Street[] {
  const found = fewByDistinctive(file, words, within.groups, maxMeant);
  return (found ?? wholeNamesFirst(file, words, within)).map((id) => file.street(id));
}

/** Streets of many whose whole name is the text, its beginning or its end, then any: identifiers, at most 48. */
function wholeNamesFirst(file: StreetPart, words: readonly Word[], within: Within): number[] {
  const all = withCountry(within);
  const streets = new Set<number>();
  const queries: (readonly Clause[])[] = [];
  for (let left = words.length; left > 0 && left >= words.length - 2; left--) {
    const names = left === words.length ? [words] : [words.slice(0, left), words.slice(-left)];
    for (const name of names) {
      const rest = words.filter((word) => !name.includes(word));
      queries.push([{ wholeName: wholeNames(name) }, ...rest, ...all]);
    }
  }
  inTurn([...queries, [...words, ...all]], (clauses) => {
    for (const id of file.matching(clauses, maxMeant)) streets.add(id);
    return streets.size >= maxMeant;
  });
  return [...streets].slice(0, maxMeant);
}

/**
 * Streets whose whole name a few words are, at most 48: the most prominent ones. The kind of street may stand on either
 * side: `ул Елецкая` is `Елецкая улица`.
 */
export function namedCandidates(part: StreetPart, name: readonly Word[], within: Within): Street[] {
  const orders = [name];
  if (name.length > 1 && isStreetType(name[0][0])) orders.push([...name.slice(1), name[0]]);
  else if (name.length > 1 && isStreetType(name[name.length - 1][0]))
    orders.push([name[name.length - 1], ...name.slice(0, -1)]);
  const clauses = [{ wholeName: orders.flatMap(wholeNames) }, ...withCountry(within)];
  return part.matching(clauses, maxMeant).map((id) => part.street(id));
}

/** Streets that may bear all words in their name: identifiers, the most prominent ones where there are very many. */
export function streetCandidates(file: StreetPart, words: readonly Word[], within: Within): number[] {
  const found = fewCandidates(file, words, within, maxNamed);
  if (found) return found;
  const all = withCountry(within);
  const exact = file.matching([{ wholeName: wholeNames(words) }, ...all], maxNamed);
  return [...new Set([...exact, ...file.matching([...words, ...all], maxNamed)])];
}

/** All streets that may bear all words in their name: identifiers; undefined when there are `most` or more. */
export function fewCandidates(
  file: StreetPart,
  words: readonly Word[],
  within: Within,
  most: number,
): number[] | undefined {
  const few = fewByDistinctive(file, words, within.groups, most);
  if (few) return few;
  const found = file.matching([...words, ...withCountry(within)], most);
  return found.length < most ? found : undefined;
}

/**
 * Streets found by the words that tell streets apart, or in some city or cells by all words when none does; undefined
 * when there are `most` or more of them, or nothing to tell them by.
 */
function fewByDistinctive(
  file: StreetPart,
  words: readonly Word[],
  groups: readonly Clause[],
  most: number,
): number[] | undefined {
  const telling = words.filter(isDistinctive);
  if (telling.length + groups.length === 0) return undefined;
  const found = file.matching([...(telling.length > 0 ? telling : words), ...groups], most);
  return found.length < most ? found : undefined;
}

/** The circle around a box, as far as indexes are asked for it; none for a box that holds much of the globe. */
export function clausesOfBox(bbox: BoundingBox | undefined): Clause[] {
  const circle = bbox && circleAround(bbox);
  return circle ? [{ around: [circle.center], km: circle.km }] : [];
}

const withCountry = ({ groups, country }: Within): readonly Clause[] =>
  country === undefined ? groups : [...groups, { country }];
