/**
 * Completions of a half-typed text to places, countries and regions: the search of a text whose last token may be
 * incomplete, and whose tokens after a full name may be its context. Main names come before other names, then prominence
 * decides; edits are tried only when nothing matches.
 */
import {
  type Gazetteer,
  isCountryArea,
  type KeyRange,
  type NameKind,
  nameKinds,
  regionOfArea,
} from '../store/gazetteer.ts';
import { layerOfKind } from '../store/store.ts';
import visitBonus from '../store/visit-bonus.json' with { type: 'json' };
import { fold } from '../text/fold.ts';
import { type Tokens, tokensOf, withoutArticle, writtenOtherwise } from '../text/query-text.ts';
import { isTransliterable } from '../text/scripts.ts';
import { isNumeric } from '../text/words.ts';
import { isHuge, isLarge, traitsOfArea } from './area-traits.ts';
import { type Candidate, type NameInterpretation, placePoints, type SearchFilter, suburb } from './candidates.ts';
import { type Explanation, explain } from './explain.ts';
import { isShortForFeature } from './namesakes.ts';
import { prominencePoints, total } from './score.ts';
import { maxProminence } from './search-limits.ts';
import { PlaceSearch, rounding } from './search-places.ts';
import { compared } from './situations.ts';
import weights from './weights.json' with { type: 'json' };

const maxVisited = 150;
const maxVisitedInContext = 4_000;
const maxAreas = 30;
const walkBudget = 3_000;
const minEditedLength = 4;
/** A prefix of this many letters distinguishes a name from most others. */
const distinctiveLength = 5;
const countryCode = /^(?:[A-Z]\.?){2,3}$/;

/** By kind of name. */
const kindCosts = [
  0,
  weights.suggestedKnownName,
  weights.suggestedOtherName,
  weights.suggestedInnerName,
  weights.suggestedRomanisedName,
];

type SuggestionRequest = {
  text: string;
  tokens: Tokens;
  filter: SearchFilter;
  trace: Partial<Explanation> | undefined;
};

/** At most `limit` suggestions, best first; a larger limit only adds to the list. `isEdited` says that they only fit with edits. */
export function suggest(
  gazetteer: Gazetteer,
  { text, tokens, filter, trace }: SuggestionRequest,
  limit: number,
): { suggestions: readonly Candidate[]; isEdited: boolean } {
  const wanted = { ...filter, limit: trace ? Math.max(limit, compared) : limit };
  const asTyped = new Suggestions(gazetteer, text, tokens, wanted);
  const others = asTyped.isExact ? [] : [withoutArticle(text) ?? [], writtenOtherwise(text)].flat();
  const searches = others.values().map((other) => new Suggestions(gazetteer, other, tokensOf(other), wanted));
  const { found, lattice, isEdited } = searches.find(({ isExact }) => isExact) ?? asTyped;
  if (trace) Object.assign(trace, explain(lattice, found, found.best(wanted.limit)));
  return { suggestions: found.best(limit), isEdited };
}

class Suggestions extends PlaceSearch {
  readonly isEdited: boolean;
  /** Maximum points of a place beyond those that determine the order of visits. */
  readonly #maxGain: number;
  /** Whether the text may be the code of a country: `UK`, `U.S.`. */
  readonly #isCountryCode: boolean;
  /** How many letters the text lacks to be distinctive. */
  readonly #missingLetters: number;

