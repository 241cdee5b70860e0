/** Words of the dictionaries, folded, by what they say beside a name. */

import airport from './dictionaries/airport-words.json' with { type: 'json' };
import area from './dictionaries/area-words.json' with { type: 'json' };
import capital from './dictionaries/capital-words.json' with { type: 'json' };
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
