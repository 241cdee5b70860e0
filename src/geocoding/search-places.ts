/**
 * Places, countries and regions that a free text names. Every span of its tokens may be the name; the lattice scores
 * the context. Exact names come first; edits are tried only where those explain too little. The number of candidates
 * examined does not depend on the limit.
 */
import type { Budget } from '../store/address-contract.ts';
import {
  type Gazetteer,
  isCountryArea,
  type KeyRange,
  type NameKeys,
  type NameKind,
  nameKinds,
} from '../store/gazetteer.ts';
import { fold } from '../text/fold.ts';
import { tokensOf } from '../text/query-text.ts';
import { isTransliterable } from '../text/scripts.ts';
import { airportNamesOf, featureKinds, featureWords, requestWords, stopWordSet } from '../text/word-lists.ts';
import { isNumeric } from '../text/words.ts';
import { areasCalled, mayShareAlias, sharesAlias, traitsOfArea } from './area-traits.ts';
import { Candidates, hasAreas, type NameInterpretation, type SearchFilter } from './candidates.ts';
import { Lattice } from './lattice.ts';
import { isOfOtherKind, isShortForCity, isShortForFeature, Namesakes, similarity } from './namesakes.ts';
import {
  aliasWorth,
  betweenMatch,
  editMatch,
  minEditCost,
  minPrefixCost,
  nameMatch,
  prefixMatch,
  prominencePoints,
} from './score.ts';
import * as limits from './search-limits.ts';
import { isAirportCode, leavesWords } from './situations.ts';
import { transliterated } from './transliterated.ts';
import weights from './weights.json' with { type: 'json' };

/** With `isOpen` the last token is being typed. */
export type PlaceSearchOptions = SearchFilter & { isFuzzy: boolean; isOpen?: boolean };

/** Tokens of a text that may be a name, and the cost of the others as its context. */
type Span = { from: number; to: number; text: string; contextCost: number };

/** What a spelling costs, how many places of a name are visited, and whether names that go on count too. */
type Spelled = { cost: number; unusualCost: number; most?: number; isPrefix?: boolean };

