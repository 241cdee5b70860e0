/** A text as it may have been meant, where its words as typed explain less: other keyboards, short points of the compass. */
import type { Gazetteer } from '../store/gazetteer.ts';
import { withCompassWords } from '../text/compass-words.ts';
import { otherKeyboards } from '../text/keyboard-layouts.ts';
import type { Candidate } from './candidates.ts';
import { explained } from './score.ts';
import { PlaceSearch, type PlaceSearchOptions } from './search-places.ts';
import weights from './weights.json' with { type: 'json' };

/** The best places for the text as it may have been meant, if they explain more than `best`, those for it as typed. */
export function typedOtherwise(
  gazetteer: Gazetteer,
  text: string,
  options: PlaceSearchOptions,
  best: readonly Candidate[],
): readonly Candidate[] {
  const asTyped = shareOf(best);
  if (asTyped < weights.typedOtherwiseBelow) {
    for (const other of otherKeyboards(text)) {
      const found = lessSure(bestFor(gazetteer, other, options), weights.otherKeyboard);
      if (shareOf(found) >= weights.sureOtherKeyboard - weights.otherKeyboard) return found;
    }
  }
  if (asTyped >= 100 - weights.compassWord) return best;
  for (const other of withCompassWords(text)) {
    const found = lessSure(bestFor(gazetteer, other, options), weights.compassWord);
    if (shareOf(found) > asTyped) return found;
  }
  return best;
}

const bestFor = (gazetteer: Gazetteer, text: string, options: PlaceSearchOptions) =>
  new PlaceSearch(gazetteer, text, { ...options, isFuzzy: false }).best(options.limit ?? 1);

const shareOf = ([first]: readonly Candidate[]) => (first ? explained(first.parts) : 0);

const lessSure = (candidates: readonly Candidate[], cost: number): Candidate[] =>
  candidates.map((each) => ({ ...each, parts: { ...each.parts, textMatch: each.parts.textMatch - cost } }));
