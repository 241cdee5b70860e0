/** How well a street's names fit the words of a query. */
import { nameWords, sharesVariant, type Word } from '../../text/words.ts';

/** Maximum number of names whose words are cached; many streets share a name. */
const namesInMemory = 20_000;

export type NameMatch = {
  /** Share of the name's words that the query has, 0 to 1. */
  coverage: number;
  /** Indexes of the query's words that belong to the name. */
  used: ReadonlySet<number>;
  /** The name's words that the query has. */
  matched: readonly Word[];
  /** Position of the name in the list of names. */
  name: number;
};

/** The name that covers most of itself and then of the query; undefined when no name shares a word with it. */
export function bestName(names: readonly string[], query: readonly Word[]): NameMatch | undefined {
  let best: NameMatch | undefined;
  for (const [at, name] of names.entries()) {
    const match = matchName(wordsOf(name), query);
    if (match.used.size === 0) continue;
    const isBetter =
      !best || match.coverage > best.coverage || (match.coverage === best.coverage && match.used.size > best.used.size);
    if (isBetter) best = { ...match, name: at };
  }
  return best;
}

const known = new Map<string, Word[]>();
/** A name's words for matching. */
export function wordsOf(name: string): Word[] {
  if (known.size >= namesInMemory) known.clear();
  return known.getOrInsertComputed(name, nameWords);
}

function matchName(name: readonly Word[], query: readonly Word[]): Omit<NameMatch, 'name'> {
  const used = new Set<number>();
  const matched: Word[] = [];
  for (const [index, word] of name.entries()) {
    let at = query.findIndex((other, position) => !used.has(position) && sharesVariant(word, other));
    // A mistyped compound stays in one piece: its word is both parts of the name's.
    if (at < 0) at = query.findIndex((other) => other.length > 1 && isPartOf(name, index, other));
    if (at < 0) continue;
    used.add(at);
    matched.push(word);
  }
  return { coverage: matched.length / name.length, used, matched };
}

/** Whether a word of a name, with the one before or after it, is one of the spellings of a word in one piece. */
function isPartOf(name: readonly Word[], index: number, other: Word): boolean {
  const joined = (first: Word | undefined, second: Word | undefined) =>
    first?.some((stem) => second?.some((end) => other.includes(stem + end))) === true;
  return joined(name[index], name[index + 1]) || joined(name[index - 1], name[index]);
}
