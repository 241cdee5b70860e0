/**
 * Completions of a half-typed text to places, countries and regions: its last token may be incomplete, and tokens after
 * a full name may be its context. Main names come before other names, then prominence decides; edits are tried only
 * when nothing matches.
 */

import { distanceKm } from '../core/geo.ts';
import {
  areaOfCountry,
  type Gazetteer,
  type KeyRange,
  type NameKind,
  nameKinds,
  regionOfArea,
  visitBonus,
} from '../store/gazetteer.ts';
import { layerOfKind } from '../store/store.ts';
import { withCompassWords } from '../text/compass-words.ts';
import { isTransliterable } from '../text/transliterations.ts';
import { traitsOfArea, withoutIsland } from './area-traits.ts';
import { BestRefs, type Scored } from './best-refs.ts';
import { type Candidate, Candidates, type SearchFilter } from './candidates.ts';
import { type Explanation, explain } from './explain.ts';
import { Lattice } from './lattice.ts';
import { type Contributions, nearness, score } from './score.ts';
import { transliterationBudget } from './search-limits.ts';
import { compared } from './situations.ts';
import { tokensOf } from './tokens.ts';
import { transliterated } from './transliterated.ts';
import weights from './weights.json' with { type: 'json' };

const maxPlaces = 40;
const maxVisited = 150;
const maxVisitedInContext = 4_000;
const maxAreas = 30;
const maxNear = 64;
/** An upper bound of the prominence of places and features. */
const maxProminence = 140;
/** Above the rounding error of summing the same points in another order. */
const rounding = 1e-9;
const walkBudget = 8_000;
const minEditedLength = 4;
/** A prefix of this many letters distinguishes a name from most others. */
const distinctiveLength = 5;

const kindCosts: Record<NameKind, number> = {
  [nameKinds.main]: 0,
  [nameKinds.known]: weights.suggestedKnownName,
  [nameKinds.other]: weights.suggestedOtherName,
  [nameKinds.inner]: weights.suggestedInnerName,
  [nameKinds.romanised]: weights.suggestedRomanisedName,
};

const noPoints: Contributions = {
  textMatch: 0,
  contextMatch: 0,
  nameMatch: 0,
  aliasWorth: 0,
  prominence: 0,
  layerPrior: 0,
  nearness: 0,
};

/** The suggestions for a text, best first; `isEdited` says that they only fit with edits. */
export type Suggested = { suggestions: readonly Scored[]; isEdited: boolean };

/** At most `limit` suggestions; a larger limit only adds to the list. `trace` receives how they came about. */
export function suggest(
  gazetteer: Gazetteer,
  text: string,
  filter: SearchFilter,
  limit: number,
  trace?: Partial<Explanation>,
): Suggested {
  const asTyped = suggestFor(gazetteer, text, filter, limit, trace);
  if (asTyped.suggestions.length > 0 && !asTyped.isEdited) return asTyped;
  for (const other of withCompassWords(text)) {
    const found = suggestFor(gazetteer, other, filter, limit, trace);
    if (found.suggestions.length > 0 && !found.isEdited) return found;
  }
  return asTyped;
}

function suggestFor(
  gazetteer: Gazetteer,
  text: string,
  filter: SearchFilter,
  limit: number,
  trace: Partial<Explanation> | undefined,
): Suggested {
  const { tokens, omittedLetters } = tokensOf(text);
  if (tokens.length === 0 || omittedLetters > 0) return { suggestions: [], isEdited: false };
  const lattice = new Lattice(gazetteer, tokens, 0, true);
  const search = new Suggestions(
    gazetteer,
    lattice,
    filter,
    trace ? Math.max(limit, compared) : limit,
    trace !== undefined,
  );
  const whole = lattice.text(0, tokens.length);
  search.prefix(whole);
  for (let to = tokens.length - 1; to > 0; to--) search.inContext(to);
  const isEdited = search.isEmpty;
  if (isEdited && isTransliterable(whole)) search.transliterated(whole);
  if (search.isEmpty) search.edited(whole);
  const suggestions = search.best.list;
  if (trace) {
    const { scored, candidates } = search;
    const best = suggestions.map(({ ref }) => candidates!.get(ref)!);
    const all = [...candidates!.values()].sort((one, other) => other.score - one.score);
    Object.assign(trace, explain(lattice, { scored, all, best }));
  }
  return { suggestions: suggestions.slice(0, limit), isEdited };
}

class Suggestions {
  readonly #gazetteer: Gazetteer;
  readonly #lattice: Lattice;
  readonly #filter: SearchFilter;
  readonly #admitted: Candidates;
  readonly best: BestRefs;
  /** What was scored, for an explanation. */
  readonly candidates: Map<number, Candidate> | undefined;
  scored = 0;
  /** Maximum points of a place beyond those that determine the order of visits. */
  readonly #maxGain: number;
  /** Points for the preferred country. */
  readonly #homeGain: number;
  /** How many letters the text lacks to be distinctive. */
  readonly #missingLetters: number;

