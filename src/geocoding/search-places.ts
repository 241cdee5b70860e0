/**
 * Places, countries and regions that a free text names. Every span of its tokens may be the name; what stands beside it
 * is judged by the lattice. Exact names come first; edits are looked for only where those explain too little.
 * How many candidates are looked at never depends on how many are wanted.
 */

import type { Gazetteer, KeyRange } from '../store/gazetteer.ts';
import { isCountryArea, type NameKind, nameKinds } from '../store/gazetteer.ts';
import { fold } from '../text/fold.ts';
import { traitsOfArea } from './area-traits.ts';
import { type Candidate, Candidates, type NameInterpretation, type SearchFilter } from './candidates.ts';
import { addEditedAreas } from './edited-areas.ts';
import { Lattice } from './lattice.ts';
import { isShortForCity, Namesakes } from './namesakes.ts';
import { aliasWorth, editMatch, minEditCost, nameMatch, prefixMatch } from './score.ts';
import * as limits from './search-limits.ts';
import { tokensOf } from './tokens.ts';
import weights from './weights.json' with { type: 'json' };
import { holdsInOrder } from './words-in-order.ts';

export type PlaceSearchOptions = SearchFilter & { isFuzzy: boolean };

const blank = 0x20;

type Span = { from: number; to: number; text: string; beside: number };

/** A search of one text. */
export class PlaceSearch {
  readonly found: Candidates;
  readonly lattice: Lattice;
  readonly #gazetteer: Gazetteer;
  readonly #options: PlaceSearchOptions;
  readonly #spans: Span[] = [];
  readonly #namesakes: Namesakes;

  constructor(gazetteer: Gazetteer, text: string, options: PlaceSearchOptions) {
    const { tokens, lettersLeftOut } = tokensOf(text);
    this.#gazetteer = gazetteer;
    this.#options = options;
    this.found = new Candidates(gazetteer, options);
    this.#namesakes = new Namesakes(gazetteer, options.hasAreas);
    this.lattice = new Lattice(gazetteer, tokens, lettersLeftOut, true);
    if (tokens.length === 0) return;
    this.#strict();
    if (!options.isFuzzy || this.#isMatched()) return;
    this.#lenient();
  }

  /** The best candidates, in order. */
  best(count: number): Candidate[] {
    return this.found.best(count);
  }

  /** Whether a candidate is so good that edits need not be looked for. */
  #isMatched(): boolean {
    return this.found.bestScore >= limits.goodScore && this.found.bestMatch > limits.explainedMatch;
  }

  #strict(): void {
    const { lattice } = this;
    const { length } = lattice.tokens;
    const hasBreaks = lattice.tokens.some(({ isBreakAfter }) => isBreakAfter);
    const whole = lattice.text(0, length);
    // `Paris, Texas` is meant as name and context even where a place is called that.
    const exact = this.#exact(0, length, whole, 0);
    this.#areas();
    if (exact < 20 && (!hasBreaks || exact === 0)) this.#prefixed(0, length, whole, 0);
    if (length === 1 || (exact > 0 && !hasBreaks)) return;
    this.#readSpans();
    for (const { from, to, text, beside } of this.#spans) {
      if (!this.#mayWin(-beside)) break;
      const count = this.#exact(from, to, text, beside);
      if (count === 0 && to === length && text.length > 1) this.#prefixed(from, to, text, beside);
    }
  }

