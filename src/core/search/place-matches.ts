/** Places found by a name or its beginning, put among the candidates of a search. */
import { fold } from '../../text/fold.ts';
import { areaConfidence, editCost, exactConfidence, gappedConfidence, prefixConfidence } from '../ranking.ts';
import { Candidates, type SearchFilter } from './candidates.ts';
import { type ContextPart, contextCostOf } from './context.ts';
import type { KeyRange } from './name-index.ts';
import { type NameKind, nameKinds } from './name-keys.ts';
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
export const goodRank = 100;

/** In all of it, a context is what a place must lie in or near, and `cost` is taken from each confidence. */
export class PlaceMatches {
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

  /** Adds the places that bear exactly a name and fit a context; gives how many fit. */
  exact(name: string, context: readonly ContextPart[], cost: number): number {
    const key = this.#indexes.names.find(name);
    if (key < 0) return 0;
    const { type, near } = this.#filter;
    const most = context.length > 0 || type !== undefined || near ? mostNamesakes : exactPlaces;
    return this.add({ from: key, to: key + 1 }, context, most, (kind) => exactConfidence[kind] - cost);
  }

  /** Adds the places whose name begins with a text. */
  begun(text: string, context: readonly ContextPart[], cost: number): void {
    const { names, nameOf, nearest } = this.#indexes;
    const range = names.prefixed(text);
    const { keys } = names;
    const blank = 0x20;
    this.add(range, context, prefixPlaces, (kind, key) => {
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
  add(
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
   * A name that is only that of a country or region: its largest places that fit a context. Beside places that fit as
   * well (`Hungary`, a village; `Guam Government House`), only countries and first-level regions by their full names.
   */
  area(name: string, context: readonly ContextPart[], cost: number, isAlone: boolean): void {
    const { areas, placesOfArea, isSubregion } = this.#indexes;
    const named = areas.named(name);
    // A letter is a region's code in thirty countries, and nobody's only word for it.
    if (!named || name.length === 1) return;
    let looked = 0;
    areas.visit(named, (area, isShortened) => {
      if (!isAlone && (isShortened || isSubregion(area))) return true;
      if (context.length === 0) this.isArea = true;
      for (const index of placesOfArea(area)) {
        const fit = this.found.admits(index) ? contextCostOf(this.#indexes, index, context) : undefined;
        if (fit === undefined) continue;
        this.isArea = true;
        this.found.add(index, nameKinds.main, areaConfidence - cost - fit - looked * 3);
      }
      return ++looked < mostAreas;
    });
  }

  /** Adds places whose name is a text with mistakes; gives what is left of the budget. */
  misspelt(name: string, context: readonly ContextPart[], isPrefix: boolean, budget: number): number {
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
        this.add(
          range,
          context,
          typoPlaces,
          (kind) => exactConfidence[kind] - mistakes * editCost - (isPrefix ? 14 : 0),
        );
      }
    }
    return left;
  }

  /** Names that hold all words in their order, with others between: `Rothenburg Tauber` for `Rothenburg ob der Tauber`. */
  gapped(words: readonly string[]): void {
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
}

/** Whether all words occur among others in their order. */
function holdsInOrder(among: readonly string[], words: readonly string[]): boolean {
  let found = 0;
  for (const word of among) if (found < words.length && word === words[found]) found++;
  return found === words.length;
}
