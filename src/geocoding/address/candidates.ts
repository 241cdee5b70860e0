/** Candidate streets for the words of a text, found by index look-ups alone; names are compared later. */

import { type BoundingBox, circleAround } from '../../core/bounding-box.ts';
import { inTurn } from '../../store/deferred.ts';
import type { Clause, Street, StreetPart } from '../../store/street-parts.ts';
import { isStreetType } from '../../text/abbreviations.ts';
import { wholeNames } from '../../text/whole-name.ts';
import { isDistinctive, type Word } from '../../text/words.ts';

/**
 * Maximum number of streets examined per interpretation and file, the most prominent first; bounds the time of a query.
 */
const maxCandidates = 48;
/** The same where only streets are requested. */
const maxNamedStreets = 300;

/** Conditions besides the text: each of `groups` must match a term of the street. */
export type Within = { groups: readonly Clause[]; country?: string };

/**
 * Candidate streets of an address, at most 48, in no order. The distinctive words alone are tried first, because the
 * posting lists of a country, or of `street`, are long. Only when that finds too many streets are all words used.
 */
export function addressCandidates(file: StreetPart, words: readonly Word[], within: Within): Street[] {
  const found = fewByDistinctiveWords(file, words, within.groups, maxCandidates);
  return (found ?? wholeNamesFirst(file, words, within)).map((id) => file.street(id));
}

/** Identifiers of at most 48 streets: first those whose whole name is the text, its beginning or its end, then any. */
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
    for (const id of file.matching(clauses, maxCandidates)) streets.add(id);
    return streets.size >= maxCandidates;
  });
  return [...streets].slice(0, maxCandidates);
}

/**
 * The most prominent streets, at most 48, whose whole name consists of these words. The street type may be first or
 * last: `ул Елецкая` is `Елецкая улица`.
 */
export function namedCandidates(part: StreetPart, name: readonly Word[], within: Within): Street[] {
  const orders = [name];
  if (name.length > 1 && isStreetType(name[0][0])) orders.push([...name.slice(1), name[0]]);
  else if (name.length > 1 && isStreetType(name[name.length - 1][0]))
    orders.push([name[name.length - 1], ...name.slice(0, -1)]);
  const clauses = [{ wholeName: orders.flatMap(wholeNames) }, ...withCountry(within)];
  return part.matching(clauses, maxCandidates).map((id) => part.street(id));
}

/** Identifiers of streets that may have all words in their name; only the most prominent where there are very many. */
export function streetCandidates(file: StreetPart, words: readonly Word[], within: Within): number[] {
  const found = fewCandidates(file, words, within, maxNamedStreets);
  if (found) return found;
  const all = withCountry(within);
  const exact = file.matching([{ wholeName: wholeNames(words) }, ...all], maxNamedStreets);
  return [...new Set([...exact, ...file.matching([...words, ...all], maxNamedStreets)])];
}

/** Identifiers of all streets that may have all words in their name; undefined when there are `limit` or more. */
export function fewCandidates(
  file: StreetPart,
  words: readonly Word[],
  within: Within,
  limit: number,
): number[] | undefined {
  const few = fewByDistinctiveWords(file, words, within.groups, limit);
  if (few) return few;
  const found = file.matching([...words, ...withCountry(within)], limit);
  return found.length < limit ? found : undefined;
}

/**
 * Streets found by the distinctive words, or, within a city or cells, by all words when none is distinctive; undefined
 * when there are `limit` or more, or nothing to distinguish them by.
 */
function fewByDistinctiveWords(
  file: StreetPart,
  words: readonly Word[],
  groups: readonly Clause[],
  limit: number,
): number[] | undefined {
  const distinctive = words.filter(isDistinctive);
  if (distinctive.length + groups.length === 0) return undefined;
  const found = file.matching([...(distinctive.length > 0 ? distinctive : words), ...groups], limit);
  return found.length < limit ? found : undefined;
}

/** The circle around a box as a condition on indexes; empty for a box that covers much of the globe. */
export function clausesOfBox(bbox: BoundingBox | undefined): Clause[] {
  const circle = bbox && circleAround(bbox);
  return circle ? [{ around: [circle.center], km: circle.km }] : [];
}

const withCountry = ({ groups, country }: Within): readonly Clause[] =>
  country === undefined ? groups : [...groups, { country }];
