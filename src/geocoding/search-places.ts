/**
 * Places, countries and regions that a free text names. Every span of its tokens may be the name; the lattice scores
 * the context. Exact names come first; edits are tried only where those explain too little. The number of candidates
 * examined does not depend on the limit.
 */
import { type Gazetteer, isCountryArea, type KeyRange, type NameKind, nameKinds } from '../store/gazetteer.ts';
import { fold } from '../text/fold.ts';
import { isTransliterable } from '../text/transliterations.ts';
import { traitsOfArea } from './area-traits.ts';
import {
  type Candidate,
  Candidates,
  hasAreas,
  type NameInterpretation,
  placePoints,
  type SearchFilter,
} from './candidates.ts';
import { Lattice } from './lattice.ts';
import { isShortForCity, Namesakes, sharesAlias } from './namesakes.ts';
import { aliasWorth, editMatch, minEditCost, nameMatch, prefixMatch } from './score.ts';
import * as limits from './search-limits.ts';
import { tokensOf } from './tokens.ts';
import { transliterated } from './transliterated.ts';
import weights from './weights.json' with { type: 'json' };

export type PlaceSearchOptions = SearchFilter & { isFuzzy: boolean };

/** Tokens of a text that may be a name, and the cost of the others as its context. */
export type Span = { from: number; to: number; text: string; contextCost: number };

const blank = 0x20;
/** Above the rounding error of summing the same points in another order. */
export const rounding = 1e-9;

/** A search of one text. */
export class PlaceSearch {
  readonly gazetteer: Gazetteer;
  readonly found: Candidates;
  readonly lattice: Lattice;
  readonly filter: SearchFilter;
  readonly whole: Span;
  readonly #namesakes: Namesakes;

  /** With `isOpen` the last token is being typed, and nothing is looked for yet: suggest.ts says what. */
  constructor(gazetteer: Gazetteer, text: string, options: PlaceSearchOptions, isOpen = false) {
    const { tokens, omittedLetters } = tokensOf(text);
    this.gazetteer = gazetteer;
    this.filter = options;
    this.found = new Candidates(gazetteer, options);
    this.lattice = new Lattice(gazetteer, tokens, omittedLetters, isOpen);
    this.whole = this.#span(0, tokens.length);
    this.#namesakes = new Namesakes(gazetteer, hasAreas(options));
    if (tokens.length === 0 || isOpen) return;
    this.#matchExactly();
    if (!options.isFuzzy || this.isSatisfied()) return;
    const budget = limits.editBudgetOf(tokens.length);
    if (addEditedAreas(gazetteer, this.lattice, budget)) this.#addAreas();
    addFuzzyPlaces(this, budget);
  }

  /** The best candidates, in order. */
  best(count: number): Candidate[] {
    return this.found.best(count);
  }

  /** Whether the best candidate makes a fuzzy search needless. */
  isSatisfied(): boolean {
    return this.found.bestScore >= weights.sufficientScore;
  }

  /** The spans shorter than the text, those with the cheapest context first. */
  parts(): Span[] {
    const spans = this.lattice.spans.map(({ from, to }) => this.#span(from, to));
    return spans.filter((span) => !this.isWhole(span)).sort((left, right) => left.contextCost - right.contextCost);
  }

  #span(from: number, to: number): Span {
    const { lattice } = this;
    return { from, to, text: lattice.text(from, to), contextCost: lattice.contextCost(from, to, undefined) };
  }

  isWhole({ from, to }: Pick<Span, 'from' | 'to'>): boolean {
    return to - from === this.lattice.tokens.length;
  }

  /** Whether an interpretation at this cost can be the best so far, or at most `margin` points behind. */
  canCompete(cost: number, margin: number = weights.exactMargin): boolean {
    return cost <= weights.maxCost && 100 - cost + limits.maxProminence + margin >= this.found.bestScore;
  }

