/**
 * Places that a free text names. The text is read in every way that makes sense: all of it a name, or a name with its
 * context after or before it. Only when that finds little are mistakes allowed for, and then words that nothing
 * explains. How many candidates are looked at never depends on how many are wanted.
 */
import { fold } from '../fold.ts';
import {
  areaConfidence,
  contextCost,
  editCost,
  exactConfidence,
  gappedConfidence,
  partialConfidence,
  prefixConfidence,
} from '../ranking.ts';
import { Candidates, type SearchFilter } from './candidates.ts';
import { type ContextPart, contextCostOf, readContext } from './context.ts';
import type { KeyRange } from './name-index.ts';
import { type NameKind, nameKinds } from './name-keys.ts';
import { type PlaceQuery, readPlaceQuery, withoutKindWords } from './place-query.ts';
import type { SearchIndexes } from './place-table.ts';
import { allowedEdits, walkTypos } from './typo-walk.ts';

/** Most places of one exact name; with a context or a position all of them are looked at, up to `mostNamesakes`. */
const exactPlaces = 120;
const mostNamesakes = 5_000;
const prefixPlaces = 30;
const nearPlaces = 64;
const typoPlaces = 60;
const gappedPlaces = 200;
/** A query that is the name of several areas is answered for so many of them. */
const mostAreas = 4;
/** From this rank on an answer is good enough not to look for mistakes: a well-known place, or an exact small one. */
const goodRank = 100;
const maxNameWords = 8;
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
  const search = new Search(indexes, options);
  search.strict(query, 0);
  if (search.found.bestRank < goodRank) {
    const bare = withoutKindWords(query);
    if (bare) search.strict(bare, 2);
  }
  if (options.isFuzzy && !search.isArea && search.found.bestRank < goodRank) search.lenient(query);
  return search.found.best(options.limit);
}

class Search {
  readonly found: Candidates;
  /** Whether the query is the name of a country or region: then it holds no mistake. */
  isArea = false;
  readonly #indexes: SearchIndexes;
  readonly #filter: SearchFilter;

  constructor(indexes: SearchIndexes, filter: SearchFilter) {
    this.#indexes = indexes;
    this.#filter = filter;
    this.found = new Candidates(indexes.table, filter);
  }

