/** Candidate streets for the words of a text, found by index look-ups alone; names are compared later. */

import { type BoundingBox, circleAround } from '../../core/geo.ts';
import type { Budget } from '../../store/address-contract.ts';
import type { Clause, StreetPart } from '../../store/street-parts.ts';
import { isDistinctive, isStreetType, type Word, wholeNames } from '../../text/words.ts';
import { isSpent, prices } from '../search-limits.ts';

/**
 * Maximum number of streets examined per interpretation, over all parts, the most prominent first; bounds the time of a
 * query.
 */
export const maxCandidates = 48;

type Parts = readonly StreetPart[];
/** Conditions besides the text: each of `groups` must match a term of the street. */
export type Within = { groups: readonly Clause[]; country?: string; budget: Budget };
/** A street: the position of its part, and its identifier there. */
export type Candidate = { part: number; id: number };

/**
 * Streets that may have all words, at most `limit`, in no order. The distinctive words alone are tried first, because the
 * posting lists of a country, or of `street`, are long. Only when that finds too many streets are all words used: then come first
 * those whose whole name is the text, or its beginning or end but for `around` words.
 */
export function streetCandidates(
  parts: Parts,
  words: readonly Word[],
  within: Within,
  limit: number,
  around: number,
): Candidate[] {
  const few = fewByDistinctiveWords(parts, words, within, limit);
  if (few) return few;
  const all = withCountry(within);
  const streets = new Map<string, Candidate>();
  const queries: (readonly Clause[])[] = [];
  for (let left = words.length; left > 0 && left >= words.length - around; left--) {
    const names = left === words.length ? [words] : [words.slice(0, left), words.slice(-left)];
    for (const name of names) {
      const rest = words.filter((word) => !name.includes(word));
      queries.push([{ wholeName: wholeNames(name) }, ...rest, ...all]);
    }
  }
  for (const clauses of [...queries, [...words, ...all]]) {
    for (const found of mostProminent(parts, clauses, limit, within.budget))
      streets.set(`${found.part} ${found.id}`, found);
    if (streets.size >= limit) break;
  }
  return [...streets.values()].slice(0, limit);
}

/**
 * The most prominent streets, at most 48, whose whole name consists of these words; a street type before
 * them may also be behind: `ул Елецкая` is `Елецкая улица`.
 */
export function namedCandidates(parts: Parts, name: readonly Word[], within: Within): Candidate[] {
  const orders = isStreetType(name[0][0]) ? [name, [...name.slice(1), name[0]]] : [name];
  const clauses = [{ wholeName: orders.flatMap(wholeNames) }, ...withCountry(within)];
  return mostProminent(parts, clauses, maxCandidates, within.budget);
}

/** All streets that may have all words in their name; undefined when there are `limit` or more. */
export function fewCandidates(
  parts: Parts,
  words: readonly Word[],
  within: Within,
  limit: number,
): Candidate[] | undefined {
  return (
    fewByDistinctiveWords(parts, words, within, limit) ??
    allMatching(parts, [...words, ...withCountry(within)], limit, within.budget)
  );
}

/**
 * Streets found by the distinctive words, or, within a city or cells, by all words when none is distinctive; undefined
 * when there are `limit` or more, or nothing to distinguish them by.
 */
function fewByDistinctiveWords(
  parts: Parts,
  words: readonly Word[],
  { groups, budget }: Within,
  limit: number,
): Candidate[] | undefined {
  const distinctive = words.filter(isDistinctive);
  if (distinctive.length + groups.length === 0) return undefined;
  // A word with corrections may be two words of a name in one piece, which are other terms.
  const also = words.filter((word) => word.length === 1 && !isDistinctive(word));
  return allMatching(parts, [...(distinctive.length > 0 ? distinctive : words), ...groups], limit, budget, also);
}

/** All streets that match some clauses, but possibly not those that do not match `also`; undefined when there are `limit` or more. */
function allMatching(
  parts: Parts,
  clauses: readonly Clause[],
  limit: number,
  budget: Budget,
  also: readonly Word[] = [],
): Candidate[] | undefined {
  const found: Candidate[] = [];
  if (isSpent(budget)) return found;
  let price = prices.question;
  const all = [...new Set([...clauses, ...also])];
  for (const [part, one] of parts.entries()) {
    const may = one.mayMatch(all);
    if (may === false) continue;
    const ids = one.matching(clauses, limit, all);
    for (const id of ids) found.push({ part, id });
    if (!may && ids.length === 0) continue;
    // Many parts are asked little more than one of all, as the filters of most have not all terms.
    budget.left -= price;
    price = 0;
    if (found.length >= limit) return undefined;
  }
  return found;
}

/**
 * The most prominent streets that match some clauses: those of the first class, of one class the first of each part, then the
 * second of each. A part is asked for few first, and for more if all of these are taken.
 */
export function mostProminent(parts: Parts, clauses: readonly Clause[], limit: number, budget: Budget): Candidate[] {
  const asked: number[] = [];
  if (isSpent(budget)) return [];
  let isKnown = false;
  for (const [at, part] of parts.entries()) {
    const may = part.mayMatch(clauses);
    if (may !== false) asked.push(at);
    isKnown ||= may === true;
  }
  if (asked.length === 0) return [];
  const lists = new Map<number, { most: number; ids: readonly number[] }>();
  let most = Math.min(limit, Math.ceil((2 * limit) / asked.length));
  for (let next = asked; ; most = Math.min(limit, 4 * most)) {
    const found = next.map((part) => parts[part].matching(clauses, most));
    if (isKnown || found.some(({ length }) => length > 0)) budget.left -= prices.question;
    for (const [at, part] of next.entries()) lists.set(part, { most, ids: found[at] });
    // Numbers are sorted much faster than objects.
    const keys: number[] = [];
    for (const [part, { ids }] of lists) {
      let [prominence, place] = [Number.NaN, Number.NaN];
      for (const id of ids) {
        const own = parts[part].prominence(id);
        place = own === prominence ? place + 1 : 0;
        prominence = own;
        keys.push((own * limit + place) * parts.length + part);
      }
    }
    const lowest = Float64Array.from(keys).sort().subarray(0, limit);
    // The keys of a part are in the order of its list.
    const taken = new Map(asked.map((part) => [part, 0]));
    const candidates = Array.from(lowest, (key) => {
      const part = key % parts.length;
      const at = taken.get(part)!;
      taken.set(part, at + 1);
      return { part, id: lists.get(part)!.ids[at] };
    });
    next = asked.filter((part) => {
      const { most, ids } = lists.get(part)!;
      return most < limit && ids.length === most && (lowest.length < limit || taken.get(part) === most);
    });
    if (next.length === 0) return candidates;
  }
}

/** The circle around a box as a condition on indexes; empty for a box that covers much of the globe. */
export function clausesOfBox(bbox: BoundingBox | undefined): Clause[] {
  const circle = bbox && circleAround(bbox);
  return circle ? [{ around: [circle.center], km: circle.km }] : [];
}

const withCountry = ({ groups, country }: Omit<Within, 'budget'>): readonly Clause[] =>
  country === undefined ? groups : [...groups, { country }];
