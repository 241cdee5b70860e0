/** Which of the hits are answers, and in which order. */

import { distanceKm, type LatLng } from '../../core/geo.ts';
import { sharesVariant } from '../../text/words.ts';
import weights from '../weights.json' with { type: 'json' };
import type { Hit } from './finder.ts';

/** Two results with one number that are closer than this are one house in two sources. */
const sameHouseKm = 0.05;
/** Maximum number of settlements whose population is looked up, among hits of equal score. */
const maxSettlements = 12;

/**
 * The hits of the best match type, best first, each house once. Hits of equal score are ordered by the population of
 * their settlement (`inhabitantsOf`, 0 when unknown), then by the length of their street.
 */
export function bestHits(hits: readonly Hit[], inhabitantsOf: (hit: Hit) => number): Hit[] {
  if (hits.length === 0) return [];
  const sorted = hits.toSorted(
    (a, b) => b.score - a.score || a.street.id - b.street.id || a.part - b.part || a.ordinal - b.ordinal,
  );
  const [top] = sorted;
  const kept: Hit[] = [];
  for (const hit of sorted) {
    // Houses before streets: when the house is there, streets without it are not an answer, nor are names that only
    // half match.
    if (hit.matchType !== top.matchType || hit.score < top.score - weights.maxScoreGap) continue;
    const twin = kept.findIndex((other) => isSame(other, hit));
    if (twin < 0) kept.push(hit);
    else if (kept[twin].postalCode === null && hit.postalCode !== null && kept[twin].score === hit.score) {
      kept[twin] = hit; // the more complete of two records of one house
    }
  }
  return inLargerSettlementsFirst(kept, inhabitantsOf);
}

function inLargerSettlementsFirst(hits: readonly Hit[], inhabitantsOf: (hit: Hit) => number): Hit[] {
  const ends = hits.findIndex(({ score }) => score !== hits[0].score);
  const equal = ends < 0 ? hits : hits.slice(0, ends);
  const areaOf = ({ part, street }: Hit) => `${part} ${street.area}`;
  const inhabitants = new Map<string, number>();
  for (const hit of equal) {
    if (inhabitants.size < maxSettlements) inhabitants.set(areaOf(hit), 0);
  }
  if (inhabitants.size < 2) return [...hits];
  for (const hit of equal) {
    const area = areaOf(hit);
    if (inhabitants.get(area) === 0) inhabitants.set(area, inhabitantsOf(hit));
  }
  // The order among hits of one settlement stays.
  const sorted = equal.toSorted((a, b) => (inhabitants.get(areaOf(b)) ?? 0) - (inhabitants.get(areaOf(a)) ?? 0));
  return [...sorted, ...hits.slice(equal.length)];
}

function isSame(left: Hit, right: Hit): boolean {
  if (left.part === right.part && left.street.id === right.street.id) return left.ordinal === right.ordinal;
  const isNear = distanceKm(left as LatLng, right as LatLng) <= sameHouseKm;
  return (
    isNear &&
    left.words.length === right.words.length &&
    left.words.every((word, at) => sharesVariant(word, right.words[at]))
  );
}