  /** Lists the spans beside the whole text, those with the least dear context first. */
  #readSpans(): void {
    const { length } = this.lattice.tokens;
    for (const [from, to] of this.lattice.spans()) {
      if (to - from === length) continue;
      this.#spans.push({
        from,
        to,
        text: this.lattice.text(from, to),
        beside: this.lattice.costBeside(from, to, undefined),
      });
    }
    this.#spans.sort((left, right) => left.beside - right.beside);
  }

  /** Whether an interpretation of so many points could still be among the first. */
  #mayWin(match: number, margin = limits.exactMargin): boolean {
    return 100 + match + limits.maxProminence >= this.found.bestScore - margin;
  }

  /** Adds the places that bear exactly a name; returns how many there are. */
  #exact(from: number, to: number, text: string, beside: number): number {
    const key = this.#gazetteer.placeNames.find(text);
    if (key < 0) return 0;
    const { type, near, bbox } = this.#options;
    const isNarrow = beside > 0 || to - from < this.lattice.tokens.length || type !== undefined || near || bbox;
    return this.#add(
      { from: key, to: key + 1 },
      { from, to, name: text },
      isNarrow ? limits.maxNamesakes : limits.maxExact,
      () => 0,
    );
  }

  /** Adds the places whose name begins with a text. */
  #prefixed(from: number, to: number, text: string, beside: number): void {
    const { placeNames, nameOf, nearest } = this.#gazetteer;
    const range = placeNames.prefixed(text);
    if (range.from === range.to) return;
    const isWhole = to - from === this.lattice.tokens.length;
    this.#add(range, { from, to, name: text }, isWhole ? limits.maxPrefix : limits.maxPrefixInContext, (posting) => {
      const key = placeNames.keyOf(posting, range);
      return prefixMatch(text.length, placeNames.length(key), placeNames.unit(key, text.length) === blank);
    });
    const { near } = this.#options;
    if (!near || beside > 0) return;
    // The most prominent ones may all be far away: the neighbourhood is looked through as well.
    for (const index of nearest(near.lat, near.lng, limits.maxNear)) {
      const name = fold(nameOf(index));
      if (!this.found.admits(index) || name.length <= text.length || !name.startsWith(text)) continue;
      this.#judge(
        index,
        nameKinds.main,
        { from, to, name },
        prefixMatch(text.length, name.length, name[text.length] === ' '),
      );
    }
  }

  /** Judges the best places of a range of keys; returns how many the filter admits. */
  #add(
    range: KeyRange,
    interpretation: NameInterpretation,
    most: number,
    textMatchOf: (posting: number) => number,
  ): number {
    let looked = 0;
    let added = 0;
    this.#gazetteer.visitPlaces(range, this.#options.country, (index, kind, posting) => {
      if (this.found.admits(index)) {
        this.#judge(index, kind, interpretation, textMatchOf(posting));
        added++;
      }
      return ++looked < most;
    });
    return added;
  }

  #judge(index: number, kind: NameKind, read: NameInterpretation, textMatch: number, isInexact = textMatch < 0): void {
    const { from, to, name } = read;
    const contextMatch = -this.lattice.costBesidePlace(from, to, index);
    const worth = isShortForCity(this.#gazetteer, index, kind, name) ? 0 : aliasWorth(kind, isInexact);
    const despite = worth < 0 && textMatch === 0 ? this.#namesakes.cost(name, this.#gazetteer.nameOf(index)) : 0;
    const match = { textMatch, contextMatch, nameMatch: nameMatch(kind), aliasWorth: worth - despite };
    this.found.addPlace(index, match, read);
  }

  /** Countries and regions that spans name: as answers themselves, and by their largest places. */
  #areas(): void {
    const { lattice } = this;
    const done = new Set<number>();
    for (const { from, to, name, cost, areas } of lattice.areas) {
      if (!this.#mayWin(-cost - lattice.costBeside(from, to, undefined))) continue;
      const interpretation = { from, to, name };
      const text = lattice.text(from, to);
      const despiteWhole = this.#costDespiteWhole(text);
      for (const area of areas.slice(0, limits.maxAreasOfName)) {
        const contextMatch = -lattice.costBeside(from, to, traitsOfArea(this.#gazetteer, area).located);
        const match = {
          textMatch: -cost,
          contextMatch,
          nameMatch: 0,
          aliasWorth: this.#areaNameWorth(area, name, name !== text) - despiteWhole,
        };
        if (this.found.admitsArea(area)) this.found.addArea(area, match, interpretation);
        if (contextMatch < limits.explainedMatch / 3 || done.has(area) || done.size >= 4) continue;
        done.add(area);
        for (const index of this.#gazetteer.placesOfArea(area)) {
          if (!this.found.admitsPlace(index)) continue;
          const prior = isCountryArea(area) ? weights.placeOfCountry : 0;
          this.found.addPlace(
            index,
            { ...match, textMatch: match.textMatch - weights.placeOfArea },
            interpretation,
            prior,
          );
        }
      }
    }
  }

  /** What it costs to take a part of a text that is as a whole the name of a town: Jersey City is not Jersey. */
  #costDespiteWhole(text: string): number {
    const { tokens } = this.lattice;
    const whole = this.lattice.text(0, tokens.length);
    return whole === text || this.lattice.isBroken(0, tokens.length) ? 0 : this.#namesakes.cost(whole, text);
  }

  /** Another name than the main one is less, all the more so where a town is called that: Brasilia is Brazil in Finnish. */
  #areaNameWorth(area: number, name: string, isInexact: boolean): number {
    const { name: main } = traitsOfArea(this.#gazetteer, area);
    if (main === name) return 0;
    return -weights.otherAreaName - (isInexact ? weights.editedAlias : this.#namesakes.cost(name, main));
  }

  /** Readings with edits, then names with words between. */
  #lenient(): void {
    const { lattice } = this;
    const { length } = lattice.tokens;
    if (this.#spans.length === 0 && length > 1) this.#readSpans();
    if (addEditedAreas(this.#gazetteer, lattice)) this.#areas();
    const spans = [{ from: 0, to: length, text: lattice.text(0, length), beside: 0 }, ...this.#spans];
    for (const span of spans) span.beside = lattice.costBeside(span.from, span.to, undefined);
    spans.sort((left, right) => left.beside - right.beside || left.text.length - right.text.length);
    // Exact names beside a context with edits.
    for (const { from, to, text, beside } of spans) {
      if (to - from < length && this.#mayWin(-beside)) this.#exact(from, to, text, beside);
    }
    this.#editedOnce(spans);
    if (!this.#isMatched()) this.#editedTwice(spans);
    if (!this.#isMatched()) this.#beginnings();
  }

  #editedOnce(spans: readonly Span[]): void {
    const { placeNames } = this.#gazetteer;
    let budget = limits.editBudget;
    for (const { from, to, text, beside } of spans) {
      if (!limits.allowsEdit(text) || budget <= 0 || !this.#mayWin(-beside - minEditCost(text), 0)) continue;
      budget -= placeNames.oneEdit(text, budget, (key) => this.#edited(from, to, text, { from: key, to: key + 1 }, 1));
    }
  }

  #editedTwice(spans: readonly Span[]): void {
    const { placeNames } = this.#gazetteer;
    let budget = limits.walkBudget;
    for (const { from, to, text, beside } of spans) {
      if (!limits.allowsTwoEdits(text) || budget <= 0 || !this.#mayWin(-beside - 2 * weights.otherEdit, 0)) continue;
      const ranges: { range: KeyRange; edits: number }[] = [];
      const options = { edits: 2, fixed: 1, isPrefix: false, budget: Math.min(budget, limits.walkBudget / 2) };
      budget -= placeNames.fuzzy(text, options, (range, edits) => ranges.push({ range, edits }));
      for (const { range, edits } of ranges) this.#edited(from, to, text, range, edits);
    }
  }

  #edited(from: number, to: number, text: string, range: KeyRange, edits: number): void {
    const name = this.#gazetteer.placeNames.text(range.from);
    const textMatch = editMatch(text, name, edits);
    const most = to - from === this.lattice.tokens.length ? limits.maxFuzzy : limits.maxFuzzyInContext;
    this.#add(range, { from, to, name }, most, () => textMatch);
  }

  /** Beginnings of names: with an edit, with words between, and of a name that is unfinished before its context. */
  #beginnings(): void {
    const { lattice } = this;
    const { placeNames } = this.#gazetteer;
    const { length } = lattice.tokens;
    const whole = lattice.text(0, length);
    for (let to = length - 1; to > 0; to--) {
      const prefix = lattice.text(0, to);
      const beside = lattice.costBeside(0, to, undefined);
      if (prefix.length >= limits.minPrefixLength && this.#mayWin(-beside - weights.wordsMissing))
        this.#prefixed(0, to, prefix, beside);
    }
    if (length > 1) this.#subsequences();
    if (this.#isMatched() || whole.length < limits.minFuzzyLength || whole.length > limits.maxTwoEditsLength) return;
    const ranges: KeyRange[] = [];
    const options = { edits: 1, fixed: 0, isPrefix: true, budget: limits.walkBudget / 2 };
    placeNames.fuzzy(whole, options, (range) => ranges.push(range));
    for (const range of ranges) {
      this.#add(
        range,
        { from: 0, to: length, name: placeNames.text(range.from) },
        limits.maxFuzzy,
        () => -weights.otherEdit - weights.editedPrefix,
      );
    }
  }

  /** Names that hold all words in their order, with others between: `Rothenburg Tauber` for `Rothenburg ob der Tauber`. */
  #subsequences(): void {
    const { tokens } = this.lattice;
    const words = tokens.map(({ text }) => text);
    let looked = 0;
    const range = this.#gazetteer.placeNames.prefixed(`${words[0]} `);
    const interpretation = { from: 0, to: tokens.length, name: words.join(' ') };
    const { placeNames } = this.#gazetteer;
    this.#gazetteer.visitPlaces(range, this.#options.country, (index, kind, posting) => {
      const name = () => placeNames.text(placeNames.keyOf(posting, range));
      if (this.found.admits(index) && holdsInOrder(name().split(' '), words)) {
        this.#judge(index, kind, interpretation, -weights.wordsBetween, false);
      }
      return ++looked < limits.maxSubsequence;
    });
  }
}
