import { fold } from '../../text/fold.ts';
import { kindsAfter, kindsBefore } from '../../text/place-kinds.ts';

/** A free text as a search reads it. */
export type PlaceQuery = {
  /** Folded words, at most `maxWords`. */
  words: readonly string[];
  /** Whether a comma or bracket stands between a word and the next: there a name ends and its context begins. */
  breaks: readonly boolean[];
  /** Letters of the words past `maxWords`, which nothing explains. */
  lettersLeftOut: number;
};

/** No name and no context is longer; what follows counts as unexplained. */
const maxWords = 12;
const separators = /[,;|()[\]{}，、；]+/;

/** Reads a free text. `words` is empty when it has nothing that can be matched. */
export function readPlaceQuery(text: string): PlaceQuery {
  if (!separators.test(text)) {
    const folded = fold(text);
    const words = folded === '' ? [] : folded.split(' ');
    return limited(
      words,
      words.map(() => false),
    );
  }
  const words: string[] = [];
  const breaks: boolean[] = [];
  for (const part of text.split(separators)) {
    const folded = fold(part);
    if (folded === '') continue;
    if (breaks.length > 0) breaks[breaks.length - 1] = true;
    for (const word of folded.split(' ')) {
      words.push(word);
      breaks.push(false);
    }
  }
  return limited(words, breaks);
}

function limited(words: string[], breaks: boolean[]): PlaceQuery {
  const leftOut = words.slice(maxWords);
  return {
    words: words.slice(0, maxWords),
    breaks: breaks.slice(0, maxWords),
    lettersLeftOut: leftOut.reduce((letters, word) => letters + word.length, 0),
  };
}

/** The query without words that only say what kind of place is meant; undefined when it has none. */
export function withoutKindWords({ words, breaks, lettersLeftOut }: PlaceQuery): PlaceQuery | undefined {
  let from = 0;
  let to = words.length;
  if (to > 2 && kindsBefore.has(`${words[0]} ${words[1]}`)) from = 2;
  else if (to > 1 && kindsBefore.has(words[0])) from = 1;
  if (to - from > 1 && kindsAfter.has(words[to - 1])) to--;
  if (from === 0 && to === words.length) return undefined;
  return { words: words.slice(from, to), breaks: breaks.slice(from, to), lettersLeftOut };
}