  #matchExactly(): void {
    const { lattice, whole } = this;
    const hasBreaks = lattice.tokens.some(({ isBreakAfter }) => isBreakAfter);
    // `Paris, Texas` means name and context even where a place has that name.
    const exact = this.addExact(whole);
    this.#addAreas();
    if (exact < 20 && (!hasBreaks || exact === 0)) this.addPrefixed(whole);
    if (exact > 0 && !hasBreaks) return;
    for (const span of this.parts()) {
      if (!this.canCompete(span.contextCost)) break;
      const count = this.addExact(span);
      if (count === 0 && span.to === lattice.tokens.length && span.text.length > 1) this.addPrefixed(span);
    }
  }

  /** Adds the countries and regions that spans name, and their largest places. */
  #addAreas(): void {
    const { lattice, gazetteer, found } = this;
    const expanded = new Set<number>();
    for (const { from, to, typed, name, cost, areas, isCapital } of lattice.areas) {
      if (!this.canCompete(cost + lattice.contextCost(from, to, undefined))) continue;
      const interpretation = { from, to, name };
      const wholeNamePenalty = this.#namesakes.wholeNamePenalty(lattice, typed);
      for (const area of areas) {
        if (isCapital) {
          const capital = gazetteer.capitalOf(area);
          const match = { textMatch: 0, contextMatch: -cost, nameMatch: 0, aliasWorth: 0 };
          if (capital !== undefined && found.admitsPlace(capital)) found.addPlace(capital, match, interpretation);
          continue;
        }
        const contextMatch = -lattice.contextCost(from, to, traitsOfArea(gazetteer, area).located);
        const match = {
          textMatch: -cost,
          contextMatch,
          nameMatch: 0,
          aliasWorth: this.#namesakes.areaAliasWorth(area, name, name !== typed) - wholeNamePenalty,
        };
        if (found.admitsArea(area)) found.addArea(area, match, interpretation);
        if (contextMatch < limits.minContextOfArea || expanded.size >= limits.maxAreasWithPlaces) continue;
        expanded.add(area);
        const prior = isCountryArea(area) ? weights.placeOfCountry : 0;
        const placeMatch = { ...match, textMatch: match.textMatch - weights.placeOfArea };
        for (const index of gazetteer.placesOfArea(area)) {
          const worth = sharesAlias(gazetteer, index, area, name) ? match : placeMatch;
          if (found.admitsPlace(index)) found.addPlace(index, worth, interpretation, prior);
        }
      }
    }
  }

  /** Adds the places with exactly this name; returns how many there are. */
  addExact(span: Span): number {
    const { from, to, text } = span;
    const { type, near, bbox } = this.filter;
    const isNarrow = !this.isWhole(span) || type !== undefined || near || bbox;
    const most = isNarrow ? limits.maxNamesakes : limits.maxExact;
    return this.add(this.lattice.placeNames(from, to), { from, to, name: text }, most, () => 0);
  }

  /** Adds the places whose name begins with the first tokens; those are long enough, and may be the best. */
  addBeginnings(): void {
    for (const to of [...this.lattice.tokens.keys()].reverse()) {
      const span = this.#span(0, to);
      const isLong = span.text.length >= limits.minPrefixLength;
      if (isLong && this.canCompete(span.contextCost + weights.wordsMissing)) this.addPrefixed(span);
    }
  }

  /** Adds the places whose name begins with a text. */
  addPrefixed(span: Span): void {
    const { from, to, text } = span;
    const { placeNames } = this.gazetteer;
    const range = placeNames.prefixRange(text);
    const most = this.isWhole(span) ? limits.maxPrefix : limits.maxPrefixInContext;
    this.add(range, { from, to, name: text }, most, (posting) => {
      const key = placeNames.keyOf(posting, range);
      return prefixMatch(text.length, placeNames.length(key), placeNames.unit(key, text.length) === blank);
    });
    if (!this.isWhole(span)) return;
    this.addNearest((name) => prefixMatch(text.length, name.length, name[text.length] === ' '));
  }

  /** Adds the places nearest to the preferred position whose name begins with the text: the most prominent ones may all be far away. */
  addNearest(textMatchOf: (name: string) => number): void {
    const { near } = this.filter;
    const { from, to, text } = this.whole;
    for (const index of near ? this.gazetteer.nearest(near.lat, near.lng, limits.maxNear) : []) {
      const name = fold(this.gazetteer.nameOf(index));
      if (this.found.admits(index) && name.startsWith(text))
        this.addScored(index, nameKinds.main, { from, to, name }, textMatchOf(name));
    }
  }

  /** Scores the best places of a range of keys; returns how many the filter admits. */
  add(
    range: KeyRange,
    interpretation: NameInterpretation,
    maxVisited: number,
    textMatchOf: (posting: number) => number,
  ): number {
    let visited = 0;
    let added = 0;
    this.gazetteer.visitPlaces(range, this.filter.country, (index, kind, posting) => {
      const textMatch = textMatchOf(posting);
      if (this.isPast(index, kind, textMatch)) return false;
      if (this.found.admits(index)) {
        this.addScored(index, kind, interpretation, textMatch);
        added++;
      }
      return ++visited < maxVisited;
    });
    return added;
  }

  /** Whether neither a place nor any that is visited after it can be among the best. */
  isPast(_index: number, _kind: NameKind, _textMatch: number): boolean {
    return false;
  }

  /** Scores a place that the filter admits; `textMatch` is 0 or less. */
  addScored(
    index: number,
    kind: NameKind,
    interpretation: NameInterpretation,
    textMatch: number,
    isInexact = textMatch < 0,
  ): void {
    if (this.#isHopeless(index, kind, interpretation, textMatch)) {
      this.found.scored++;
      return;
    }
    const { from, to, name } = interpretation;
    const contextMatch = -this.lattice.contextCostOfPlace(from, to, index);
    const isCode = textMatch === 0 && this.filter.isCode?.(index);
    const worth = isCode || isShortForCity(this.gazetteer, index, kind, name) ? 0 : aliasWorth(kind, isInexact);
    const namesakePenalty = worth < 0 && textMatch === 0 ? this.#namesakes.costOfPlace(name, index) : 0;
    const match = { textMatch, contextMatch, nameMatch: nameMatch(kind), aliasWorth: worth - namesakePenalty };
    this.found.addPlace(index, match, interpretation, 0, this.lattice.pointsInCity(from, to, index));
  }

  /** Whether a place cannot be among the best any more, whatever it lies in: most of the hundreds that some names have. */
  #isHopeless(index: number, kind: NameKind, { from, to }: NameInterpretation, textMatch: number): boolean {
    const { floor, maxBias } = this.found;
    if (floor === Number.NEGATIVE_INFINITY) return false;
    const inCity = this.lattice.hasCities ? weights.partOfCity : 0;
    const points = placePoints(this.gazetteer.facts, index) + maxBias + inCity;
    const most = 100 + textMatch + nameMatch(kind) + points + rounding;
    return most < floor || most - this.lattice.contextCost(from, to, undefined) < floor;
  }
}

