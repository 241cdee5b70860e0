/**
 * Municipalities of Japan and China with their names in Chinese characters, and keys of how these sound.
 *
 * Names in Chinese characters for the default places of Japan and China that have them in Latin letters only.
 */

import type { GeonamesPlace } from '../../../sources/geonames.ts';
import {
  type ChinaArea,
  type JapaneseMunicipality,
  readChinaAreas,
  readJapaneseMunicipalities,
} from '../../../sources/place-lists.ts';
import type { Regions } from '../../../store/store.ts';
import { fold } from '../../../text/fold.ts';
import { hepburn, japaneseSpellingKey, toAscii } from '../../../text/scripts.ts';
import words from './municipality-words.json' with { type: 'json' };

/** The GeoNames code of a country's region of level 1 with a name; undefined where there is not exactly one. */
export type Admin1ByName = (country: 'JP' | 'CN', name: string) => string | undefined;

/** Words for the kind of a municipality, and how they are read. */
const japaneseKinds: Record<string, readonly string[]> = words.japaneseKinds;

const englishKind = / (?:city|town|village|county|district)$/;

/** The key of a Latin spelling of a Japanese name. */
export const japaneseKey = (name: string): string => japaneseSpellingKey(fold(name).replace(englishKind, ''));

/** The key of a Latin spelling of a Chinese name. */
const chineseKey = (name: string): string =>
  fold(name)
    .replace(englishKind, '')
    .replace(/ (?:shi|xian|qu)$/, '')
    .replace(/[^a-z]/g, '');

/** Japan's municipalities, the wards of Tokyo among them; those of other cities are no places of GeoNames. */
function japaneseMunicipalities(text: string, admin1Of: Admin1ByName): ReadMunicipality[] {
  const rows = readJapaneseMunicipalities(text);
  const isOnly = onlyOnes(rows.map(({ name, prefecture }) => [name.slice(0, -1), prefecture]));
  return rows.flatMap(({ code, prefecture, name, reading, isWardOfCity }: JapaneseMunicipality) => {
    const admin1 = admin1Of('JP', prefecture);
    const kind = japaneseKinds[name.at(-1)!]?.find((word) => reading.endsWith(word));
    if (admin1 === undefined || kind === undefined || isWardOfCity) return [];
    const stem = name.slice(0, -1);
    // Towns and villages of a district (郡) have numbers of the same twenty.
    const district = `${code.slice(0, 2)} ${Math.ceil(Number(code.slice(2, 5)) / 20)}`;
    const stemKey = japaneseKey(hepburn(reading.slice(0, -kind.length)));
    const fullKey = japaneseKey(hepburn(reading));
    return [{ admin1, admin2: undefined, stemKey, fullKey, stem, names: namesOf(stem, name, isOnly), district }];
  });
}

const chineseKinds = /(?:特别行政区|自治州|自治县|自治旗|地区|林区|新区|矿区|市|区|县|旗|盟)$/;
/** Prefectures that are no city. */
const wide = /(?:自治州|地区|盟)$/;
const peoples = new RegExp(`(?:(?:${words.chinesePeoples.replaceAll(' ', '|')})族?)+$`);
/** Provinces that are one city, whose prefectures GeoNames numbers otherwise. */
const cityProvinces = ['11', '12', '31', '50'];

/** China's prefectures, counties, and districts of cities. */
function chineseMunicipalities(text: string, admin1Of: Admin1ByName): ReadMunicipality[] {
  const areas = readChinaAreas(text).map((area) => ({ ...area, stem: chineseStem(area) }));
  const admin1 = new Map(areas.filter(isProvince).map(({ code, name }) => [code.slice(0, 2), admin1Of('CN', name)]));
  const isOnly = onlyOnes(areas.map(({ stem, code }) => [stem, code.slice(0, 4)]));
  return areas.flatMap((area) => {
    const { code, name, stem } = area;
    const province = admin1.get(code.slice(0, 2));
    if (isProvince(area) || province === undefined || stem.length < 2) return [];
    const admin2 = cityProvinces.includes(code.slice(0, 2)) ? undefined : code.slice(0, 4);
    const key = toAscii(stem).toLowerCase();
    // A county's seat is called what the county is, without the word for it; the city of a prefecture has not its full name.
    const [full, short] = namesOf(stem, name, isOnly);
    const names = (wide.test(name) ? [short] : /[市区]$/.test(name) ? [full, short] : [short, full]).filter(
      (each) => each !== undefined,
    );
    if (names.length === 0) return [];
    return [{ admin1: province, admin2, stemKey: key, fullKey: key, stem, names }];
  });
}

