/** The lists of other people that the table of landmarks is compared with (../shared/data/landmarks, its README). */
import { join } from 'node:path';
import {
  bytes,
  csv,
  districtsOfCodes,
  type Entry,
  entryOf,
  features,
  geocoderTester,
  geonames,
  inMetres,
  lighthouses,
  naturalEarthPoint,
  naturalEarthShapes,
  type Open,
  universities,
  wikidata,
} from './list-formats.ts';
import type { Landmark } from './table.ts';

export type List = {
  name: string;
  /** How far its positions may lie from the thing itself, in km, by the faults that its README tells. */
  slackKm: number;
  /** The rows that it can confirm, where not all: a castle is not where its town's station is. */
  confirms?: (row: Landmark) => boolean;
  /** Whether it names cities and their quarters, after which the sights in them are called. */
  isOfPlaces?: boolean;
  entries: readonly Entry[];
};

/** Reads every list of a folder; throws where one is missing. */
export async function readLists(folder: string): Promise<List[]> {
  const lists: List[] = [];
  for (const [name, slackKm, read, confirms] of readers) {
    const entries = [...(await read((file) => bytes(join(folder, file)), folder))];
    lists.push({
      name,
      slackKm,
      confirms,
      isOfPlaces: name === 'geonames-cities15000',
      entries: entries.filter(
        ({ names, lat, lng }) => names.length > 0 && Number.isFinite(lat) && Number.isFinite(lng),
      ),
    });
  }
  return lists;
}

/** A list of a person's own: CSV with the columns names (`|` between them), lat and lng. */
export function readOwnList(name: string, path: string, onlyKinds?: readonly string[]): List {
  const entries = csv(bytes(path)).map((row) => entryOf(row.names.split('|'), row.lat, row.lng));
  return { name, slackKm: 0.5, confirms: onlyKinds && ofKind(...onlyKinds), entries };
}

const ofKind =
  (...kinds: readonly string[]) =>
  ({ cells }: Landmark) =>
    kinds.includes(cells.kind);
/** Buildings are not confirmed by the lake or the mountain beside them, whose name they often bear. */
const outdoors = ({ file }: Landmark) => file !== 'sights';

type Read = (open: Open, folder: string) => Iterable<Entry> | Promise<Entry[]>;

