import { type BoundingBox, distanceKm, isNear, isWithin, type LatLng } from '../core/geo.ts';
import type { Budget } from '../store/address-contract.ts';
import { areaOfCountry, type Gazetteer, nameKinds } from '../store/gazetteer.ts';
import { layerOfKind, placeTypes, rowKinds } from '../store/store.ts';
import { areaOfMatch, isLarge, Located, positionOf, traitsOfArea, withoutIsland } from './area-traits.ts';
import { nearKm } from './lattice.ts';
import { type Contributions, type Matches, nearness, prominencePoints, total } from './score.ts';
import weights from './weights.json' with { type: 'json' };

/** What a search excludes, and which position it prefers. */
export type SearchFilter = {
  /** Country number. */
  country?: number | undefined;
  /** Place type number. */
  type?: number | undefined;
  near?: LatLng | undefined;
  /** Number of the country that is preferred a little. */
  home?: number | undefined;
  /** The language (BCP 47) that names are expected in, and answered. */
  lang?: string | undefined;
  bbox?: BoundingBox | undefined;
  /** Layers of places, features and areas that may be answers. */
  layers: ReadonlySet<string>;
  /** Whether a text is the code of a place or country, by its `ref`; undefined for what is no country's. */
  isCode?: (ref: number, code: string) => boolean | undefined;
  /** How many of the best are asked for; all of them by default. */
  limit?: number;
  /** What costs more is no answer. */
  maxCost?: number;
  /** What the searches of the request may still cost; by default a search may spend a budget of its own. */
  budget?: Budget;
};

/** A span of tokens read as a name. */
export type NameInterpretation = { from: number; to: number; name: string };

export type Candidate = {
  /** Index in the place table, or an area's number plus the size of that table. */
  ref: number;
  score: number;
  parts: Contributions;
  interpretation: NameInterpretation;
};

/** Whether countries or regions may be answers. */
export const hasAreas = ({ layers }: SearchFilter): boolean =>
  layers.has('country') || layers.has('region') || layers.has('subregion');

/** What a search has found so far, each with its best interpretation. */
export class Candidates {
  /** Number of interpretations of candidates that were scored. */
  scored = 0;
  /** The highest score so far, without nearness. */
  bestScore = Number.NEGATIVE_INFINITY;
  readonly #gazetteer: Gazetteer;
  readonly #filter: SearchFilter;
  /** The best, ordered by score, then id; what each is one thing with, of which only the better one is kept; and how many. */
  readonly #best: Candidate[] = [];
  readonly #things: number[] = [];
  readonly #limit: number;
  /** Where the preferred position lies; made when asked for. */
  #around: Located | undefined;

  constructor(gazetteer: Gazetteer, filter: SearchFilter) {
    this.#gazetteer = gazetteer;
    this.#filter = filter;
    this.#limit = filter.limit ?? Number.POSITIVE_INFINITY;
  }

  /** The most points that a position or country which is preferred gives. */
  get maxBias(): number {
    const { near, home } = this.#filter;
    return near ? weights.nearness : home === undefined ? 0 : weights.homeCountry;
  }

  /** Candidates below this score are not among the best. */
  get floor(): number {
    const { length } = this.#best;
    return length < this.#limit ? Number.NEGATIVE_INFINITY : this.#best[length - 1].score;
  }

