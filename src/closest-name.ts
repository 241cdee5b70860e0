/**
 * A question to put behind "there is no …": `; did you mean limit?` where one of the names is close to what was written,
 * else the list of them. Names are not empty.
 */
export function didYouMean(written: string, names: readonly string[]): string {
  const distances = names.map((name) => ({ name, edits: editDistance(written, name) }));
  const closest = distances.reduce((best, other) => (other.edits < best.edits ? other : best));
  return closest.edits <= Math.min(2, Math.max(1, written.length / 4))
    ? `; did you mean ${closest.name}?`
    : ` (expected one of ${names.join(', ')})`;
}

/** Letters to insert, delete or replace, in any case (Wagner and Fischer 1974). */
function editDistance(one: string, other: string): number {
  const [from, to] = [one.toLowerCase(), other.toLowerCase()];
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let at = 1; at <= from.length; at++) {
    const above = row;
    row = [at];
    for (let column = 1; column <= to.length; column++) {
      const replaced = above[column - 1] + (from[at - 1] === to[column - 1] ? 0 : 1);
      row.push(Math.min(replaced, above[column] + 1, row[column - 1] + 1));
    }
  }
  return row[to.length];
}