const readers: readonly [name: string, slackKm: number, read: Read, confirms?: List['confirms']][] = [
  [
    'castles-wikidata',
    0.3,
    (open) => csv(open('castles-wikidata.csv.gz')).map((row) => entryOf([row.name], row.lat, row.lon, -row.fame_rank)),
  ],
  ['wikidata-attractions', 0.3, (open) => wikidata(open('wikidata-attractions.txt.gz'), 'visitors')],
  ['wikidata-museums', 0.3, (open) => wikidata(open('wikidata-museums.txt.gz'), 'visitors')],
  ['wikidata-skyscrapers', 0.3, (open) => wikidata(open('wikidata-skyscrapers.txt.gz'), 'height').map(inMetres)],
  ['geocoder-tester-museum', 0.3, (open) => geocoderTester(open('geocoder-tester-museum.csv'))],
  ['geocoder-tester-wikivoyage_fr', 0.5, (open) => geocoderTester(open('geocoder-tester-wikivoyage_fr.csv'))],
  [
    'geocoder-tester-stations_de',
    0.5,
    (open) => geocoderTester(open('geocoder-tester-stations_de.csv')),
    ofKind('station'),
  ],
  [
    'football-stadiums-uk',
    0.3,
    (open) =>
      csv(open('football-stadiums-uk.csv')).map((row) =>
        entryOf([row.Stadium], row.Latitude, row.Longitude, row.Capacity),
      ),
  ],
  ['f1-locations', 1.5, (open) => features(open('f1-locations.geojson'), ({ name }) => [name])],
  [
    'uk-railway-stations',
    0.3,
    (open) =>
      csv(open('uk-railway-stations.csv')).map((row) =>
        entryOf([row.stationName, `${row.stationName} station`], row.lat, row.long),
      ),
    ofKind('station'),
  ],
  [
    'india-railway-stations',
    0.5,
    (open) => features(open('india-railway-stations.json.gz'), ({ name }) => [name]),
    ofKind('station'),
  ],
  ['lighthouses-osm', 0.3, (open) => lighthouses(open('lighthouses-osm.json.gz'))],
  [
    'uk-universities',
    1,
    (open) =>
      csv(open('uk-universities.csv')).map((row) =>
        entryOf([row.PROVIDER_NAME, row.VIEW_NAME, row.ALIAS], row.LATITUDE, row.LONGITUDE),
      ),
    ofKind('university'),
  ],
  ['ror-education', 25, (open) => universities(open('ror-education-2026-06.ndjson.gz')), ofKind('university')],
  [
    'unesco-sites-2025',
    3,
    (open) => csv(open('unesco-sites-2025.csv'), { ltrim: true }).map((row) => entryOf([row.Name], row.lat, row.long)),
  ],
  [
    'unesco-wikidata-2024',
    3,
    (open) =>
      csv(open('unesco-wikidata-2024.csv.gz')).map((row) =>
        entryOf([row.site, row.wikidata_Label], row.latitude, row.longitude),
      ),
  ],
  [
    'unesco-whc-sites-2021',
    3,
    (open) =>
      csv(open('unesco-whc-sites-2021.csv.gz')).map((row) =>
        entryOf([row.name_en, row.name_fr], row.latitude, row.longitude),
      ),
  ],
  [
    'national-parks-wikipedia',
    5,
    (open) =>
      csv(open('national-parks-wikipedia.csv.gz'), {
        columns: ['country', 'name', 'url', 'dms', 'dms2', 'lat', 'lng'],
      }).map((row) => {
        // An Irish name is glued to the English one.
        const [name] = row.name.split(/(?<=\p{Ll})(?=\p{Lu})/u);
        return entryOf([row.name, name, `${name} National Park`], row.lat, row.lng);
      }),
    outdoors,
  ],
  [
    'ne-parks-area',
    2,
    (open) =>
      features(open('ne_10m_parks_and_protected_lands_area.json.gz'), ({ name, unit_name }) => [name, unit_name]),
  ],
  [
    'ne-parks-point',
    3,
    (open) => features(open('ne_10m_parks_and_protected_lands_point.json'), ({ name, unit_name }) => [name, unit_name]),
  ],
  [
    'volcanoes-ncei',
    3,
    (open) =>
      csv(open('volcanoes-ncei.csv').toString('latin1')).map((row) =>
        entryOf(
          [
            row['Volcano Name'],
            row['Volcano Name'].split(', ').reverse().join(' '),
            `${row['Volcano Name']} volcano`,
            `Mount ${row['Volcano Name']}`,
          ],
          row.Latitude,
          row.Longitude,
        ),
      ),
    outdoors,
  ],
  [
    'beaches-europe',
    1,
    (open) => csv(open('beaches-europe.csv')).map((row) => entryOf([row.name], row.lat, row.lon)),
    outdoors,
  ],
  [
    'ne-elevation-points',
    7,
    (open) => csv(open('ne_10m_geography_regions_elevation_points.csv.gz')).map(naturalEarthPoint),
    outdoors,
  ],
  ['ne-region-points', 45, (open) => csv(open('ne_10m_geography_regions_points.csv')).map(naturalEarthPoint), outdoors],
  [
    'ne-regions',
    20,
    (open) =>
      naturalEarthShapes(open, 'ne_10m_geography_regions_polys.json.gz', 'ne_10m_geography_regions_polys.csv.gz'),
    outdoors,
  ],
  ['ne-lakes', 5, (open) => naturalEarthShapes(open, 'ne_10m_lakes.json.gz', 'ne_10m_lakes.csv.gz'), outdoors],
  [
    'ne-marine',
    20,
    (open) => naturalEarthShapes(open, 'ne_10m_geography_marine_polys.json.gz', 'ne_10m_geography_marine_polys.csv'),
    outdoors,
  ],
  [
    'ne-rivers',
    10,
    (open) =>
      naturalEarthShapes(open, 'ne_50m_rivers_lake_centerlines.json.gz', 'ne_10m_rivers_lake_centerlines.csv.gz'),
    outdoors,
  ],
  [
    'optd-por-public',
    1,
    (open) =>
      csv(open('optd-por-public.csv.gz'), { delimiter: '^', quote: null })
        .filter(({ location_type }) => location_type.includes('R'))
        .map((row) =>
          entryOf(
            [row.name, row.asciiname, ...row.alt_name_section.split('=').map((name) => name.split('|')[1] ?? '')],
            row.latitude,
            row.longitude,
          ),
        ),
    ofKind('station'),
  ],
  [
    'geonames-cities15000',
    1.5,
    (_, folder) => geonames(join(folder, '../geonames/cities15000-2026-05.zip')),
    ofKind('quarter'),
  ],
  // The counties that addresses name, in the middle of their postal codes.
  [
    'geonames-postal-GB',
    5,
    (_, folder) => districtsOfCodes(bytes(join(folder, '../geonames-postal/GB.txt'))),
    ofKind('historical_region'),
  ],
  ['geonames-SG', 0.5, (_, folder) => geonames(join(folder, '../geonames/SG-pelias-test.zip'))],
];
