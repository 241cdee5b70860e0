/**
 * Places that a free text names. The text is read in every way that makes sense: all of it a name, or a name with its
 * context after or before it. Only when that finds little are mistakes allowed for, and then words that nothing
 * explains. How many candidates are looked at never depends on how many are wanted.
 */
import { contextCost, exactConfidence, partialConfidence } from '../ranking.ts';
import type { SearchFilter } from './candidates.ts';
import { type ContextPart, readContext } from './context.ts';
import { nameKinds } from './name-keys.ts';
import { goodRank, PlaceMatches } from './place-matches.ts';
import { type PlaceQuery, readPlaceQuery, withoutKindWords } from './place-query.ts';
import type { SearchIndexes } from './place-table.ts';
import { allowedEdits, walkTypos } from './typo-walk.ts';

const maxNameWords = 8;
/** Fewer letters before a context begin too many names. */
const shortestBegun = 3;
/** Trie nodes that all walks of one query may look at together: about two milliseconds. */
const typoBudget = 8_000;

export type PlaceSearchOptions = SearchFilter & { isFuzzy: boolean; limit: number };

/** Searches; hits are in order, with confidence in 1–100, and empty when nothing fits. */
export function searchPlaces(
  indexes: SearchIndexes,
  text: string,
  options: PlaceSearchOptions,
): { index: number; confidence: number }[] {
  const query = readPlaceQuery(text);
  if (query.words.length === 0) return [];
  const matches = new PlaceMatches(indexes, options);
  const search = new Search(indexes, matches);
  search.strict(query, 0);
  if (matches.found.bestRank < goodRank) {
    const bare = withoutKindWords(query);
    if (bare) search.strict(bare, 2);
  }
  if (options.isFuzzy && !matches.isArea && matches.found.bestRank < goodRank) search.lenient(query);
  return matches.found.best(options.limit);
}

class Search {
  readonly #indexes: SearchIndexes;
  readonly #matches: PlaceMatches;

  constructor(indexes: SearchIndexes, matches: PlaceMatches) {
    this.#indexes = indexes;
    this.#matches = matches;
  }