  constructor(gazetteer: Gazetteer, lattice: Lattice, filter: SearchFilter, limit: number, isExplained: boolean) {
    this.#gazetteer = gazetteer;
    this.#lattice = lattice;
    this.#filter = filter;
    this.#admitted = new Candidates(gazetteer, filter);
    this.candidates = isExplained ? new Map() : undefined;
    const { facts } = gazetteer;
    const idOf = (ref: number) => (ref < facts.size ? facts.id(ref) : ref - facts.size);
    this.best = new BestRefs(limit, idOf, (ref) => withoutIsland(gazetteer, ref));
    this.#missingLetters = Math.max(0, distinctiveLength - lattice.text(0, lattice.tokens.length).length);
    this.#homeGain = filter.home === undefined || filter.near ? 0 : weights.homeCountry / weights.prominence;
    this.#maxGain =
      rounding +
      weights.suggestedLarge +
      this.#missingLetters * weights.suggestedLargePerMissingLetter +
      Math.max(0, weights.suggestedMillion - visitBonus.million) +
      Math.max(0, -visitBonus.known - weights.suggestedKnownName) +
      (filter.near ? nearness(0) / weights.prominence : this.#homeGain);
  }

  get isEmpty(): boolean {
    return this.best.list.length === 0;
  }

  /** Adds the names that the whole text is a prefix of. */
  prefix(text: string): void {
    const { placeNames, areaNames, nearest, nameOf } = this.#gazetteer;
    const range = placeNames.prefixRange(text);
    this.#add(placeNames.exact(text), maxVisited, weights.suggestedWholeName);
    this.#add(range, maxVisited, 0);
    this.#areas(areaNames.prefixRange(text), 0, true);
    this.#areas(areaNames.exact(text), 0, false);
    const { near } = this.#filter;
    if (!near) return;
    for (const index of nearest(near.lat, near.lng, maxNear)) {
      const { to } = placeNames.exact(nameOf(index).toLowerCase());
      if (to > range.from && to <= range.to) this.#addPlace(index, nameKinds.main, 0);
    }
  }

  /**
   * Adds names that the first tokens spell and whose context matches the others, the last of which may be incomplete.
   */
  inContext(to: number): void {
    const lattice = this.#lattice;
    if (lattice.hasBreakInside(0, to)) return;
    const places = lattice.placeNames(0, to);
    const areas = this.#gazetteer.areaNames.exact(lattice.text(0, to));
    if (places.from === places.to && areas.from === areas.to) return;
    if (lattice.contextCost(0, to, undefined) > weights.suggestedContext) return;
    this.#add(places, maxVisitedInContext, 0, to);
    this.#areas(areas, to, false);
  }

  /** Adds the names that the text is a prefix of after edits, the fewest first. */
  edited(text: string): void {
    const maxEdits = text.length < minEditedLength ? 0 : text.length < 8 ? 1 : 2;
    for (let edits = 1; edits <= maxEdits && this.isEmpty; edits++) {
      const ranges: KeyRange[] = [];
      const options = { edits, fixedPrefix: edits - 1, isPrefix: true, budget: walkBudget };
      this.#gazetteer.placeNames.fuzzy(text, options, (range) => ranges.push(range));
      for (const range of ranges) this.#add(range, maxVisited, 0);
    }
  }

  /** Adds what begins with a text in Latin spelling. */
  transliterated(text: string): void {
    const options = { isPrefix: true, budget: transliterationBudget };
    transliterated(this.#gazetteer.placeNames, text, options, (range, unusual) =>
      this.#add(range, maxVisited, -unusual * weights.unusualSpelling),
    );
  }

  /** Adds the areas of a range of names; with `isPrefix` only those whose main name begins with the text. */
  #areas(range: KeyRange, to: number, isPrefix: boolean): void {
    const { facts } = this.#gazetteer;
    const { best } = this;
    const text = isPrefix ? this.#lattice.text(0, this.#lattice.tokens.length) : '';
    let visited = 0;
    this.#gazetteer.visitAreas(range, (area, isShortened) => {
      const { prominence, maxProminence, name, located } = traitsOfArea(this.#gazetteer, area);
      const { home } = this.#filter;
      const isHome = home !== undefined && located.country === areaOfCountry(home);
      const bias = isHome ? this.#homeGain : 0;
      const points = prominence - weights.suggestedArea + bias;
      // Visited by falling population, shortened names last.
      if (isShortened || maxProminence - weights.suggestedArea + this.#homeGain + rounding < best.minScore)
        return false;
      const isWanted = points >= best.minScore && this.#admitted.admitsArea(area) && name.startsWith(text);
      if (isWanted && !this.#isNamedAfterTown(area, points)) {
        const cost = to === 0 ? 0 : this.#lattice.contextCost(0, to, located);
        if (cost <= weights.suggestedContext) {
          best.add({ ref: facts.size + area, score: points - cost });
          this.scored++;
          const parts = { contextMatch: -cost, prominence, layerPrior: -weights.suggestedArea, nearness: bias };
          if (this.candidates) this.#trace(facts.size + area, name, to || this.#lattice.tokens.length, parts);
        }
      }
      return ++visited < maxAreas;
    });
  }

