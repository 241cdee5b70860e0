/**
 * Places, countries and regions that a half-typed text may become: its last token may be unfinished, and tokens behind a
 * full name may be its context. Main names come before other names, then prominence decides; edits are allowed for only
 * when nothing fits.
 */

import { distanceKm } from '../core/geo.ts';
import { type Gazetteer, type KeyRange, type NameKind, nameKinds, visitingOrder } from '../store/gazetteer.ts';
import { layerOfKind } from '../store/store.ts';
import { traitsOfArea } from './area-traits.ts';
import { BestRefs, type Scored } from './best-refs.ts';
import { Candidates, type SearchFilter } from './candidates.ts';
import { Lattice } from './lattice.ts';
import { nearness } from './score.ts';
import { tokensOf } from './tokens.ts';
import weights from './weights.json' with { type: 'json' };

const maxPlaces = 40;
const maxLooked = 150;
const maxLookedInContext = 4_000;
const maxAreas = 30;
const maxNear = 64;
/** No place or feature has a larger one. */
const maxProminence = 140;
/** Sums of the same points in another order differ by less. */
const rounding = 1e-9;
const walkBudget = 8_000;
const shortestEdited = 4;
/** So many letters tell a name from most others. */
const tellingLetters = 5;
/** Context may cost so much: all of it has to be understood. */
const maxContextCost = 9;

const kindCosts: Record<NameKind, number> = {
  [nameKinds.main]: 0,
  [nameKinds.known]: weights.suggestedKnownName,
  [nameKinds.other]: 200,
  [nameKinds.inner]: 400,
  [nameKinds.romanised]: 600,
};

/** The suggestions for a text, best first; `isEdited` says that they only fit with edits. */
export type Suggested = { suggestions: readonly Scored[]; isEdited: boolean };

/** At most `limit` suggestions; which they are does not depend on it. */
export function suggest(gazetteer: Gazetteer, text: string, filter: SearchFilter, limit: number): Suggested {
  const { tokens, lettersLeftOut } = tokensOf(text);
  if (tokens.length === 0 || lettersLeftOut > 0) return { suggestions: [], isEdited: false };
  const lattice = new Lattice(gazetteer, tokens, 0, false);
  const search = new Suggestions(gazetteer, lattice, filter, limit);
  const whole = lattice.text(0, tokens.length);
  search.prefix(whole);
  for (let to = tokens.length - 1; to > 0; to--) search.inContext(to);
  const isEdited = search.isEmpty;
  if (isEdited) search.edited(whole);
  return { suggestions: search.best.list, isEdited };
}

class Suggestions {
  readonly #gazetteer: Gazetteer;
  readonly #lattice: Lattice;
  readonly #filter: SearchFilter;
  readonly #admitted: Candidates;
  readonly best: BestRefs;
  /** Most points that a place may have beside those by which it is visited. */
  readonly #maxGain: number;
  /** Letters that are missing of a telling beginning. */
  readonly #missing: number;

  constructor(gazetteer: Gazetteer, lattice: Lattice, filter: SearchFilter, limit: number) {
    this.#gazetteer = gazetteer;
    this.#lattice = lattice;
    this.#filter = filter;
    this.#admitted = new Candidates(gazetteer, filter);
    const { facts } = gazetteer;
    this.best = new BestRefs(limit, (ref) => (ref < facts.size ? facts.id(ref) : ref - facts.size));
    this.#missing = Math.max(0, tellingLetters - lattice.text(0, lattice.tokens.length).length);
    this.#maxGain =
      rounding +
      weights.suggestedLarge +
      this.#missing * weights.suggestedLargePerMissingLetter +
      Math.max(0, weights.suggestedMillion - visitingOrder.million) +
      Math.max(0, -visitingOrder.known - weights.suggestedKnownName) +
      (filter.near ? nearness(0) / weights.prominence : 0);
  }

  get isEmpty(): boolean {
    return this.best.list.length === 0;
  }

  /** What the whole text begins. */
  prefix(text: string): void {
    const { placeNames, areaNames, nearest, nameOf } = this.#gazetteer;
    const range = placeNames.prefixed(text);
    const key = placeNames.find(text);
    if (key >= 0) this.#add({ from: key, to: key + 1 }, maxLooked, weights.suggestedWholeName, () => 0);
    this.#add(range, maxLooked, 0, () => 0);
    this.#areas(areaNames.prefixed(text), 0, true);
    const whole = areaNames.find(text);
    if (whole >= 0) this.#areas({ from: whole, to: whole + 1 }, 0, false);
    const { near } = this.#filter;
    if (!near) return;
    for (const index of nearest(near.lat, near.lng, maxNear)) {
      const at = placeNames.find(nameOf(index).toLowerCase());
      if (at >= range.from && at < range.to) this.#addPlace(index, nameKinds.main, 0);
    }
  }

