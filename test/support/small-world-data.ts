/** The rows of the small dataset: a handful of real countries, regions and places with rounded positions. */

const columnsOfCountries = [
  ...(['iso2', 'iso3', 'name', 'capital', 'currency', 'symbol', 'phone', 'languages'] as const),
  ...(['continent', 'region', 'timezone', 'eu', 'population'] as const),
];
export type CountryRow = Partial<Record<(typeof columnsOfCountries)[number], string>> & { iso2: string };

const country = (...[iso2, ...values]: string[]): CountryRow =>
  Object.fromEntries(columnsOfCountries.map((column, at) => [column, [iso2, ...values][at]])) as CountryRow;

/** A table in the form of sources/names/country-facts.csv, with Kosovo, which every world has. */
export const countryTable = (rows: readonly CountryRow[]): string =>
  [columnsOfCountries.join(), ...[...rows.filter(({ iso2 }) => iso2 !== 'XK'), kosovo].map(lineOf)].join('\n');

const lineOf = (row: CountryRow) =>
  columnsOfCountries.map((column) => `"${(row[column] ?? '').replaceAll('"', '""')}"`).join();

const kosovo = country(
  ...['XK', 'XKX', 'Kosovo', 'Pristina', 'EUR', '€', '+383', 'Albanian', 'Europe', 'Europe', '', '', '1900000'],
);

export const countryRows: readonly CountryRow[] = [
  ['DE', 'DEU', 'Germany', 'Berlin', 'EUR', '€', '+49', 'German', 'Europe', 'Western Europe', 'Europe/Berlin', 'yes'],
  ['FR', 'FRA', 'France', 'Paris', 'EUR', '€', '+33', 'French', 'Europe', 'Western Europe', 'Europe/Paris', 'yes'],
  [
    'GB',
    'GBR',
    'United Kingdom',
    'London',
    'GBP',
    '£',
    '+44',
    'English',
    'Europe',
    'Northern Europe',
    'Europe/London',
    '',
  ],
  [
    'US',
    'USA',
    'United States',
    'Washington, D.C.',
    'USD',
    '$',
    '+1',
    'English',
    'North America',
    'Northern America',
    'America/New_York',
    '',
  ],
  ['JP', 'JPN', 'Japan', 'Tokyo', 'JPY', '¥', '+81', 'Japanese', 'Asia', 'Eastern Asia', 'Asia/Tokyo', ''],
].map((values, at) => country(...values, String([83_000_000, 68_000_000, 67_000_000, 331_000_000, 125_000_000][at])));

/** Country, gazetteer code, ISO 3166-2 code, name, name in the country's language. */
export const regionRows = [
  ['DE', '16', 'DE-BE', 'Berlin', 'Berlin'],
  ['DE', '02', 'DE-BY', 'Bavaria', 'Bayern'],
  ['FR', '11', 'FR-IDF', 'Île-de-France', 'Île-de-France'],
  ['GB', 'ENG', 'GB-ENG', 'England', 'England'],
  ['US', 'DC', 'US-DC', 'Washington, D.C.', 'District of Columbia'],
  ['US', 'TX', 'US-TX', 'Texas', 'Texas'],
  ['US', 'IL', 'US-IL', 'Illinois', 'Illinois'],
  ['US', 'MO', 'US-MO', 'Missouri', 'Missouri'],
  ['JP', '40', 'JP-13', 'Tokyo', '東京都'],
] as const;

/** Second-level regions: country, region, code, name. */
export const subregionRows = [
  ['DE', '02', '091', 'Upper Bavaria'],
  ['US', 'TX', '277', 'Lamar County'],
  ['US', 'IL', '167', 'Sangamon County'],
] as const;

type PlaceRow = readonly [
  id: number,
  name: string,
  otherNames: string,
  lat: number,
  lng: number,
  feature: string,
  country: string,
  admin1: string,
  admin2: string,
  population: number,
  timezone: string,
];