  /** Every reading without mistakes that explains all words; `cost` is taken from each confidence. */
  strict(query: PlaceQuery, cost: number): void {
    const { words, breaks, lettersLeftOut } = query;
    if (lettersLeftOut > 0) return;
    const end = words.length;
    const whole = words.join(' ');
    const exact = this.#exact(whole, [], cost);
    // `Paris, Texas` is meant as name and context even where a place is called that.
    if (exact === 0 || breaks.includes(true)) {
      for (const [from, to] of spans(end, breaks)) {
        const name = words.slice(from, to).join(' ');
        // Most readings have no such name. That is soon seen, and spares the reading of the words beside it.
        if (to < end ? this.#indexes.names.find(name) < 0 : !this.#indexes.names.begins(name)) continue;
        const context = this.#contextOf(query, from, to, true);
        if (!context) continue;
        if (this.#exact(name, context, cost) === 0 && to === end) this.#begun(name, context, cost);
      }
    }
    if (exact < 20) this.#begun(whole, [], cost);
    this.#area(whole, cost, this.found.bestConfidence < exactConfidence[nameKinds.romanised] - cost);
  }

  /** Readings with mistakes, and then ones that leave words unexplained. */
  lenient(query: PlaceQuery): void {
    const { words, breaks } = query;
    const end = words.length;
    let budget = typoBudget;
    const misspelt = (name: string, context: ContextPart[], isPrefix: boolean) => {
      budget = this.#misspelt(name, context, isPrefix, budget);
    };
    misspelt(words.join(' '), [], false);
    if (end > 1 && this.found.bestRank < goodRank) {
      for (const [from, to] of spans(end, breaks)) {
        const context = this.#contextOf(query, from, to, true);
        if (context && budget > 0) misspelt(words.slice(from, to).join(' '), context, false);
      }
      if (this.found.bestRank < goodRank) this.#misspeltContext(query, budget);
    }
    if (this.found.bestRank < goodRank - 15) misspelt(words.join(' '), [], true);
    if (end > 1 && this.found.bestRank < goodRank - 15) this.#gapped(words);
    if (end > 1 && this.found.bestRank < goodRank - 20) this.#partial(query);
  }

  #contextOf({ words }: PlaceQuery, from: number, to: number, isLastBegun: boolean): ContextPart[] | undefined {
    return from === 0
      ? readContext(this.#indexes, words, to, words.length, isLastBegun)
      : to === words.length
        ? readContext(this.#indexes, words, 0, from, false)
        : undefined;
  }

  /** Adds the places that bear exactly a name and fit a context; gives how many fit. */
  #exact(name: string, context: readonly ContextPart[], cost: number): number {
    const key = this.#indexes.names.find(name);
    if (key < 0) return 0;
    const { type, near } = this.#filter;
    const most = context.length > 0 || type !== undefined || near ? mostNamesakes : exactPlaces;
    return this.#add({ from: key, to: key + 1 }, context, most, (kind) => exactConfidence[kind] - cost);
  }

  /** Adds the places whose name begins with a text. */
  #begun(text: string, context: readonly ContextPart[], cost: number): void {
    const { names, nameOf, nearest } = this.#indexes;
    const range = names.prefixed(text);
    const { keys } = names;
    const blank = 0x20;
    this.#add(range, context, prefixPlaces, (kind, key) => {
      const length = keys.length(key);
      if (length === text.length) return exactConfidence[kind] - cost;
      const isAtWordEnd = keys.unit(keys.start(key) + text.length) === blank;
      return prefixConfidence(kind, text.length, length, isAtWordEnd) - cost;
    });
    const { near } = this.#filter;
    if (!near || context.length > 0) return;
    // The most prominent ones may all be far away: the neighbourhood is looked through as well.
    for (const index of nearest(near.lat, near.lng, nearPlaces)) {
      if (!this.found.admits(index)) continue;
      const name = fold(nameOf(index));
      if (name.length > text.length && name.startsWith(text)) {
        const confidence = prefixConfidence(nameKinds.main, text.length, name.length, name[text.length] === ' ');
        this.found.add(index, nameKinds.main, confidence - cost);
      }
    }
  }

  /** Adds the best places of a range of keys; gives how many were added. */
  #add(
    range: KeyRange,
    context: readonly ContextPart[],
    most: number,
    confidenceOf: (kind: NameKind, key: number) => number,
  ): number {
    const { names, postings } = this.#indexes;
    const { found } = this;
    let looked = 0;
    let added = 0;
    const visit = (value: number, key: number) => {
      const index = postings.place(value);
      const kind = postings.kind(value);
      const cost = found.admits(index) ? contextCostOf(this.#indexes, index, context) : undefined;
      if (cost !== undefined) {
        found.add(index, kind, confidenceOf(kind, key) - cost);
        added++;
      }
      return ++looked < most;
    };
    const { country } = this.#filter;
    if (country === undefined) names.visitKeys(range, visit);
    else names.visitGroup(country, range, visit);
    return added;
  }

  /**
   * A query that is only the name of a country or region: its largest places. Beside places that fit as well
   * (`Hungary`, a village; `Guam Government House`), only countries and first-level regions by their full names.
   */
  #area(name: string, cost: number, isAlone: boolean): void {
    const { areas, placesOfArea, isSubregion } = this.#indexes;
    const named = areas.named(name);
    // A letter is a region's code in thirty countries, and nobody's only word for it.
    if (!named || name.length === 1) return;
    let looked = 0;
    areas.visit(named, (area, isShortened) => {
      if (!isAlone && (isShortened || isSubregion(area))) return true;
      this.isArea = true;
      for (const index of placesOfArea(area)) {
        if (this.found.admits(index)) this.found.add(index, nameKinds.main, areaConfidence - cost - looked * 3);
      }
      return ++looked < mostAreas;
    });
  }

  /** Adds places whose name is a text with mistakes; gives what is left of the budget. */
  #misspelt(name: string, context: readonly ContextPart[], isPrefix: boolean, budget: number): number {
    const letters = name.length;
    const most = allowedEdits(letters);
    let left = budget;
    for (let edits = 1; edits <= most; edits++) {
      if (edits > 1 && this.found.bestRank >= goodRank - 8) break;
      const given = Math.min(left, isPrefix ? 4_000 : 6_000);
      const ranges: { range: KeyRange; edits: number }[] = [];
      left -= walkTypos(
        this.#indexes.names,
        name,
        { edits, fixed: edits - 1, isPrefix, budget: given },
        (range, mistakes) => ranges.push({ range, edits: mistakes }),
      );
      for (const { range, edits: mistakes } of ranges) {
        this.#add(
          range,
          context,
          typoPlaces,
          (kind) => exactConfidence[kind] - mistakes * editCost - (isPrefix ? 14 : 0),
        );
      }
    }
    return left;
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
      this.#exact(words.slice(from, to).join(' '), [part], contextCost.misspelt);
    }
  }

  /** Names that hold all words in their order, with others between: `Rothenburg Tauber` for `Rothenburg ob der Tauber`. */
  #gapped(words: readonly string[]): void {
    const { names, postings, nameOf } = this.#indexes;
    const { country } = this.#filter;
    let looked = 0;
    const visit = (rank: number) => {
      const index = postings.place(rank);
      if (this.found.admits(index) && holdsInOrder(fold(nameOf(index)).split(' '), words)) {
        this.found.add(index, nameKinds.main, gappedConfidence);
      }
      return ++looked < gappedPlaces;
    };
    const range = names.prefixed(`${words[0]} `);
    if (country === undefined) names.visit(range, visit);
    else names.visitGroup(country, range, visit);
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
        named += this.#add({ from: key, to: key + 1 }, [], 20, (kind) =>
          partialConfidence(exactConfidence[kind], share),
        );
      }
      if (named > 0 && length > 1) return;
    }
  }
}

/** Whether all words occur among others in their order. */
function holdsInOrder(among: readonly string[], words: readonly string[]): boolean {
  let found = 0;
  for (const word of among) if (found < words.length && word === words[found]) found++;
  return found === words.length;
}

/** Word ranges that may be the name beside a context: the longest first, those at the start before those at the end. */
function* spans(words: number, breaks: readonly boolean[]): Generator<[from: number, to: number]> {
  for (let length = Math.min(words - 1, maxNameWords); length > 0; length--) {
    if (!breaks.slice(0, length - 1).includes(true)) yield [0, length];
    if (!breaks.slice(words - length, words - 1).includes(true)) yield [words - length, words];
  }
}
