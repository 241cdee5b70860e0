/**
 * The interpretations of the tokens around a name: countries and regions, larger places nearby, connectors, words for a
 * kind of place, or unknown words. Each has a cost; which ones apply depends on the candidate, so the cheapest path is
 * computed for each.
 */
import { type BoundingBox, distanceKm, isWithin } from '../core/geo.ts';
import { areaOfRegion, type Gazetteer, isCountryArea, type KeyRange, nameKinds } from '../store/gazetteer.ts';
import { layerOfKind } from '../store/store.ts';
import type { QueryToken, Tokens } from '../text/query-text.ts';
import {
  areaWords,
  capitalWords,
  connectorWords,
  featureWords,
  requestWords,
  settlementWords,
  territoryCodes,
} from '../text/word-lists.ts';
import {
  areasCalled,
  isHuge,
  isLarge,
  isPlaceNear,
  Located,
  mayShareAlias,
  positionOf,
  sharesAlias,
  traitsOfArea,
} from './area-traits.ts';
import { placesOnly } from './layers.ts';
import { costOfWord } from './score.ts';
import weights from './weights.json' with { type: 'json' };

/** A span that names areas, which may themselves be answers: as typed, without words for their kind, and as matched. */
type AreaSpan = {
  from: number;
  to: number;
  typed: string;
  name: string;
  cost: number;
  areas: readonly number[];
  /** Whether the capitals of these countries are meant: `capital of France`. */
  isCapital?: boolean;
};

/** A span of tokens as context; `fits` says whether it says what contains a candidate, what is near it, or its layer. */
type ContextEdge = { to: number; cost: number; fits(candidate: Located): boolean };

/** A place is context for candidates within this distance, its suburbs and surroundings, an airport of a large city within the other. */
export const nearKm = 40;
const airportKm = 80;

const maxSpan = 8;
const maxPrefixAreas = 1_000;
const maxContextPlaces = 3;
/** Maximum number of places of a name that are looked at for a feature around a candidate, or as the city that is half typed. */
const maxContextVisited = 32;
const areaCode = /^[a-z]{1,3}$/;
/** How far from a large city's middle its parts are. */
const cityKm = 25;

/** What has a name but is no area: the most prominent places, the features with a box, and the city that it is first of all. */
function namedIn({ facts, boxOf, visitPlaces }: Gazetteer, range: KeyRange, most: number) {
  const [places, own]: number[][] = [[], []];
  const features: { index: number; box: BoundingBox; isOfCountries: boolean }[] = [];
  let [visited, city]: [number, number | undefined] = [0, undefined];
  visitPlaces(range, undefined, (index, kind) => {
    const layer = layerOfKind(facts.type(index));
    const box = kind <= nameKinds.other ? boxOf(index) : undefined;
    if (box) features.push({ index, box, isOfCountries: layer === 'continent' });
    // Nobody says by an airport's code where something else is.
    else if (places.length < most && layer !== 'airport') {
      if (places.length === 0 && kind <= nameKinds.known && isLarge(facts, index)) city = index;
      if (kind <= nameKinds.other) own.push(index);
      places.push(index);
    }
    return ++visited < maxContextVisited;
  });
  return { places, own, features, city };
}
type Named = ReturnType<typeof namedIn>;

export class Lattice {
  readonly tokens: readonly QueryToken[];
  readonly areas: AreaSpan[] = [];
  readonly #gazetteer: Gazetteer;
  /** What spans are as context, by first token; undefined until it is asked for, and for a text of one token. */
  #edges: ContextEdge[][] | undefined;
  /** The cost of skipping each token. */
  #skipCosts: number[] = [];
  /** The lowest cost of the tokens from each on, while a path is computed. */
  readonly #cheapest: number[] = [];
  readonly #candidate = new Located();
  /** Lowest costs of the tokens before and from each position on, for any candidate; made when asked for. */
  #bounds: { before: number[]; after: number[] } | undefined;
  readonly #letters: number;
  readonly #omittedCost: number;
  readonly #isOpen: boolean;
  /** By span, the city that it names, if any; found when it is asked for. */
  readonly #cities: { from: number; to: number; place: () => number | undefined }[] = [];
  /** By span, its text and the range of the place name that it is. */
  readonly #texts: (string | undefined)[] = [];
  readonly #placeNames: (KeyRange | undefined)[] = [];
  /** Spans that may be one name: of at most eight tokens with no break inside, longer ones first. */
  readonly spans: readonly Readonly<{ from: number; to: number }>[];

