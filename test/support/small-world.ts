import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LayerJob } from '../../src/build/layer.ts';
import { buildPlaces } from '../../src/build/layers/world/places.ts';
import type { NamedFeature } from '../../src/core/named-feature.ts';
import { RegionIndexBuilder } from '../../src/core/region-index/region-index-builder.ts';
import { orientedRing } from '../../src/core/region-index/ring.ts';
import { datasetSchemaVersion } from '../../src/store/manifest.ts';
import type { Manifest } from '../../src/store/manifest-format.ts';
import { openDataset } from '../../src/store/open.ts';
import { countriesFile, openCountries } from '../../src/store/packed/countries.ts';
import { writePack } from '../../src/store/packed/pack-file.ts';
import { openRegions, regionsFile } from '../../src/store/packed/regions.ts';
import { writeZones, zonesFile } from '../../src/store/packed/zones.ts';
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
};

/** A zone as the rectangle [west, south, east, north]. */
export type SmallZone = { name: string; box: readonly [number, number, number, number] };

/**
 * A dataset of a few places in countries, with rectangular time zones, written by the real builders and opened as the
 * server opens it; without regions. `close` removes its directory. Without `zones` it has no such layer.
 */
export async function smallWorld(
  places: readonly SmallPlace[],
  zones?: readonly SmallZone[],
  features?: readonly NamedFeature[],
): Promise<{ store: Store; close: () => Promise<void> }> {
  const directory = mkdtempSync(join(tmpdir(), 'whereabouts-small-world-'));
  await writeSmallWorld(directory, places, features);
  if (zones) writeBoxes(join(directory, zonesFile), zones);
  const layer = { records: {}, dropped: {}, sources: [], files: [], buildSeconds: 0 };
  const manifest: Manifest = {
    schemaVersion: datasetSchemaVersion,
    version: 'small-world',
    builtAt: '2026-01-01T00:00:00Z',
    layers: zones ? { world: layer, zones: layer } : { world: layer },
    sources: [],
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
): Promise<void> {
  const settled = new Set(places.map(({ country }) => country));
  const codes = [...new Set([...places, ...features].flatMap(({ country }) => country ?? []))];
  writePack(
    join(directory, countriesFile),
    { countries: codes.map((code) => ({ ...countryNamed(code), isAssigned: settled.has(code) })) },
    {},
  );
  writeNoRegions(join(directory, regionsFile));
  const table = join(directory, 'XX.txt');
  writeFileSync(table, `${places.map(geonamesRow).join('\n')}\n`);
  const job: LayerJob = {
    inputs: {
      packageFile: (name) => assertUnused(name),
      packageVersion: (name) => assertUnused(name),
      userFiles: (kind) => (kind === 'geonames-places' ? [table] : []),
    },
    directory,
    progress() {},
  };
  await buildPlaces(job, openRegions(directory), openCountries(directory), new Map(), features);
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

function writeNoRegions(path: string): void {
  const none = new Uint32Array(0);
  writePack(
    path,
    { languages: [] },
    {
      country: new Uint16Array(0),
      name: none,
      sourceCode: none,
      isoCode: none,
      parent: new Int32Array(0),
      nameEnds: none,
      nameLanguages: new Uint8Array(0),
      nameTexts: none,
      stringBytes: new Uint8Array(0),
      stringEnds: none,
    },
  );
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
    '',
    '',
    '',
    '',
    population,
    '',
    '',
    timezone,
  ];
  return [...row, '2026-01-01'].join('\t');
}

function writeBoxes(path: string, zones: readonly SmallZone[]): void {
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
  writeZones(
    path,
    zones.map(({ name }) => name),
    meta,
    columns,
  );
}
