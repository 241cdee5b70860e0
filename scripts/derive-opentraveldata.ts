/**
 * Writes sources/names/cities.tsv, names of cities by language, and sources/names/airports.tsv, airports with an IATA code, from
 * OpenTravelData's table (PyPI neobase, neobase/optd_por_public.csv, CC BY 4.0), CLDR's exemplar cities of time zones (npm
 * cldr-dates-full, Unicode-3.0) and GeoNames' translations (Debian libgeonames-common, usr/share/locale, CC BY 4.0).
 * A Chinese name in traditional characters alone is written in simplified ones too, by OpenCC's table (npm opencc-js). Usage:
 * node scripts/node26.js scripts/derive-opentraveldata.ts optd_por_public.csv[.gz] cldr-dates-full/main locale opencc-js
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { fold } from '../src/text/fold.ts';
import { plainAirportName } from '../src/text/word-lists.ts';
import { catalogue } from './gettext-catalogue.ts';

/** Languages with names of hundreds of cities. */
const languages =
  'af am ar az be bg bn bs ca cs cy da de el en es et eu fa fi fr ga gl gu he hi hr hu hy id is it ja ka kk km kn ko lo lt ' +
  'lv mk ml mn mr ms my ne nl no pa pl pt ro ru si sk sl sq sr sv sw ta te th tr uk ur uz vi zh zh-hant';
const wanted = new Set(languages.split(' '));
/** Tags of the source for languages of ours. */
const tags: Readonly<Record<string, string>> = {
  nb: 'no',
  'zh-CN': 'zh',
  'zh-Hans': 'zh',
  'zh-TW': 'zh-hant',
  'zh-HK': 'zh-hant',
  'zh-Hant': 'zh-hant',
  zh_CN: 'zh',
  zh_TW: 'zh-hant',
  zh_HK: 'zh-hant',
  yue: 'zh-hant',
};
/** Letters of the languages that are written in several of Unicode's scripts. */
const mixedScripts: Readonly<Record<string, RegExp>> = {
  Hans: /^\p{Script=Han}/u,
  Hant: /^\p{Script=Han}/u,
  Jpan: /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
  Kore: /^\p{Script=Hangul}/u,
};
const scripts = new Map(
  [...wanted].map((language) => {
    const script = new Intl.Locale(language).maximize().script!;
    return [language, mixedScripts[script] ?? new RegExp(`^[^\\p{L}]*\\p{Script=${script}}`, 'u')];
  }),
);
/** Positions in a row of the source. */
const columns = {
  iata: 0,
  icao: 1,
  geonamesId: 4,
  name: 6,
  lat: 8,
  lng: 9,
  class: 10,
  code: 11,
  ended: 14,
  country: 16,
  timezone: 31,
  names: 43,
};
/** GeoNames' codes of airports, airfields, air bases and seaplane bases. */
const airportCodes = new Set(['AIRP', 'AIRF', 'AIRB', 'AIRS']);

type Names = Map<string, string[]>;
/** `exemplars`: CLDR's names, by language. */
type City = { id: number; name: string; timezone: string; names: Names; exemplars?: Names };

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const english = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
const countryNames = new Set(letters.flatMap((a) => letters.map((b) => fold(english.of(a + b) ?? ''))));

const simplified = charactersOf('gbk', 0xb0, 0xf7);

function readRows(path: string): string[][] {
  const bytes = readFileSync(path);
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  const [head, ...rows] = text.split('\n').map((line) => line.split('^'));
  if (head[columns.timezone] !== 'timezone' || head[columns.names] !== 'alt_name_section')
    throw new Error(`${path} has other columns: ${head.join(', ')}`);
  return rows;
}

/** Languages in which an airport's name is taken: those that most airports have, and those of other scripts that most people read. */
const airportLanguages = new Set('en es fr de it pt ar bg el he hi ja ko ru sr th uk zh zh-hant'.split(' '));