export const placeRows: readonly PlaceRow[] = [
  [2950159, 'Berlin', 'Berlino,Берлин,ベルリン', 52.52, 13.41, 'PPLC', 'DE', '16', '', 3_426_354, 'Europe/Berlin'],
  [
    2867714,
    'Munich',
    'München,Monaco di Baviera,Мюнхен',
    48.14,
    11.58,
    'PPLA',
    'DE',
    '02',
    '091',
    1_260_391,
    'Europe/Berlin',
  ],
  [2867993, 'Münchberg', '', 50.19, 11.79, 'PPL', 'DE', '02', '', 10_900, 'Europe/Berlin'],
  [2988507, 'Paris', 'Parigi,Париж,パリ', 48.85, 2.35, 'PPLC', 'FR', '11', '', 2_138_551, 'Europe/Paris'],
  [2643743, 'London', 'Londres,Londra,Лондон', 51.51, -0.13, 'PPLC', 'GB', 'ENG', '', 8_961_989, 'Europe/London'],
  [4140963, 'Washington', 'Washington D.C.', 38.9, -77.04, 'PPLC', 'US', 'DC', '', 601_723, 'America/New_York'],
  [4717560, 'Paris', '', 33.66, -95.56, 'PPLA2', 'US', 'TX', '277', 24_839, 'America/Chicago'],
  [4250542, 'Springfield', '', 39.8, -89.64, 'PPLA', 'US', 'IL', '167', 114_230, 'America/Chicago'],
  [4409896, 'Springfield', '', 37.22, -93.3, 'PPLA2', 'US', 'MO', '', 166_810, 'America/Chicago'],
  [1850147, 'Tokyo', '東京,とうきょう,Токио', 35.69, 139.69, 'PPLC', 'JP', '40', '', 9_733_276, 'Asia/Tokyo'],
  [1850144, 'Shibuya', '渋谷区', 35.66, 139.7, 'PPLX', 'JP', '40', '', 0, 'Asia/Tokyo'],
];

/** Country, code, place, region, lat, lng. */
export const postalRows = [
  ['DE', '10115', 'Berlin', 'Berlin', 52.532, 13.384],
  ['DE', '80331', 'München', 'Bayern', 48.135, 11.571],
  ['FR', '75001', 'Paris', 'Île-de-France', 48.86, 2.341],
  ['GB', 'SW1A', 'London', 'England', 51.504, -0.136],
  ['US', '75460', 'Paris', 'Texas', 33.66, -95.55],
  ['US', '62701', 'Springfield', 'Illinois', 39.8, -89.65],
  ['JP', '1000001', 'Chiyoda', 'Tokyo', 35.685, 139.752],
  // The world has no such countries; without codes of a user, those of the default packages are read.
  ['IN', '110001', 'New Delhi', 'Delhi', 28.63, 77.22],
  ['CA', 'K1A', 'Ottawa', 'Ontario', 45.42, -75.7],
] as const;

/** Zone and country areas as boxes: west, south, east, north. */
export const boxes = [
  ['DE', 'Europe/Berlin', 6, 47.3, 15, 55],
  ['FR', 'Europe/Paris', -5, 42.3, 6, 51],
  ['GB', 'Europe/London', -8, 51.1, 2, 60],
  ['US', 'America/Chicago', -105, 25, -85, 49],
  ['US', 'America/New_York', -85, 25, -67, 47],
  ['JP', 'Asia/Tokyo', 129, 30, 146, 46],
] as const;

/** The box of Berlin. */
export const berlinBox = [13, 52.3, 13.8, 52.7] as const;

/** First and last IPv4 address of a block, the length of its prefix, and what is known of it. */
export const ipRows = [
  [
    '1.0.0.0',
    '1.0.0.255',
    24,
    { country: 'JP', city: 'Tokyo', admin1: 'Tokyo', lat: 35.69, lng: 139.69, timezone: 'Asia/Tokyo' },
  ],
  [
    '2.16.0.0',
    '2.16.255.255',
    16,
    { country: 'DE', city: 'Berlin', admin1: 'Berlin', lat: 52.52, lng: 13.41, timezone: 'Europe/Berlin' },
  ],
  [
    '8.8.8.0',
    '8.8.8.255',
    24,
    { country: 'US', city: null, admin1: null, lat: 37.751, lng: -97.822, timezone: 'America/Chicago' },
  ],
] as const;