  /** What bears the first tokens as its name and fits the others as context, the last of them maybe unfinished. */
  inContext(to: number): void {
    const lattice = this.#lattice;
    if (lattice.isBroken(0, to) || lattice.costBeside(0, to, undefined) > maxContextCost) return;
    const text = lattice.text(0, to);
    const key = this.#gazetteer.placeNames.find(text);
    if (key >= 0) {
      this.#add({ from: key, to: key + 1 }, maxLookedInContext, 0, (index) => {
        const cost = lattice.costBesidePlace(0, to, index);
        return cost > maxContextCost ? undefined : cost;
      });
    }
    const area = this.#gazetteer.areaNames.find(text);
    if (area >= 0) this.#areas({ from: area, to: area + 1 }, to, false);
  }

  /** What a text with edits begins, the fewest first. */
  edited(text: string): void {
    const most = text.length < shortestEdited ? 0 : text.length < 8 ? 1 : 2;
    for (let edits = 1; edits <= most && this.isEmpty; edits++) {
      const ranges: KeyRange[] = [];
      const options = { edits, fixed: edits - 1, isPrefix: true, budget: walkBudget };
      this.#gazetteer.placeNames.fuzzy(text, options, (range) => ranges.push(range));
      for (const range of ranges) this.#add(range, maxLooked, 0, () => 0);
    }
  }

  /** Adds the areas of a range of names; with `isBegun` those whose main name the text begins. */
  #areas(range: KeyRange, to: number, isBegun: boolean): void {
    const { facts } = this.#gazetteer;
    const { best } = this;
    const text = isBegun ? this.#lattice.text(0, this.#lattice.tokens.length) : '';
    let looked = 0;
    this.#gazetteer.visitAreas(range, (area, isShortened) => {
      const { prominence, maxProminence, name, located } = traitsOfArea(this.#gazetteer, area);
      const points = prominence - weights.suggestedArea;
      // The most populous ones come first, and the shortened names last.
      if (isShortened || maxProminence - weights.suggestedArea + rounding < best.least) return false;
      if (points >= best.least && this.#admitted.admitsArea(area) && name.startsWith(text)) {
        const cost = to === 0 ? 0 : this.#lattice.costBeside(0, to, located);
        if (cost <= maxContextCost) best.add(facts.size + area, points - cost);
      }
      return ++looked < maxAreas;
    });
  }

  /**
   * Adds the best places of a range of keys, each with `points` and what `costOf` says, undefined for one that does not
   * fit. They are visited in an order close to that of their scores: where none that follows can be among the best, the
   * visit ends. Without that the 150 first of all that begin with two letters were judged for five.
   */
  #add(range: KeyRange, most: number, points: number, costOf: (index: number) => number | undefined): void {
    const { facts } = this.#gazetteer;
    const { best } = this;
    const gain = points + this.#maxGain;
    const seen: number[] = [];
    let looked = 0;
    this.#gazetteer.visitPlaces(range, this.#filter.country, (index, kind) => {
      const ahead =
        kind > nameKinds.known
          ? maxProminence - kindCosts[kind]
          : facts.prominence(index) +
            (kind === nameKinds.known ? visitingOrder.known : 0) +
            (facts.population(index) >= 1_000_000 ? visitingOrder.million : 0);
      if (ahead + gain < best.least) return false;
      if (this.#admitted.admits(index) && !seen.includes(index)) {
        const cost = costOf(index);
        if (cost !== undefined) {
          seen.push(index);
          this.#addPlace(index, kind, points - cost);
        }
      }
      return ++looked < most && seen.length < maxPlaces;
    });
  }

  #addPlace(index: number, kind: NameKind, points: number): void {
    const { facts } = this.#gazetteer;
    const { near } = this.#filter;
    const km = near && distanceKm(near, { lat: facts.lat(index) / 1e6, lng: facts.lng(index) / 1e6 });
    const bias = km === undefined ? 0 : nearness(km) / weights.prominence;
    this.best.add(
      index,
      facts.prominence(index) +
        this.#sizeGain(index, points > 0) -
        this.#kindCost(kind) -
        this.#featureCost(index) +
        points +
        bias,
    );
  }

  /** Other names count for less while so few letters are typed that many names begin so. */
  #kindCost(kind: NameKind): number {
    return (
      kindCosts[kind] + (kind === nameKinds.known ? this.#missing * weights.suggestedKnownNamePerMissingLetter : 0)
    );
  }

  /** What is not a settlement is meant less often, the more so the less is typed. */
  #featureCost(index: number): number {
    const isFeature = layerOfKind(this.#gazetteer.facts.type(index)) !== 'place';
    return isFeature ? weights.suggestedFeature + this.#missing * weights.suggestedFeaturePerMissingLetter : 0;
  }

  /**
   * Large cities are what most people who begin a name are after, the more so the less of it is typed. Of a whole name the
   * most prominent bearer is meant.
   */
  #sizeGain(index: number, isWhole: boolean): number {
    const people = this.#gazetteer.facts.population(index);
    if (people < 100_000) return 0;
    const large = (isWhole ? 0 : weights.suggestedLarge) + this.#missing * weights.suggestedLargePerMissingLetter;
    return large + (people >= 1_000_000 ? weights.suggestedMillion : 0);
  }
}
