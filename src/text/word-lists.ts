/** Words of the dictionaries, folded, by what they say beside a name. */

import airport from './dictionaries/airport-words.json' with { type: 'json' };
import area from './dictionaries/area-words.json' with { type: 'json' };
import capital from './dictionaries/capital-words.json' with { type: 'json' };
import dictionary from './dictionaries/category-words.json' with { type: 'json' };
import connectors from './dictionaries/connectors.json' with { type: 'json' };
import feature from './dictionaries/feature-words.json' with { type: 'json' };
import kinds from './dictionaries/place-kinds.json' with { type: 'json' };
import requests from './dictionaries/request-words.json' with { type: 'json' };
import stopWords from './dictionaries/stop-words.json' with { type: 'json' };
import territories from './dictionaries/territories.json' with { type: 'json' };
import { fold } from './fold.ts';

type Entries = Readonly<Record<string, string | readonly string[]>>;
type Layers = ReadonlyMap<string, ReadonlySet<string>>;

/** The entries of a dictionary by language: words separated by blanks, or entries of several words each. */
export function entriesOf(dictionary: Entries): string[] {
  return Object.values(dictionary).flatMap((entries) => (typeof entries === 'string' ? entries.split(' ') : entries));
}

const wordSet = (...dictionaries: readonly Entries[]): ReadonlySet<string> =>
  new Set(dictionaries.flatMap(entriesOf).map(fold));

/** The keys of the lists that have a word. */
function keysByWord(dictionary: Readonly<Record<string, Entries | Entries[string]>>): Layers {
  const keys = new Map<string, Set<string>>();
  for (const [key, entries] of Object.entries(dictionary))
    for (const word of wordSet(
      typeof entries === 'string' || Array.isArray(entries) ? { entries } : (entries as Entries),
    ))
      keys.getOrInsertComputed(word, () => new Set()).add(key);
  return keys;
}

/** Which level of administrative area a name is of: `Chiba prefecture`. */
export const areaWords: Layers = keysByWord(area);

/** What the name of a country follows where its capital is meant: `capital of France`. */
export const capitalWords: ReadonlySet<string> = wordSet(capital);

/** What a name names, with the layers: `lake`. */
export const featureWords: Layers = keysByWord(feature);

/** The same with the kind of thing, which words of several languages share: `castle` for `schloss`. */
export const featureKinds: Layers = keysByWord(Object.assign({}, ...Object.values(feature)));

/** The folded words for a kind of thing by its key in the dictionary. */
export const wordsOfKind = (kind: string): ReadonlySet<string> =>
  wordSet(...Object.values<Entries>(feature).map((kinds) => ({ words: kinds[kind] ?? [] })));

/** What stands before a kind of thing without telling it from others: `national`. */
export const qualifierWords: ReadonlySet<string> = wordSet(kinds.qualifier);

/** Words of an airport's name that only state that it is one. */
export const airportWords: ReadonlySet<string> = wordSet(airport, feature.airport);

const otherScript = /[^\p{Script=Latin}\p{Script=Common}]/u;
/** Scripts in which a word may follow another without a blank. */
const joiningScript = /[\p{Script=Han}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** The words of other scripts than the Latin one in a name, as they are written and folded. */
function wordsIn(dictionary: Entries): RegExp {
  const written = entriesOf(dictionary).filter((word) => otherScript.test(word));
  const words = [...new Set([...written, ...written.map(fold)])];
  const apart = words.filter((word) => !joiningScript.test(word));
  const joined = words.filter((word) => joiningScript.test(word));
  return new RegExp(`${joined.join('|')}|(?<!\\S)(?:${apart.join('|')})(?!\\S)`, 'giu');
}
const airportKinds: Entries = { airport: feature.airport.airport };
const [airportKind, airportQualifier] = [airportKinds, airport].map(wordsIn);
const areaKind = wordsIn({ words: Object.values(area).flatMap(entriesOf) });
/** Whether a folded name in another script than the Latin one says that it is a region. */
export const hasAreaWord = (name: string): boolean => name.search(areaKind) >= 0;
const without = (name: string, words: RegExp) => name.replace(words, '').replace(/\s+/g, ' ').trim();

/** The name of an airport in another script without `international`: 成田空港; undefined where it does not say what it is. */
export const plainAirportName = (name: string): string | undefined =>
  name.search(airportKind) < 0 ? undefined : without(name, airportQualifier);

/** That of a folded text, also with other words for an airport, and what is left without: a town. Undefined for other texts. */
export function airportNamesOf(text: string): { names: string[]; town: string } | undefined {
  const plain = plainAirportName(text);
  if (plain === undefined) return undefined;
  const others = [...wordSet(airportKinds)].filter((word) => otherScript.test(word));
  return {
    names: [plain, ...others.map((word) => plain.replace(airportKind, word))],
    town: without(plain, airportKind),
  };
}

/** Only that it is a settlement: `city`, `stadt`, `市`. */
export const settlementWords: ReadonlySet<string> = wordSet(kinds.settlement);

/** These and the words for administrative areas that places are also called by: `district`, `県`. */
export const placeKindWords: ReadonlySet<string> = wordSet(kinds.settlement, kinds.area);

/** Articles and the like that people omit or confuse in names of streets. */
export const optionalWords: ReadonlySet<string> = wordSet(stopWords.optional);

/** Words without meaning at the start of a part of a name: no one searches for the `de` of `de janeiro`. */
export const stopWordSet: ReadonlySet<string> = wordSet(stopWords.optional, stopWords.light);

/** Words that connect a name and its context: `Paris in Texas`. */
export const connectorWords: ReadonlySet<string> = wordSet(connectors);

/** What is wanted at a place, or that its middle is meant: `weather`, `downtown`. */
export const requestWords: ReadonlySet<string> = wordSet(requests);

/**
 * Territories that have a country code of their own and that addresses name together with their state: `Le Port, La
 * Réunion, France`. From ISO 3166-1's remarks on each code.
 */
const territoriesOf: Readonly<Record<string, string>> = territories;

/** The codes of what people address with a country: its territories (`HK` of `CN`), and land that others say is another's. */
export const territoryCodes = (country: string): string[] => territoriesOf[country]?.split(' ') ?? [];

/** Whether an address with a country may lie in a territory with another code; alpha-2 codes in upper case. */
export function isPartOf(territory: string, country: string): boolean {
  return territory === country || (territoriesOf[country] ?? '').includes(territory);
}

// Categories and kinds of things in a text, and the place that they are wanted in or near.

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