const isProvince = ({ code }: ChinaArea) => code.endsWith('0000');

function chineseStem({ name }: ChinaArea): string {
  const stem = name.replace(chineseKinds, '');
  return name.includes('自治') ? stem.replace(peoples, '') : stem;
}

/** The full name, and the short one where it is long enough to mean a place and belongs to one part of the country. */
const namesOf = (stem: string, full: string, isOnly: (stem: string) => boolean) =>
  stem.length > 1 && isOnly(stem) ? [full, stem] : [full];

function onlyOnes(stems: readonly (readonly [stem: string, region: string])[]): (stem: string) => boolean {
  const regions = new Map<string, Set<string>>();
  for (const [stem, region] of stems) regions.getOrInsertComputed(stem, () => new Set()).add(region);
  return (stem) => regions.get(stem)!.size === 1;
}

/** Regions of level 2 that are no municipality: Japan's districts and the offices of its islands. */
const districts = /(?:gun|shicho)$/;

/** The places, those that were joined with the names of their municipality as names in use. */
export function withLocalNames(
  places: readonly GeonamesPlace[],
  regions: Pick<Regions, 'find' | 'get' | 'matching'>,
  texts: { japan: string; china: string },
): GeonamesPlace[] {
  const admin1Of: Admin1ByName = (country, name) => {
    const found = regions.matching(country, name);
    return found.length === 1 ? regions.get(found[0]).sourceCode : undefined;
  };
  const countries: Record<'JP' | 'CN', ReadCountry> = {
    JP: {
      municipalities: japaneseMunicipalities(texts.japan, admin1Of),
      keyOf: japaneseKey,
      municipalityOf({ admin1Code, admin2Code }) {
        const region = admin2Code === '' ? -1 : regions.find('JP', admin1Code, admin2Code);
        const key = region < 0 ? '' : japaneseKey(regions.get(region).name);
        return key === '' || districts.test(key) ? undefined : key;
      },
    },
    CN: {
      municipalities: chineseMunicipalities(texts.china, admin1Of),
      keyOf: chineseKey,
      municipalityOf: () => undefined,
    },
  };
  const names = new Map(
    Object.entries(countries).flatMap(([code, country]) => [
      ...namesByReading(
        places.filter((place) => place.country === code),
        country,
      ),
    ]),
  );
  return places.map((place) => {
    const local = names.get(place.id);
    return local ? { ...place, atlasNames: [...(place.atlasNames ?? []), ...local] } : place;
  });
}

// Names of municipalities in their country's own letters, for places that sources have in Latin letters only. They are
// joined by sound: within one region, a place whose name is spelled as the municipality's is read.

/** A municipality to find among places. Keys are spellings without what spellings of one name differ in. */
type ReadMunicipality = {
  /** GeoNames' codes of the region of level 1 that it is in, and of level 2 where that is known. */
  admin1: string;
  admin2: string | undefined;
  /** Key of the name alone, and of the name with the word for its kind: shibuya, shibuyaku. */
  stemKey: string;
  fullKey: string;
  /** Its name in its own letters without the word for its kind: 渋谷. */
  stem: string;
  /** The names to add, the one to show first. */
  names: readonly string[];
  /** Municipalities of one district are in one region of level 2; undefined where that is not known. */
  district?: string;
};

type ReadCountry = {
  municipalities: readonly ReadMunicipality[];
  /** The key of a Latin name. */
  keyOf(name: string): string;
  /** Key of the name of a place's region of level 2, if that is a municipality; undefined where it is not. */
  municipalityOf(place: GeonamesPlace): string | undefined;
};

/**
 * The names to add to places of a country, by identifier. A municipality that some place of its sound is already called
 * after adds nothing, nor does one that shares its sound with another or has several places none of which is the seat.
 */