  constructor(gazetteer: Gazetteer, text: string, tokens: Tokens, filter: SearchFilter) {
    super(gazetteer, text, { ...filter, isFuzzy: false, isOpen: true }, tokens);
    const { text: whole, to: end } = this.whole;
    this.#isCountryCode = countryCode.test(text);
    this.#missingLetters = Math.max(0, distinctiveLength - whole.length);
    // A known name in the language counts as a main one.
    const known = filter.lang ? -prominencePoints(visitBonus.known) : 0;
    this.#maxGain = rounding + 100 + this.found.maxBias + this.#largeGain(false) + known;
    this.isEdited = false;
    if (end === 0) return;
    this.#addWhole();
    for (let to = end - 1; to > 0; to--) this.#addInContext(to);
    if (!this.#isEmpty) return;
    this.isEdited = true;
    const options = { cost: 0, unusualCost: weights.unusualSpelling, most: maxVisited, isPrefix: true };
    if (isTransliterable(whole)) this.addSpelled([this.whole], options);
    const maxEdits = whole.length < minEditedLength ? 0 : whole.length < 8 ? 1 : 2;
    for (let edits = 1; edits <= maxEdits && this.#isEmpty; edits++)
      this.addEditedBeginnings(edits, walkBudget, maxVisited, 0);
  }

  get #isEmpty(): boolean {
    return this.found.best(1).length === 0;
  }

  /** Whether there are suggestions that need no edits. */
  get isExact(): boolean {
    return !this.isEdited && !this.#isEmpty;
  }

  /** Adds the names that the whole text is a prefix of. */
  #addWhole(): void {
    const { whole, gazetteer } = this;
    const { placeNames, areaNames } = gazetteer;
    this.#addRange(placeNames.exact(whole.text), maxVisited, weights.suggestedWholeName);
    this.#addRange(placeNames.prefixRange(whole.text), maxVisited, 0);
    this.#addAreas(areaNames.prefixRange(whole.text), whole.to, true);
    this.#addAreas(areaNames.exact(whole.text), whole.to, false);
    this.addNearest(() => 0);
  }

