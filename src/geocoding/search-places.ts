/**
 * Places, countries and regions that a free text names. Every span of its tokens may be the name; the lattice scores
 * the context. Exact names come first; edits are tried only where those explain too little. The number of candidates
 * examined does not depend on the limit.
 */
import { type Gazetteer, isCountryArea } from '../store/gazetteer.ts';
import { traitsOfArea } from './area-traits.ts';
import { type Candidate, Candidates, type SearchFilter } from './candidates.ts';
import { addEditedAreas, addFuzzyPlaces } from './fuzzy-places.ts';
import { Lattice } from './lattice.ts';
import { NamedPlaces } from './named-places.ts';
import { Namesakes, sharesAlias } from './namesakes.ts';
import * as limits from './search-limits.ts';
import { tokensOf } from './tokens.ts';
import weights from './weights.json' with { type: 'json' };

export type PlaceSearchOptions = SearchFilter & { isFuzzy: boolean };

/** A search of one text. */
export class PlaceSearch {
  readonly found: Candidates;
  readonly lattice: Lattice;
  readonly #gazetteer: Gazetteer;
  readonly #namesakes: Namesakes;
  readonly #places: NamedPlaces;

  constructor(gazetteer: Gazetteer, text: string, options: PlaceSearchOptions) {
    const { tokens, omittedLetters } = tokensOf(text);
    const found = new Candidates(gazetteer, options);
    const namesakes = new Namesakes(gazetteer, options.hasAreas);
    const lattice = new Lattice(gazetteer, tokens, omittedLetters, false);
    this.found = found;
    this.lattice = lattice;
    this.#gazetteer = gazetteer;
    this.#namesakes = namesakes;
    this.#places = new NamedPlaces({ gazetteer, lattice, found, filter: options, namesakes });
    if (tokens.length === 0) return;
    this.#matchExactly();
    if (!options.isFuzzy || this.#places.isSatisfied()) return;
    const budget = limits.editBudgetOf(tokens.length);
    if (addEditedAreas(gazetteer, lattice, budget)) this.#addAreas();
    addFuzzyPlaces(this.#places, budget);
  }

  /** The best candidates, in order. */
  best(count: number): Candidate[] {
    return this.found.best(count);
  }

  #matchExactly(): void {
    const { lattice } = this;
    const places = this.#places;
    const { whole } = places;
    const hasBreaks = lattice.tokens.some(({ isBreakAfter }) => isBreakAfter);
    // `Paris, Texas` means name and context even where a place has that name.
    const exact = places.addExact(whole);
    this.#addAreas();
    if (exact < 20 && (!hasBreaks || exact === 0)) places.addPrefixed(whole);
    if (exact > 0 && !hasBreaks) return;
    for (const span of places.parts()) {
      if (!places.canCompete(span.contextCost)) break;
      const count = places.addExact(span);
      if (count === 0 && span.to === lattice.tokens.length && span.text.length > 1) places.addPrefixed(span);
    }
  }

  /** Adds the countries and regions that spans name, and their largest places. */
  #addAreas(): void {
    const { lattice } = this;
    const expanded = new Set<number>();
    for (const { from, to, typed, name, cost, areas, isCapital } of lattice.areas) {
      if (!this.#places.canCompete(cost + lattice.contextCost(from, to, undefined))) continue;
      const interpretation = { from, to, name };
      const wholeNamePenalty = this.#namesakes.wholeNamePenalty(lattice, typed);
      for (const area of areas) {
        if (isCapital) {
          const capital = this.#gazetteer.capitalOf(area);
          const match = { textMatch: 0, contextMatch: -cost, nameMatch: 0, aliasWorth: 0 };
          if (capital !== undefined && this.found.admitsPlace(capital))
            this.found.addPlace(capital, match, interpretation);
          continue;
        }
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
        const placeMatch = { ...match, textMatch: match.textMatch - weights.placeOfArea };
        for (const index of this.#gazetteer.placesOfArea(area)) {
          const worth = sharesAlias(this.#gazetteer, index, area, name) ? match : placeMatch;
          if (this.found.admitsPlace(index)) this.found.addPlace(index, worth, interpretation, prior);
        }
      }
    }
  }
}
