/** Categories and kinds of things in a text, and the place that they are wanted in or near. */
import dictionary from './dictionaries/category-words.json' with { type: 'json' };
import { fold } from './fold.ts';
import { entriesOf, featureWords, wordsOfKind } from './word-lists.ts';

/**
 * What is wanted: a category of points, of it only those with a cuisine, with a word that begins with a stem, or no airports;
 * and features of some kinds or layers. `of` is the list of feature-words.json whose words mean it too where `in` or `near`
 * follows: alone with a name they are mostly a part of it, `Lake Placid`.
 */
export type WantedCategory = {
  category?: string;
  kinds?: readonly string[];
  layers?: readonly string[];
  of?: string;
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
  /** Whether the word means around rather than in the place. */
  isNear?: boolean;
  /** Whether it is one such as `de`, which names have too. */
  isOf?: boolean;
  /** Folded words before what is wanted: `art` in `art museum Chicago`; whose names have them is meant before others. */
  qualifier?: string;
};

/** Maximum number of words of a category, of a connector, and of a brand. */
const maxWords = 3;
const maxConnector = 4;
const maxBrandWords = 4;
const maxQualifier = 2;

function readWords() {
  const categories = new Map<string, WantedCategory>();
  const kindWords = new Map<string, WantedCategory>();
  for (const { words, ...wanted } of dictionary.categories as unknown as readonly (WantedCategory & {
    words: Readonly<Record<string, readonly string[]>>;
  })[]) {
    for (const entry of entriesOf(words)) categories.set(fold(entry), wanted);
    if (wanted.of) for (const word of wordsOfKind(wanted.of)) kindWords.set(word, wanted);
  }
  const set = (entries: Readonly<Record<string, readonly string[]>>) => new Set(entriesOf(entries).map(fold));
  const [here, inside, near, of] = [dictionary.here, dictionary.in, dictionary.near, dictionary.of].map(set);
  const [behind, afterBrands] = [dictionary.behind, dictionary.afterBrands].map(set);
  const ends = [...categories.keys(), ...kindWords.keys(), ...afterBrands].map((entry) => entry.split(' ').at(-1)!);
  const unspaced = new RegExp(`(?<=\\p{L})(${dictionary.behindUnspaced.join('|')})(?=\\p{L})`, 'gu');
  /** The last words of everything that makes a text one of these: most texts have none. */
  const triggers = new Set(ends);
  return {
    categories,
    kindWords,
    here,
    connectors: inside.union(near).union(of),
    inside,
    near,
    behind,
    afterBrands,
    triggers,
    unspaced,
  };
}
let read: ReturnType<typeof readWords> | undefined;

/** The readings of a text, likeliest first; empty for most texts. `name` is folded, `place` as it is typed. */
export function wantedAt(text: string): WantedAt[] {
  const dictionaries = (read ??= readWords());
  const { categories, kindWords, here, connectors, inside, near, behind, afterBrands, triggers } = dictionaries;
  const words = text.replace(dictionaries.unspaced, ' $1 ').trim().split(/\s+/);
  const each = words.map(fold);
  if (!each.some((word) => triggers.has(word))) return [];
  const readings: WantedAt[] = [];
  for (let count = Math.min(maxWords, words.length); count > 0; count--) {
    const last = each.slice(-count).join(' ');
    const isBehind = behind.has(each.at(-count - 1)!);
    const wanted = categories.get(last) ?? (isBehind ? kindWords.get(last) : undefined);
    const end = words.length - count - (isBehind ? 1 : 0);
    if (!addFrom(0, count) && wanted && end > 0) {
      const place = words.slice(0, end).join(' ');
      readings.push({ wanted, name: last, place, isJoined: isBehind, isPlaceFirst: true });
    }
  }
  if (readings.length > 0) return readings;
  // A house number makes it an address.
  for (let at = 1; at < words.length - 1 && at <= maxBrandWords && !/\d/.test(text); at++) {
    const { place, isJoined } = placeFrom(at, afterBrands);
    if (isJoined && place !== '')
      readings.push({ wanted: undefined, name: each.slice(0, at).join(' '), place, isJoined });
  }
  for (let at = 1; at <= maxQualifier; at++)
    for (let count = Math.min(maxWords, words.length - at - 1); count > 0; count--) addFrom(at, count);
  return readings;

  /** Adds the reading of some words as what is wanted in what follows, if they are; returns whether they are. */
  function addFrom(from: number, count: number): boolean {
    const name = each.slice(from, from + count).join(' ');
    const { joining, ...where } = placeFrom(from + count, connectors);
    const isOf = where.isJoined && where.place !== '' && !inside.has(joining) && !near.has(joining);
    const wanted = categories.get(name) ?? (where.isJoined && !isOf ? kindWords.get(name) : undefined);
    if (!wanted) return false;
    const qualifier = from > 0 ? { qualifier: each.slice(0, from).join(' ') } : {};
    readings.push({
      wanted,
      name,
      ...where,
      ...(near.has(joining) && { isNear: true }),
      ...(isOf && { isOf }),
      ...qualifier,
    });
    return true;
  }

  /** The place that begins with a word, without the longest connector before it. */
  function placeFrom(from: number, connecting: ReadonlySet<string>) {
    if (here.has(each.slice(from).join(' '))) return { place: '', isJoined: true, joining: '' };
    for (let count = Math.min(maxConnector, words.length - from - 1); count > 0; count--) {
      const joining = each.slice(from, from + count).join(' ');
      if (connecting.has(joining)) return { place: words.slice(from + count).join(' '), isJoined: true, joining };
    }
    return { place: words.slice(from).join(' '), isJoined: false, joining: '' };
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
