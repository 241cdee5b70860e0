/** The tokens of a query: words, or single signs where a script is written without blanks. */
import { analyse } from '../text/analyse.ts';

export type QueryToken = {
  /** Folded. */
  text: string;
  /** Whether a comma or bracket follows: there a name ends and its context begins. */
  isBreakAfter: boolean;
  /** Whether the next one follows without a blank. */
  isGlued: boolean;
};

/** No name and no context is longer; what follows counts as unexplained. */
const maxWords = 12;
const maxTokens = 24;
const withoutBlanks = /[\p{Script=Han}\p{Script=Katakana}\p{Script=Hiragana}\p{Script=Hangul}]/u;

/** The tokens of a text, and the number of letters after the last of them; no tokens when nothing can be matched. */
export function tokensOf(text: string): { tokens: QueryToken[]; omittedLetters: number } {
  const words = analyse(text);
  const tokens: QueryToken[] = [];
  for (let number = 0; number < words.length && number < maxWords; number++) {
    const { text: word, isBreakAfter } = words[number];
    if (!withoutBlanks.test(word)) {
      tokens.push({ text: word, isBreakAfter, isGlued: false });
      continue;
    }
    const signs = [...word];
    for (const [at, sign] of signs.entries()) {
      const isLast = at === signs.length - 1;
      tokens.push({ text: sign, isBreakAfter: isLast && isBreakAfter, isGlued: !isLast });
    }
  }
  if (words.length <= maxWords && tokens.length <= maxTokens) return { tokens, omittedLetters: 0 };
  const rest = [...tokens.slice(maxTokens), ...words.slice(maxWords)];
  return { tokens: tokens.slice(0, maxTokens), omittedLetters: rest.reduce((sum, { text }) => sum + text.length, 0) };
}
