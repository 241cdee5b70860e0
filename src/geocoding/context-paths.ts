/**
 * What the words around a name cost as its context. Which spans of them are context depends on the candidate, so the
 * cheapest path through them is computed for each.
 */
import { distanceKm } from '../core/geo.ts';
import { areaOfRegion, type Gazetteer, isCountryArea } from '../store/gazetteer.ts';
import { traitsOfArea } from './area-traits.ts';
import { Located } from './located.ts';

/** A span of tokens as context. */
type ContextEdge = {
  to: number;
  cost: number;
  /** One of these areas must contain the candidate; empty where `places` or `layers` apply. */
  areas: readonly number[];
  /** The same as a set, once a long list was asked for often, and how often it was. */
  areaSet: ReadonlySet<number> | undefined;
  asked: number;
  /** The same areas, with the first-level region of each second-level one in its place; made when asked for. */
  regions: readonly number[] | undefined;
  /** One of these places must be near the candidate, and more prominent. */
  places: readonly number[];
  /** The candidate must be of one of these layers; undefined where `areas` or `places` apply. */
  layers: ReadonlySet<string> | undefined;
};

/** A place is context for candidates within this distance: its suburbs and surroundings. */
const nearKm = 40;
/** The same in millionths of a degree of latitude, rounded up. */
const nearLatitude = 360_000;
/** A list longer than this becomes a set when it is asked for so many candidates: most are asked for a few only. */
const maxArrayLookUp = 8;
const maxAskedArray = 24;
/** No place: none is more prominent than it. */
const noPlace = -1;

export class ContextPaths {
  readonly #gazetteer: Gazetteer;
  /** By first token. */
  readonly #edges: ContextEdge[][] = [];
  /** The cost of skipping each token. */
  readonly #skipCosts: number[];
  /** The lowest cost of the tokens from each on, while a path is computed. */
  readonly #cheapest: Float64Array;
  readonly #candidate = new Located();
  /** All places that may be context. */
  readonly #places: number[] = [];
  /** Lowest costs of the tokens before and from each position on, for candidates near one place each; made when asked for. */
  #bounds: { before: Float64Array; after: Float64Array }[] | undefined;
  /** Of the last span for which they were asked, the lowest costs by region. */
  readonly #least = new Map<number, number>();
  #leastFrom = -1;
  #leastTo = -1;

  constructor(gazetteer: Gazetteer, skipCosts: readonly number[]) {
    this.#gazetteer = gazetteer;
    this.#skipCosts = [...skipCosts];
    for (const _ of skipCosts) this.#edges.push([]);
    this.#cheapest = new Float64Array(skipCosts.length + 1);
  }

  /** Lets a span say what contains the candidate, what is near it, or its layer, at a cost. */
  add(
    from: number,
    to: number,
    cost: number,
    { areas = [], places = [], layers }: Partial<Pick<ContextEdge, 'areas' | 'places' | 'layers'>>,
  ): void {
    this.#edges[from].push({ to, cost, areas, areaSet: undefined, asked: 0, regions: undefined, places, layers });
    for (const place of places) this.#places.push(place);
    this.#least.clear();
    this.#bounds = undefined;
  }

  /** The cost of the tokens outside of [from, to) if nothing explains them. */
  skipCost(from: number, to: number): number {
    return this.#skipCosts.reduce((sum, cost, at) => (at < from || at >= to ? sum + cost : sum), 0);
  }

  raiseSkipCost(at: number, cost: number): void {
    this.#skipCosts[at] += cost;
    this.#bounds = undefined;
  }

  /** A lower bound of the cost of the tokens in [from, to) as context. */
  costWithin(from: number, to: number): number {
    return this.#path(from, to, undefined, false);
  }