  /**
   * Whether a second-level region has the name of a town in it that comes before it: `Campinas, São Paulo, BR` is one
   * suggestion, not two.
   */
  #isNamedAfterTown(area: number, points: number): boolean {
    const { facts, placeNames } = this.#gazetteer;
    const { layer, name, located } = traitsOfArea(this.#gazetteer, area);
    if (layer !== 'subregion' || !this.#filter.rowLayers.has('place')) return false;
    let isAfterTown = false;
    this.#gazetteer.visitPlaces(placeNames.exact(name), located.country, (index, kind) => {
      if (kind !== nameKinds.main || facts.prominence(index) < points) return false;
      isAfterTown = facts.admin2(index) === regionOfArea(area) && this.#admitted.admits(index);
      return !isAfterTown;
    });
    return isAfterTown;
  }

  /**
   * Adds the best places of a range of keys with `points`, which the first `to` tokens spell, and whose context the others
   * are; by default all tokens. They are visited roughly by falling score, and the visit ends when no later place can be among the
   * best. Without that, 150 places were scored for five suggestions to two letters.
   */
  #add(range: KeyRange, maxVisits: number, points: number, to = this.#lattice.tokens.length): void {
    const { facts } = this.#gazetteer;
    const { best } = this;
    const gain = points + this.#maxGain;
    const seen: number[] = [];
    let visited = 0;
    this.#gazetteer.visitPlaces(range, this.#filter.country, (index, kind) => {
      const maxPossible =
        kind > nameKinds.known
          ? maxProminence - kindCosts[kind]
          : facts.prominence(index) +
            (kind === nameKinds.known ? visitBonus.known : 0) +
            (facts.population(index) >= 1_000_000 ? visitBonus.million : 0);
      if (maxPossible + gain < best.minScore) return false;
      if (this.#admitted.admits(index) && !seen.includes(index)) {
        const cost = this.#lattice.contextCostOfPlace(0, to, index);
        if (cost <= weights.suggestedContext) {
          seen.push(index);
          this.#addPlace(index, kind, points, to, cost);
        }
      }
      return ++visited < maxVisits && seen.length < maxPlaces;
    });
  }

  #addPlace(index: number, kind: NameKind, points: number, to = this.#lattice.tokens.length, contextCost = 0): void {
    const { facts, nameOf } = this.#gazetteer;
    const { near } = this.#filter;
    const km = near && distanceKm(near, { lat: facts.lat(index) / 1e6, lng: facts.lng(index) / 1e6 });
    const atHome = facts.country(index) === this.#filter.home ? this.#homeGain : 0;
    const bias = km === undefined ? atHome : nearness(km) / weights.prominence;
    const prominence = facts.prominence(index);
    const nameCost = this.#kindCost(kind);
    const layerPrior = this.#sizeGain(index, points > 0) - this.#featureCost(index);
    this.best.add({ ref: index, score: prominence + layerPrior - nameCost + points - contextCost + bias });
    this.scored++;
    if (!this.candidates) return;
    const parts = { textMatch: points, contextMatch: -contextCost, aliasWorth: -nameCost, prominence, layerPrior };
    this.#trace(index, nameOf(index).toLowerCase(), to, { ...parts, nearness: bias });
  }

  /** Notes a candidate for an explanation. */
  #trace(ref: number, name: string, to: number, parts: Partial<Contributions>): void {
    const whole = { ...noPoints, ...parts };
    const each = { ref, score: score(whole), parts: whole, interpretation: { from: 0, to, name } };
    const before = this.candidates!.get(ref);
    if (!before || before.score < each.score) this.candidates!.set(ref, each);
  }

  /** Aliases score less while few letters are typed. */
  #kindCost(kind: NameKind): number {
    return (
      kindCosts[kind] +
      (kind === nameKinds.known ? this.#missingLetters * weights.suggestedKnownNamePerMissingLetter : 0)
    );
  }

  /** Features score less than settlements, the more so the fewer letters are typed. */
  #featureCost(index: number): number {
    const isFeature = layerOfKind(this.#gazetteer.facts.type(index)) !== 'place';
    return isFeature ? weights.suggestedFeature + this.#missingLetters * weights.suggestedFeaturePerMissingLetter : 0;
  }

  /**
   * Most people who type a prefix want a large city, the more so the fewer letters are typed. A whole name means the
   * most prominent place of that name.
   */
  #sizeGain(index: number, isWhole: boolean): number {
    const people = this.#gazetteer.facts.population(index);
    if (people < weights.peopleOfLarge) return 0;
    const large =
      (isWhole ? 0 : weights.suggestedLarge) + this.#missingLetters * weights.suggestedLargePerMissingLetter;
    return large + (people >= 1_000_000 ? weights.suggestedMillion : 0);
  }
}
