/** Reads a `langs/<language>.json` of the npm package i18n-iso-countries: names of countries by alpha-2 code. */
export function readTranslatedNames(text: string): Map<string, string[]> {
  const { countries } = JSON.parse(text) as { countries: Record<string, string | string[]> };
  return new Map(Object.entries(countries).map(([code, names]) => [code, [names].flat()]));
}
