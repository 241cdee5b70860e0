/** Texts whose words no name has because a blank is lost or misplaced, or the abbreviation of a street type is mistyped. */
import { shortFormsOf } from '../../text/abbreviations.ts';
import { isOneEdit } from '../../text/edit-kind.ts';
import { stopWordSet } from '../../text/word-lists.ts';
import { compoundEnds, queryWords } from '../../text/words.ts';

/** Maximum number of words of a text that are mended. */
const maxMended = 3;
/** Shorter words are parts of too many others. */
const minHalf = 4;
const minStem = 3;
const minAbbreviation = 3;

/** Ends of compounds in short, `str`; shorter ones are as often something else. */
const endAbbreviations = () =>
  compoundEnds.flatMap((end) => [...(shortFormsOf(end) ?? [])]).filter(({ length }) => length >= minAbbreviation);

/**
 * A text with its unknown words mended so that each is one that some name has: `Francisco d eGoya`, `AlteSchulgasse`,
 * `Bahnhofst.r`; undefined where there are none or another way is not known. `isKnown` is asked for folded words.
 */
export function mendedText(text: string, isKnown: (word: string) => boolean): string | undefined {
  const knows = (token: string) => {
    const words = queryWords(token);
    return words.length > 0 && words.every(([word]) => stopWordSet.has(word) || /^\d+$/.test(word) || isKnown(word));
  };
  const tokens = text.split(/(\s+|,)/);
  let mended = 0;
  for (let at = 0; at < tokens.length && mended < maxMended; at++) {
    const token = tokens[at];
    if (!/\p{L}/u.test(token) || knows(token)) continue;
    const others = [
      withAbbreviation(token, knows),
      parted(token, knows),
      moved(token, tokens[at + 1] === ' ' ? tokens[at + 2] : undefined, knows),
    ];
    const found = others.findIndex((other) => other !== undefined);
    if (found >= 0) {
      tokens[at] = others[found]!;
      if (found === 2) tokens[at + 2] = '';
      mended++;
      continue;
    }
    const before = tokens[at - 1] === ' ' ? tokens[at - 2] : undefined;
    const both = before && moved(before, token, knows);
    if (!both) continue;
    tokens.splice(at - 2, 3, both, '', '');
    mended++;
  }
  return mended > 0 ? tokens.join('') : undefined;
}

/** `Bahnhofst.`, `Paradiessrt.`, `Bahnhofst.r`: a compound whose abbreviated end is an edit away. */
function withAbbreviation(token: string, knows: (token: string) => boolean): string | undefined {
  if (!/\p{L}\./u.test(token)) return undefined;
  const letters = token.replace('.', '').toLowerCase();
  for (const end of endAbbreviations()) {
    for (const length of [end.length + 1, end.length, end.length - 1]) {
      const [stem, typed] = [letters.slice(0, -length), letters.slice(-length)];
      if (stem.length >= minStem && (typed === end || isOneEdit(typed, end)) && knows(stem)) return `${stem}${end}.`;
    }
  }
  return undefined;
}

/** `AlteSchulgasse`, `deBonald`, `mamangina`: two words in one, at a capital or both of some length. */
function parted(token: string, knows: (token: string) => boolean): string | undefined {
  for (let at = 2; at <= token.length - 2; at++) {
    const [first, second] = [token.slice(0, at), token.slice(at)];
    const isCapital = /\p{Ll}$/u.test(first) && /^\p{Lu}\p{Ll}/u.test(second);
    const isArticle = second.length >= minHalf && stopWordSet.has(first.toLowerCase());
    if (!isCapital && !isArticle && Math.min(at, second.length) < minHalf) continue;
    if (knows(first) && knows(second)) return `${first} ${second}`;
  }
  return undefined;
}

/** `d eGoya`, `Machad odos`, `Mc Carrol l`: a letter on the wrong side of a blank. */
function moved(first: string, second: string | undefined, knows: (token: string) => boolean): string | undefined {
  if (!second) return undefined;
  const ways = [
    [first + second[0], second.slice(1)],
    [first.slice(0, -1), first.slice(-1) + second],
  ];
  const way = ways.find(([one, other]) => one !== '' && other !== '' && knows(one) && knows(other));
  return way?.join(' ') ?? (knows(first + second) ? first + second : undefined);
}