const isLatin = (name: string) => /^[^\p{L}]*\p{Script=Latin}/u.test(name);

/**
 * The names of an airport besides the main one, former ones left out, in other scripts those that are no town's (Каир): `ja:成田国際空港`
 * where it is the one to show in a language, and others without one, the English ones among them, as the main names are English.
 */
function otherNames(row: readonly string[], simplify: (name: string) => string): string {
  const shown: Names = new Map();
  const names = taggedNames(row).filter(({ tag, name, isPreferred }) => {
    const language = tags[tag] ?? tag;
    const isTaken =
      airportLanguages.has(language) && scripts.get(language)!.test(name) && (isLatin(name) || plainAirportName(name));
    if (isTaken && language !== 'en') addName(shown, tag, name, isPreferred);
    return isTaken;
  });
  addSimplified([{ names: shown }], simplify);
  const tagged = [...shown].map(([language, list]) => ({ name: best(list), entry: `${language}:${best(list)}` }));
  const others = new Set(names.map(({ name }) => name)).difference(new Set(tagged.map(({ name }) => name)));
  others.delete(row[columns.name]);
  return [...tagged.map(({ entry }) => entry).sort(), ...others].join('|');
}

/** `=de|München|p=fr|Munich|`: p preferred, h historic, c colloquial, s short; the historic and colloquial are left out. */
const taggedNames = (row: readonly string[]) =>
  row[columns.names]
    .split('=')
    .map((part) => part.split('|'))
    .filter(([, name = '', flags = '']) => name !== '' && !/[hc]/.test(flags))
    .map(([tag, name, flags = '']) => ({ tag, name: name.trim(), isPreferred: flags.includes('p') }));

/** What people call airports for short, by code: no source has it. */
const shortNames: Readonly<Record<string, string>> = {
  BOM: 'CSMIA',
  CCU: 'NSCBI',
  DEL: 'IGI',
  HKG: 'HKIA',
  HYD: 'RGIA',
  MNL: 'NAIA',
  NBO: 'JKIA',
  NLU: 'AIFA',
};

/** Airports in use, one of each code: code, ICAO code, name, country, latitude and longitude to a hundred metres, other names. */
function airportLines(rows: readonly string[][], simplify: (name: string) => string): string[] {
  const lines = new Map<string, string>();
  for (const row of rows) {
    const [iata, icao, name] = [row[columns.iata], row[columns.icao], row[columns.name]];
    if (!airportCodes.has(row[columns.code]) || row[columns.ended] !== '' || iata === '' || lines.has(iata)) continue;
    const [lat, lng] = [row[columns.lat], row[columns.lng]].map((degrees) =>
      String(Number(Number(degrees).toFixed(3))),
    );
    const others = [otherNames(row, simplify), shortNames[iata] ?? ''].filter(Boolean).join('|');
    lines.set(iata, [iata, icao, name, row[columns.country], lat, lng, others].join('\t').trimEnd());
  }
  return [...lines].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, line]) => line);
}

