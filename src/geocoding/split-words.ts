/** Names of several words that were typed as one: `saltlakecity`, `hochiminhcity`. */

/** Letters of a text that is split, and the most for three blanks: 253 and 455 look-ups. */
const letters = { min: 7, max: 24, maxForThree: 16 };
/** Each part but one has two letters or more. */
const minLongPart = 2;

/** A text with two or three blanks, in all ways that may be names, those with fewer first. */
export function* withBlanks(text: string): Generator<{ split: string; blanks: number }> {
  if (text.length < letters.min || text.length > letters.max || text.includes(' ')) return;
  for (let one = minLongPart; one < text.length - 1; one++) {
    for (let two = one + 1; two < text.length; two++) {
      yield { split: `${text.slice(0, one)} ${text.slice(one, two)} ${text.slice(two)}`, blanks: 2 };
    }
  }
  if (text.length > letters.maxForThree) return;
  for (let one = minLongPart; one < text.length - 4; one++) {
    for (let two = one + minLongPart; two < text.length - 2; two++) {
      for (let three = two + minLongPart; three <= text.length - minLongPart; three++) {
        const parts = [text.slice(0, one), text.slice(one, two), text.slice(two, three), text.slice(three)];
        yield { split: parts.join(' '), blanks: 3 };
      }
    }
  }
}