  /**
   * With `isOpen` the last token is being typed: it may go on although it is a code or a whole name already, and areas that a
   * single token names are left out, because it cannot be context.
   */
  constructor(gazetteer: Gazetteer, { tokens, omittedLetters }: Tokens, isOpen: boolean) {
    this.#gazetteer = gazetteer;
    this.#isOpen = isOpen;
    this.tokens = tokens;
    this.spans = this.#listSpans();
    this.#letters = tokens.reduce((sum, { text }) => sum + text.length, omittedLetters);
    this.#omittedCost = omittedLetters > 0 ? this.#unexplained(omittedLetters) : 0;
    // What is being typed is mostly a name alone, so that its context is read when it is asked for.
    if (!isOpen && tokens.length > 1) this.#readContext();
    if (!isOpen && tokens.length === 1) this.#addAreasOfSpan(0, 1);
  }

  #unexplained(letters: number): number {
    return (weights.unexplainedLetters * letters) / this.#letters + weights.unexplainedToken;
  }

  /** Reads what the tokens of a text of several may be as context. */
  #readContext(): void {
    if (this.#edges) return;
    const { tokens } = this;
    this.#skipCosts = tokens.map(({ text }) => Math.min(costOfWord(text), this.#unexplained(text.length)));
    // At the end nothing is connected: `Preston, AU` is in Australia.
    const [{ text: last }, before] = tokens.toReversed();
    if (connectorWords.has(last))
      this.#skipCosts[tokens.length - 1] = before?.isBreakAfter ? this.#unexplained(last.length) : weights.areaCode;
    this.#edges = tokens.map(() => []);
    for (const [at, { text }] of tokens.entries()) {
      // Panama City is not the country.
      if (settlementWords.has(text)) this.#addLayers(at, at + 1, weights.kindWord, placesOnly);
    }
    for (const { from, to } of this.spans) this.#addContextOfSpan(from, to);
    const isLong = tokens.length > maxSpan;
    const isCountry = (from: number, to: number) =>
      this.hasBreakInside(from, to) &&
      areasCalled(this.#gazetteer, this.#gazetteer.areaNames.exact(this.text(from, to))).whole.some(isCountryArea);
    // `Cocos (Keeling) Islands` is one name, and so are `Bonaire, Sint Eustatius and Saba` and 圣皮埃尔和密克隆群岛.
    for (let from = 0; from < tokens.length; from++) {
      for (let to = from + 2; to <= tokens.length; to++)
        if (to - from === tokens.length ? isLong || this.hasBreakInside(from, to) : isCountry(from, to))
          this.#addAreasOfSpan(from, to);
    }
  }

  /** Text of a span. */
  text(from: number, to: number): string {
    return (this.#texts[this.numberOf(from, to)] ??= this.#joined(from, to));
  }

  #joined(from: number, to: number): string {
    let text = '';
    for (let at = from; at < to; at++) {
      text += this.tokens[at].text;
      if (at + 1 < to && !this.tokens[at].isGlued) text += ' ';
    }
    return text;
  }

  /** The place names that are a span: one or none. */
  placeNames(from: number, to: number): KeyRange {
    return (this.#placeNames[this.numberOf(from, to)] ??= this.#gazetteer.placeNames.exact(this.text(from, to)));
  }

  /** A number for a span that no other has. */
  numberOf(from: number, to: number): number {
    return from * this.tokens.length + to;
  }

  #listSpans(): { from: number; to: number }[] {
    const { length } = this.tokens;
    const spans: { from: number; to: number }[] = [];
    for (let span = Math.min(length, maxSpan); span > 0; span--) {
      for (let from = 0; from + span <= length; from++)
        if (!this.hasBreakInside(from, from + span)) spans.push({ from, to: from + span });
    }
    return spans;
  }

  #add(from: number, to: number, cost: number, fits: ContextEdge['fits']): void {
    this.#edges?.[from].push({ to, cost, fits });
    this.#bounds = undefined;
  }

  #addLayers(from: number, to: number, cost: number, layers: ReadonlySet<string>): void {
    this.#add(from, to, cost, ({ layer }) => layer !== undefined && layers.has(layer));
  }

  /** Adds areas as the meaning of a span, at a cost. */
  addContext(from: number, to: number, areas: readonly number[], cost: number): void {
    let listed: readonly number[] | undefined;
    if (areas.length > 0) this.#addContextOf(from, to, () => (listed ??= this.#withTerritories(areas)), cost);
  }

  /** The same for areas that are listed, at least those of a country, once a candidate there is compared with them. */
  #addContextOf(from: number, to: number, named: (country: number) => readonly number[], cost: number): void {
    this.#add(from, to, cost, ({ country, admin1, admin2 }) => {
      for (const area of named(country)) if (area === country || area === admin1 || area === admin2) return true;
      return false;
    });
  }

  /** With the territories with a code of their own that are addressed with a country: `Hong Kong, China`. */
  #withTerritories(areas: readonly number[]): readonly number[] {
    const { countryCode, countryNumber } = this.#gazetteer;
    const codes = areas.filter(isCountryArea).flatMap((country) => territoryCodes(countryCode(country)));
    return codes.length === 0 ? areas : [...areas, ...codes.flatMap((code) => countryNumber(code) ?? [])];
  }

  /** Adds areas of a similar name as the meaning of a span, both as context and as answers. */
  addEditedAreas(from: number, to: number, name: string, areas: readonly number[], cost: number): void {
    this.addContext(from, to, areas, cost);
    this.areas.push({ from, to, typed: this.text(from, to), name, cost: cost + weights.editedArea, areas });
  }

  /** The cost of the tokens outside of [from, to) as context of a candidate; without one, a lower bound for any. */
  contextCost(from: number, to: number, candidate: Located | undefined): number {
    const { length } = this.tokens;
    if (from === 0 && to === length) return this.#omittedCost;
    this.#readContext();
    if (candidate) return this.#omittedCost + this.#path(0, from, candidate) + this.#path(to, length, candidate);
    const { before, after } = (this.#bounds ??= this.#leastCosts());
    return this.#omittedCost + before[from] + after[to];
  }

  /** The same for a place. Most searches are a name alone, without context. */
  contextCostOfPlace(from: number, to: number, place: number): number {
    if (to - from < this.tokens.length) this.#candidate.setPlace(this.#gazetteer.facts, place);
    return this.contextCost(from, to, this.#candidate);
  }

  /** The spans that may be one name, those first that are worst explained as they are, longer ones before others. */
  worstExplained(): Readonly<{ from: number; to: number }>[] {
    const costs = new Map(
      this.spans.map((span) => [span, this.#edges ? this.#path(span.from, span.to, undefined) : 0]),
    );
    return [...this.spans].sort((one, other) => costs.get(other)! - costs.get(one)!);
  }

  /** The share of the cost of the tokens outside of [from, to) that context saves, at what it costs; 0 without such tokens. */
  explainedShare(from: number, to: number, contextCost: number): number {
    const skipped = this.#skipCosts.reduce((sum, cost, at) => (at < from || at >= to ? sum + cost : sum), 0);
    const whole = this.#omittedCost + skipped;
    return whole === 0 ? 0 : Math.max(0, 1 - contextCost / whole);
  }

  /** Whether a token outside of [from, to) has no known meaning and is no context of a candidate. */
  leavesUnknown(from: number, to: number, candidate: Located): boolean {
    const isContext = (at: number) =>
      this.#edges!.slice(0, at + 1).some((edges) => edges.some((edge) => at < edge.to && edge.fits(candidate)));
    const isOutside = (at: number) => at < from || at >= to;
    return this.tokens.some(({ text }, at) => isOutside(at) && !Number.isFinite(costOfWord(text)) && !isContext(at));
  }

  /** The lowest costs of the tokens before and from each position on. */
  #leastCosts() {
    const { length } = this.#skipCosts;
    const before = [0, ...this.#skipCosts.map(() => Number.POSITIVE_INFINITY)];
    const after = [...this.#skipCosts, 0];
    for (let at = 0; at < length; at++) {
      before[at + 1] = Math.min(before[at + 1], before[at] + this.#skipCosts[at]);
      for (const { to, cost } of this.#edges![at]) before[to] = Math.min(before[to], before[at] + cost);
    }
    for (let at = length - 1; at >= 0; at--) {
      after[at] = this.#skipCosts[at] + after[at + 1];
      for (const { to, cost } of this.#edges![at]) after[at] = Math.min(after[at], cost + after[to]);
    }
    return { before, after };
  }

  /** The cost of the tokens in [from, to) for a candidate; without one, a lower bound for any. */
  #path(from: number, to: number, candidate: Located | undefined): number {
    if (from === to) return 0;
    const best = this.#cheapest;
    best[to] = 0;
    for (let at = to - 1; at >= from; at--) {
      let cost = this.#skipCosts[at] + best[at + 1];
      for (const edge of this.#edges![at]) {
        if (edge.to > to || edge.cost + best[edge.to] >= cost) continue;
        if (candidate === undefined || edge.fits(candidate)) cost = edge.cost + best[edge.to];
      }
      best[at] = cost;
    }
    return best[from];
  }

  /**
   * Whether a place is near a less prominent one that is not around it, or an island near one on it: neither Lake Garda nor
   * Mallorca lies at a town.
   */
  #isNear(place: number, candidate: Located): boolean {
    const { place: other, layer } = candidate;
    const { facts, boxOf } = this.#gazetteer;
    if (layer === 'island' || other === facts.size) return false;
    if (place >= other && layerOfKind(facts.type(place)) !== 'island') return false;
    const reach = layer === 'airport' && isHuge(facts, place) ? airportKm : nearKm;
    if (!isPlaceNear(facts, place, candidate, reach)) return false;
    const box = boxOf(other);
    return !(box && isWithin(facts.lat(place) / 1e6, facts.lng(place) / 1e6, box));
  }

  #addContextOfSpan(from: number, to: number): void {
    const exact = this.#addAreasOfSpan(from, to);
    // What is being typed begins with the name.
    if (this.#isOpen && from === 0) return;
    const { areaNames } = this.#gazetteer;
    const text = this.text(from, to);
    const layers = featureWords.get(text);
    if (layers) this.#addLayers(from, to, weights.featureWord, layers);
    // Villages are called State, and what begins so is the State of Palestine.
    if (areaWords.has(text)) return;
    const isEnd = to === this.tokens.length;
    const isOpen = isEnd && this.#isOpen;
    // Nobody types the one letter that is a region's code.
    const isName = exact.length > 0 && text.length > 1 && !this.#isOpen;
    const beginnings = isEnd ? areaNames.prefixRange(text) : { from: 0, to: 0 };
    const hasBeginnings = beginnings.from < beginnings.to;
    let listed: readonly number[] | undefined;
    const prefixed = () => (listed ??= this.#withTerritories(this.#gazetteer.areasNamed(beginnings, maxPrefixAreas)));
    // Of up to a thousand areas, a candidate's country has few.
    const inCountries = new Map<number, readonly number[]>();
    const areasIn = (country: number) =>
      prefixed().filter((area) => this.#gazetteer.areaFacts(area).country === country);
    const prefixedIn = (country: number) => inCountries.getOrInsertComputed(country, areasIn);
    if (hasBeginnings) {
      const cost = isName ? weights.contextPrefixDespiteExact : weights.contextPrefix;
      // Seen first, as to list all areas that begin so takes longer; of those with one letter only the most populous count.
      const begins = ({ admin1 }: Located) => traitsOfArea(this.#gazetteer, admin1).name.startsWith(text);
      if (text.length > 1) this.#add(from, to, cost, begins);
      this.#addContextOf(from, to, prefixedIn, cost);
    }
    const wholes = areaCode.test(text) ? [] : exact;
    const named = isOpen ? prefixed : () => wholes;
    const cost = isOpen ? weights.contextPrefix : 0;
    const range = () => (isOpen ? this.#gazetteer.placeNames.prefixRange(text) : this.placeNames(from, to));
    const isNamed = isOpen ? hasBeginnings : wholes.length > 0;
    if (isNamed || range().from < range().to) this.#addNear(from, to, range, named, cost);
    const namedIn = isOpen ? prefixedIn : () => wholes;
    if (isNamed)
      this.#add(from, to, weights.contextBeside + cost, (candidate) => {
        if (candidate.place === this.#gazetteer.facts.size || this.#gazetteer.boxOf(candidate.place)) return false;
        for (const area of namedIn(candidate.country)) if (this.#isBeside(area, candidate)) return true;
        return false;
      });
  }

  /**
   * Whether a place is beside those of a region of its country that is not much smaller: Plymouth, an area of its own, is in Devon
   * for those who live there.
   */
  #isBeside(area: number, candidate: Located): boolean {
    const { country, place } = candidate;
    const { facts, areaFacts, placesOfArea } = this.#gazetteer;
    const { country: own, population } = areaFacts(area);
    // `Barueri São Paulo` is not São Paulo beside Barueri.
    if (isCountryArea(area) || own !== country || facts.population(place) > population * weights.largestBeside)
      return false;
    for (const each of placesOfArea(area)) if (isPlaceNear(facts, each, candidate, cityKm)) return true;
    return false;
  }

  /**
   * Adds what a span names without being an area around the candidate: larger places nearby, features around it, and large areas of
   * which a candidate that is a feature has some of the largest places: the Alps are in Austria, too.
   */
  #addNear(from: number, to: number, range: () => KeyRange, named: () => readonly number[], cost: number): void {
    const { facts, areaFacts, boxOf, placesOfArea } = this.#gazetteer;
    const isIn = (place: number, box: BoundingBox) => isWithin(facts.lat(place) / 1e6, facts.lng(place) / 1e6, box);
    let [known, areas]: [Named | undefined, readonly number[] | undefined] = [undefined, undefined];
    const read = () => (known ??= namedIn(this.#gazetteer, range(), cost > 0 ? maxContextVisited : maxContextPlaces));
    // Features are rather in a small area than the other way round.
    const isWide = (area: number) => isCountryArea(area) || areaFacts(area).population >= weights.peopleOfLargeContext;
    const hasPlacesOfAreas = ({ place, layer }: Located, { city }: Named) => {
      const box = layer === 'continent' ? undefined : boxOf(place);
      // Odesa's region is at the Black Sea, which is not at Odesa.
      if (!box || (city !== undefined && isIn(city, box))) return false;
      areas ??= named().filter(isWide);
      return areas.some((area) => placesOfArea(area).some((each) => isIn(each, box)));
    };
    const isAround = ({ index, box, isOfCountries }: Named['features'][number], { place, lat, lng }: Located) =>
      index !== place && (place < facts.size || isOfCountries) && isWithin(lat / 1e6, lng / 1e6, box);
    // Loops: with functions for each of hundreds of candidates, these were a fifth of the memory that a search takes.
    this.#add(from, to, weights.contextNear + cost, (candidate) => {
      const all = read();
      if (all.own.includes(candidate.place)) return true;
      for (const place of all.places) if (this.#isNear(place, candidate)) return true;
      for (const feature of all.features) if (isAround(feature, candidate)) return true;
      return hasPlacesOfAreas(candidate, all);
    });
    this.#cities.push({ from, to, place: () => read().city });
  }

  /** Adds the areas that a span names exactly or in short; returns those that it names exactly. */
  #addAreasOfSpan(from: number, to: number): number[] {
    const { areaNames } = this.#gazetteer;
    const text = this.text(from, to);
    const { whole: exact, shortened } = areasCalled(this.#gazetteer, areaNames.exact(text));
    const isCode = areaCode.test(text);
    this.addContext(from, to, exact.length > 0 ? exact : this.#regionOf(from, to), 0);
    this.addContext(from, to, shortened, exact.length > 0 ? weights.contextPrefixDespiteExact : weights.contextPrefix);
    // A single letter is a region's code in thirty countries, but nobody types it alone.
    if (text.length > 1) {
      // Goa is a region by its whole name.
      const isWhole = !isCode || exact.some((area) => traitsOfArea(this.#gazetteer, area).name === text);
      const cost = isWhole
        ? 0
        : text.length === 2 && this.#isCountryCode(exact[0], text)
          ? weights.areaCode
          : weights.shortAreaName;
      const named = { from, to, typed: text, name: text };
      if (exact.length > 0) this.areas.push({ ...named, cost, areas: exact });
      if (shortened.length > 0) this.areas.push({ ...named, cost: weights.shortName, areas: shortened });
      this.#addWithAreaWords(named, [...exact, ...shortened]);
      const countries =
        to === this.tokens.length && capitalWords.has(this.text(0, from)) ? exact.filter(isCountryArea) : [];
      if (countries.length > 0)
        this.areas.push({ ...named, from: 0, cost: cost + weights.kindWord, areas: countries, isCapital: true });
    }
    if (!isCode) this.#raiseSkipCost(from, to, exact);
    return exact;
  }

  /** The region whose name in another alphabet the data have for its seat only: `หาดใหญ่ สงขลา`. */
  #regionOf(from: number, to: number): number[] {
    const { facts, visitPlaces } = this.#gazetteer;
    const regions: number[] = [];
    const text = this.text(from, to);
    if (!mayShareAlias(text)) return regions;
    visitPlaces(this.placeNames(from, to), undefined, (index) => {
      const region = areaOfRegion(facts.admin1(index));
      if (facts.admin1(index) >= 0 && sharesAlias(this.#gazetteer, index, region)) regions.push(region);
      return false;
    });
    return regions;
  }

  /** Adds an area together with the word for its kind: `Washington State`, `Kanton Zürich`, `State of New York`. */
  #addWithAreaWords({ from, to, typed, name }: Omit<AreaSpan, 'cost' | 'areas'>, areas: readonly number[]): void {
    if (areas.length === 0) return;
    const isConnected = from > 1 && connectorWords.has(this.tokens[from - 1].text);
    for (const [at, start, end] of [
      [to, from, to + 1],
      [from - 1, from - 1, to],
      ...(isConnected ? [[from - 2, from - 2, to]] : []),
    ]) {
      const kinds = areaWords.get(this.tokens[at]?.text);
      if (!kinds || this.hasBreakInside(start, end)) continue;
      const ofKind = areas.filter((area) => kinds.has(traitsOfArea(this.#gazetteer, area).layer));
      this.addContext(start, end, ofKind, 0);
      this.areas.push({ from: start, to: end, typed, name, cost: weights.areaWord, areas: ofKind });
    }
  }

  #isCountryCode(area: number | undefined, text: string): boolean {
    return area !== undefined && isCountryArea(area) && this.#gazetteer.countryCode(area).toLowerCase() === text;
  }

  /** Skipping a known country or first-level region costs more than skipping an unknown word. */
  #raiseSkipCost(from: number, to: number, areas: readonly number[]): void {
    if (!this.#edges || areas.every((area) => traitsOfArea(this.#gazetteer, area).layer === 'subregion')) return;
    for (let at = from; at < to; at++) {
      const { text } = this.tokens[at];
      if (!connectorWords.has(text) && !requestWords.has(text))
        this.#skipCosts[at] += weights.contradiction / (to - from);
    }
    this.#bounds = undefined;
  }

  /** Points of a place as a part of a city that words outside of [from, to) name: fewer the farther it is from the middle. */
  pointsInCity(from: number, to: number, place: number): number {
    const { facts } = this.#gazetteer;
    let most = 0;
    if (this.#cities.length === 0 || layerOfKind(facts.type(place)) !== 'place') return most;
    for (const city of this.#cities) {
      const middle = city.from < to && from < city.to ? undefined : city.place();
      if (middle === undefined || middle >= place) continue;
      const km = distanceKm(positionOf(facts, middle), positionOf(facts, place));
      most = Math.max(most, weights.partOfCity * (1 - km / cityKm));
    }
    return most;
  }

  /** Whether a comma or bracket is inside a span. */
  hasBreakInside(from: number, to: number): boolean {
    for (let at = from; at < to - 1; at++) if (this.tokens[at].isBreakAfter) return true;
    return false;
  }
}
