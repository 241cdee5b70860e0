/**
 * Words of names that people write in more than one way, from the dictionaries: each entry is a full form and its short
 * ones, as people write them. A short form may stand for several full ones (`st`: street, saint); matching tries each.
 */
import directions from './dictionaries/directions.json' with { type: 'json' };
import landmarks from './dictionaries/landmarks.json' with { type: 'json' };
import nameWords from './dictionaries/name-words.json' with { type: 'json' };
import ordinals from './dictionaries/ordinals.json' with { type: 'json' };
import streetTypes from './dictionaries/street-types.json' with { type: 'json' };
import toponyms from './dictionaries/toponyms.json' with { type: 'json' };
import { fold } from './fold.ts';
import { latin } from './scripts.ts';
import { entriesOf } from './word-lists.ts';

type Dictionary = Readonly<Record<string, readonly string[]>>;

/** The entries of dictionaries with each word folded, in Latin letters, full form first. */
function latinEntries(...dictionaries: readonly Dictionary[]): [full: string, ...short: string[]][] {
  return dictionaries.flatMap(entriesOf).map((entry) => {
    const [full, ...short] = entry.split(' ').map((word) => latin(fold(word).replaceAll(' ', '')));
    return [full, ...short];
  });
}

/** What the dictionaries say, read on first use: 20 ms, and the table of Latin letters with it. */
function readWords() {
  const directionEntries = latinEntries(directions).flat();
  return {
    ...readForms(),
    streetTypes: new Set(latinEntries(streetTypes).flat()),
    directions: new Set(directionEntries),
    /** Shorter ones are as often typing mistakes: `est` for `st`. */
    longDirections: new Set(directionEntries.filter(({ length }) => length > 3)),
    placeSpellings: readPlaceSpellings(),
  };
}

let read: ReturnType<typeof readWords> | undefined;
const words = () => (read ??= readWords());

/** The full forms of every word, itself last; and the short forms of every full one. */
function readForms() {
  const full = new Map<string, Set<string>>();
  const short = new Map<string, Set<string>>();
  for (const [word, ...abbreviations] of latinEntries(
    streetTypes,
    landmarks,
    toponyms,
    directions,
    nameWords,
    ordinals,
  )) {
    if (!full.has(word)) full.set(word, new Set([word]));
    for (const abbreviation of abbreviations) {
      full.set(abbreviation, (full.get(abbreviation) ?? new Set()).add(word));
      short.set(word, (short.get(word) ?? new Set()).add(abbreviation));
    }
  }
  return {
    fullForms: new Map([...full].map(([word, set]): [string, readonly string[]] => [word, [...set.add(word)]])),
    shortForms: short as ReadonlyMap<string, ReadonlySet<string>>,
  };
}

/** The full forms that a folded Latin word may stand for, itself last; undefined for words of no dictionary. */
export const fullFormsOf = (word: string): readonly string[] | undefined => words().fullForms.get(word);

/** Every word that has full forms, with these. */
export const allFullForms = (): readonly (readonly [string, readonly string[]])[] => [...words().fullForms];

/** The short forms of a full form; undefined where it has none. */
export const shortFormsOf = (word: string): ReadonlySet<string> | undefined => words().shortForms.get(word);

/** Whether a word is only the short form of others: `ave`, `str`; not `torget`, which is also written in full. */
export const isAbbreviation = (word: string): boolean => words().fullForms.has(word) && !words().shortForms.has(word);

/** Whether a folded Latin word is a street type and hardly ever a name: `street`, `ul`. */
export const isStreetType = (word: string): boolean => words().streetTypes.has(word);

/** Whether a folded Latin word is a direction: `north`, and with `includesShort` also `nw`. */
export const isDirection = (word: string, includesShort: boolean): boolean =>
  (includesShort ? words().directions : words().longDirections).has(word);

/**
 * The other ways to write a word of a place's name: `saint` for `st`, `st` and `sankt` for `saint`. Empty for words that
 * have none. Single letters stand for the long word only, never the other way: `s` is too short to begin a name.
 */
export const placeWordSpellings = (word: string): readonly string[] => words().placeSpellings.get(word) ?? [];

function readPlaceSpellings(): ReadonlyMap<string, string[]> {
  const meanings = new Map<string, string[]>();
  for (const [full, ...abbreviations] of latinEntries(toponyms, { en: directions.en })) {
    for (const short of abbreviations) meanings.set(short, [...(meanings.get(short) ?? []), full]);
  }
  const spellings = new Map<string, Set<string>>();
  for (const [short, full] of meanings) {
    spellings.set(short, new Set(full));
    for (const word of short.length > 1 ? full : []) {
      const others = spellings.get(word) ?? new Set();
      for (const other of [short, ...full]) if (other !== word) others.add(other);
      spellings.set(word, others);
    }
  }
  return new Map([...spellings].map(([word, others]) => [word, [...others]]));
}