const blank = 0x20;
/** Letters of an airport's code of IATA, and of a country's third one of ISO 3166. */
const codeLetters = 3;
/** Words for a kind of feature. */
const maxKindWords = 4;
/** Places of a name in another script whose airports are looked for. */
const maxTowns = 2;
/** What is known by a whole text is meant; beside a smaller place also what is in an area: `LA California` is not in Mexico. */
const leastKnown = 100 + prominencePoints(weights.namesakeProminence);
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
  readonly budget: Budget;
  readonly #maxCost: number;
  /** Whether the text may be the code of an airport; beside a place, small letters may, too. */
  protected readonly isCode: boolean;

  /** Nothing is looked for yet where the last token is open: suggest.ts says what. */
  constructor(gazetteer: Gazetteer, text: string, options: PlaceSearchOptions, tokens = tokensOf(text)) {
    const { isOpen = false } = options;
    this.#maxCost = options.maxCost ?? weights.maxCost;
    this.gazetteer = gazetteer;
    this.filter = options;
    this.isCode = isAirportCode(text);
    this.found = new Candidates(gazetteer, options);
    this.lattice = new Lattice(gazetteer, tokens, isOpen);
    const { length } = tokens.tokens;
    this.whole = this.#span(0, length);
    this.budget = options.budget ?? limits.budgetOf(length).places;
    this.budget.left -= length * limits.prices.token;
    this.#namesakes = new Namesakes(gazetteer, this.lattice, hasAreas(options));
    if (length === 0 || isOpen || limits.isSpent(this.budget)) return;
    this.#matchExactly();
    if (!options.isFuzzy || this.isSatisfied()) return;
    if (addEditedAreas(gazetteer, this.lattice, this.budget)) this.#addAreas();
    addSimilar(this);
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
    return cost <= this.#maxCost && 100 - cost + limits.maxProminence + margin >= this.found.bestScore;
  }

  #matchExactly(): void {
    const { lattice, whole } = this;
    const hasBreaks = lattice.tokens.some(({ isBreakAfter }) => isBreakAfter);
    // `Paris, Texas` means name and context even where a place has that name.
    const exact = this.addExact(whole);
    this.#addAreas();
    if (!this.isSatisfied() && whole.text.length >= limits.minFuzzyLength) this.#addPrefixedAreas();
    if (exact < 20 && (!hasBreaks || exact === 0)) this.addPrefixed(whole);
    const isNamed = exact > 0 && !hasBreaks && !this.isCode;
    for (const span of isNamed && this.found.bestScore >= leastKnown ? [] : this.parts()) {
      if (!this.canCompete(span.contextCost) || (isNamed && span.contextCost > 0)) break;
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
      const wholeNamePenalty = this.#namesakes.wholeNamePenalty(typed);
      for (const area of areas) {
        if (isCapital) {
          const capital = gazetteer.capitalOf(area);
          const match = { textMatch: 0, contextMatch: -cost, nameMatch: 0, aliasWorth: 0 };
          if (capital !== undefined && found.admitsPlace(capital)) found.addPlace(capital, match, interpretation);
          continue;
        }
        const contextMatch = -lattice.contextCost(from, to, traitsOfArea(gazetteer, area).located);
        // Each number is the code of some region: it says which one beside the country, `75 France`.
        if (isNumeric(typed) && (contextMatch < 0 || this.isWhole({ from, to }))) continue;
        // Its other name says nothing of it: `مراكش المغرب` is the city, whose name is also Morocco's in Persian.
        const isTwice = lattice.areas.some(
          (other) => (other.to <= from || other.from >= to) && other.areas.includes(area),
        );
        const penalty = wholeNamePenalty + (isTwice ? weights.namedTwice : 0);
        const among = this.#among(contextMatch, interpretation);
        const aliasWorth = this.#namesakes.areaAliasWorth(area, among, name !== typed) - penalty;
        const match = { textMatch: -cost, contextMatch, nameMatch: 0, aliasWorth };
        const isCode = this.isCode && typed.length === codeLetters && isCountryArea(area);
        const isOther = isCode && this.filter.isCode?.(gazetteer.facts.size + area, typed) === false;
        const code = isCode && !isOther ? weights.countryCode : 0;
        if (found.admitsArea(area)) found.addArea(area, match, interpretation, code);
        if (contextMatch < limits.minContextOfArea || expanded.size >= limits.maxAreasWithPlaces) continue;
        expanded.add(area);
        const prior = isCountryArea(area) ? weights.placeOfCountry : 0;
        const placeMatch = { ...match, textMatch: match.textMatch - weights.placeOfArea };
        const mayShare = mayShareAlias(lattice.text(from, to));
        const bias = found.areaBias(area);
        for (const index of gazetteer.placesOfArea(area)) {
          const worth = mayShare && sharesAlias(gazetteer, index, area) ? match : placeMatch;
          if (found.admitsPlace(index)) found.addPlace(index, worth, interpretation, prior, 0, bias);
        }
      }
    }
  }

  /** Adds the places with exactly this name; returns how many there are. */
  addExact(span: Span): number {
    const { from, to, text } = span;
    const { type, near, bbox, country } = this.filter;
    const isNarrow = !this.isWhole(span) || (type ?? near ?? bbox ?? country) !== undefined;
    const most = isNarrow ? limits.maxNamesakes : limits.maxExact;
    // A feature of another country may reach into the one asked for.
    const found = this.add(this.lattice.placeNames(from, to), { from, to, name: text }, most, () => 0, true);
    if (found > 0) return found;
    const area = this.gazetteer.areaNames.exact(text);
    if (area.from < area.to) return 0;
    return [...this.#otherwise(span), ...this.#airports(text)].reduce((count, name) => {
      return count + this.add(this.gazetteer.placeNames.exact(name), { from, to, name }, most, () => 0);
    }, 0);
  }

  /** `airport munich`, `munich flughafen`: texts of a span of several words with that for a kind of feature at its other end, or in English. */
  #otherwise({ from, to, text }: Span): ReadonlySet<string> {
    const { lattice } = this;
    const others = new Set<string>();
    const move = (kindFrom: number, kindTo: number, restFrom: number, restTo: number) => {
      const word = lattice.text(kindFrom, kindTo);
      if (!featureKinds.has(word)) return;
      const isLink = stopWordSet.has(lattice.tokens[restFrom].text) && restFrom + 1 < restTo;
      const rest = lattice.text(isLink ? restFrom + 1 : restFrom, restTo);
      // `flughafen warschau` is Warsaw Airport.
      const rests = [rest, ...(featureWords.get(word)?.has('airport') ? this.#townsCalled(rest) : [])];
      for (const kind of [word, ...featureKinds.get(word)!])
        for (const each of rests) others.add(`${each} ${kind}`).add(`${kind} ${each}`);
    };
    // `sân bay tân sơn nhất`
    for (let length = 1; length <= maxKindWords && length < to - from; length++) {
      move(from, from + length, from + length, to);
      move(to - length, to, from, to - length);
    }
    others.delete(text);
    return others;
  }

  /** 成田空港, `مطار القاهرة`: what an airport may be called that a text in another script names, also by its town's main name. */
  #airports(text: string): string[] {
    const { names = [], town = '' } = airportNamesOf(text) ?? {};
    const towns = this.#townsCalled(town);
    return [...names, ...towns.flatMap((each) => [`${each} airport`, `${each} international airport`])];
  }

  /** The main names of the best places of a name. */
  #townsCalled(name: string): string[] {
    const { placeNames, visitPlaces, nameOf } = this.gazetteer;
    const towns: string[] = [];
    visitPlaces(placeNames.exact(name), undefined, (index) => towns.push(fold(nameOf(index))) < maxTowns);
    return towns;
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
    if (this.#maxCost < minPrefixCost) return;
    // `northern italy` is not the Northern Apennines.
    if (requestWords.has(text) && !this.isWhole(span)) return;
    const range = placeNames.prefixRange(text);
    const most = this.isWhole(span) ? limits.maxPrefix : limits.maxPrefixInContext;
    const matchOf = (length: number, isAtWordEnd: boolean, index: number) =>
      prefixMatch(text.length, length, isAtWordEnd, this.gazetteer.facts.prominence(index));
    this.add(range, { from, to, name: text }, most, (posting, index) => {
      const key = placeNames.keyOf(posting, range);
      return matchOf(placeNames.length(key), placeNames.unit(key, text.length) === blank, index);
    });
    if (this.isWhole(span)) this.addNearest((name, index) => matchOf(name.length, name[text.length] === ' ', index));
  }

  /** Adds the best known countries and regions whose name begins with the text. */
  #addPrefixedAreas(): void {
    const { gazetteer, found } = this;
    const { from, to, text } = this.whole;
    const { areaNames } = gazetteer;
    const range = areaNames.prefixRange(text);
    let visited = 0;
    gazetteer.visitAreas(range, (area, isShortened, posting) => {
      if (isShortened) return false;
      const key = areaNames.keyOf(posting, range);
      const { name, prominence, maxProminence, layer } = traitsOfArea(gazetteer, area);
      // A region of millions is as well known as a country, but not before a city of the same name.
      const [largest] = gazetteer.placesOfArea(area);
      const isWide =
        layer === 'region' &&
        gazetteer.areaFacts(area).population >= weights.peopleOfLargeContext &&
        !fold(gazetteer.nameOf(largest)).startsWith(text);
      const fame = isWide ? maxProminence : prominence;
      const isAtWordEnd = areaNames.unit(key, text.length) === blank;
      const textMatch = prefixMatch(text.length, areaNames.length(key), isAtWordEnd, fame);
      const aliasWorth = name.startsWith(text) ? 0 : -weights.otherAreaName;
      const match = { textMatch, contextMatch: 0, nameMatch: 0, aliasWorth };
      if (found.admitsArea(area)) found.addArea(area, match, { from, to, name: text });
      return ++visited < limits.maxPrefix;
    });
  }

  /** Adds the places nearest to the preferred position whose name begins with the text: the most prominent ones may all be far away. */
  addNearest(textMatchOf: (name: string, index: number) => number): void {
    const { near } = this.filter;
    const { from, to, text } = this.whole;
    for (const index of near ? this.gazetteer.nearest(near.lat, near.lng, limits.maxNear) : []) {
      const name = fold(this.gazetteer.nameOf(index));
      if (this.found.admits(index) && name.startsWith(text))
        this.addScored(index, nameKinds.main, { from, to, name }, textMatchOf(name, index));
    }
  }

  /** Adds the places whose name begins with the text but for some edits. */
  addEditedBeginnings(edits: number, budget: number, most: number, textMatch: number): void {
    const { from, to, text } = this.whole;
    const { placeNames } = this.gazetteer;
    const ranges: KeyRange[] = [];
    const options = { edits, fixedPrefix: edits - 1, isPrefix: true, budget };
    placeNames.fuzzy(text, options, (range) => ranges.push(range));
    for (const range of ranges) this.add(range, { from, to, name: placeNames.text(range.from) }, most, () => textMatch);
  }

  /** Adds names that spans spell in another alphabet or without blanks, at a cost, and one for each unusual spelling or blank. */
  addSpelled(spans: readonly Span[], { cost, unusualCost, most = limits.maxFuzzy, isPrefix = false }: Spelled): void {
    const { placeNames } = this.gazetteer;
    const { branch } = limits.prices;
    for (const { from, to, text } of bestAt(this, cost, spans)) {
      const budget = this.budget.left / branch / (isPrefix ? 1 : 2);
      const visited = transliterated(placeNames, text, { isPrefix, budget }, (range, unusual) =>
        this.add(range, { from, to, name: placeNames.text(range.from) }, most, () => -cost - unusualCost * unusual),
      );
      this.budget.left -= visited * branch;
    }
  }

  /** Scores the best places of a range of keys; returns how many the filter admits. */
  add(
    range: KeyRange,
    interpretation: NameInterpretation,
    maxVisited: number,
    textMatchOf: (posting: number, index: number) => number,
    isAbroad = false,
  ): number {
    let visited = 0;
    let added = 0;
    this.gazetteer.visitPlaces(range, isAbroad ? undefined : this.filter.country, (index, kind, posting) => {
      const textMatch = textMatchOf(posting, index);
      if (limits.isSpent(this.budget) || this.isPast(index, kind, textMatch)) return false;
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
    const { from, to, name } = interpretation;
    const isAlone = this.isWhole(interpretation);
    this.budget.left -= isAlone ? limits.prices.place : limits.prices.placeInContext;
    const isInner = kind === nameKinds.inner && !isAlone;
    if (
      isInner &&
      (requestWords.has(name) || isOfOtherKind(this.gazetteer, index, interpretation, this.lattice.tokens))
    )
      return;
    const contextMatch = -this.lattice.contextCostOfPlace(from, to, index);
    const mayBeCode = this.isCode || (!isAlone && !leavesWords({ parts: { contextMatch } }));
    const code = textMatch === 0 && mayBeCode ? this.codePoints(index, name) : 0;
    const isUnlisted = textMatch === (kind === nameKinds.inner ? 0 : -weights.wordsMissing);
    const isShort =
      (isUnlisted || kind === nameKinds.known) && isShortForFeature(this.gazetteer, index, name, !isUnlisted);
    const isBare = isShort && isUnlisted;
    const isOwn = code !== 0 || isShort || isShortForCity(this.gazetteer, index, kind, name);
    // Marseilles, nearly the main name, is mistyped as often as that.
    const isMistyped = kind === nameKinds.known && isInexact && name !== this.lattice.text(from, to);
    const unlike = isMistyped ? 1 - similarity(name, fold(this.gazetteer.nameOf(index))) : Number(isInexact);
    const worth = isOwn ? 0 : aliasWorth(kind, unlike);
    const namesakePenalty =
      worth < 0 && textMatch === 0 ? this.#namesakes.cost(this.#among(contextMatch, interpretation), index) : 0;
    const match = {
      textMatch: isBare ? 0 : textMatch,
      contextMatch,
      nameMatch: isBare ? 0 : nameMatch(kind),
      aliasWorth: worth - namesakePenalty,
    };
    this.found.addPlace(index, match, interpretation, code, this.lattice.pointsInCity(from, to, index));
  }

  /** What a name's namesakes are of: what lies in its context rules out those elsewhere, `Santiago Spain`. */
  #among(contextMatch: number, interpretation: NameInterpretation): NameInterpretation {
    return contextMatch < 0 ? { from: 0, to: this.whole.to, name: interpretation.name } : interpretation;
  }

  /** Points of an airport by its code; 0 for others. */
  protected codePoints(index: number, name: string): number {
    // One of ICAO has a letter more.
    if (name.length > codeLetters + 1 || !this.filter.isCode?.(index, name)) return 0;
    // In small letters or beside other words `usa` is the country, also where an airport has it: `USA airport`.
    const isTheText = this.isCode && name === this.whole.text;
    const { areaNames } = this.gazetteer;
    if (!isTheText && areasCalled(this.gazetteer, areaNames.exact(name)).whole.some(isCountryArea)) return 0;
    return name.length === codeLetters ? weights.iataCode : weights.icaoCode;
  }
}

