/**
 * Municipalities of Japan and China with their names in Chinese characters, and keys of how these sound.
 *
 * Names in Chinese characters for the default places of Japan and China that have them in Latin letters only.
 */
import {
  type ChinaArea,
  type JapaneseMunicipality,
  readChinaAreas,
  readJapaneseMunicipalities,
} from '../../../sources/east-asian-areas.ts';
import type { GeonamesPlace } from '../../../sources/geonames-places.ts';
import type { Regions } from '../../../store/store.ts';
import { fold } from '../../../text/fold.ts';
import { hepburn, japaneseSpellingKey } from '../../../text/kana.ts';
import { toAscii } from '../../../text/latin.ts';
import { namesByReading, type ReadCountry, type ReadMunicipality } from './names-by-reading.ts';

/** The GeoNames code of a country's region of level 1 with a name; undefined where there is not exactly one. */
export type Admin1ByName = (country: 'JP' | 'CN', name: string) => string | undefined;

/** Words for the kind of a municipality, and how they are read. */
const japaneseKinds: Record<string, readonly string[]> = {
  市: ['し'],
  区: ['く'],
  町: ['まち', 'ちょう'],
  村: ['むら', 'そん'],
};

const englishKind = / (?:city|town|village|county|district)$/;

/** The key of a Latin spelling of a Japanese name. */
export const japaneseKey = (name: string): string => japaneseSpellingKey(fold(name).replace(englishKind, ''));

/** The key of a Latin spelling of a Chinese name. */
export const chineseKey = (name: string): string =>
  fold(name)
    .replace(englishKind, '')
    .replace(/ (?:shi|xian|qu)$/, '')
    .replace(/[^a-z]/g, '');

/** Japan's municipalities, the wards of Tokyo among them; those of other cities are no places of GeoNames. */
export function japaneseMunicipalities(text: string, admin1Of: Admin1ByName): ReadMunicipality[] {
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
const peoples = new RegExp(
  `(?:(?:${[
    '蒙古 回 藏 维吾尔 苗 彝 壮 布依 朝鲜 满 侗 瑶 白 土家 哈尼 哈萨克 傣 黎 傈僳 佤 畲 高山 拉祜 水 东乡 纳西 景颇 柯尔克孜',
    '土 达斡尔 仫佬 羌 布朗 撒拉 毛南 仡佬 锡伯 阿昌 普米 塔吉克 怒 鄂温克 德昂 保安 裕固 独龙 鄂伦春 各',
  ]
    .join(' ')
    .replaceAll(' ', '|')})族?)+$`,
);
/** Provinces that are one city, whose prefectures GeoNames numbers otherwise. */
const cityProvinces = ['11', '12', '31', '50'];

/** China's prefectures, counties, and districts of cities. */
export function chineseMunicipalities(text: string, admin1Of: Admin1ByName): ReadMunicipality[] {
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
  for (const [stem, region] of stems) regions.set(stem, (regions.get(stem) ?? new Set()).add(region));
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
      ).names,
    ]),
  );
  return places.map((place) => {
    const local = names.get(place.id);
    return local ? { ...place, atlasNames: [...(place.atlasNames ?? []), ...local] } : place;
  });
}
