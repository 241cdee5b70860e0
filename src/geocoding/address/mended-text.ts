/** Texts whose words no name has because a blank is lost or misplaced, or the abbreviation of a street type is mistyped. */
import { isAtMostOneEdit } from '../../text/edit-kind.ts';
import { stopWordSet } from '../../text/word-lists.ts';
import { compoundEnds, queryWords, shortFormsOf, type Word } from '../../text/words.ts';
import { type Token, withoutArticle } from './interpret.ts';

/** Tokens of a text, after so many of which no further one is mended. */
const maxMended = 3;
/** Shorter words are parts of too many others. */
const minHalf = 4;
const minStem = 3;
const minAbbreviation = 3;

/** The words of names: whether some name has one, and the end of a round of such questions. */
type Vocabulary = { knows(word: string): boolean; settle(): void };
/** Whether some name has each word of these. */
type Knows = (...texts: string[]) => boolean;

/** Ends of compounds in short, `str`; shorter ones are as often something else. */
const endAbbreviations = () =>
  compoundEnds.flatMap((end) => [...(shortFormsOf(end) ?? [])]).filter(({ length }) => length >= minAbbreviation);

/**
 * What the words of some tokens are, by what was typed, so that each is one that some name has: `Francisco d eGoya`,
 * `AlteSchulgasse`, `Bahnhofst.r`. The vocabulary is asked for folded words.
 */
export function mendedWords(tokens: readonly Token[], vocabulary: Vocabulary): Map<string, readonly Word[]> {
  const isStrange = ([word]: Word) => !stopWordSet.has(word) && !/^\d+$/.test(word) && !vocabulary.knows(word);
  const knows: Knows = (...texts) => {
    const words = texts.map(queryWords);
    return words.every(({ length }) => length > 0) && !words.flat().some(isStrange);
  };
  const isUnknown = tokens.map(({ text, words }) => /\p{L}/u.test(text) && words.some(isStrange));
  vocabulary.settle();
  const mended = new Map<string, readonly Word[]>();
  for (const [at, { text, part }] of tokens.entries()) {
    if (!isUnknown[at] || mended.has(text) || mended.size >= maxMended) continue;
    const alone = withAbbreviation(text, knows) ?? parted(text, knows);
    if (alone !== undefined) mended.set(text, withoutArticle(alone));
    for (const [first, second] of alone === undefined ? [tokens.slice(at, at + 2), tokens.slice(at - 1, at + 1)] : []) {
      const others = first?.part === part && second?.part === part && moved(first.text, second.text, knows);
      if (!others) continue;
      for (const [nth, typed] of [first, second].entries()) mended.set(typed.text, withoutArticle(others[nth] ?? ''));
      break;
    }
  }
  return mended;
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
  const found = cuts.find(
    ({ end, stem, typed }) => stem.length >= minStem && isAtMostOneEdit(typed, end) && knows(stem),
  );
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
function moved(first: string, second: string, knows: Knows): string[] | undefined {
  const ways = [[first + second[0], second.slice(1)], [first.slice(0, -1), first.slice(-1) + second], [first + second]];
  return ways.find((way) => !way.includes('') && knows(...way));
}
