import { contextCostOf, readContext } from './context.ts';
import type { KeyRange } from './name-index.ts';
import { nameKinds } from './name-keys.ts';
import { readPlaceQuery } from './place-query.ts';
import type { SearchIndexes } from './place-table.ts';
import { allowedEdits, walkTypos } from './typo-walk.ts';

/** Most suggestions, and how many postings are looked at for them: a place may have many names that begin alike. */
const mostSuggestions = 20;
const mostPostings = 400;
const typoBudget = 8_000;

/**
 * Places whose name a text begins: its last word may be unfinished, and words after a full name may be its context.
 * Main names come before other names, then prominence decides. Only when nothing fits are typing mistakes allowed for.
 * At most 20, in order; `country` is a country number.
 */
export function suggestPlaces(
  indexes: SearchIndexes,
  text: string,
  country: number | undefined,
  limit: number,
): number[] {
  const query = readPlaceQuery(text);
  const { words, breaks } = query;
  if (words.length === 0 || query.lettersLeftOut > 0) return [];
  const whole = words.join(' ');
  const values = best(indexes, indexes.names.prefixed(whole), country, words.length > 1 ? mostSuggestions : limit);
  for (let length = words.length - 1; length > 0; length--) {
    if (breaks.slice(0, length - 1).includes(true)) continue;
    const key = indexes.names.find(length === 1 ? words[0] : words.slice(0, length).join(' '));
    if (key < 0) continue;
    const context = readContext(indexes, words, length, words.length, true);
    if (!context) continue;
    values.push(
      ...best(indexes, { from: key, to: key + 1 }, country, mostSuggestions, (index) => {
        return contextCostOf(indexes, index, context) !== undefined;
      }),
    );
  }
  if (values.length === 0) values.push(...misspelt(indexes, whole, country));
  if (words.length > 1 || values.length > limit) values.sort((left, right) => left - right);
  const places: number[] = [];
  for (const value of wholeBeforeBegun(indexes, whole, country, values)) {
    const index = indexes.postings.place(value);
    if (!places.includes(index) && places.push(index) === limit) break;
  }
  return places;
}

/** Puts places that bear the whole text as a name before those of which only another name than the main one begins so. */
function wholeBeforeBegun(
  indexes: SearchIndexes,
  text: string,
  country: number | undefined,
  values: number[],
): readonly number[] {
  const { names, postings } = indexes;
  const firstOther = values.findIndex((value) => postings.kind(value) !== nameKinds.main);
  if (firstOther < 0) return values;
  const key = names.find(text);
  if (key < 0) return values;
  const whole = best(indexes, { from: key, to: key + 1 }, country, mostSuggestions).filter(
    (value) => postings.kind(value) <= nameKinds.known,
  );
  const places = new Set(whole.map((value) => postings.place(value)));
  const isBegun = (value: number) => postings.kind(value) !== nameKinds.main && !places.has(postings.place(value));
  const at = values.findIndex(isBegun);
  return at < 0 ? values : [...values.slice(0, at), ...whole, ...values.slice(at)];
}

/** The smallest posting value of each of the best places in a range of keys, ascending. */
function best(
  { names, postings }: SearchIndexes,
  range: KeyRange,
  country: number | undefined,
  limit: number,
  accept?: (index: number) => boolean,
): number[] {
  const values: number[] = [];
  const seen = new Set<number>();
  let looked = 0;
  const most = accept ? mostPostings * 10 : mostPostings;
  const visit = (value: number) => {
    const index = postings.place(value);
    if (!seen.has(index)) {
      seen.add(index);
      if (!accept || accept(index)) values.push(value);
    }
    return values.length < limit && ++looked < most;
  };
  if (country === undefined) names.visit(range, visit);
  else names.visitGroup(country, range, visit);
  return values;
}

/** Posting values of the places that a text with mistakes begins, the fewest mistakes first; each keeps its order. */
function misspelt(indexes: SearchIndexes, text: string, country: number | undefined): number[] {
  const most = allowedEdits(text.length);
  for (let edits = 1; edits <= most; edits++) {
    const values: number[] = [];
    walkTypos(indexes.names, text, { edits, fixed: edits - 1, isPrefix: true, budget: typoBudget }, (range) => {
      values.push(...best(indexes, range, country, mostSuggestions));
    });
    if (values.length > 0) return values.sort((left, right) => left - right);
  }
  return [];
}
