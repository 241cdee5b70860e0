/**
 * Places, countries and regions that a half-typed text may become: its last token may be unfinished, and tokens behind a
 * full name may be its context. Main names come before other names, then prominence decides; edits are allowed for only
 * when nothing fits.
 */

import { distanceKm } from '../core/geo.ts';
import { type Gazetteer, type KeyRange, type NameKind, nameKinds } from '../store/gazetteer.ts';
import { layerOfKind } from '../store/store.ts';
import { fold } from '../text/fold.ts';
import { areaLayer, Candidates, type SearchFilter } from './candidates.ts';
import { Lattice, locatedArea, locatedPlace } from './lattice.ts';
import { areaProminence, nearness } from './score.ts';
import { tokensOf } from './tokens.ts';
import weights from './weights.json' with { type: 'json' };

export type Suggestion = { ref: number; score: number };

const maxPlaces = 40;
const maxLooked = 150;
const maxLookedInContext = 4_000;
const maxAreas = 30;
const maxNear = 64;
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

/** The suggestions for a text, best first, at most some forty; `isEdited` says that they only fit with edits. */
export type Suggested = { suggestions: Suggestion[]; isEdited: boolean };

export function suggest(gazetteer: Gazetteer, text: string, filter: SearchFilter): Suggested {
  const { tokens, lettersLeftOut } = tokensOf(text);
  if (tokens.length === 0 || lettersLeftOut > 0) return { suggestions: [], isEdited: false };
  const lattice = new Lattice(gazetteer, tokens, 0);
  const search = new Suggestions(gazetteer, lattice, filter);
  const whole = lattice.text(0, tokens.length);
  search.prefix(whole);
  for (let to = tokens.length - 1; to > 0; to--) search.inContext(to);
  const isEdited = search.isEmpty;
  if (isEdited) search.edited(whole);
  return { suggestions: search.best(), isEdited };
}

class Suggestions {
  readonly #gazetteer: Gazetteer;
  readonly #lattice: Lattice;
  readonly #filter: SearchFilter;
  readonly #admitted: Candidates;
  readonly #scores = new Map<number, number>();
  /** Letters that are missing of a telling beginning. */
  readonly #missing: number;

  constructor(gazetteer: Gazetteer, lattice: Lattice, filter: SearchFilter) {
    this.#gazetteer = gazetteer;
    this.#lattice = lattice;
    this.#filter = filter;
    this.#admitted = new Candidates(gazetteer, filter);
    this.#missing = Math.max(0, tellingLetters - lattice.text(0, lattice.tokens.length).length);
  }

  get isEmpty(): boolean {
    return this.#scores.size === 0;
  }