// Names like a text, for texts that no exact name explains: edits, other alphabets, missing words and blanks.

/**
 * Adds to the lattice countries and regions with names similar to its spans, for which there is no area of exactly that
 * name; returns whether there are any.
 */
export function addEditedAreas(gazetteer: Gazetteer, lattice: Lattice, budget: limits.EditBudget): boolean {
  const { areaNames } = gazetteer;
  const before = lattice.areas.length;
  // What is left is for names of places.
  const least = budget.lookUps / 2;
  for (const { from, to } of lattice.worstExplained()) {
    const text = lattice.text(from, to);
    const exact = areaNames.exact(text);
    if (!limits.allowsEdit(text) || exact.from < exact.to) continue;
    const keys: number[] = [];
    budget.lookUps -= areaNames.oneEdit(text, budget.lookUps - least, (key) => keys.push(key));
    let edits = 1;
    if (keys.length === 0 && limits.allowsTwoEdits(text)) {
      edits = 2;
      const options = { edits, fixedPrefix: 1, isPrefix: false, budget: budget.nodes / 2 };
      budget.nodes -= areaNames.fuzzy(text, options, ({ from: key }) => keys.push(key));
    }
    for (const key of keys) {
      const name = areaNames.text(key);
      const areas: number[] = [];
      gazetteer.visitAreas({ from: key, to: key + 1 }, (area) => {
        areas.push(area);
        return true;
      });
      lattice.addEditedAreas(from, to, name, areas, -editMatch(text, name, edits));
    }
  }
  return lattice.areas.length > before;
}

