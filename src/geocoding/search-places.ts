/**
 * Places, countries and regions that a free text names. Every span of its tokens may be the name; what stands beside it
 * is judged by the lattice. Exact names come first; edits are looked for only where those explain too little.
 * How many candidates are looked at never depends on how many are wanted.
 */

import type { Gazetteer, KeyRange } from '../store/gazetteer.ts';
import { isCountryArea, type NameKind, nameKinds } from '../store/gazetteer.ts';
import { fold } from '../text/fold.ts';
import { type Candidate, Candidates, type NameReading, type SearchFilter } from './candidates.ts';
import { Lattice, locatedArea, locatedPlace } from './lattice.ts';
import { aliasWorth, editMatch, nameMatch, prefixMatch } from './score.ts';
import { tokensOf } from './tokens.ts';
import weights from './weights.json' with { type: 'json' };

export type PlaceSearchOptions = SearchFilter & { isFuzzy: boolean };

/** Most places of one exact name; with a context or a position all of them are looked at, up to `mostNamesakes`. */
const maxExact = 120;
const maxNamesakes = 5_000;
const maxBegun = 30;
const maxBegunInContext = 400;
const maxNear = 64;
const maxEdited = 60;
const maxEditedInContext = 1_000;
const maxGapped = 200;
const maxAreasOfName = 50;
/** Fewer letters before a context begin too many names. */
const shortestBegun = 3;
const shortestEdited = 4;
const shortestEditedTwice = 8;
const longestEdited = 36;
const longestEditedTwice = 26;

/** From this score on an answer is good enough not to look for edits: a well-known place, or an exact small one. */
const goodScore = 100;
/** Words cost more than this only where a whole word stays unexplained. */
const explainedMatch = -30;
/** Most points that prominence adds, and how far behind the best an exact name may be to be looked at. */
const maxProminence = 28;
const exactMargin = 20;

/** Texts that all look-ups of one edit may try together, and trie nodes that all walks of two may look at. */
const editBudget = 8_000;
const walkBudget = 3_000;
const areaWalkBudget = 1_200;

/** A town of some ten thousand people is so prominent. */
const townProminence = 50;

type Span = { from: number; to: number; text: string; beside: number };

/** A search of one text. */
export class PlaceSearch {
  readonly found: Candidates;
  readonly lattice: Lattice;
  readonly #gazetteer: Gazetteer;
  readonly #options: PlaceSearchOptions;
  readonly #spans: Span[] = [];
  /** Prominence of the best place that bears the whole text as its main name. */
  #mainProminence = 0;

  constructor(gazetteer: Gazetteer, text: string, options: PlaceSearchOptions) {
    const { tokens, lettersLeftOut } = tokensOf(text);
    this.#gazetteer = gazetteer;
    this.#options = options;
    this.found = new Candidates(gazetteer, options);
    this.lattice = new Lattice(gazetteer, tokens, lettersLeftOut);
    if (tokens.length === 0) return;
    this.#strict();
    if (!options.isFuzzy || this.#isExplained()) return;
    this.#lenient();
  }

  /** The best candidates, in order. */
  best(count: number): Candidate[] {
    return this.found.best(count);
  }

  /** Whether a candidate is so good that edits need not be looked for. */
  #isExplained(): boolean {
    return this.found.bestScore >= goodScore && this.found.bestMatch > explainedMatch;
  }

  #strict(): void {
    const { lattice } = this;
    const { length } = lattice.tokens;
    const hasBreaks = lattice.tokens.some(({ isBreakAfter }) => isBreakAfter);
    const whole = lattice.text(0, length);
    // `Paris, Texas` is meant as name and context even where a place is called that.
    const exact = this.#exact(0, length, whole, 0);
    this.#areas();
    if (exact < 20 && (!hasBreaks || exact === 0)) this.#begun(0, length, whole, 0);
    if (length === 1 || (exact > 0 && !hasBreaks)) return;
    this.#readSpans();
    for (const { from, to, text, beside } of this.#spans) {
      if (!this.#mayWin(-beside)) break;
      const count = this.#exact(from, to, text, beside);
      if (count === 0 && to === length && text.length > 1) this.#begun(from, to, text, beside);
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

  /** Whether a reading of so many points could still be among the first. */
  #mayWin(match: number, margin = exactMargin): boolean {
    return 100 + match + maxProminence >= this.found.bestScore - margin;
  }

  /** Adds the places that bear exactly a name; returns how many there are. */
  #exact(from: number, to: number, text: string, beside: number): number {
    const key = this.#gazetteer.placeNames.find(text);
    if (key < 0) return 0;
    const { type, near, bbox } = this.#options;
    const isNarrow = beside > 0 || to - from < this.lattice.tokens.length || type !== undefined || near || bbox;
    return this.#add({ from: key, to: key + 1 }, { from, to, name: text }, isNarrow ? maxNamesakes : maxExact, () => 0);
  }

