import { type Gazetteer, type KeyRange, type NameKind, nameKinds } from '../store/gazetteer.ts';
import { fold } from '../text/fold.ts';
import { type Candidates, type NameInterpretation, placePoints, type SearchFilter } from './candidates.ts';
import type { Lattice } from './lattice.ts';
import { isShortForCity, type Namesakes } from './namesakes.ts';
import { aliasWorth, nameMatch, prefixMatch } from './score.ts';
import * as limits from './search-limits.ts';
import weights from './weights.json' with { type: 'json' };

const blank = 0x20;
/** Above the rounding error of summing the same points in another order. */
const rounding = 1e-9;

/** Tokens of a text that may be a name, and the cost of the others as its context. */
export type Span = { from: number; to: number; text: string; contextCost: number };

type SearchParts = {
  gazetteer: Gazetteer;
  lattice: Lattice;
  found: Candidates;
  filter: SearchFilter;
  namesakes: Namesakes;
};

/** Adds the places that bear a name to the candidates of a search, each scored with its context. */
export class NamedPlaces {
  readonly gazetteer: Gazetteer;
  readonly lattice: Lattice;
  readonly found: Candidates;
  readonly filter: SearchFilter;
  readonly whole: Span;
  readonly #namesakes: Namesakes;

  constructor({ gazetteer, lattice, found, filter, namesakes }: SearchParts) {
    this.gazetteer = gazetteer;
    this.lattice = lattice;
    this.found = found;
    this.filter = filter;
    this.#namesakes = namesakes;
    this.whole = this.span(0, lattice.tokens.length);
  }

  /** Whether the best candidate makes a fuzzy search needless. */
  isSatisfied(): boolean {
    return this.found.bestScore >= weights.sufficientScore;
  }

  /** The spans shorter than the text, those with the cheapest context first. */
  parts(): Span[] {
    const spans = this.lattice.spans.map(({ from, to }) => this.span(from, to));
    return spans.filter((span) => !this.isWhole(span)).sort((left, right) => left.contextCost - right.contextCost);
  }

  /** The tokens in [from, to) as a name. */
  span(from: number, to: number): Span {
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

  /** Adds the places with exactly this name; returns how many there are. */
  addExact(span: Span): number {
    const { from, to, text } = span;
    const { type, near, bbox } = this.filter;
    const isNarrow = !this.isWhole(span) || type !== undefined || near || bbox;
    const most = isNarrow ? limits.maxNamesakes : limits.maxExact;
    return this.add(this.lattice.placeNames(from, to), { from, to, name: text }, most, () => 0);
  }

  /** Adds the places whose name begins with a text. */
  addPrefixed(span: Span): void {
    const { from, to, text } = span;
    const { placeNames, nameOf, nearest } = this.gazetteer;
    const range = placeNames.prefixRange(text);
    const most = this.isWhole(span) ? limits.maxPrefix : limits.maxPrefixInContext;
    this.add(range, { from, to, name: text }, most, (posting) => {
      const key = placeNames.keyOf(posting, range);
      return prefixMatch(text.length, placeNames.length(key), placeNames.unit(key, text.length) === blank);
    });
    const { near } = this.filter;
    if (!near || !this.isWhole(span)) return;
    // The most prominent ones may all be far away, so the nearest places are examined as well.
    for (const index of nearest(near.lat, near.lng, limits.maxNear)) {
      const name = fold(nameOf(index));
      if (!this.found.admits(index) || !name.startsWith(text)) continue;
      this.addScored(
        index,
        nameKinds.main,
        { from, to, name },
        prefixMatch(text.length, name.length, name[text.length] === ' '),
      );
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
      if (this.found.admits(index)) {
        this.addScored(index, kind, interpretation, textMatchOf(posting));
        added++;
      }
      return ++visited < maxVisited;
    });
    return added;
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
