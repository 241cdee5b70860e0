/**
 * What the words around a name cost as its context. Which spans of them are context depends on the candidate, so the
 * cheapest path through them is computed for each.
 */
import { distanceKm } from '../core/geo.ts';
import type { Gazetteer } from '../store/gazetteer.ts';
import { Located } from './located.ts';

/** A span of tokens as context. */
type ContextEdge = {
  to: number;
  cost: number;
  /** One of these areas must contain the candidate; empty where `places` or `layers` apply. */
  areas: readonly number[];
  /** One of these places must be near the candidate, and more prominent. */
  places: readonly number[];
  /** The candidate must be of one of these layers; undefined where `areas` or `places` apply. */
  layers: ReadonlySet<string> | undefined;
};

/** A place is context for candidates within this distance: its suburbs and surroundings. */
const nearKm = 40;
/** The same in millionths of a degree of latitude, rounded up. */
const nearLatitude = 360_000;

export class ContextPaths {
  readonly #gazetteer: Gazetteer;
  /** By first token. */
  readonly #edges: ContextEdge[][] = [];
  /** The cost of skipping each token. */
  readonly #skipCosts: number[];
  /** The lowest cost of the tokens from each on, while a path is computed. */
  readonly #cheapest: Float64Array;
  readonly #candidate = new Located();
  /** Lowest costs of the tokens before and from each position on, for any candidate; made when asked for. */
  #bounds: { before: Float64Array; after: Float64Array } | undefined;

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
    this.#edges[from].push({ to, cost, areas, places, layers });
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
    return this.#path(from, to, undefined);
  }

  /** The cost of the tokens outside of [from, to) for a candidate; without one, a lower bound for any. */
  cost(from: number, to: number, candidate: Located | undefined): number {
    if (candidate) return this.#outside(from, to, candidate);
    const { before, after } = (this.#bounds ??= this.#leastCosts());
    return before[from] + after[to];
  }

  /** The lowest costs of the tokens before and from each position on. */
  #leastCosts() {
    const { length } = this.#skipCosts;
    const before = new Float64Array(length + 1).fill(Number.POSITIVE_INFINITY);
    const after = new Float64Array(length + 1);
    before[0] = 0;
    for (let at = 0; at < length; at++) {
      before[at + 1] = Math.min(before[at + 1], before[at] + this.#skipCosts[at]);
      for (const { to, cost } of this.#edges[at]) before[to] = Math.min(before[to], before[at] + cost);
    }
    for (let at = length - 1; at >= 0; at--) {
      after[at] = this.#skipCosts[at] + after[at + 1];
      for (const { to, cost } of this.#edges[at]) after[at] = Math.min(after[at], cost + after[to]);
    }
    return { before, after };
  }

  /** The same for a place. */
  costOfPlace(from: number, to: number, place: number): number {
    this.#candidate.setPlace(this.#gazetteer.facts, place);
    return this.#outside(from, to, this.#candidate);
  }

  #outside(from: number, to: number, candidate: Located): number {
    return this.#path(0, from, candidate) + this.#path(to, this.#skipCosts.length, candidate);
  }

  /** The cost of the tokens in [from, to) for a candidate; without one, a lower bound for any. */
  #path(from: number, to: number, candidate: Located | undefined): number {
    if (from === to) return 0;
    const best = this.#cheapest;
    best[to] = 0;
    for (let at = to - 1; at >= from; at--) {
      let cost = this.#skipCosts[at] + best[at + 1];
      for (const edge of this.#edges[at]) {
        if (edge.to > to || edge.cost + best[edge.to] >= cost) continue;
        if (candidate === undefined || this.#fits(edge, candidate)) cost = edge.cost + best[edge.to];
      }
      best[at] = cost;
    }
    return best[from];
  }

  #fits({ areas, places, layers }: ContextEdge, candidate: Located): boolean {
    if (layers) return candidate.layer !== undefined && layers.has(candidate.layer);
    for (const place of places) if (this.#isNear(place, candidate)) return true;
    const { country, admin1, admin2 } = candidate;
    for (const area of areas) if (area === country || area === admin1 || area === admin2) return true;
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
}
