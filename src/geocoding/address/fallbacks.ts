/** Fallbacks for texts without a full match: search with less of the text. */

import { isDirection } from '../../text/abbreviations.ts';
import { isGeneric, queryWords, sharesVariant, type Word } from '../../text/words.ts';
import weights from '../weights.json' with { type: 'json' };
import { namedCandidates } from './candidates.ts';
import { isStreetTypeOrDirection } from './corrections.ts';
import { type AddressFinder, penalised, type Query, withoutHouse } from './finder.ts';
import type { Interpretation } from './interpret.ts';
import type { Reading } from './readings.ts';
import { type Hit, unexplained } from './score.ts';

/** Maximum number of words of a text that are dropped, one at a time, when nothing else matches. */
const maxDroppedWords = 6;
/** Maximum length of an abbreviated street type (`St`), allowing for a typing mistake. */
const maxAbbreviationLength = 3;
/**
 * Maximum number of interpretations whose house number is tried with the street next to it, and of words in that
 * street's name.
 */
const maxInterpretations = 4;
const maxNameWords = 6;
/** Maximum number of parts between commas that are tried as a street where the text has no number. */
const maxParts = 6;

/**
 * Hits whose street name directly precedes or follows the number and which have one of the other words, or lie around the
 * reading's place: for texts that also name a building, a company, a district or a county.
 * `admitted` are the hits that the text does not rule out.
 */
export function streetNearNumber(
  finder: AddressFinder,
  reading: Reading,
  admitted: (hits: readonly Hit[]) => Hit[],
): Hit[] {
  const numbered = reading.interpretations
    .filter(({ houseNumber }) => houseNumber !== undefined)
    .slice(0, maxInterpretations);
  const chosen = numbered.length > 0 ? numbered : reading.interpretations;
  const spans = chosen.flatMap((interpretation) =>
    streetSpansOf(interpretation, reading.text).map((span) => ({ interpretation, span })),
  );
  const hits: Hit[] = [];
  for (const { interpretation, span } of spans) {
    hits.push(...admitted(hitsOfSpan(finder, reading, interpretation, span)));
    if (hits.some(({ matchType }) => matchType === 'exact')) break;
  }
  return hits;
}

/** `next`: the words of the same part that follow the name, on the far side from the number. */
type StreetSpan = { words: readonly Word[]; others: readonly Word[]; next: readonly Word[] };

/**
 * Spans that may be the street's name: words next to the number, the longest first; without a number, parts between
 * commas.
 */
function streetSpansOf({ houseNumber, words, before, part }: Interpretation, text: string): StreetSpan[] {
  if (houseNumber === undefined) {
    const parts = text.split(',').map(queryWords);
    return parts.length < 2
      ? []
      : parts
          .filter((part) => part.length > 0 && part.some((word) => !isGeneric(word)))
          .slice(0, maxParts)
          .map((part) => ({ words: part, others: parts.filter((other) => other !== part).flat(), next: [] }));
  }
  const spans: StreetSpan[] = [];
  for (let count = Math.min(maxNameWords, words.length); count > 0; count--) {
    for (const from of [before, before - count]) {
      const to = from + count;
      if (from < 0 || to > words.length) continue;
      const next = from === before ? words.slice(to, part[1]) : words.slice(part[0], from).reverse();
      spans.push({ words: words.slice(from, to), others: words.toSpliced(from, count), next });
    }
  }
  return spans;
}

function hitsOfSpan(
  finder: AddressFinder,
  { text, filter, around }: Reading,
  interpretation: Interpretation,
  { words, others, next }: StreetSpan,
): Hit[] {
  const isComplete = words.some(isGeneric);
  const isPlaced = around.length > 0 || others.length === 0;
  const groups = isPlaced ? filter.groups : [...filter.groups, others.flat()];
  return namedCandidates(finder.parts, words, { ...filter, groups }).flatMap((candidate) => {
    const { part, street } = candidate;
    const area = finder.parts[part].area(street.area);
    const isMatched = (word: Word) => finder.isMatched(street, area, word);
    // `12 Maple Hollow Avenue` is not on `Maple`.
    const after = next.slice(0, next.findIndex(isMatched) < 0 ? next.length : next.findIndex(isMatched));
    if (!isComplete && after.some((word) => word[0].length > 1 && isGeneric(word))) return [];
    const left = others.filter((word) => !isMatched(word));
    const hits = finder.hitsOf(candidate, { text, filter }, interpretation, words);
    return hits.map((hit) => penalised(hit, unexplained(left.length)));
  });
}

/** Interpretations without one word, for words that are mistyped beyond correction or belong to no name. */
export function dropToken(finder: AddressFinder, query: Query, admitted: (hits: readonly Hit[]) => Hit[]): Hit[] {
  const { interpretations } = query;
  const hits: Hit[] = [];
  const shortened = interpretations
    .slice(0, 2)
    .filter(({ words }) => words.length > 1)
    .flatMap((interpretation) =>
      interpretation.words.slice(0, maxDroppedWords).map((_, at) => ({ interpretation, at })),
    );
  for (const { interpretation, at } of shortened) {
    const words = interpretation.words.filter((_, other) => other !== at);
    const [left] = interpretation.words[at];
    // Of `14th aSt` and `West T` the rest says enough, of `Qqqqzz 12` it does not.
    const isBare = words.every((word) => isStreetTypeToken(word) || /^\d+$/.test(word[0]));
    if (isBare && left.length > maxAbbreviationLength) continue;
    const found = finder.collect({ ...query, interpretations: [{ ...interpretation, words }] });
    const [from, to] = interpretation.part;
    const isInPart = at >= from && at < to;
    const beside = isInPart ? interpretation.words.slice(from, to).filter((_, other) => other !== at - from) : words;
    for (const hit of admitted(found)) {
      if (!hasOwnWord(hit, beside)) continue;
      if (!isInPart || !isDirection(left, at === interpretation.before)) hits.push(hit);
      // `128 East Kentucky Street` is not a house of `West Kentucky Street`; `Kentucky Street` may be what is meant.
      else if (!hit.words.some((word) => isDirection(word[0], true))) hits.push(withoutHouse(hit));
    }
  }
  return hits.map((hit) => penalised(hit, weights.droppedWord));
}

const isStreetTypeToken = ([word]: Word) => isStreetTypeOrDirection(word);

/**
 * Whether at least half of a hit's name matched, including a word that is not a street type. `Baltimore Street` is not
 * an answer to `7 Zobel Street, Baltimore`: there the word is the settlement's. A number says enough only where the name has
 * no other word: `14th` of `14th Street`, not the 12 of `12 de Octubre`.
 */
function hasOwnWord(hit: Hit, query: readonly Word[]): boolean {
  const own = hit.words.filter((word) => !isStreetTypeToken(word));
  const matched = own.filter((word) => query.some((other) => sharesVariant(word, other)));
  const isNamed = matched.some(([word]) => !/^\d+$/.test(word));
  return hit.coverage >= 0.5 && (isNamed || (matched.length > 0 && matched.length === own.length));
}
