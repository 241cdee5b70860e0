import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataset } from '../../src/api/open.ts';
import { buildPlaces } from '../../src/build/layers/world/places.ts';
import { type RegionRow, regionTable, writeRegions } from '../../src/build/layers/world/regions.ts';
import type { NamedFeature } from '../../src/core/place-kinds.ts';
import { RegionIndexBuilder } from '../../src/core/region-index/region-index-builder.ts';
import { orientedRing } from '../../src/core/region-index/ring.ts';
import type { PackedRules } from '../../src/core/zone-clock.ts';
import { datasetSchemaVersion, type Manifest } from '../../src/store/manifest.ts';
import { countriesFile, openCountries, openRegions, regionsFile } from '../../src/store/packed/countries.ts';
import { writePack } from '../../src/store/packed/pack-file.ts';
import { writeWordUse } from '../../src/store/packed/places.ts';
import { writeZones, zoneRulesFile, zonesFile } from '../../src/store/packed/zones.ts';
import type { Country, Store } from '../../src/store/store.ts';

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
  regions?: readonly SmallRegion[];
  /** Further names of countries by alpha-2 code. */
  countryNames?: ReadonlyMap<string, readonly string[]>;
};

/** Rules of no zone: those of the runtime hold. */
export const noRules: PackedRules = { version: 'none', zones: [], links: [] };

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
  if (zones) writeBoxes(directory, zones);
  const layer = { records: {}, dropped: {}, sources: [], files: [], buildSeconds: 0 };
  const manifest: Manifest = {
    schemaVersion: datasetSchemaVersion,
    version: 'small-world',
    builtAt: '2026-01-01T00:00:00Z',
    layers: zones ? { world: layer, zones: layer } : { world: layer },
    sources: [],
    parts: [],
  };
  writeFileSync(join(directory, 'manifest.json'), JSON.stringify(manifest));
  const store = openDataset(directory);
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
  { regions = [], countryNames = new Map() }: SmallWorldMore = {},
): Promise<void> {
  const settled = new Set(places.map(({ country }) => country));
  const codes = [...new Set([...places, ...features].flatMap(({ country }) => country || []))];
  writePack(
    join(directory, countriesFile),
    { countries: codes.map((code) => ({ ...countryNamed(code), isAssigned: settled.has(code) })) },
    {},
  );
  writeRegions(join(directory, regionsFile), regionRows(regions, codes));
  const table = join(directory, 'XX.txt');
  writeFileSync(table, `${places.map(geonamesRow).join('\n')}\n`);
  const job: Parameters<typeof buildPlaces>[0] = {
    inputs: {
      packageFile: (name) => assertUnused(name),
      packageVersion: (name) => assertUnused(name),
      userFiles: (kind) => (kind === 'geonames-places' ? [table] : []),
    },
    directory,
    progress() {},
  };
  await buildPlaces(job, openRegions(directory), openCountries(directory), countryNames, features);
  writeWordUse(directory, new Map());
}

function assertUnused(name: string): never {
  throw new Error(`a small world has no package ${name}`);
}

function countryNamed(iso2: string): Country {
  return {
    iso2,
    iso3: `${iso2}X`,
    name: new Intl.DisplayNames('en', { type: 'region' }).of(iso2) ?? iso2,
    capital: null,
    currency: null,
    currencySymbol: null,
    phoneCode: null,
    languages: [],
    continent: null,
    flag: '',
    timezone: null,
    region: null,
    isEu: false,
    population: null,
    isAssigned: true,
  };
}

function regionRows(regions: readonly SmallRegion[], codes: readonly string[]): RegionRow[] {
  const rows = regions.map(({ country, code, name, parent }) => {
    const [admin1, admin2] = parent === undefined ? [code, ''] : [parent, code];
    return { country, admin1, admin2, name, geonameId: undefined };
  });
  const { rows: table, dropped } = regionTable({
    admin1: rows.filter(({ admin2 }) => admin2 === ''),
    admin2: rows.filter(({ admin2 }) => admin2 !== ''),
    countries: new Set(codes),
    subdivisions: regions.flatMap(({ country, name, isoCode }) =>
      isoCode === undefined ? [] : { code: isoCode, name, parent: country },
    ),
    englishNames: new Map(),
    crosswalk: regions.flatMap(({ country, code, name, isoCode, frenchName }) =>
      frenchName === undefined
        ? []
        : {
            ...{ country, isoCode, admin1: code, geonameId: undefined },
            names: new Map([
              ['en', name],
              ['fr', frenchName],
            ]),
          },
    ),
    naturalEarth: [],
    subregionNames: () => () => undefined,
  });
  assert.deepEqual(dropped, {});
  return table;
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

function writeBoxes(directory: string, zones: readonly SmallZone[]): void {
  const bounds = { west: -180, south: -90, east: 180, north: 90 };
  const builder = new RegionIndexBuilder({
    bounds,
    layerOf: new Uint16Array(zones.length),
    slackDegrees: 1e-6,
    maxVertices: 64,
    minDepth: 8,
    maxDepth: 18,
  });
  const areas = zones.map(({ box: [west, south, east, north] }, value) => {
    const corners = Float64Array.of(west, south, east, south, east, north, west, north, west, south);
    return { value, rings: [orientedRing(corners, false)] };
  });
  const { meta, columns } = builder.finish(builder.subtree(bounds, 0, areas));
  const names = zones.map(({ name }) => name);
  writeZones(join(directory, zonesFile), names, meta, columns);
  writeFileSync(join(directory, zoneRulesFile), JSON.stringify(noRules));
}