  /** Adds the places whose name begins with a text. */
  #begun(from: number, to: number, text: string, beside: number): void {
    const { placeNames, nameOf, nearest } = this.#gazetteer;
    const range = placeNames.prefixed(text);
    if (range.from === range.to) return;
    const isWhole = to - from === this.lattice.tokens.length;
    this.#add(range, { from, to, name: text }, isWhole ? maxBegun : maxBegunInContext, (key) => {
      const name = placeNames.text(key);
      return prefixMatch(text.length, name.length, name[text.length] === ' ');
    });
    const { near } = this.#options;
    if (!near || beside > 0) return;
    // The most prominent ones may all be far away: the neighbourhood is looked through as well.
    for (const index of nearest(near.lat, near.lng, maxNear)) {
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
  #add(range: KeyRange, reading: NameReading, most: number, textMatchOf: (key: number) => number): number {
    let looked = 0;
    let added = 0;
    this.#gazetteer.visitPlaces(range, this.#options.country, (index, kind, key) => {
      if (this.found.admits(index)) {
        this.#judge(index, kind, reading, textMatchOf(key));
        added++;
      }
      return ++looked < most;
    });
    return added;
  }

  #judge(index: number, kind: NameKind, reading: NameReading, textMatch: number): void {
    const contextMatch = -this.lattice.costBeside(reading.from, reading.to, locatedPlace(this.#gazetteer, index));
    if (kind === nameKinds.main && textMatch === 0 && contextMatch === 0) {
      this.#mainProminence = Math.max(this.#mainProminence, this.#gazetteer.facts.prominence(index));
    }
    this.found.addPlace(
      index,
      { textMatch, contextMatch, nameMatch: nameMatch(kind), aliasWorth: aliasWorth(kind, textMatch < 0) },
      reading,
    );
  }

  /** Countries and regions that spans name: as answers themselves, and by their largest places. */
  #areas(): void {
    const { lattice } = this;
    const done = new Set<number>();
    for (const { from, to, cost, areas } of lattice.areas) {
      if (!this.#mayWin(-cost - lattice.costBeside(from, to, undefined))) continue;
      const reading = { from, to, name: lattice.text(from, to) };
      for (const area of areas.slice(0, maxAreasOfName)) {
        const contextMatch = -lattice.costBeside(from, to, locatedArea(this.#gazetteer, area));
        const match = { textMatch: -cost, contextMatch, nameMatch: 0, aliasWorth: this.#areaNameWorth(area, reading) };
        if (this.found.admitsArea(area)) this.found.addArea(area, match, reading);
        if (contextMatch < explainedMatch / 3 || done.has(area) || done.size >= 4) continue;
        done.add(area);
        for (const index of this.#gazetteer.placesOfArea(area)) {
          if (!this.found.admits(index)) continue;
          const prior = isCountryArea(area) ? weights.placeOfCountry : 0;
          this.found.addPlace(index, { ...match, textMatch: match.textMatch - weights.placeOfArea }, reading, prior);
        }
      }
    }
  }

  /** Another name than the main one is less, all the more so where a town is called that: Brasilia is Brazil in Finnish. */
  #areaNameWorth(area: number, { from, to, name }: NameReading): number {
    if (fold(this.#gazetteer.nameOfArea(area)) === name) return 0;
    const hasTown = to - from === this.lattice.tokens.length && this.#mainProminence >= townProminence;
    return -(hasTown ? weights.otherAreaNameDespiteTown : weights.otherAreaName);
  }

  /** Readings with edits, then names with words between. */
  #lenient(): void {
    const { lattice } = this;
    const { length } = lattice.tokens;
    if (this.#spans.length === 0 && length > 1) this.#readSpans();
    this.#editedAreas();
    const spans = [{ from: 0, to: length, text: lattice.text(0, length), beside: 0 }, ...this.#spans];
    for (const span of spans) span.beside = lattice.costBeside(span.from, span.to, undefined);
    spans.sort((left, right) => left.beside - right.beside || left.text.length - right.text.length);
    // Exact names beside a context with edits.
    for (const { from, to, text, beside } of spans) {
      if (to - from < length && this.#mayWin(-beside)) this.#exact(from, to, text, beside);
    }
    this.#editedOnce(spans);
    if (!this.#isExplained()) this.#editedTwice(spans);
    if (!this.#isExplained()) this.#beginnings();
  }

  /** Lets spans stand for countries and regions that are called nearly so. */
  #editedAreas(): void {
    const { areaNames } = this.#gazetteer;
    const before = this.lattice.areas.length;
    let budget = editBudget;
    let walk = areaWalkBudget;
    for (const [from, to] of this.lattice.spans()) {
      const text = this.lattice.text(from, to);
      if (text.length < shortestEdited || text.length > longestEdited || budget <= 0) continue;
      if (areaNames.find(text) >= 0) continue;
      const keys: number[] = [];
      budget -= areaNames.oneEdit(text, budget, (key) => keys.push(key));
      let edits = 1;
      if (keys.length === 0 && text.length >= shortestEditedTwice && text.length <= longestEditedTwice && walk > 0) {
        edits = 2;
        walk -= areaNames.fuzzy(text, { edits, fixed: 1, isPrefix: false, budget: walk }, ({ from: key }) =>
          keys.push(key),
        );
      }
      for (const key of keys) {
        const areas: number[] = [];
        this.#gazetteer.visitAreas({ from: key, to: key + 1 }, (area) => areas.push(area) < maxAreasOfName);
        this.lattice.addAreas(from, to, areas, -editMatch(text, areaNames.text(key), edits), weights.editedArea);
      }
    }
    if (this.lattice.areas.length > before) this.#areas();
  }

  #editedOnce(spans: readonly Span[]): void {
    const { placeNames } = this.#gazetteer;
    let budget = editBudget;
    for (const { from, to, text, beside } of spans) {
      if (
        text.length < shortestEdited ||
        text.length > longestEdited ||
        budget <= 0 ||
        !this.#mayWin(-beside - weights.likelyEdit, 0)
      )
        continue;
      budget -= placeNames.oneEdit(text, budget, (key) => this.#edited(from, to, text, { from: key, to: key + 1 }, 1));
    }
  }

  #editedTwice(spans: readonly Span[]): void {
    const { placeNames } = this.#gazetteer;
    let budget = walkBudget;
    for (const { from, to, text, beside } of spans) {
      if (
        text.length < shortestEditedTwice ||
        text.length > longestEditedTwice ||
        budget <= 0 ||
        !this.#mayWin(-beside - 2 * weights.edit, 0)
      )
        continue;
      const ranges: { range: KeyRange; edits: number }[] = [];
      const options = { edits: 2, fixed: 1, isPrefix: false, budget: Math.min(budget, walkBudget / 2) };
      budget -= placeNames.fuzzy(text, options, (range, edits) => ranges.push({ range, edits }));
      for (const { range, edits } of ranges) this.#edited(from, to, text, range, edits);
    }
  }

  #edited(from: number, to: number, text: string, range: KeyRange, edits: number): void {
    const name = this.#gazetteer.placeNames.text(range.from);
    const textMatch = editMatch(text, name, edits);
    const most = to - from === this.lattice.tokens.length ? maxEdited : maxEditedInContext;
    this.#add(range, { from, to, name }, most, () => textMatch);
  }

  /** Beginnings of names: with an edit, with words between, and of a name that is unfinished before its context. */
  #beginnings(): void {
    const { lattice } = this;
    const { placeNames } = this.#gazetteer;
    const { length } = lattice.tokens;
    const whole = lattice.text(0, length);
    for (let to = length - 1; to > 0; to--) {
      const begun = lattice.text(0, to);
      const beside = lattice.costBeside(0, to, undefined);
      if (begun.length >= shortestBegun && this.#mayWin(-beside - weights.wordsMissing))
        this.#begun(0, to, begun, beside);
    }
    if (length > 1) this.#gapped();
    if (this.#isExplained() || whole.length < shortestEdited || whole.length > longestEditedTwice) return;
    const ranges: KeyRange[] = [];
    const options = { edits: 1, fixed: 0, isPrefix: true, budget: walkBudget / 2 };
    placeNames.fuzzy(whole, options, (range) => ranges.push(range));
    for (const range of ranges) {
      this.#add(range, { from: 0, to: length, name: placeNames.text(range.from) }, maxEdited, () => -weights.edit - 14);
    }
  }

  /** Names that hold all words in their order, with others between: `Rothenburg Tauber` for `Rothenburg ob der Tauber`. */
  #gapped(): void {
    const { tokens } = this.lattice;
    const words = tokens.map(({ text }) => text);
    let looked = 0;
    const range = this.#gazetteer.placeNames.prefixed(`${words[0]} `);
    const reading = { from: 0, to: tokens.length, name: words.join(' ') };
    this.#gazetteer.visitPlaces(range, this.#options.country, (index, kind, key) => {
      if (this.found.admits(index) && holdsInOrder(this.#gazetteer.placeNames.text(key).split(' '), words)) {
        this.#judge(index, kind, reading, -weights.wordsBetween);
      }
      return ++looked < maxGapped;
    });
  }
}

/** Whether all words occur among others in their order. */
function holdsInOrder(among: readonly string[], words: readonly string[]): boolean {
  let found = 0;
  for (const word of among) if (found < words.length && word === words[found]) found++;
  return found === words.length;
}
