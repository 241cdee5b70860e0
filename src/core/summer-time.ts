/**
 * Tells summer time from standard time by the offsets alone: neither Temporal nor Intl tells, and the tz database's own
 * flag says the reverse of what people expect in Ireland, where winter is formally the exception.
 */

const dayMs = 86_400_000;
/** Longest stretch that is summer time: the USA's of 1974 had 294 days; Morocco's years between Ramadans have 320. */
const longestSummerMs = 300 * dayMs;

/**
 * For each period of one offset: epoch ms until which it is summer time, -Infinity where it is standard time.
 * `starts` are epoch ms in rising order, the first -Infinity; `offsets` seconds.
 *
 * The rule: a period is summer time when its offset is greater than those before and after it and it is no longer than
 * 300 days. A period that begins so and never ends (a zone that kept summer time for good, as Turkey did in 2016) is
 * summer time until the day of the year on which the summer before ended, and standard time from then on.
 */
export function summerTimeEnds(starts: Float64Array, offsets: Int32Array): Float64Array {
  const ends = new Float64Array(starts.length).fill(-Infinity);
  for (let period = 1; period < starts.length; period++) {
    const offset = offsets[period]!;
    if (offset <= offsets[period - 1]!) continue;
    const start = starts[period]!;
    const end = period + 1 < starts.length ? starts[period + 1]! : Infinity;
    const isShort = end - start <= longestSummerMs;
    if (isShort && offsets[period + 1]! < offset) ends[period] = end;
    else if (!isShort && period > 1 && offsets[period - 2] === offset && ends[period - 2] === starts[period - 1]) {
      const usual = starts[period - 1]! - starts[period - 2]!;
      ends[period] = start + usual;
    }
  }
  return ends;
}
