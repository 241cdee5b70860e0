/** A free text as tokens. */
import { fold } from './fold.ts';

/** One word of a text. */
export type Token = {
  /** Folded. */
  text: string;
  /** Its position in the original text: UTF-16 offsets, `end` exclusive. */
  start: number;
  end: number;
  /** Whether a comma, bracket or new line follows: there a part of the text ends. */
  isBreakAfter: boolean;
};

/** Characters that end a part: the name before it, its context after it. */
const partEnd = /[,;|()[\]{}\n，、；]/u;
/**
 * A word: letters, digits, marks, symbols of which `fold` makes letters (`№`), apostrophes, and the full stops between
 * initials, so that `D.C.` and `L'Aquila` are one word each.
 */
const word = /(?:[\p{L}\p{M}\p{N}\p{So}'’‘ʼʻʹ′`´＇׳״ʽʾʿ]|(?<=(?:^|[^\p{L}])\p{L})\.(?=\p{L}(?:[^\p{L}]|$)))+/gu;

/** The tokens of a text in their order; empty when it has nothing that can be matched. */
export function analyse(text: string): Token[] {
  const tokens: Token[] = [];
  let last = 0;
  word.lastIndex = 0;
  // `matchAll` makes a new expression for each text.
  for (let match = word.exec(text); match !== null; match = word.exec(text)) {
    const { index: start, 0: typed } = match;
    const folded = fold(typed);
    if (folded === '') continue;
    const end = start + typed.length;
    if (tokens.length > 0 && partEnd.test(text.slice(last, start))) tokens[tokens.length - 1].isBreakAfter = true;
    last = end;
    for (const piece of folded.split(' ')) tokens.push({ text: piece, start, end, isBreakAfter: false });
  }
  return tokens;
}
