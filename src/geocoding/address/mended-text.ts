/** Texts whose words no name has because a blank is lost or misplaced, or the abbreviation of a street type is mistyped. */
import { isOneEdit } from '../../text/edit-kind.ts';
import { stopWordSet } from '../../text/word-lists.ts';
import { compoundEnds, queryWords, shortFormsOf } from '../../text/words.ts';

/** Maximum number of words of a text that are mended. */
const maxMended = 3;
/** Shorter words are parts of too many others. */
const minHalf = 4;
const minStem = 3;
const minAbbreviation = 3;

/** The words of names: whether some name has one, and the end of a round of such questions. */
type Vocabulary = { knows(word: string): boolean; settle(): void };
/** Whether some name has each word of these. */
type Knows = (...tokens: string[]) => boolean;

/** Ends of compounds in short, `str`; shorter ones are as often something else. */
const endAbbreviations = () =>
  compoundEnds.flatMap((end) => [...(shortFormsOf(end) ?? [])]).filter(({ length }) => length >= minAbbreviation);

/**
 * A text with its unknown words mended so that each is one that some name has: `Francisco d eGoya`, `AlteSchulgasse`,
 * `Bahnhofst.r`; undefined where there are none or another way is not known. The vocabulary is asked for folded words.
 */
export function mendedText(text: string, vocabulary: Vocabulary): string | undefined {
  const isStrange = (word: string) => !stopWordSet.has(word) && !/^\d+$/.test(word) && !vocabulary.knows(word);
  const knows: Knows = (...tokens) => {
    const words = tokens.map(queryWords);
    return words.every(({ length }) => length > 0) && !words.flat().some(([word]) => isStrange(word));
  };
  const tokens = text.split(/(\s+|,)/);
  const known = tokens.map((token) => !/\p{L}/u.test(token) || knows(token));
  vocabulary.settle();
  let mended = 0;
  for (const [at, token] of tokens.entries()) {
    if (known[at] || tokens[at] === '') continue;
    const beside = (step: number) => (tokens[at + step / 2] === ' ' ? tokens[at + step] : undefined);
    const ways: readonly [from: number, () => string | undefined][] = [
      [at, () => withAbbreviation(token, knows)],
      [at, () => parted(token, knows)],
      [at, () => moved(token, beside(2), knows)],
      [at - 2, () => moved(beside(-2), token, knows)],
    ];
    for (const [way, [from, mend]] of ways.entries()) {
      const other = mend();
      if (other === undefined) continue;
      tokens[from] = other;
      if (way > 1) tokens[from + 2] = '';
      mended++;
      break;
    }
    if (mended === maxMended) break;
  }
  return mended > 0 ? tokens.join('') : undefined;
}

/** `Bahnhofst.`, `Paradiessrt.`, `Bahnhofst.r`: a compound whose abbreviated end is an edit away. */
function withAbbreviation(token: string, knows: Knows): string | undefined {
  if (!/\p{L}\./u.test(token)) return undefined;
  const letters = token.replace('.', '').toLowerCase();
  const cuts = endAbbreviations().flatMap((end) =>
    [end.length + 1, end.length, end.length - 1].map((length) => ({
      end,
      stem: letters.slice(0, -length),
      typed: letters.slice(-length),
    })),
  );
  const isNear = (typed: string, end: string) => typed === end || isOneEdit(typed, end);
  const found = cuts.find(({ end, stem, typed }) => stem.length >= minStem && isNear(typed, end) && knows(stem));
  return found && `${found.stem}${found.end}.`;
}

/** `AlteSchulgasse`, `deBonald`, `mamangina`: two words in one, at a capital or both of some length. */
function parted(token: string, knows: Knows): string | undefined {
  const cuts = Array.from({ length: Math.max(0, token.length - 3) }, (_, at) => [
    token.slice(0, at + 2),
    token.slice(at + 2),
  ]).filter(([first, second]) => {
    const isCapital = /\p{Ll}$/u.test(first) && /^\p{Lu}\p{Ll}/u.test(second);
    const isArticle = second.length >= minHalf && stopWordSet.has(first.toLowerCase());
    return isCapital || isArticle || Math.min(first.length, second.length) >= minHalf;
  });
  return cuts.find((cut) => knows(...cut))?.join(' ');
}

/** `d eGoya`, `Machad odos`, `Mc Carrol l`: a letter on the wrong side of a blank. */
function moved(first: string | undefined, second: string | undefined, knows: Knows): string | undefined {
  if (!first || !second) return undefined;
  const ways = [[first + second[0], second.slice(1)], [first.slice(0, -1), first.slice(-1) + second], [first + second]];
  return ways.find((way) => !way.includes('') && knows(...way))?.join(' ');
}
