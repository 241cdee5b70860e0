/** Other names that are the main name of something else: Canton, Guangzhou's name in English, is a town in Ohio first. */
import { isNear } from '../core/geo.ts';
import { areaOfRegion, type Gazetteer, type NameKind, nameKinds } from '../store/gazetteer.ts';
import { layerOfKind } from '../store/store.ts';
import { commonEnds } from '../text/edit-kind.ts';
import { fold } from '../text/fold.ts';
import type { QueryToken } from '../text/query-text.ts';
import { connectorWords, featureKinds, featureWords, placeKindWords, qualifierWords } from '../text/word-lists.ts';
import { isLarge, positionOf, traitsOfArea } from './area-traits.ts';
import type { NameInterpretation } from './candidates.ts';
import fitted from './confidence.json' with { type: 'json' };
import type { Lattice } from './lattice.ts';
import weights from './weights.json' with { type: 'json' };

const { maxExplained } = fitted;

/** The namesakes of names, for one search. */
export class Namesakes {
  readonly #gazetteer: Gazetteer;
  readonly #lattice: Lattice;
  readonly #hasAreas: boolean;
  /** Prominences of names by span: looking through all places of a name that is nobody's main one is dear. */
  readonly #known: Map<string, number>[] = [];

  /** Areas are namesakes only where they may be answers. */
  constructor(gazetteer: Gazetteer, lattice: Lattice, hasAreas: boolean) {
    this.#gazetteer = gazetteer;
    this.#lattice = lattice;
    this.#hasAreas = hasAreas;
  }

