/**
 * Places, countries and regions that a free text names. Every span of its tokens may be the name; the lattice scores
 * the context. Exact names come first; edits are tried only where those explain too little. The number of candidates
 * examined does not depend on the limit.
 */
import { type Gazetteer, isCountryArea, type KeyRange, type NameKind, nameKinds } from '../store/gazetteer.ts';
import { fold } from '../text/fold.ts';
import { isTransliterable } from '../text/transliterations.ts';
import { traitsOfArea } from './area-traits.ts';
import { type Candidate, Candidates, type NameInterpretation, type SearchFilter } from './candidates.ts';
import { addEditedAreas } from './edited-areas.ts';
import { Lattice } from './lattice.ts';
import { isShortForCity, Namesakes, sharesAlias } from './namesakes.ts';
import { aliasWorth, editMatch, minEditCost, nameMatch, prefixMatch } from './score.ts';
import * as limits from './search-limits.ts';
import { withBlanks } from './split-words.ts';
import { tokensOf } from './tokens.ts';
import { transliterated } from './transliterated.ts';
import weights from './weights.json' with { type: 'json' };
import { holdsInOrder } from './words-in-order.ts';

export type PlaceSearchOptions = SearchFilter & { isFuzzy: boolean };

const blank = 0x20;

type Span = { from: number; to: number; text: string; contextCost: number };

/** A search of one text. */
export class PlaceSearch {
  readonly found: Candidates;
  readonly lattice: Lattice;
  readonly #gazetteer: Gazetteer;
  readonly #options: PlaceSearchOptions;
  readonly #namesakes: Namesakes;

  constructor(gazetteer: Gazetteer, text: string, options: PlaceSearchOptions) {
    const { tokens, omittedLetters } = tokensOf(text);
    this.#gazetteer = gazetteer;
    this.#options = options;
    this.found = new Candidates(gazetteer, options);
    this.#namesakes = new Namesakes(gazetteer, options.hasAreas);
    this.lattice = new Lattice(gazetteer, tokens, omittedLetters, true);
    if (tokens.length === 0) return;
    this.#matchExactly();
    if (!options.isFuzzy || this.#isSatisfied()) return;
    this.#matchFuzzily();
  }

  /** The best candidates, in order. */
  best(count: number): Candidate[] {
    return this.found.best(count);
  }

  /** Whether the best candidate makes a fuzzy search needless. */
  #isSatisfied(): boolean {
    return this.found.bestScore >= limits.sufficientScore;
  }

  #matchExactly(): void {
    const { lattice } = this;
    const { length } = lattice.tokens;
    const hasBreaks = lattice.tokens.some(({ isBreakAfter }) => isBreakAfter);
    const whole = this.#span(0, length);
    // `Paris, Texas` means name and context even where a place has that name.
    const exact = this.#addExact(whole);
    this.#addAreas();
    if (exact < 20 && (!hasBreaks || exact === 0)) this.#addPrefixed(whole);
    if (exact > 0 && !hasBreaks) return;
    for (const span of this.#parts()) {
      if (!this.#canCompete(span.contextCost)) break;
      const count = this.#addExact(span);
      if (count === 0 && span.to === length && span.text.length > 1) this.#addPrefixed(span);
    }
  }

  /** The spans shorter than the text, those with the cheapest context first. */
  #parts(): Span[] {
    const spans = this.lattice.spans.map(({ from, to }) => this.#span(from, to));
    return spans.filter((span) => !this.#isWhole(span)).sort((left, right) => left.contextCost - right.contextCost);
  }

  #span(from: number, to: number): Span {
    const { lattice } = this;
    return { from, to, text: lattice.text(from, to), contextCost: lattice.contextCost(from, to, undefined) };
  }