/** Adds names with edits, then prefixes and names with further words in between, until the best candidate suffices. */
function addFuzzyPlaces(places: PlaceSearch, budget: limits.EditBudget): void {
  const { whole, lattice } = places;
  const parts = places.parts();
  // Exact names with an edited context.
  for (const span of parts) if (places.canCompete(span.contextCost)) places.addExact(span);
  const spans = [whole, ...parts];
  addTransliterated(places, spans);
  addWithOneEdit(places, spans, budget);
  if (!places.isSatisfied()) addSplit(places, whole);
  if (!places.isSatisfied()) addWithTwoEdits(places, spans, budget);
  if (places.isSatisfied()) return;
  places.addBeginnings();
  if (lattice.tokens.length > 1) addSubsequences(places, whole);
  addEditedBeginnings(places, whole);
}

/** The spans that are the best answer if they are a name at this cost, as long as none is better. */
function* bestAt(places: PlaceSearch, cost: number, spans: readonly Span[]): Generator<Span> {
  for (const span of spans) if (places.canCompete(span.contextCost + cost, 0)) yield span;
}

function addTransliterated(places: PlaceSearch, spans: readonly Span[]): void {
  const { placeNames } = places.gazetteer;
  const whole = limits.shareOf(limits.transliterationBudget, places.lattice.tokens.length);
  let budget = whole;
  for (const { from, to, text } of bestAt(places, weights.transliterated, spans)) {
    if (!isTransliterable(text)) continue;
    const most = Math.min(budget, whole / 2);
    budget -= transliterated(placeNames, text, { isPrefix: false, budget: most }, (range, unusual) => {
      const textMatch = -weights.transliterated - weights.unusualSpelling * unusual;
      places.add(range, { from, to, name: placeNames.text(range.from) }, limits.maxFuzzy, () => textMatch);
    });
  }
}

function addWithOneEdit(places: PlaceSearch, spans: readonly Span[], budget: limits.EditBudget): void {
  const { placeNames } = places.gazetteer;
  for (const span of bestAt(places, minEditCost, spans)) {
    const { text } = span;
    if (!limits.allowsEdit(text)) continue;
    const add = (key: number) => addEdited(places, span, { from: key, to: key + 1 }, 1);
    budget.lookUps -= placeNames.oneEdit(text, budget.lookUps, add);
  }
}

function addWithTwoEdits(places: PlaceSearch, spans: readonly Span[], budget: limits.EditBudget): void {
  const { placeNames } = places.gazetteer;
  for (const span of bestAt(places, 2 * weights.otherEdit, spans)) {
    const { text } = span;
    if (!limits.allowsTwoEdits(text)) continue;
    const ranges: { range: KeyRange; edits: number }[] = [];
    const options = { edits: 2, fixedPrefix: 1, isPrefix: false, budget: budget.nodes / 2 };
    budget.nodes -= placeNames.fuzzy(text, options, (range, edits) => ranges.push({ range, edits }));
    for (const { range, edits } of ranges) addEdited(places, span, range, edits);
  }
}

