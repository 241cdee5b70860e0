/**
 * Where the sources of country data are silent or wrong: facts by alpha-2 code, each with its reason. Everything
 * else comes from the sources as they are.
 */

/** English names where countries-list leaves out diacritics or part of the country, or keeps an older name. */
export const names: Readonly<Record<string, string>> = {
  AX: 'Åland Islands',
  BL: 'Saint Barthélemy',
  BQ: 'Bonaire, Sint Eustatius and Saba',
  CI: "Côte d'Ivoire",
  CW: 'Curaçao',
  RE: 'Réunion',
  SH: 'Saint Helena, Ascension and Tristan da Cunha',
  ST: 'São Tomé and Príncipe',
  TL: 'Timor-Leste',
  UM: 'United States Minor Outlying Islands',
};

/** Capitals where countries-list has none, a district of it, a misspelling or a name no longer used. */
export const capitals: Readonly<Record<string, string>> = {
  HK: 'Hong Kong', // the list has the colonial City of Victoria
  MN: 'Ulaanbaatar',
  MO: 'Macao',
  PF: 'Papeete',
  SM: 'San Marino',
  SZ: 'Mbabane', // seat of government; the list has Lobamba, seat of the parliament
  US: 'Washington, D.C.',
};

/** Calling codes where countries-list runs the country's code and an area's together (ITU E.164 assignments). */
export const phoneCodes: Readonly<Record<string, string>> = {
  BQ: '+599',
  CW: '+599',
  SJ: '+47',
  VA: '+39', // Rome's 06 698; +379 is assigned to it and has never been in use
  XK: '+383', // +377, Monaco's code, until 2016
};

/** Islands that give the countries without any place in the gazetteer a position. Nobody lives there. */
export const islands: readonly { country: string; name: string; geonamesId: string; lat: number; lng: number }[] = [
  { country: 'BV', name: 'Bouvet Island', geonamesId: '3371123', lat: -54.42, lng: 3.36 },
  { country: 'HM', name: 'Heard Island', geonamesId: '1547314', lat: -53.1, lng: 73.51 },
];

/** Continents where countries-list goes by area and the world by the capital, and where it differs from UN M49 (035, South-eastern Asia). */
export const continents: Readonly<Record<string, string>> = { RU: 'EU', TL: 'AS' };

/** Inhabitants where CLDR counts one so as not to divide by zero: there are none. */
export const populations: Readonly<Record<string, number>> = { BV: 0, HM: 0 };

/**
 * Zones of countries that have no capital row in GeoNames: the zone of the seat of government, else that of the
 * only settlement or the largest station. Hanoi is in a zone of Thailand, which has shared its history; the country's own is Asia/Ho_Chi_Minh
 * (`zone.tab` of the tz database). Bouvet and Heard Island have neither inhabitants nor a zone of their own in
 * the tz database: theirs is the zone by longitude, which /timezone answers for them too.
 */
export const timezones: Readonly<Record<string, string>> = {
  AQ: 'Antarctica/McMurdo', // largest station
  BV: 'Etc/GMT',
  EH: 'Africa/El_Aaiun',
  HM: 'Etc/GMT-5',
  IL: 'Asia/Jerusalem',
  IO: 'Indian/Chagos',
  PS: 'Asia/Hebron', // Ramallah
  TK: 'Pacific/Fakaofo',
  UM: 'Pacific/Wake', // the inhabited one
  VN: 'Asia/Ho_Chi_Minh',
};

/**
 * Official languages where the rule (countries-list, as far as CLDR knows an official status) misses some: national
 * languages that ISO 639-1 has no code for, and changes of law. Where a law has official languages and languages of work,
 * these follow those: Burkina Faso's constitution as revised in January 2024, Mali's of July 2023, Niger's charter of March 2025,
 * Ethiopia's federal working languages of 2020. Others: South Africa's constitution, section 6 (without its sign language), that of the
 * Comoros, article 9, of Seychelles, section 4, of the Congo (2006), article 1, of the Northern Mariana Islands, article XXII; Te Reo
 * Maori Act of the Cook Islands, 2003.
 */
export const languages: Readonly<Record<string, readonly string[]>> = {
  AW: ['nl', 'pap'],
  BF: ['mos', 'bib', 'dyu', 'ff', 'fr', 'en'],
  BI: ['rn', 'fr', 'en'],
  BV: ['nb', 'nn'],
  CD: ['fr', 'ln', 'kg', 'sw', 'lua'],
  CH: ['de', 'fr', 'it', 'rm'],
  CK: ['en', 'rar'],
  CW: ['nl', 'pap', 'en'],
  DZ: ['ar', 'tzm'],
  EH: ['ar'],
  ET: ['am', 'om', 'so', 'ti', 'aa'],
  FJ: ['en', 'fj', 'hif'],
  GQ: ['es', 'fr', 'pt'],
  IQ: ['ar', 'ku'],
  KI: ['en', 'gil'],
  KM: ['swb', 'ar', 'fr'],
  MA: ['ar', 'tzm'],
  ME: ['cnr'],
  MK: ['mk', 'sq'],
  ML: ['bm', 'bmq', 'boz', 'dtm', 'ff', 'mey', 'kao', 'mwk', 'myk', 'sef', 'snk', 'ses', 'taq', 'fr'],
  MP: ['en', 'ch', 'cal'],
  NE: ['ha', 'fr', 'en'],
  NO: ['nb', 'nn'],
  NU: ['niu', 'en'],
  PG: ['en', 'ho', 'tpi'],
  PH: ['fil', 'en'],
  PW: ['pau', 'en'],
  RW: ['rw', 'en', 'fr', 'sw'],
  SC: ['crs', 'en', 'fr'],
  SJ: ['nb', 'nn'],
  TK: ['tkl', 'en'],
  TL: ['pt', 'tet'],
  TV: ['tvl', 'en'],
  VA: ['it', 'la'],
  ZA: ['zu', 'xh', 'af', 'en', 'nso', 'tn', 'st', 'ts', 'ss', 've', 'nr'],
};

/** English names of languages that CLDR has none for, or an unusual one. */
export const languageNames: Readonly<Record<string, string>> = {
  bib: 'Bissa',
  bmq: 'Bomu',
  boz: 'Bozo',
  cal: 'Carolinian',
  crs: 'Seychellois Creole',
  dtm: 'Dogon',
  kao: 'Kassonke',
  lua: 'Tshiluba',
  mey: 'Hassaniya',
  mos: 'Mooré',
  mwk: 'Maninke',
  myk: 'Minyanka',
  rar: 'Cook Islands Māori',
  sef: 'Senufo',
  ses: 'Songhay',
  taq: 'Tamasheq',
};
