/** Categories and common kinds of points of interest in a text, and the place that they are wanted in or near. */
import dictionary from './dictionaries/category-words.json' with { type: 'json' };
import { fold } from './fold.ts';
import { entriesOf, featureWords } from './word-lists.ts';

/** What is wanted: a category, of it only points of a kind of landmark, with a cuisine, with a word that begins with a stem, or no airports. */
type WantedCategory = {
  category: string;
  kinds?: readonly string[];
  cuisine?: string;
  stems?: readonly string[];
  isNot?: 'airport';
};

/** A reading of a text as something wanted at a place. `name` is what is wanted where it is no category: a brand. */
export type WantedAt = {
  wanted: WantedCategory | undefined;
  name: string;
  /** The text of the place; empty for where one is. */
  place: string;
  /** Whether a word such as `in` joins both, and if not, whether the place comes first. */
  isJoined: boolean;
  isPlaceFirst?: boolean;
};

/** Maximum number of words of a category, of a connector, and of a brand. */
const maxWords = 3;
const maxConnector = 4;
const maxBrandWords = 4;

function readWords() {
  const categories = new Map<string, WantedCategory>();
  for (const { words, ...wanted } of dictionary.categories as unknown as readonly (WantedCategory & {
    words: Readonly<Record<string, readonly string[]>>;
  })[]) {
    for (const entry of entriesOf(words)) categories.set(fold(entry), wanted);
  }
  const set = (entries: Readonly<Record<string, readonly string[]>>) => new Set(entriesOf(entries).map(fold));
  const [here, connectors, afterBrands] = [dictionary.here, dictionary.connectors, dictionary.afterBrands].map(set);
  const ends = [...categories.keys(), ...afterBrands].map((entry) => entry.split(' ').at(-1)!);
  /** The last words of everything that makes a text one of these: most texts have none. */
  return { categories, here, connectors, afterBrands, triggers: new Set(ends) };
}
let read: ReturnType<typeof readWords> | undefined;

/** The readings of a text, likeliest first; empty for most texts. `name` is folded, `place` as it is typed. */
export function wantedAt(text: string): WantedAt[] {
  const { categories, here, connectors, afterBrands, triggers } = (read ??= readWords());
  const words = text.trim().split(/\s+/);
  const each = words.map(fold);
  if (!each.some((word) => triggers.has(word))) return [];
  const readings: WantedAt[] = [];
  for (let count = Math.min(maxWords, words.length); count > 0; count--) {
    const first = each.slice(0, count).join(' ');
    const last = each.slice(-count).join(' ');
    if (categories.has(first))
      readings.push({ wanted: categories.get(first), name: first, ...placeFrom(count, connectors) });
    else if (words.length > count && categories.has(last)) {
      const place = words.slice(0, -count).join(' ');
      readings.push({ wanted: categories.get(last), name: last, place, isJoined: false, isPlaceFirst: true });
    }
  }
  // A house number makes it an address.
  if (readings.length > 0 || /\d/.test(text)) return readings;
  for (let at = 1; at < words.length - 1 && at <= maxBrandWords; at++) {
    const { place, isJoined } = placeFrom(at, afterBrands);
    if (isJoined && place !== '')
      readings.push({ wanted: undefined, name: each.slice(0, at).join(' '), place, isJoined });
  }
  return readings;

  /** The place that begins with a word, without the longest connector before it. */
  function placeFrom(from: number, joining: ReadonlySet<string>): { place: string; isJoined: boolean } {
    if (here.has(each.slice(from).join(' '))) return { place: '', isJoined: true };
    for (let count = Math.min(maxConnector, words.length - from - 1); count > 0; count--) {
      if (joining.has(each.slice(from, from + count).join(' ')))
        return { place: words.slice(from + count).join(' '), isJoined: true };
    }
    return { place: words.slice(from).join(' '), isJoined: false };
  }
}

/** Whether a name has a word that begins with one of the stems of what is wanted, if it has any, and none for what that is not. */
export function fitsName(name: string, { stems, isNot }: WantedCategory): boolean {
  const words = fold(name).split(' ');
  if (isNot && words.some((word) => featureWords.get(word)?.has(isNot))) return false;
  return !stems || words.some((word) => stems.some((stem) => word.startsWith(stem)));
}

/** The kinds of food of a list such as `pizza;Fish & Chips`, each as its letters and digits; empty where it names none. */
export function cuisinesOf(list: string): string[] {
  return list
    .split(/[;,]/)
    .map((kind) => fold(kind).replace(/[^a-z0-9]/g, ''))
    .filter((kind) => kind !== '');
}