  /** The cost of a folded name as an alias of a main one, or that of a place by its index: low where the two are similar. */
  cost(named: NameInterpretation, main: string | number): number {
    const excess = this.#excess(named);
    if (excess === 0) return 0;
    const folded = fold(typeof main === 'string' ? main : this.#gazetteer.nameOf(main));
    return weights.despiteNamesake * (1 - weights.similarAlias * similarity(named.name, folded)) * excess;
  }

  /** By how much the best namesake's prominence exceeds what a namesake needs to count. */
  #excess(named: NameInterpretation): number {
    const known = (this.#known[this.#lattice.numberOf(named.from, named.to)] ??= new Map());
    let prominence = known.get(named.name);
    if (prominence === undefined) known.set(named.name, (prominence = this.#prominence(named)));
    return Math.max(0, prominence - weights.namesakeProminence);
  }

  /** The penalty for matching a part of a text that as a whole names a town: Jersey City is not Jersey. */
  wholeNamePenalty(text: string): number {
    const to = this.#lattice.tokens.length;
    const name = this.#lattice.text(0, to);
    return name === text || this.#lattice.hasBreakInside(0, to) ? 0 : this.cost({ from: 0, to, name }, text);
  }

  /**
   * The worth of an area's alias, lower where a town has that name: Brasilia is Finnish for Brazil. What people there
   * call a region is worth more: Andalucía.
   */
  areaAliasWorth(area: number, named: NameInterpretation, isInexact: boolean): number {
    const { name } = named;
    const traits = traitsOfArea(this.#gazetteer, area);
    const { name: main, prominence } = traits;
    if (main === name) return 0;
    // In other alphabets, a city mostly has the name of its region as well.
    const isOwn = latinLetter.test(name) && name === traits.ownName;
    return (
      (isOwn ? 0 : -weights.otherAreaName) -
      (isInexact ? weights.editedAlias : this.#costOfArea(named, main, prominence))
    );
  }

  /** The cost of a name as an alias of an area; 0 where its namesakes are far less prominent: Holland in Michigan. */
  #costOfArea(named: NameInterpretation, main: string, prominence: number): number {
    const isFarBehind = this.#excess(named) + weights.namesakeProminence < prominence - weights.namesakeFarBehind;
    return isFarBehind ? 0 : this.cost(named, main);
  }

  /** The prominence of the best place, country or first-level region with this main name that the words around it fit. */
  #prominence({ from, to, name }: NameInterpretation): number {
    const { placeNames, areaNames, facts } = this.#gazetteer;
    const lattice = this.#lattice;
    let best = Number.NEGATIVE_INFINITY;
    this.#gazetteer.visitPlaces(placeNames.exact(name), undefined, (index, kind) => {
      const isMeant = kind === nameKinds.main && lattice.contextCostOfPlace(from, to, index) <= maxExplained;
      if (isMeant) best = facts.prominence(index);
      return !isMeant;
    });
    if (!this.#hasAreas) return best;
    this.#gazetteer.visitAreas(areaNames.exact(name), (area) => {
      const { layer, prominence, name: main, located } = traitsOfArea(this.#gazetteer, area);
      if (layer !== 'subregion' && main === name && lattice.contextCost(from, to, located) <= maxExplained)
        best = Math.max(best, prominence);
      return true;
    });
    return best;
  }
}

/**
 * Whether a well-known name is a city's main name without `City` or in another language, is also its region's name, and
 * the city dominates the region, the more so where its main name is unlike: New York City ranks before New York, Genève before
 * Geneva and Chattogram before Chittagong, but Oklahoma before Oklahoma City.
 */
export function isShortForCity(gazetteer: Gazetteer, index: number, kind: NameKind, name: string): boolean {
  if (kind !== nameKinds.known) return false;
  const { nameOf, facts, areaFacts } = gazetteer;
  const region = areaOfRegion(facts.admin1(index));
  if (traitsOfArea(gazetteer, region).name !== name) return false;
  const main = fold(nameOf(index));
  const isShort = main.startsWith(`${name} `) && placeKindWords.has(main.slice(name.length + 1));
  const isAlike = isShort || similarity(name, main) >= weights.sameName;
  const share = isAlike ? weights.dominantCity : weights.dominantByOtherName;
  return facts.population(index) >= share * areaFacts(region).population;
}

/**
 * Whether a name is that of a feature but for words that only state its kind, and means it: Harvard, which is among its names,
 * Zion, whose kind has two words, or Pontchartrain, a lake. It does not where a country or region has that name, something at
 * the feature, or something more prominent: Ontario, Banff; nor does a common word mean what is not called so: dead.
 */
export function isShortForFeature(gazetteer: Gazetteer, index: number, name: string, isListed: boolean): boolean {
  const { facts, placeNames, areaNames } = gazetteer;
  const layer = layerOfKind(facts.type(index));
  // `San Jose Airport` is as much California's as that in the Philippines.
  if (layer === 'airport') return isListed && name.split(' ').some((word) => featureWords.get(word)?.has(layer));
  if (isListed ? layer === 'place' : layer !== 'park' && layer !== 'water') return false;
  const [before, after] = ` ${fold(gazetteer.nameOf(index))} `.split(` ${name} `);
  if (after === undefined || before + after === '') return false;
  const words = `${before} ${after}`.split(' ').filter(Boolean);
  if (!isListed && (gazetteer.wordUse(name)?.commonness ?? 0) > weights.commonWord) return false;
  const isQualifier = (word: string) => qualifierWords.has(word) || connectorWords.has(word);
  if (!words.every((word) => featureWords.get(word)?.has(layer) || isQualifier(word))) return false;
  let isMeant = isListed || layer === 'water' || words.some((word) => qualifierWords.has(word));
  gazetteer.visitAreas(areaNames.exact(name), (area) => {
    isMeant &&= traitsOfArea(gazetteer, area).layer === 'subregion';
    return isMeant;
  });
  const position = positionOf(facts, index);
  const reachKm = layer === 'landmark' ? landmarkReachKm : featureReachKm;
  gazetteer.visitPlaces(placeNames.exact(name), undefined, (other, kind) => {
    if (kind > nameKinds.known || other === index || !isMeant) return isMeant;
    const isPlain = kind === nameKinds.main || layerOfKind(facts.type(other)) === 'place';
    const isThere = isPlain && isNear(positionOf(facts, other), position, reachKm);
    isMeant = !isThere && facts.prominence(other) < facts.prominence(index);
    return isMeant;
  });
  return isMeant;
}

/** Whether a sight that has a city in its name is not of a kind that words beside the city state: the Grand Lisboa is no `castelo Lisboa`. */
export function isOfOtherKind(
  { facts, placeNames, visitPlaces, nameOf }: Gazetteer,
  index: number,
  { from, to, name }: NameInterpretation,
  tokens: readonly Pick<QueryToken, 'text'>[],
): boolean {
  if (layerOfKind(facts.type(index)) !== 'landmark') return false;
  const stated = tokens.filter(({ text }, at) => (at < from || at >= to) && featureWords.get(text)?.has('landmark'));
  let isCity = false;
  if (stated.length > 0)
    visitPlaces(placeNames.exact(name), undefined, (first) => {
      isCity = isLarge(facts, first);
      return false;
    });
  const own = isCity ? fold(nameOf(index)).split(' ') : [];
  const kinds = new Set(own.flatMap((word) => [...(featureKinds.get(word) ?? [])]));
  return isCity && stated.every(({ text }) => kinds.isDisjointFrom(featureKinds.get(text)!));
}

/** How far from its middle a town belongs to a building, and to a park, water or mountain. */
const landmarkReachKm = 5;
const featureReachKm = 100;

const latinLetter = /[a-z]/;

/** Share of the letters that two names have in common at their beginnings and ends. */
export function similarity(one: string, other: string): number {
  const [start, end] = commonEnds(one, other);
  return (start + end) / Math.max(one.length, other.length);
}