  best(): Suggestion[] {
    const { facts } = this.#gazetteer;
    const id = (ref: number) => (ref < facts.size ? facts.id(ref) : ref - facts.size);
    return [...this.#scores]
      .map(([ref, score]) => ({ ref, score }))
      .sort((left, right) => right.score - left.score || id(left.ref) - id(right.ref));
  }

  /** What the whole text begins. */
  prefix(text: string): void {
    const { placeNames, areaNames, nearest, nameOf } = this.#gazetteer;
    this.#areas(areaNames.prefixed(text), 0, (area) => fold(this.#gazetteer.nameOfArea(area)).startsWith(text));
    const whole = areaNames.find(text);
    if (whole >= 0) this.#areas({ from: whole, to: whole + 1 }, 0);
    this.#add(placeNames.prefixed(text), maxLooked, () => 0);
    const key = placeNames.find(text);
    if (key >= 0) this.#add({ from: key, to: key + 1 }, maxLooked, () => weights.suggestedWholeName);
    const { near } = this.#filter;
    if (!near) return;
    for (const index of nearest(near.lat, near.lng, maxNear)) {
      const at = placeNames.find(nameOf(index).toLowerCase());
      const range = placeNames.prefixed(text);
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
      this.#add({ from: key, to: key + 1 }, maxLookedInContext, (index) => {
        const cost = lattice.costBeside(0, to, locatedPlace(this.#gazetteer, index));
        return cost > maxContextCost ? undefined : -cost;
      });
    }
    const area = this.#gazetteer.areaNames.find(text);
    if (area >= 0) this.#areas({ from: area, to: area + 1 }, to);
  }

  /** What a text with edits begins, the fewest first. */
  edited(text: string): void {
    const most = text.length < shortestEdited ? 0 : text.length < 8 ? 1 : 2;
    for (let edits = 1; edits <= most && this.isEmpty; edits++) {
      const ranges: KeyRange[] = [];
      const options = { edits, fixed: edits - 1, isPrefix: true, budget: walkBudget };
      this.#gazetteer.placeNames.fuzzy(text, options, (range) => ranges.push(range));
      for (const range of ranges) this.#add(range, maxLooked, () => 0);
    }
  }

  #areas(range: KeyRange, to: number, isMeant: (area: number) => boolean = () => true): void {
    let looked = 0;
    this.#gazetteer.visitAreas(range, (area, isShortened) => {
      const { population } = this.#gazetteer.areaFacts(area);
      const cost = to === 0 ? 0 : this.#lattice.costBeside(0, to, locatedArea(this.#gazetteer, area));
      if (this.#admitted.admitsArea(area) && !isShortened && cost <= maxContextCost && isMeant(area)) {
        const layer = areaLayer(this.#gazetteer, area);
        this.#keep(this.#gazetteer.facts.size + area, areaProminence(layer, population) - weights.suggestedArea - cost);
      }
      return ++looked < maxAreas;
    });
  }

  /** Adds the best places of a range of keys; `points` are undefined for one that does not fit. */
  #add(range: KeyRange, most: number, points: (index: number) => number | undefined): void {
    let looked = 0;
    const seen = new Set<number>();
    this.#gazetteer.visitPlaces(range, this.#filter.country, (index, kind) => {
      if (!seen.has(index) && this.#admitted.admits(index)) {
        const more = points(index);
        if (more !== undefined) {
          seen.add(index);
          this.#addPlace(index, kind, more);
        }
      }
      return ++looked < most && seen.size < maxPlaces;
    });
  }

  #addPlace(index: number, kind: NameKind, points: number): void {
    const { facts } = this.#gazetteer;
    const { near } = this.#filter;
    const km = near && distanceKm(near, { lat: facts.lat(index) / 1e6, lng: facts.lng(index) / 1e6 });
    const bias = km === undefined ? 0 : nearness(km) / weights.prominence;
    this.#keep(
      index,
      facts.prominence(index) + this.#sizeGain(index) - this.#kindCost(kind) - this.#featureCost(index) + points + bias,
    );
  }

  /** Other names count for less while so few letters are typed that many names begin so. */
  #kindCost(kind: NameKind): number {
    return (
      kindCosts[kind] + (kind === nameKinds.known ? this.#missing * weights.suggestedKnownNamePerMissingLetter : 0)
    );
  }

  /** What is no settlement is meant less often, the more so the less is typed. */
  #featureCost(index: number): number {
    const isFeature = layerOfKind(this.#gazetteer.facts.type(index)) !== 'place';
    return isFeature ? weights.suggestedFeature + this.#missing * weights.suggestedFeaturePerMissingLetter : 0;
  }

  /** Large cities are what most people who begin a name are after, the more so the less of it is typed. */
  #sizeGain(index: number): number {
    const people = this.#gazetteer.facts.population(index);
    const large = people >= 100_000 ? this.#missing * weights.suggestedLargePerMissingLetter : 0;
    return large + (people >= 1_000_000 ? weights.suggestedMillion : 0);
  }

  #keep(ref: number, score: number): void {
    const before = this.#scores.get(ref);
    if (before === undefined || score > before) this.#scores.set(ref, score);
  }
}
