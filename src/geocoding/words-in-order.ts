/** Whether all words occur among others in their order. */
export function holdsInOrder(candidates: readonly string[], words: readonly string[]): boolean {
  let found = 0;
  for (const word of candidates) if (found < words.length && word === words[found]) found++;
  return found === words.length;
}