  /** Adds names that the first tokens spell and whose context matches the others, the last of which may be incomplete. */
  #addInContext(to: number): void {
    const { lattice } = this;
    // A number is the name of an airport with a number: `18 de j`.
    if (lattice.hasBreakInside(0, to) || isNumeric(lattice.text(0, to))) return;
    const places = lattice.placeNames(0, to);
    const areas = this.gazetteer.areaNames.exact(lattice.text(0, to));
    if (places.from === places.to && areas.from === areas.to) return;
    if (lattice.contextCost(0, to, undefined) > weights.suggestedContext) return;
    this.#addRange(places, maxVisitedInContext, 0, to);
    this.#addAreas(areas, to, false);
  }

  /** Adds the best places of a range of keys with `points`, which the first `to` tokens spell; by default all of them. */
  #addRange(range: KeyRange, most: number, points: number, to = this.whole.to): void {
    this.add(range, { from: 0, to, name: this.lattice.text(0, to) }, most, () => points);
  }

  /** Adds the areas of a range of names; with `isPrefix` the text is a beginning, but of no code. */
  #addAreas(range: KeyRange, to: number, isPrefix: boolean): void {
    const { gazetteer, found, lattice } = this;
    const name = lattice.text(0, to);
    if (isNumeric(name)) return;
    const isWhole = to === this.whole.to;
    let visited = 0;
    gazetteer.visitAreas(range, (area, isShortened) => {
      const traits = traitsOfArea(gazetteer, area);
      const least = found.floor - 100 - found.maxBias - weights.suggestedWholeName - rounding;
      // Visited by falling population, shortened names last.
      if (isShortened || prominencePoints(traits.maxProminence) < least) return false;
      const isLast = ++visited >= maxAreas;
      if (prominencePoints(traits.prominence) < least) return !isLast;
      const contextCost = lattice.contextCost(0, to, traits.located);
      if (contextCost > weights.suggestedContext || !found.admitsArea(area)) return !isLast;
      const { lang } = this.filter;
      const names = lang ? [traits.name, fold(gazetteer.nameOfArea(area, lang))] : [traits.name];
      const isMain = names.some((each) => (isWhole ? each.startsWith(name) : each === name));
      const isCountry = !isPrefix && isCountryArea(area);
      const code = isCountry && this.#isCountryCode ? weights.countryCode : 0;
      // `uk`, but in small letters `de` begins Delhi.
      const isCalled = code > 0 || (isCountry && gazetteer.countryCode(area).toLowerCase() !== name);
      const isThird = () => isCountry && this.filter.isCode?.(gazetteer.facts.size + area, name);
      const cost = isMain || code > 0 ? 0 : isThird() ? weights.suggestedKnownName : this.#kindCost(nameKinds.known);
      const match = { textMatch: 0, contextMatch: -contextCost, nameMatch: 0, aliasWorth: -cost };
      const prior = isWhole && (isCalled || names.includes(name)) ? weights.suggestedWholeName + code : 0;
      const isName = isMain || !isPrefix || this.#missingLetters === 0;
      const score = total(match, prominencePoints(traits.prominence), prior, found.areaBias(area));
      if (isName && score >= found.floor && !this.#isNamedAfterTown(area))
        found.addArea(area, match, { from: 0, to, name }, prior);
      return !isLast;
    });
  }

  /**
   * Whether a second-level region has the name of a town in it that comes before it: `Campinas, São Paulo, BR` is one
   * suggestion, not two.
   */
  #isNamedAfterTown(area: number): boolean {
    const { gazetteer, found } = this;
    const { layer, name, prominence, located } = traitsOfArea(gazetteer, area);
    if (layer !== 'subregion') return false;
    const points = prominencePoints(prominence);
    let isAfterTown = false;
    gazetteer.visitPlaces(gazetteer.placeNames.exact(name), located.country, (index, kind) => {
      if (kind !== nameKinds.main || placePoints(gazetteer.facts, index) < points) return false;
      isAfterTown = gazetteer.facts.admin2(index) === regionOfArea(area) && found.admitsPlace(index);
      return !isAfterTown;
    });
    return isAfterTown;
  }

  /** Places are visited roughly by falling score: without this, 150 were scored for five suggestions to two letters. */
  override isPast(index: number, kind: NameKind, textMatch: number): boolean {
    const { facts } = this.gazetteer;
    const bonus = (kind === nameKinds.known ? visitBonus.known : 0) + (isHuge(facts, index) ? visitBonus.million : 0);
    const most =
      kind > nameKinds.known ? maxProminence - kindCosts[kind] : prominencePoints(facts.prominence(index) + bonus);
    return most + textMatch + this.#maxGain < this.found.floor;
  }

  /** Scores a place if its context fits. */
  override addScored(index: number, kind: NameKind, interpretation: NameInterpretation, textMatch: number): void {
    const { lattice, found } = this;
    const contextMatch = -lattice.contextCostOfPlace(0, interpretation.to, index);
    if (contextMatch < -weights.suggestedContext) return;
    const { name } = interpretation;
    const isWholeName = textMatch > 0;
    const isFeature = layerOfKind(this.gazetteer.facts.type(index)) !== 'place';
    // A whole name is a feature's as much as a settlement's, unless so few letters begin many names.
    const isNamed = isWholeName && isFeature && this.#missingLetters === 0;
    const points = isWholeName ? this.codePoints(index, name) : 0;
    const code = this.isCode ? points : 0;
    const isListed = isWholeName && kind === nameKinds.known;
    // In small letters too, three of them are the airport's own name: `lax`.
    const isOwn =
      code > 0 || points === weights.iataCode || (isListed && isShortForFeature(this.gazetteer, index, name, true));
    const isMain = isOwn || (kind === nameKinds.known && this.#isInLanguage(index, name));
    const aliasWorth = isMain ? 0 : isListed && isNamed ? -weights.knownName : -this.#kindCost(kind);
    const prior = this.#sizeGain(index, isWholeName) + code - (isFeature && !isOwn && !isNamed ? this.#featureCost : 0);
    found.addPlace(index, { textMatch, contextMatch, nameMatch: 0, aliasWorth }, interpretation, prior);
  }

  /** Whether the name of a place in the language of the answers begins with a text. */
  #isInLanguage(index: number, text: string): boolean {
    const { lang } = this.filter;
    return lang !== undefined && fold(this.gazetteer.nameOf(index, lang)).startsWith(text);
  }

  /** Aliases score less while few letters are typed. */
  #kindCost(kind: NameKind): number {
    const missing = kind === nameKinds.known ? this.#missingLetters : 0;
    return kindCosts[kind] + missing * weights.suggestedKnownNamePerMissingLetter;
  }

  /** Features score less than settlements, the more so the fewer letters are typed. */
  get #featureCost(): number {
    return weights.suggestedFeature + this.#missingLetters * weights.suggestedFeaturePerMissingLetter;
  }

  /**
   * Most people who type a prefix want a large city, the more so the fewer letters are typed. A whole name means the
   * most prominent place of that name.
   */
  #sizeGain(index: number, isWhole: boolean): number {
    const { facts } = this.gazetteer;
    if (!isLarge(facts, index) || facts.type(index) === suburb) return 0;
    return this.#largeGain(isWhole) + (isHuge(facts, index) ? weights.suggestedMillion : 0);
  }

  #largeGain(isWhole: boolean): number {
    return (isWhole ? 0 : weights.suggestedLarge) + this.#missingLetters * weights.suggestedLargePerMissingLetter;
  }
}