  #isWhole({ from, to }: Pick<Span, 'from' | 'to'>): boolean {
    return to - from === this.lattice.tokens.length;
  }

  /** Whether an interpretation at this cost can be the best so far, or at most `margin` points behind. */
  #canCompete(cost: number, margin: number = limits.exactMargin): boolean {
    return 100 - cost + limits.maxProminence + margin >= this.found.bestScore;
  }

  /** Adds the places with exactly this name; returns how many there are. */
  #addExact(span: Span): number {
    const { from, to, text } = span;
    const { type, near, bbox } = this.#options;
    const isNarrow = !this.#isWhole(span) || type !== undefined || near || bbox;
    const most = isNarrow ? limits.maxNamesakes : limits.maxExact;
    return this.#add(this.lattice.placeNames(from, to), { from, to, name: text }, most, () => 0);
  }

  /** Adds the places whose name begins with a text. */
  #addPrefixed(span: Span): void {
    const { from, to, text } = span;
    const { placeNames, nameOf, nearest } = this.#gazetteer;
    const range = placeNames.prefixRange(text);
    const most = this.#isWhole(span) ? limits.maxPrefix : limits.maxPrefixInContext;
    this.#add(range, { from, to, name: text }, most, (posting) => {
      const key = placeNames.keyOf(posting, range);
      return prefixMatch(text.length, placeNames.length(key), placeNames.unit(key, text.length) === blank);
    });
    const { near } = this.#options;
    if (!near || !this.#isWhole(span)) return;
    // The most prominent ones may all be far away, so the nearest places are examined as well.
    for (const index of nearest(near.lat, near.lng, limits.maxNear)) {
      const name = fold(nameOf(index));
      if (!this.found.admits(index) || !name.startsWith(text)) continue;
      this.#addScored(
        index,
        nameKinds.main,
        { from, to, name },
        prefixMatch(text.length, name.length, name[text.length] === ' '),
      );
    }
  }

  /** Scores the best places of a range of keys; returns how many the filter admits. */
  #add(
    range: KeyRange,
    interpretation: NameInterpretation,
    maxVisited: number,
    textMatchOf: (posting: number) => number,
  ): number {
    let visited = 0;
    let added = 0;
    this.#gazetteer.visitPlaces(range, this.#options.country, (index, kind, posting) => {
      if (this.found.admits(index)) {
        this.#addScored(index, kind, interpretation, textMatchOf(posting));
        added++;
      }
      return ++visited < maxVisited;
    });
    return added;
  }

  #addScored(
    index: number,
    kind: NameKind,
    interpretation: NameInterpretation,
    textMatch: number,
    isInexact = textMatch < 0,
  ): void {
    const { from, to, name } = interpretation;
    const contextMatch = -this.lattice.contextCostOfPlace(from, to, index);
    const worth = isShortForCity(this.#gazetteer, index, kind, name) ? 0 : aliasWorth(kind, isInexact);
    const namesakePenalty = worth < 0 && textMatch === 0 ? this.#namesakes.costOfPlace(name, index) : 0;
    const match = { textMatch, contextMatch, nameMatch: nameMatch(kind), aliasWorth: worth - namesakePenalty };
    this.found.addPlace(index, match, interpretation);
  }

  /** Adds the countries and regions that spans name, and their largest places. */
  #addAreas(): void {
    const { lattice } = this;
    const expanded = new Set<number>();
    for (const { from, to, typed, name, cost, areas } of lattice.areas) {
      if (!this.#canCompete(cost + lattice.contextCost(from, to, undefined))) continue;
      const interpretation = { from, to, name };
      const wholeNamePenalty = this.#namesakes.wholeNamePenalty(lattice, typed);
      for (const area of areas) {
        const contextMatch = -lattice.contextCost(from, to, traitsOfArea(this.#gazetteer, area).located);
        const match = {
          textMatch: -cost,
          contextMatch,
          nameMatch: 0,
          aliasWorth: this.#namesakes.areaAliasWorth(area, name, name !== typed) - wholeNamePenalty,
        };
        if (this.found.admitsArea(area)) this.found.addArea(area, match, interpretation);
        if (contextMatch < limits.minContextOfArea || expanded.size >= limits.maxAreasWithPlaces) continue;
        expanded.add(area);
        const prior = isCountryArea(area) ? weights.placeOfCountry : 0;
        // Rennes follows Brittany by its French name too, before places whose name only contains it; Seoul is no answer
        // to 韓国 before the country.
        const hasRelief = cost === 0 && !isCountryArea(area) && this.#isWhole({ from, to });
        const relief = hasRelief ? weights.otherAreaName : 0;
        const aliasWorth = Math.min(0, match.aliasWorth + relief);
        const placeMatch = { ...match, textMatch: match.textMatch - weights.placeOfArea, aliasWorth };
        for (const index of this.#gazetteer.placesOfArea(area)) {
          const worth = sharesAlias(this.#gazetteer, index, area, name) ? match : placeMatch;
          if (this.found.admitsPlace(index)) this.found.addPlace(index, worth, interpretation, prior);
        }
      }
    }
  }

  /** Adds names with edits, then prefixes and names with further words in between. */
  #matchFuzzily(): void {
    const { lattice } = this;
    if (addEditedAreas(this.#gazetteer, lattice)) this.#addAreas();
    const parts = this.#parts();
    // Exact names with an edited context.
    for (const span of parts) if (this.#canCompete(span.contextCost)) this.#addExact(span);
    const whole = this.#span(0, lattice.tokens.length);
    const spans = [whole, ...parts];
    this.#addTransliterated(spans);
    this.#addWithOneEdit(spans);
    if (!this.#isSatisfied()) this.#addSplit(whole);
    if (!this.#isSatisfied()) this.#addWithTwoEdits(spans);
    if (this.#isSatisfied()) return;
    this.#addBeginnings();
    if (lattice.tokens.length > 1) this.#addSubsequences(whole);
    this.#addEditedBeginnings(whole);
  }

  /** The spans that are the best answer if they are a name at this cost, as long as none is better. */
  *#bestAt(cost: number, spans: readonly Span[]): Generator<Span> {
    for (const span of spans) if (this.#canCompete(span.contextCost + cost, 0)) yield span;
  }

  #addTransliterated(spans: readonly Span[]): void {
    const { placeNames } = this.#gazetteer;
    let budget = limits.transliterationBudget;
    for (const { from, to, text } of this.#bestAt(weights.transliterated, spans)) {
      if (!isTransliterable(text)) continue;
      const most = Math.min(budget, limits.transliterationBudget / 2);
      budget -= transliterated(placeNames, text, { isPrefix: false, budget: most }, (range, unusual) => {
        const textMatch = -weights.transliterated - weights.unusualSpelling * unusual;
        this.#add(range, { from, to, name: placeNames.text(range.from) }, limits.maxFuzzy, () => textMatch);
      });
    }
  }

  #addWithOneEdit(spans: readonly Span[]): void {
    const { placeNames } = this.#gazetteer;
    let budget = limits.editBudget;
    for (const span of this.#bestAt(minEditCost, spans)) {
      const { text } = span;
      if (!limits.allowsEdit(text)) continue;
      budget -= placeNames.oneEdit(text, budget, (key) => this.#addEdited(span, { from: key, to: key + 1 }, 1));
    }
  }

  #addWithTwoEdits(spans: readonly Span[]): void {
    const { placeNames } = this.#gazetteer;
    let budget = limits.walkBudget;
    for (const span of this.#bestAt(2 * weights.otherEdit, spans)) {
      const { text } = span;
      if (!limits.allowsTwoEdits(text)) continue;
      const ranges: { range: KeyRange; edits: number }[] = [];
      const options = { edits: 2, fixedPrefix: 1, isPrefix: false, budget: Math.min(budget, limits.walkBudget / 2) };
      budget -= placeNames.fuzzy(text, options, (range, edits) => ranges.push({ range, edits }));
      for (const { range, edits } of ranges) this.#addEdited(span, range, edits);
    }
  }

  /** Adds names of several words that were typed as one. */
  #addSplit({ from, to, text }: Span): void {
    const { placeNames } = this.#gazetteer;
    for (const { split, blanks } of withBlanks(text)) {
      const range = placeNames.exact(split);
      const textMatch = -weights.missingBlank * blanks;
      if (range.from < range.to) this.#add(range, { from, to, name: split }, limits.maxFuzzy, () => textMatch);
    }
  }

  #addEdited(span: Span, range: KeyRange, edits: number): void {
    const { from, to, text } = span;
    const name = this.#gazetteer.placeNames.text(range.from);
    const textMatch = editMatch(text, name, edits);
    const most = this.#isWhole(span) ? limits.maxFuzzy : limits.maxFuzzyInContext;
    this.#add(range, { from, to, name }, most, () => textMatch);
  }

  /** Adds names that begin with the first words of the text, the others being context. */
  #addBeginnings(): void {
    for (const to of [...this.lattice.tokens.keys()].reverse()) {
      const span = this.#span(0, to);
      const isLong = span.text.length >= limits.minPrefixLength;
      if (isLong && this.#canCompete(span.contextCost + weights.wordsMissing)) this.#addPrefixed(span);
    }
  }

  /** Adds names of which a text is the beginning, with an edit. */
  #addEditedBeginnings({ from, to, text }: Span): void {
    if (!limits.allowsEdit(text)) return;
    const { placeNames } = this.#gazetteer;
    const ranges: KeyRange[] = [];
    const options = { edits: 1, fixedPrefix: 0, isPrefix: true, budget: limits.walkBudget / 2 };
    placeNames.fuzzy(text, options, (range) => ranges.push(range));
    const textMatch = -weights.otherEdit - weights.editedPrefix;
    for (const range of ranges) {
      this.#add(range, { from, to, name: placeNames.text(range.from) }, limits.maxFuzzy, () => textMatch);
    }
  }

  /** Adds names with all words in order, others in between: `Rothenburg Tauber` for `Rothenburg ob der Tauber`. */
  #addSubsequences({ from, to, text }: Span): void {
    const words = text.split(' ');
    let visited = 0;
    const { placeNames } = this.#gazetteer;
    const range = placeNames.prefixRange(`${words[0]} `);
    const interpretation = { from, to, name: text };
    this.#gazetteer.visitPlaces(range, this.#options.country, (index, kind, posting) => {
      const name = () => placeNames.text(placeNames.keyOf(posting, range));
      if (this.found.admits(index) && holdsInOrder(name().split(' '), words)) {
        this.#addScored(index, kind, interpretation, -weights.wordsBetween, false);
      }
      return ++visited < limits.maxSubsequence;
    });
  }
}
