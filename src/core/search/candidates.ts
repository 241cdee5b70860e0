import { distanceKm, type LatLng } from '../geo.ts';
import { nearnessPoints, rankPoints } from '../ranking.ts';
import type { NameKind } from './name-keys.ts';
import type { PlaceTable } from './place-table.ts';

/** What a search leaves out, and where it looks first. */
export type SearchFilter = {
  /** Country number. */
  country: number | undefined;
  /** Place type number. */
  type: number | undefined;
  near: LatLng | undefined;
};

type Candidate = { index: number; confidence: number; rank: number };

/** The places a search has found so far, each with its best reading. */
export class Candidates {
  readonly #table: PlaceTable;
  readonly #filter: SearchFilter;
  readonly #byIndex = new Map<number, Candidate>();
  /** The highest rank so far, nearness not counted. */
  bestRank = 0;
  bestConfidence = 0;

  constructor(table: PlaceTable, filter: SearchFilter) {
    this.#table = table;
    this.#filter = filter;
  }

  get size(): number {
    return this.#byIndex.size;
  }

  /** Whether the filter admits a place. */
  admits(index: number): boolean {
    const { country, type } = this.#filter;
    return (
      (country === undefined || this.#table.country(index) === country) &&
      (type === undefined || this.#table.type(index) === type)
    );
  }

  /** Adds a place that the filter admits; an earlier reading stays when it is better. */
  add(index: number, kind: NameKind, confidence: number): void {
    const table = this.#table;
    const { near } = this.#filter;
    const rank = rankPoints(confidence, kind, table.prominence(index), 0);
    if (rank > this.bestRank) this.bestRank = rank;
    if (confidence > this.bestConfidence) this.bestConfidence = confidence;
    const nearness = near
      ? nearnessPoints(distanceKm(near, { lat: table.lat(index) / 1e6, lng: table.lng(index) / 1e6 }))
      : 0;
    const before = this.#byIndex.get(index);
    if (before === undefined) this.#byIndex.set(index, { index, confidence, rank: rank + nearness });
    else if (rank + nearness > before.rank) {
      before.confidence = confidence;
      before.rank = rank + nearness;
    }
  }

  /** The best places, the order total: by rank, then id. */
  best(limit: number): { index: number; confidence: number }[] {
    const table = this.#table;
    return [...this.#byIndex.values()]
      .sort((left, right) => right.rank - left.rank || table.id(left.index) - table.id(right.index))
      .slice(0, limit)
      .map(({ index, confidence }) => ({ index, confidence: Math.max(1, Math.min(100, Math.round(confidence))) }));
  }
}