/** The spans that are the best answer if they are a name at this cost, as long as none is better. */
function* bestAt(search: PlaceSearch, cost: number, spans: readonly Span[]): Generator<Span> {
  for (const span of spans) if (search.canCompete(span.contextCost + cost, 0)) yield span;
}

/**
 * Adds names like a text that no exact name explains: in other alphabets, with edits, prefixes, and names with further blanks or
 * words in between, until the best candidate suffices.
 */
function addSimilar(search: PlaceSearch): void {
  const { whole, lattice } = search;
  const parts = search.parts();
  // Exact names with an edited context.
  for (const span of parts) if (search.canCompete(span.contextCost)) search.addExact(span);
  const spans = [whole, ...parts];
  const spelled = spans.filter(({ text }) => isTransliterable(text));
  search.addSpelled(spelled, { cost: weights.transliterated, unusualCost: weights.unusualSpelling });
  addEdited(search, spans, 1);
  const isNoName = ({ from, to }: KeyRange) => from === to;
  const isWritten = ({ from, to, text }: Span) => limits.allowsBlanks(text) && isNoName(lattice.placeNames(from, to));
  const written = spans.filter(isWritten);
  if (!search.isSatisfied()) search.addSpelled(written, { cost: 0, unusualCost: weights.missingBlank });
  if (!search.isSatisfied()) addEdited(search, spans, 2);
  if (search.isSatisfied()) return;
  search.addBeginnings();
  if (lattice.tokens.length > 1) addSubsequences(search);
  const textMatch = -weights.otherEdit - weights.editedPrefix;
  if (limits.allowsEdit(whole.text)) search.addEditedBeginnings(1, limits.walkBudget, limits.maxFuzzy, textMatch);
}