  /** Whether the filter admits a place or feature; a continent that is a country only if it does not admit the country. */
  admits(index: number): boolean {
    const { facts } = this.#gazetteer;
    const { country, type, layers, bbox } = this.#filter;
    const kind = facts.type(index);
    return (
      (type === undefined ? layers.has(layerOfKind(kind)) : kind === type) &&
      (country === undefined || facts.country(index) === country || this.#reaches(index, country)) &&
      (bbox === undefined || isWithin(facts.lat(index) / 1e6, facts.lng(index) / 1e6, bbox)) &&
      !(layerOfKind(kind) === 'continent' && this.#isCountryToo(index))
    );
  }

  /**
   * Whether a feature covers some of the largest places of a country, as it does to be in it in a text: `Alps Austria`; or is a peak,
   * water or part of nature beside a place there: the Matterhorn is Italian, too.
   */
  #reaches(index: number, country: number): boolean {
    const { facts, boxOf, nearest, placesOfArea } = this.#gazetteer;
    const layer = layerOfKind(facts.type(index));
    const box = layer === 'continent' ? undefined : boxOf(index);
    const isInside = (at: number) => isWithin(facts.lat(at) / 1e6, facts.lng(at) / 1e6, box!);
    if (box && placesOfArea(areaOfCountry(country)).some(isInside)) return true;
    if (!onBorders.has(layer)) return false;
    const position = positionOf(facts, index);
    const isBeside = (at: number) => facts.country(at) === country && isNear(positionOf(facts, at), position, borderKm);
    return nearest(position.lat, position.lng, maxAround).some(isBeside);
  }

  #isCountryToo(index: number): boolean {
    const same = withoutIsland(this.#gazetteer, index);
    return same !== index && this.admitsArea(same - this.#gazetteer.facts.size);
  }

  /** Whether the filter admits a row, and it is a place. */
  admitsPlace(index: number): boolean {
    return layerOfKind(this.#gazetteer.facts.type(index)) === 'place' && this.admits(index);
  }

  /** Whether the filter admits an area. */
  admitsArea(area: number): boolean {
    const { country, type, layers, bbox } = this.#filter;
    const traits = traitsOfArea(this.#gazetteer, area);
    if (type !== undefined || !layers.has(traits.layer)) return false;
    const position = bbox && traits.position;
    if (bbox && !(position && isWithin(position.lat, position.lng, bbox))) return false;
    return country === undefined || traits.located.country === areaOfCountry(country);
  }

  /**
   * Adds a place that the filter admits; keeps an earlier interpretation if it is better. `inCity` are points for a part of
   * the city that the text names. To be near one of an area that is named says no more of it than of the area, whose `bias` it has.
   */
  addPlace(
    index: number,
    match: Matches,
    interpretation: NameInterpretation,
    layerPrior = 0,
    inCity = 0,
    bias = this.#biasOf(index),
  ): void {
    const points = placePoints(this.#gazetteer.facts, index);
    this.#add(index, interpretation, match, points, layerPrior, bias + inCity);
  }

  /** Adds an area that the filter admits. */
  addArea(area: number, match: Matches, interpretation: NameInterpretation, layerPrior = 0): void {
    const { prominence } = traitsOfArea(this.#gazetteer, area);
    const [ref, points] = [this.#gazetteer.facts.size + area, prominencePoints(prominence)];
    this.#add(ref, interpretation, match, points, layerPrior, this.areaBias(area));
  }

  /**
   * Points of an area around the preferred position, or in the preferred country. One with the name of a better known place in it or
   * beside it has that one's: around Campinas, São Paulo is the city too.
   */
  areaBias(area: number): number {
    const { near } = this.#filter;
    const { located, name, prominence } = traitsOfArea(this.#gazetteer, area);
    if (!near) return this.#atHome(located.country);
    const { facts, nearest, placeNames, placesOfArea, visitPlaces } = this.#gazetteer;
    if (!this.#around) {
      this.#around = new Located();
      for (const index of nearest(near.lat, near.lng, 1)) this.#around.setPlace(facts, index);
    }
    const { country, admin1, admin2 } = this.#around;
    if (area !== country && area !== admin1 && area !== admin2) return 0;
    let bias = this.maxBias;
    visitPlaces(placeNames.exact(name), located.country, (index, kind) => {
      if (placePoints(facts, index) < prominencePoints(prominence)) return false;
      const isPlace = kind <= nameKinds.known && layerOfKind(facts.type(index)) === 'place';
      const position = positionOf(facts, index);
      const isTown = isPlace && placesOfArea(area).some((each) => isNear(positionOf(facts, each), position, nearKm));
      if (isTown) bias = this.#biasOf(index);
      return !isTown;
    });
    return bias;
  }

  /** Points of a place for the preferred position or country. */
  #biasOf(index: number): number {
    const { facts } = this.#gazetteer;
    const { near } = this.#filter;
    if (!near) return this.#atHome(areaOfCountry(facts.country(index)));
    return nearness(distanceKm(near, positionOf(facts, index)));
  }

  /** Points for the preferred country; none where a position is preferred. */
  #atHome(country: number): number {
    const { near, home } = this.#filter;
    return !near && home !== undefined && areaOfCountry(home) === country ? weights.homeCountry : 0;
  }

  /** The best candidates, ordered by score, then id. */
  best(count: number): Candidate[] {
    return this.#best.slice(0, count);
  }

  #add(
    ref: number,
    interpretation: NameInterpretation,
    match: Matches,
    prominence: number,
    layerPrior: number,
    bias: number,
  ): void {
    this.scored++;
    const { textMatch, contextMatch, nameMatch, aliasWorth } = match;
    if (textMatch + contextMatch + nameMatch < -(this.#filter.maxCost ?? weights.maxCost)) return;
    const score = total(match, prominence, layerPrior, bias);
    this.bestScore = Math.max(this.bestScore, score - bias);
    if (score < this.floor) return;
    const best = this.#best;
    const things = this.#things;
    const thing = withoutIsland(this.#gazetteer, ref);
    const before = things.indexOf(thing);
    if (before >= 0 && best[before].score >= score) return;
    let at = before >= 0 ? before : Math.min(best.length, this.#limit - 1);
    // Of the same score as the last one, but behind it.
    if (before < 0 && at < best.length && !this.#isBehind(best[at], ref, score)) return;
    for (; at > 0 && this.#isBehind(best[at - 1], ref, score); at--) {
      best[at] = best[at - 1];
      things[at] = things[at - 1];
    }
    // Listed one by one: a spread took twice as long.
    const parts = { textMatch, contextMatch, nameMatch, aliasWorth, prominence, layerPrior, nearness: bias };
    best[at] = { ref, score, parts, interpretation };
    things[at] = thing;
  }

  #isBehind(each: Candidate, ref: number, score: number): boolean {
    if (each.score !== score) return each.score < score;
    const { facts } = this.#gazetteer;
    const idOf = (match: number) => (areaOfMatch(facts, match) === undefined ? facts.id(match) : -match);
    return idOf(each.ref) > idOf(ref);
  }
}

/** Features on borders, and how near the places across one are. */
const onBorders: ReadonlySet<string> = new Set(['peak', 'water', 'natural']);
const borderKm = 10;
/** Places around such a feature that are looked at. */
const maxAround = 16;

export const suburb = placeTypes.indexOf('suburb');
const airport = rowKinds.indexOf('airport');

/**
 * Points of a place's prominence. A part of a city ranks behind towns by it, unless it has as many people as a city: Hollywood
 * in Los Angeles.
 */
export function placePoints(facts: Gazetteer['facts'], index: number): number {
  const kind = facts.type(index);
  // Who means the airport of Guarulhos says so.
  const extra =
    kind === suburb && isLarge(facts, index) ? weights.largeSuburb : kind === airport ? -weights.airport : 0;
  return prominencePoints(facts.prominence(index)) + extra;
}