function namesByReading(
  places: readonly GeonamesPlace[],
  { municipalities, keyOf, municipalityOf }: ReadCountry,
): Map<number, readonly string[]> {
  const byKey = placesByKey(places, keyOf);
  const sharing = Map.groupBy(municipalities, soundOf);
  const districts = new Districts();
  const open: { municipality: ReadMunicipality; candidates: GeonamesPlace[] }[] = [];
  for (const municipality of municipalities) {
    const { admin1, admin2, stemKey, fullKey } = municipality;
    const found = [...new Set([stemKey, fullKey])].flatMap((key) => byKey.get(`${admin1} ${key}`) ?? []);
    const candidates = found.filter((place) => admin2 === undefined || place.admin2Code === admin2);
    const called = candidates.find((place) => isCalled(place, municipality));
    if (called) districts.add(municipality, called);
    else if (candidates.length > 0) open.push({ municipality, candidates });
  }
  const names = new Map<number, readonly string[]>();
  for (const { municipality, candidates } of open) {
    // Its own region of level 2 is certain; another place may be it where no other municipality sounds alike.
    const certain = candidates.filter((place) => municipalityOf(place) === municipality.fullKey);
    const isAlone = sharing.get(soundOf(municipality))!.every(({ stem }) => stem === municipality.stem);
    const possible = candidates.filter(
      (place) => municipalityOf(place) === undefined && districts.allow(municipality, place),
    );
    const place = seatOf(certain.length > 0 ? certain : isAlone ? possible : []);
    // A village with another name in these letters is another place of that sound.
    const isOther = place && place.population === 0 && namesInOwnLetters(place).length > 0;
    if (place && !isOther && !names.has(place.id)) names.set(place.id, municipality.names);
  }
  return names;
}

const soundOf = ({ admin1, admin2 = '', stemKey }: ReadMunicipality) => `${admin1} ${admin2} ${stemKey}`;

const namesInOwnLetters = ({ name, alternateNames }: GeonamesPlace) =>
  [name, ...alternateNames].filter((each) => /\p{Script=Han}/u.test(each));

/** Whether a place has a municipality's name already, with whatever word for its kind. */
const isCalled = (place: GeonamesPlace, { stem, names }: ReadMunicipality) =>
  [place.name, ...place.alternateNames].some((name) => {
    const own = name.trim();
    return names.includes(own) || (own.startsWith(stem) && own.length <= stem.length + 1);
  });

function placesByKey(places: readonly GeonamesPlace[], keyOf: (name: string) => string): Map<string, GeonamesPlace[]> {
  const byKey = new Map<string, GeonamesPlace[]>();
  for (const place of places) {
    const { name, asciiName, otherMainName = name, admin1Code } = place;
    for (const key of new Set([name, asciiName, otherMainName].map((each) => `${admin1Code} ${keyOf(each)}`))) {
      byKey.getOrInsertComputed(key, () => []).push(place);
    }
  }
  return byKey;
}

/** Which districts the regions of level 2 are, as far as places that have their names already tell. */
class Districts {
  readonly #ofRegion = new Map<string, Set<string>>();

  add({ admin1, district }: ReadMunicipality, { admin2Code }: GeonamesPlace): void {
    if (district === undefined || admin2Code === '') return;
    this.#ofRegion.getOrInsertComputed(`${admin1} ${admin2Code}`, () => new Set()).add(district);
  }

  /** Whether a place may be in a municipality's district: its region is known as that one, or as none. */
  allow({ admin1, district }: ReadMunicipality, { admin2Code }: GeonamesPlace): boolean {
    if (district === undefined || admin2Code === '') return true;
    return this.#ofRegion.get(`${admin1} ${admin2Code}`)?.has(district) ?? true;
  }
}

const seats = ['PPLC', 'PPLG', 'PPLA', 'PPLA2', 'PPLA3', 'PPLA4'];

/** The only place, or the only seat of government, or the only one whose people are counted. */
function seatOf(places: readonly GeonamesPlace[]): GeonamesPlace | undefined {
  if (places.length <= 1) return places[0];
  const seated = places.filter(({ featureCode }) => seats.includes(featureCode));
  if (seated.length > 0) return seated.length === 1 ? seated[0] : undefined;
  const counted = places.filter(({ population }) => population > 0);
  return counted.length === 1 ? counted[0] : undefined;
}
