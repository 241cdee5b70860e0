/** Further names of regions of level 2: of Japan's municipalities and China's prefectures in their own letters, of others without *The*. */
import { readChinaAreas, readJapaneseMunicipalities } from '../../../sources/east-asian-areas.ts';
import type { AdminRow } from '../../../sources/geonames-admin.ts';
import { hepburn } from '../../../text/kana.ts';
import { type Admin1ByName, japaneseKey } from './municipalities.ts';

/** The name of a region of level 2 and its language; undefined where none is known. */
export type SubregionName = (row: AdminRow) => [language: string, name: string] | undefined;

/**
 * Makes the look-up. GeoNames numbers China's prefectures as the state does; its Latin names of Japan's municipalities are how
 * these are read, which no two of a prefecture share with the word for their kind.
 */
export function subregionNames(japanese: string, chinese: string, admin1Of: Admin1ByName): SubregionName {
  const ofJapan = new Map<string, string[]>();
  for (const { prefecture, name, reading, isWardOfCity } of readJapaneseMunicipalities(japanese)) {
    const key = `${admin1Of('JP', prefecture)} ${japaneseKey(hepburn(reading))}`;
    if (!isWardOfCity) ofJapan.set(key, [...(ofJapan.get(key) ?? []), name]);
  }
  const ofChina = new Map(readChinaAreas(chinese).map(({ code, name }) => [code, name]));
  return ({ country, admin1, admin2, name }) => {
    if (country === 'CN') {
      const found = ofChina.get(`${admin2}00`);
      return found === undefined ? undefined : ['zh', found];
    }
    // The Scottish Borders are typed without the article; otherwise only the landmark The Borders has these words.
    if (country !== 'JP') return name.startsWith('The ') ? ['und', name.slice('The '.length)] : undefined;
    const found = ofJapan.get(`${admin1} ${japaneseKey(name)}`) ?? [];
    return found.length === 1 ? ['ja', found[0]] : undefined;
  };
}