/** The names with one edit, or with two and fewer, in a text of fit length; they cost `budget`, of which `least` is left. */
function similarNames(names: NameKeys, text: string, most: 1 | 2, budget: Budget, least = 0) {
  const { lookUp, node } = limits.prices;
  const found: { key: number; edits: number }[] = [];
  if (most === 1 && limits.allowsEdit(text))
    budget.left -= lookUp * names.oneEdit(text, (budget.left - least) / lookUp, (key) => found.push({ key, edits: 1 }));
  if (most === 2 && limits.allowsTwoEdits(text)) {
    const options = { edits: 2, fixedPrefix: 1, isPrefix: false, budget: (budget.left - least) / node / 2 };
    budget.left -= node * names.fuzzy(text, options, ({ from: key }, edits) => found.push({ key, edits }));
  }
  return found;
}

/**
 * Adds to the lattice countries and regions with names similar to its spans, for which there is no area of exactly that
 * name; returns whether there are any.
 */
export function addEditedAreas(gazetteer: Gazetteer, lattice: Lattice, budget: Budget): boolean {
  const { areaNames } = gazetteer;
  const before = lattice.areas.length;
  // What is left is for names of places.
  const least = budget.left / 2;
  for (const { from, to } of lattice.worstExplained()) {
    const text = lattice.text(from, to);
    const exact = areaNames.exact(text);
    if (exact.from < exact.to) continue;
    const similar = similarNames(areaNames, text, 1, budget, least);
    for (const { key } of similar.length > 0 ? similar : similarNames(areaNames, text, 2, budget, least)) {
      const name = areaNames.text(key);
      const { whole, shortened } = areasCalled(gazetteer, { from: key, to: key + 1 });
      const cost = -editMatch(text, name, similar.length > 0 ? 1 : 2);
      lattice.addEditedAreas(from, to, name, [...whole, ...shortened], cost);
    }
  }
  return lattice.areas.length > before;
}