  /** The cost of the tokens outside of [from, to) for a candidate; without one, a lower bound for any. */
  cost(from: number, to: number, candidate: Located | undefined): number {
    if (candidate) return this.#outside(from, to, candidate, false);
    let least = Number.POSITIVE_INFINITY;
    this.#bounds ??= this.#boundsByPlace();
    for (const { before, after } of this.#bounds) least = Math.min(least, before[from] + after[to]);
    return least;
  }

  /**
   * What is near one place is not near another far away, so that words which are names all over the world are not all
   * context: one pair of rows for what is near each place.
   */
  #boundsByPlace() {
    const ofPlaces = this.#edges.flat().filter(({ places }) => places.length > 0);
    if (ofPlaces.length < 2) return [this.#boundsWith(() => true)];
    return [...new Set(this.#places)].map((place) => {
      const near = new Set(ofPlaces.filter(({ places }) => places.some((other) => this.#mayShare(place, other))));
      return this.#boundsWith((edge) => edge.places.length === 0 || near.has(edge));
    });
  }

  #boundsWith(isAdmitted: (edge: ContextEdge) => boolean) {
    const { length } = this.#skipCosts;
    const before = new Float64Array(length + 1).fill(Number.POSITIVE_INFINITY);
    const after = new Float64Array(length + 1);
    before[0] = 0;
    for (let at = 0; at < length; at++) {
      before[at + 1] = Math.min(before[at + 1], before[at] + this.#skipCosts[at]);
      for (const edge of this.#edges[at])
        if (isAdmitted(edge)) before[edge.to] = Math.min(before[edge.to], before[at] + edge.cost);
    }
    for (let at = length - 1; at >= 0; at--) {
      after[at] = this.#skipCosts[at] + after[at + 1];
      for (const edge of this.#edges[at])
        if (isAdmitted(edge)) after[at] = Math.min(after[at], edge.cost + after[edge.to]);
    }
    return { before, after };
  }

  /** Whether a candidate may be near both places. */
  #mayShare(one: number, other: number): boolean {
    const { facts } = this.#gazetteer;
    if (Math.abs(facts.lat(one) - facts.lat(other)) > 2 * nearLatitude) return false;
    const positionOf = (place: number) => ({ lat: facts.lat(place) / 1e6, lng: facts.lng(place) / 1e6 });
    return distanceKm(positionOf(one), positionOf(other)) <= 2 * nearKm;
  }

  /** The same for a place. */
  costOfPlace(from: number, to: number, place: number): number {
    this.#candidate.setPlace(this.#gazetteer.facts, place);
    return this.#outside(from, to, this.#candidate, false);
  }

  /** A lower bound of the same, equal for most places of a region, so that it need not be computed for each. */
  leastCostOfPlace(from: number, to: number, place: number): number {
    const { facts } = this.#gazetteer;
    const lat = facts.lat(place);
    for (const each of this.#places) if (Math.abs(facts.lat(each) - lat) <= nearLatitude) return 0;
    if (this.#leastFrom !== from || this.#leastTo !== to) {
      this.#least.clear();
      this.#leastFrom = from;
      this.#leastTo = to;
    }
    const country = facts.country(place);
    const admin1 = facts.admin1(place);
    const region = admin1 < 0 ? country : areaOfRegion(admin1);
    let least = this.#least.get(region);
    if (least === undefined) {
      this.#candidate.setArea(facts, country, admin1, -1);
      this.#candidate.place = noPlace;
      least = this.#outside(from, to, this.#candidate, true);
      this.#least.set(region, least);
    }
    return least;
  }

  #outside(from: number, to: number, candidate: Located | undefined, isRegion: boolean): number {
    return this.#path(0, from, candidate, isRegion) + this.#path(to, this.#skipCosts.length, candidate, isRegion);
  }

  /** The cost of the tokens in [from, to); with `isRegion` the lowest of all candidates in the same region. */
  #path(from: number, to: number, candidate: Located | undefined, isRegion: boolean): number {
    if (from === to) return 0;
    const best = this.#cheapest;
    best[to] = 0;
    for (let at = to - 1; at >= from; at--) {
      let cost = this.#skipCosts[at] + best[at + 1];
      for (const edge of this.#edges[at]) {
        if (edge.to > to || edge.cost + best[edge.to] >= cost) continue;
        if (candidate === undefined || this.#fits(edge, candidate, isRegion)) cost = edge.cost + best[edge.to];
      }
      best[at] = cost;
    }
    return best[from];
  }

  #fits(edge: ContextEdge, candidate: Located, isRegion: boolean): boolean {
    const { areas, places, layers } = edge;
    if (layers) return isRegion || (candidate.layer !== undefined && layers.has(candidate.layer));
    if (places.length > 0) {
      for (const place of places) if (this.#isNear(place, candidate)) return true;
      return false;
    }
    const { country, admin1, admin2 } = candidate;
    if (!isRegion && areas.length > maxArrayLookUp && edge.asked++ > maxAskedArray) {
      const set = (edge.areaSet ??= new Set(areas));
      return set.has(country) || set.has(admin1) || set.has(admin2);
    }
    const list = isRegion ? (edge.regions ??= areas.map((area) => this.#regionOf(area))) : areas;
    for (const area of list) if (area === country || area === admin1 || area === admin2) return true;
    return false;
  }

  #isNear(place: number, { place: other, lat, lng }: Located): boolean {
    const { facts } = this.#gazetteer;
    if (place >= other) return false;
    // Most are excluded by latitude, without trigonometry.
    if (Math.abs(facts.lat(place) - lat) > nearLatitude) return false;
    const at = { lat: facts.lat(place) / 1e6, lng: facts.lng(place) / 1e6 };
    return distanceKm(at, { lat: lat / 1e6, lng: lng / 1e6 }) <= nearKm;
  }

  /** The first-level region or country that an area is or lies in. */
  #regionOf(area: number): number {
    const { layer, located } = traitsOfArea(this.#gazetteer, area);
    return layer === 'subregion' && !isCountryArea(area) ? located.admin1 : area;
  }
}
