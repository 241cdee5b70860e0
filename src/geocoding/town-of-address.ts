/** Where an address lies that the dataset does not have: London for `10 Downing Street, London`. */
import type { Store } from '../store/store.ts';
import { minInhabitants } from './address/support.ts';
import type { Hit } from './geocode.ts';
import weights from './weights.json' with { type: 'json' };

/** Maximum number of words in its name at the end of an address without commas. */
const maxWords = 4;

/** The place that follows the first comma, or else the last words name; `find` returns the hits of a text. */
export function townOfAddress(store: Store, text: string, find: (name: string) => readonly Hit[]): Hit | undefined {
  const comma = text.indexOf(',');
  const words = text.trim().split(/\s+/);
  const most = Math.max(0, Math.min(maxWords, words.length - 2));
  const endings =
    comma < 0 ? Array.from({ length: most }, (_, at) => words.slice(at - most).join(' ')) : [text.slice(comma + 1)];
  for (const name of endings) {
    if (!/\p{L}/u.test(name)) continue;
    const [best] = find(name);
    if (best?.confidence >= weights.sureTown && isTown(store, best, comma < 0))
      return { ...best, confidence: weights.townOfAddress, isOnlyTown: true };
  }
  return undefined;
}

/** Whether a hit may be where an address lies; without a comma the last word may as well be the street's. */
const isTown = ({ gazetteer: { facts } }: Store, { place, area, postal }: Hit, isEnding: boolean): boolean =>
  (place !== undefined && (!isEnding || postal !== undefined || facts.population(place) >= minInhabitants)) ||
  (area !== undefined && !isEnding);
