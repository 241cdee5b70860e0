/**
 * Confidence of an answer: maps the cost of its words to the measured share of such answers that are right.
 * docs/search.md has the table.
 */
import measured from './calibration.json' with { type: 'json' };

/**
 * Confidence (1–100) by the cost of the words, interpolated linearly between the points that bench/calibrate.ts
 * measured.
 */
export function calibrated(cost: number, points: readonly (readonly number[])[] = measured): number {
  const next = points.findIndex(([at]) => at >= cost);
  if (next < 0) return Math.max(1, points[points.length - 1][1]);
  if (next === 0) return points[0][1];
  const [[from, high], [to, low]] = [points[next - 1], points[next]];
  return Math.max(1, Math.round(high - ((high - low) * (cost - from)) / (to - from)));
}

/**
 * Maximum confidence of an answer that leaves out a word of context which the first answer explains, and by how many points
 * its context must be worse to count as that: `athens ga` is Athens in Ohio only because `ga` begins a name of its country.
 * Of 699 second to fifth answers with so many points less, and a confidence of 70 or more by their words, 6 were right.
 */
export const wordLeftOut = 65;
const otherContextPoints = 15;

/** Whether the words beside a name are, for a candidate, much less of a context than for the first answer. */
export const isOtherContext = (contextMatch: number, ofFirst: number): boolean =>
  ofFirst - contextMatch >= otherContextPoints;
