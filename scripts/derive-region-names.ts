/**
 * Writes sources/names/cldr-regions.tsv, names of regions of level 1 by ISO 3166-2 code in the languages of the table of cities, from
 * CLDR's subdivisions (npm cldr, 3rdparty/cldr/common/subdivisions, Unicode-3.0), which the JSON packages of CLDR lack. Usage:
 * node scripts/node26.js scripts/derive-region-names.ts subdivisions data/DATASET
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openRegions } from '../src/store/packed/countries.ts';
import { mainLanguage } from '../src/store/packed/place-languages.ts';
import { fold } from '../src/text/fold.ts';

/**
 * Languages whose names of regions abroad are those that people write; in others many are spelled out from English by a program
 * (`เซาท์ โมราเวียน` for South Moravia), so these have a name only in the countries where they are official.
 */
const languages = new Set(
  (
    'ar az be bg bn bs ca cs da de el es et eu fa fi fr gl he hi hr hu hy id is it ja ka kk ko lt lv mk ms nl no pl pt ro ru sk ' +
    'sl sq sr sv tr uk ur uz vi zh'
  ).split(' '),
);
/**
 * Iran and Morocco have numbered their regions anew, of which CLDR has the names of both numbers, Nepal has named its provinces
 * since, and Chiayi's city and county are exchanged.
 */
const isMixed = (code: string) => /^(IR|MA|NP)-|^TW-CY/.test(code);
/** Titles of other pages than a region's, and names that have lost letters. */
const isSlip = (name: string) => /^[\p{M}\p{P}]|[:&[\]]|[\u200b]/u.test(name);

const [subdivisions, dataset] = process.argv.slice(2);
if (!subdivisions || !dataset) throw new Error('usage: derive-region-names.ts subdivisions data/DATASET');

function readNames(file: string): Map<string, string> {
  const text = readFileSync(join(subdivisions, file), 'utf8');
  const entries = text.matchAll(/<subdivision type="([a-z]{2})(\w+)"[^>]*>([^<]+)</g);
  const countries = new Intl.DisplayNames(file.slice(0, -'.xml'.length).replace('_', '-'), { type: 'region' });
  // CLDR tells names apart that two regions share, by a digit, in brackets or by the country: `استان مرکزی²`, `Bafatá (região)`,
  // `Acquaviva, San Marino`. In Korean the word for the kind is no word of its own: 구마모토현.
  const plain = (name: string, country: string) =>
    name
      .replace(/[¹²³⁴-⁹]|\s*\(.*?\)/g, '')
      .replace(new RegExp(`[,،] ${RegExp.escape(countries.of(country.toUpperCase())!)}$`), '')
      .replace(/(?<=\p{Script=Hangul}) (?=[주현성도시군구]$)/u, '')
      .trim();
  return new Map(
    [...entries].map(([, country, code, name]) => [`${country}-${code}`.toUpperCase(), plain(name, country)]),
  );
}

/** Official languages by country, from CLDR's supplementalData.xml. */
function readOfficial(file: string): Map<string, string[]> {
  const territories = readFileSync(file, 'utf8').matchAll(/<territory type="([A-Z]{2})"[^>]*>(.*?)<\/territory>/gs);
  const tag = /<languagePopulation type="([a-z]+)[^>]*officialStatus=/g;
  return new Map(
    [...territories].map(([, country, text]) => [country, [...text.matchAll(tag)].map(([, code]) => code)]),
  );
}

const official = readOfficial(join(subdivisions, '../supplemental/supplementalData.xml'));
const tables = new Map(
  readdirSync(subdivisions)
    .filter((file) => file !== 'root.xml')
    .map((file) => [file.slice(0, -'.xml'.length), readNames(file)]),
);
const english = tables.get('en')!;
/** Languages by name, by region. */
const rows = new Map<string, Map<string, string[]>>();
/** Regions by country and name: what two have in any languages is the name of one alone, as Moskva of the region around it. */
const bearers = new Map<string, Set<string>>();
const nameIn = (code: string, name: string) => `${code.slice(0, 2)} ${fold(name)}`;
const regions = openRegions(dataset);
for (const code of [...english.keys()].filter((each) => regions.byIsoCode(each) >= 0)) {
  const country = code.slice(0, 2);
  const isTaken = (language: string) => languages.has(language) || official.get(country)?.includes(language);
  const local = tables.get(mainLanguage(country))?.get(code);
  const byName = new Map<string, string[]>();
  for (const [language, names] of tables) {
    const name = names.get(code);
    if (!isTaken(language) || language === 'en' || isMixed(code) || !name || isSlip(name)) continue;
    // What has the main name in a language needs no entry, unless the local one would be shown for it.
    if (language !== mainLanguage(country) && name === english.get(code) && (local ?? name) === name) continue;
    byName.set(name, [...(byName.get(name) ?? []), language]);
    bearers.getOrInsertComputed(nameIn(code, name), () => new Set()).add(code);
  }
  rows.set(code, byName);
}
const lines: string[] = [];
let count = 0;
for (const [code, byName] of rows) {
  const own = [...byName].filter(([name]) => bearers.get(nameIn(code, name))!.size === 1);
  const list = own.map(([name, of]) => `${of.sort().join(',')}:${name}`);
  count += own.flatMap(([, of]) => of).length;
  if (list.length > 0) lines.push(`${code}\t${list.sort().join('|')}`);
}
writeFileSync(new URL('../sources/names/cldr-regions.tsv', import.meta.url), `${lines.sort().join('\n')}\n`);
console.log(`${lines.length} regions, ${count} names`);