function addEdited(search: PlaceSearch, spans: readonly Span[], most: 1 | 2): void {
  const { placeNames } = search.gazetteer;
  for (const span of bestAt(search, most === 1 ? minEditCost : 2 * weights.otherEdit, spans)) {
    const { from, to, text } = span;
    const visited = search.isWhole(span) ? limits.maxFuzzy : limits.maxFuzzyInContext;
    for (const { key, edits } of similarNames(placeNames, text, most, search.budget)) {
      const name = placeNames.text(key);
      const textMatch = editMatch(text, name, edits);
      search.add({ from: key, to: key + 1 }, { from, to, name }, visited, () => textMatch);
    }
  }
}

/** Adds names with all words in order, others in between: `Rothenburg Tauber` for `Rothenburg ob der Tauber`. */
function addSubsequences(search: PlaceSearch): void {
  const { gazetteer, filter, found } = search;
  const { from, to, text } = search.whole;
  const { placeNames } = gazetteer;
  const words = text.split(' ');
  const range = placeNames.prefixRange(`${words[0]} `);
  let visited = 0;
  gazetteer.visitPlaces(range, filter.country, (index, kind, posting) => {
    const textMatch = betweenMatch(placeNames.text(placeNames.keyOf(posting, range)), words);
    if (textMatch !== undefined && found.admits(index))
      search.addScored(index, kind, { from, to, name: text }, textMatch, false);
    return ++visited < limits.maxSubsequence;
  });
}