function addEdited(places: PlaceSearch, span: Span, range: KeyRange, edits: number): void {
  const { from, to, text } = span;
  const name = places.gazetteer.placeNames.text(range.from);
  const textMatch = editMatch(text, name, edits);
  const most = places.isWhole(span) ? limits.maxFuzzy : limits.maxFuzzyInContext;
  places.add(range, { from, to, name }, most, () => textMatch);
}

/** Adds names of several words that were typed as one. */
function addSplit(places: PlaceSearch, { from, to, text }: Span): void {
  const { placeNames } = places.gazetteer;
  for (const { split, blanks } of withBlanks(text)) {
    const range = placeNames.exact(split);
    const textMatch = -weights.missingBlank * blanks;
    if (range.from < range.to) places.add(range, { from, to, name: split }, limits.maxFuzzy, () => textMatch);
  }
}

/** Letters of a text that is split, and the most for three blanks: 253 and 455 look-ups. */
const letters = { min: 7, max: 24, maxForThree: 16 };
/** Each part but one has two letters or more. */
const minLongPart = 2;

/** A text with two or three blanks, in all ways that may be names, those with fewer first. */
export function* withBlanks(text: string): Generator<{ split: string; blanks: number }> {
  if (text.length < letters.min || text.length > letters.max || text.includes(' ')) return;
  for (let one = minLongPart; one < text.length - 1; one++) {
    for (let two = one + 1; two < text.length; two++) {
      yield { split: `${text.slice(0, one)} ${text.slice(one, two)} ${text.slice(two)}`, blanks: 2 };
    }
  }
  if (text.length > letters.maxForThree) return;
  for (let one = minLongPart; one < text.length - 4; one++) {
    for (let two = one + minLongPart; two < text.length - 2; two++) {
      for (let three = two + minLongPart; three <= text.length - minLongPart; three++) {
        const parts = [text.slice(0, one), text.slice(one, two), text.slice(two, three), text.slice(three)];
        yield { split: parts.join(' '), blanks: 3 };
      }
    }
  }
}

/** Adds names of which a text is the beginning, with an edit. */
function addEditedBeginnings(places: PlaceSearch, { from, to, text }: Span): void {
  if (!limits.allowsEdit(text)) return;
  const { placeNames } = places.gazetteer;
  const ranges: KeyRange[] = [];
  const options = { edits: 1, fixedPrefix: 0, isPrefix: true, budget: limits.walkBudget / 2 };
  placeNames.fuzzy(text, options, (range) => ranges.push(range));
  const textMatch = -weights.otherEdit - weights.editedPrefix;
  for (const range of ranges) {
    places.add(range, { from, to, name: placeNames.text(range.from) }, limits.maxFuzzy, () => textMatch);
  }
}

/** Adds names with all words in order, others in between: `Rothenburg Tauber` for `Rothenburg ob der Tauber`. */
function addSubsequences(places: PlaceSearch, { from, to, text }: Span): void {
  const { gazetteer, filter, found } = places;
  const { placeNames } = gazetteer;
  const words = text.split(' ');
  const range = placeNames.prefixRange(`${words[0]} `);
  let visited = 0;
  gazetteer.visitPlaces(range, filter.country, (index, kind, posting) => {
    const name = () => placeNames.text(placeNames.keyOf(posting, range));
    if (found.admits(index) && holdsInOrder(name().split(' '), words)) {
      places.addScored(index, kind, { from, to, name: text }, -weights.wordsBetween, false);
    }
    return ++visited < limits.maxSubsequence;
  });
}

/** Whether all words occur among others in their order. */
export function holdsInOrder(candidates: readonly string[], words: readonly string[]): boolean {
  let found = 0;
  for (const word of candidates) if (found < words.length && word === words[found]) found++;
  return found === words.length;
}
