/** The first position in [from, to) that is past a border, which all positions behind it are too; `to` if none is. */
export function firstPast(from: number, to: number, isPast: (at: number) => boolean): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isPast(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