  /** Every reading without mistakes that explains all words; `cost` is taken from each confidence. */
  strict(query: PlaceQuery, cost: number): void {
    const { words, breaks, lettersLeftOut } = query;
    if (lettersLeftOut > 0) return;
    const end = words.length;
    const whole = words.join(' ');
    const exact = this.#matches.exact(whole, [], cost);
    // `Paris, Texas` is meant as name and context even where a place is called that.
    if (exact === 0 || breaks.includes(true)) {
      for (const [from, to] of spans(end, breaks)) {
        const name = words.slice(from, to).join(' ');
        // Most readings have no such name. That is soon seen, and spares the reading of the words beside it.
        if (to < end ? this.#indexes.names.find(name) < 0 : !this.#indexes.names.begins(name)) continue;
        const context = this.#contextOf(query, from, to, true);
        if (!context) continue;
        if (this.#matches.exact(name, context, cost) === 0 && to === end) this.#matches.begun(name, context, cost);
      }
    }
    if (exact < 20) this.#matches.begun(whole, [], cost);
    const isWeak = () => this.#matches.found.bestConfidence < exactConfidence[nameKinds.romanised] - cost;
    this.#matches.area(whole, [], cost, isWeak());
    if (isWeak()) this.#withContext(query, cost);
  }

  /** A region and its country (`Tuscany, Italy`); where nothing else fits, an unfinished name before its context. */
  #withContext(query: PlaceQuery, cost: number): void {
    const { words, breaks } = query;
    const { areas, names } = this.#indexes;
    const isAlone = this.#matches.found.bestConfidence === 0;
    for (const [from, to] of spans(words.length, breaks)) {
      if (from > 0) continue;
      const name = words.slice(0, to).join(' ');
      const isBegun = isAlone && name.length >= shortestBegun && names.begins(name);
      if (!isBegun && !areas.named(name)) continue;
      const context = this.#contextOf(query, 0, to, true);
      if (!context) continue;
      this.#matches.area(name, context, cost, isAlone);
      if (isBegun && !this.#matches.isArea) this.#matches.begun(name, context, cost);
    }
  }

  /** Readings with mistakes, and then ones that leave words unexplained. */
  lenient(query: PlaceQuery): void {
    const { words, breaks } = query;
    const end = words.length;
    let budget = typoBudget;
    const misspelt = (name: string, context: ContextPart[], isPrefix: boolean) => {
      budget = this.#matches.misspelt(name, context, isPrefix, budget);
    };
    misspelt(words.join(' '), [], false);
    if (end > 1 && this.#matches.found.bestRank < goodRank) {
      for (const [from, to] of spans(end, breaks)) {
        const context = this.#contextOf(query, from, to, true);
        if (context && budget > 0) misspelt(words.slice(from, to).join(' '), context, false);
      }
      if (this.#matches.found.bestRank < goodRank) this.#misspeltContext(query, budget);
    }
    if (this.#matches.found.bestRank < goodRank - 15) misspelt(words.join(' '), [], true);
    if (end > 1 && this.#matches.found.bestRank < goodRank - 15) this.#matches.gapped(words);
    if (end > 1 && this.#matches.found.bestRank < goodRank - 20) this.#partial(query);
  }

  #contextOf({ words }: PlaceQuery, from: number, to: number, isLastBegun: boolean): ContextPart[] | undefined {
    return from === 0
      ? readContext(this.#indexes, words, to, words.length, isLastBegun)
      : to === words.length
        ? readContext(this.#indexes, words, 0, from, false)
        : undefined;
  }

  /** A right name with a context that has one mistake. */
  #misspeltContext(query: PlaceQuery, budget: number): void {
    const { words, breaks } = query;
    const { areas, names } = this.#indexes;
    let left = budget;
    for (const [from, to] of spans(words.length, breaks)) {
      if (left <= 0) return;
      if (names.find(words.slice(from, to).join(' ')) < 0) continue;
      const text = (from === 0 ? words.slice(to) : words.slice(0, from)).join(' ');
      if (allowedEdits(text.length) === 0) continue;
      const found: number[] = [];
      left -= walkTypos(areas.index, text, { edits: 1, fixed: 0, isPrefix: false, budget: left }, (range) =>
        areas.visit(range, (area) => found.push(area) < 50),
      );
      if (found.length === 0) continue;
      const part: ContextPart = { areas: found, exactAreas: found.length, begunNames: undefined, places: [] };
      this.#matches.exact(words.slice(from, to).join(' '), [part], contextCost.misspelt);
    }
  }

  /** The longest names inside the query, whatever the other words are. */
  #partial({ words, lettersLeftOut }: PlaceQuery): void {
    const letters = words.reduce((sum, word) => sum + word.length, lettersLeftOut);
    for (let length = Math.min(words.length - (lettersLeftOut > 0 ? 0 : 1), maxNameWords); length > 0; length--) {
      let named = 0;
      for (let from = 0; from + length <= words.length; from++) {
        const name = words.slice(from, from + length);
        const key = this.#indexes.names.find(name.join(' '));
        if (key < 0) continue;
        const share = name.reduce((sum, word) => sum + word.length, 0) / letters;
        named += this.#matches.add({ from: key, to: key + 1 }, [], 20, (kind) =>
          partialConfidence(exactConfidence[kind], share),
        );
      }
      if (named > 0 && length > 1) return;
    }
  }
}

/** Word ranges that may be the name beside a context: the longest first, those at the start before those at the end. */
function* spans(words: number, breaks: readonly boolean[]): Generator<[from: number, to: number]> {
  for (let length = Math.min(words - 1, maxNameWords); length > 0; length--) {
    if (!breaks.slice(0, length - 1).includes(true)) yield [0, length];
    if (!breaks.slice(words - length, words - 1).includes(true)) yield [words - length, words];
  }
}