function readCities(rows: readonly string[][]): Map<number, City> {
  const found = new Map<number, City>();
  for (const row of rows) {
    if (row[columns.class] !== 'P') continue;
    const id = Number(row[columns.geonamesId]);
    const names: Names = new Map();
    // Without a region or another spelling behind it; two names are none.
    for (const { tag, name, isPreferred } of taggedNames(row))
      if (!name.includes('/')) addName(names, tag, name.replace(/(?<=.)\s*[،,(（].*$/u, ''), isPreferred);
    found.set(id, { id, name: row[columns.name], timezone: row[columns.timezone], names });
  }
  return found;
}

/** Names in the sources that are another thing's: a Veda for Bern, Salem for Jerusalem, Byzantium for Istanbul. */
const misread = new Set(['अथर्ववेद', 'ساليم', 'مريّا', 'ביזנטיון']);

function addName(names: Names, tag: string, written: string, isPreferred: boolean): void {
  const name = plain(written);
  let language = tags[tag] ?? tag;
  if (language === 'zh' && ![...name].every((character) => simplified.has(character))) language = 'zh-hant';
  if (!wanted.has(language) || misread.has(name) || name.includes('|') || !scripts.get(language)!.test(name)) return;
  const list = names.get(language) ?? [];
  if (isPreferred) list.unshift(name);
  else list.push(name);
  names.set(language, list);
}

/** Without the vowel points of Hebrew and the word for a city or province that Chinese and Korean names of cities end in. */
function plain(name: string): string {
  const bare = name.replace(/[\u0591-\u05c7]/g, '').trim();
  return bare.replace(/(?<=^\p{Script=Han}{2,}?)(?:广域|廣域)?[市都省]$|(?<=^\p{Script=Hangul}{2,}) 시$/u, '');
}

/** The first name, but none that another one has with its diacritics: München, not Muenchen. */
function best(list: readonly string[]): string {
  const isPoorer = (name: string) => list.some((other) => other !== name && withoutMarks(other).includes(name));
  return list.find((name) => !isPoorer(name)) ?? list[0];
}

const digraphs: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', Ä: 'Ae', Ö: 'Oe', Ü: 'Ue' };
const withoutMarks = (name: string) =>
  /[^\x20-\x7f]/.test(name)
    ? [name.replace(/[äöüÄÖÜ]/g, (letter) => digraphs[letter]), name.normalize('NFD').replace(/\p{M}/gu, '')]
    : [];

/**
 * Adds CLDR's names of the cities that zones are called after: of those of one name in a zone the one with the most names. A capital
 * that has its country's name besides its own, as Kuwait City, keeps its own.
 */
function addExemplars(table: ReadonlyMap<number, City>, directory: string): void {
  const zones = new Map<string, City>();
  for (const city of table.values()) {
    if (city.timezone === '') continue;
    // As CLDR has it: Asia/Calcutta.
    const zone = new Intl.DateTimeFormat('en', { timeZone: city.timezone }).resolvedOptions().timeZone;
    const isNamed = [city.timezone, zone].map(cityOf).some((named) => {
      const others = countryNames.has(named) ? [] : (city.names.get('en') ?? []);
      return [city.name, ...others].some((name) => fold(name) === named);
    });
    if (isNamed && city.names.size > (zones.get(zone)?.names.size ?? -1)) zones.set(zone, city);
  }
  const exemplarsOf = (locale: string) => {
    const path = join(directory, locale, 'timeZoneNames.json');
    const names = existsSync(path) && JSON.parse(readFileSync(path, 'utf8')).main[locale].dates.timeZoneNames.zone;
    return (zone: string): string | undefined =>
      zone.split('/').reduce((within, part) => within?.[part], names)?.exemplarCity;
  };
  const root = exemplarsOf('und');
  for (const locale of readdirSync(directory).filter((each) => wanted.has(tags[each] ?? each))) {
    const exemplar = exemplarsOf(locale);
    for (const [zone, city] of zones) {
      const plainName = fold(city.name) === cityOf(zone) ? city.name : zone.split('/').at(-1)!.replaceAll('_', ' ');
      // What a language calls as the root does is left out there, and by the root as its zone is called.
      addName((city.exemplars ??= new Map()), locale, exemplar(zone) ?? root(zone) ?? plainName, true);
    }
  }
}

const cityOf = (zone: string) => fold(zone.split('/').at(-1)!.replaceAll('_', ' '));

/** Languages of the catalogues that are taken: the most asked for, so that the table stays below 2 MB. */
const translatedTo = new Set('ar de en es fr he hi it ja ko nl pl pt ru tr uk zh zh-hant'.split(' '));
/** A place with names in fewer languages of the catalogues is known to few. */
const minTranslations = 4;

/** Adds the names of the catalogues that OpenTravelData lacks; of those that most languages share only the main one is kept. */
function addTranslations(table: Map<number, City>, directory: string): void {
  const latin = new Map<number, Map<string, number>>();
  const translated = new Map<number, [tag: string, name: string][]>();
  for (const tag of readdirSync(directory).filter((each) => translatedTo.has(tags[each] ?? each))) {
    for (const [key, written] of catalogue(join(directory, tag, 'LC_MESSAGES/geonames.mo'))) {
      const id = Number(key);
      if (!(id > 0)) continue;
      translated.set(id, [...(translated.get(id) ?? []), [tag, written]]);
      const counts = latin.get(id) ?? new Map<string, number>();
      if (/^\p{Script=Latin}/u.test(written)) counts.set(written, (counts.get(written) ?? 0) + 1);
      latin.set(id, counts);
    }
  }
  for (const [id, names] of translated) {
    if (names.length < minTranslations) continue;
    const [name = ''] = [...latin.get(id)!].sort(([, left], [, right]) => right - left)[0] ?? [];
    const city = table.get(id) ?? { id, name, timezone: '', names: new Map() };
    const had = new Set(city.names.keys());
    for (const [tag, written] of names) if (!had.has(tags[tag] ?? tag)) addName(city.names, tag, written, false);
    table.set(id, city);
  }
}

/** Names in traditional characters alone stand in simplified ones too; what both write the same way stands once, as `zh`. */
function addSimplified(table: Iterable<{ names: Names }>, simplify: (name: string) => string): void {
  for (const { names } of table) {
    const traditional = names.get('zh-hant');
    if (!traditional) continue;
    const name = best(traditional);
    if (!names.has('zh')) names.set('zh', [plain(simplify(name))]);
    if (best(names.get('zh')!) === name) names.delete('zh-hant');
  }
}

function charactersOf(encoding: string, from: number, to: number): ReadonlySet<string> {
  const decoder = new TextDecoder(encoding);
  const characters = new Set<string>(['·', '-']);
  for (let row = from; row <= to; row++)
    for (let cell = 0xa1; cell <= 0xfe; cell++) characters.add(decoder.decode(Uint8Array.of(row, cell)));
  return characters;
}

const [optd, cldr, locale, opencc] = process.argv.slice(2);
if (!optd || !cldr || !locale || !opencc)
  throw new Error('usage: derive-opentraveldata.ts optd_por_public.csv[.gz] cldr-dates-full/main locale opencc-js');
const { Converter } = await import(pathToFileURL(resolve(opencc, 'dist/esm/full.js')).href);
const optdRows = readRows(optd);
const cities = readCities(optdRows);
addExemplars(cities, cldr);
addTranslations(cities, locale);
const simplify = Converter({ from: 't', to: 'cn' });
addSimplified(cities.values(), simplify);
/** `zh-hant` before `zh`. */
const byTag = (left: string, right: string) => (`${left}:` < `${right}:` ? -1 : 1);
const lines = [...cities.values()]
  .sort((left, right) => left.id - right.id)
  .flatMap(({ id, name, names, exemplars = new Map() }) => {
    // Of two names in a language the second is shown, and both are found.
    const shown = [...new Set([...names.keys(), ...exemplars.keys()])].sort(byTag).flatMap((language) => {
      const exemplar = exemplars.get(language)?.[0];
      const other = best(names.get(language) ?? [exemplar!]);
      const both = [...new Set([other, exemplar ?? other])];
      return both.every((each) => each === name) ? [] : both.map((each) => `${language}:${each}`);
    });
    return shown.length === 0 ? [] : `${id}\t${shown.join('|')}`;
  });
writeFileSync(new URL('../sources/names/cities.tsv', import.meta.url), `${lines.join('\n')}\n`);
const airports = airportLines(optdRows, simplify);
writeFileSync(new URL('../sources/names/airports.tsv', import.meta.url), `${airports.join('\n')}\n`);
console.log(`${lines.length} cities, ${airports.length} airports`);
