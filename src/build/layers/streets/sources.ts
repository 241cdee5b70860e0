/** Every source of street-level data: what it is, under which licence, and how it is read. */
import { readAirports } from '../../../sources/airports.ts';
import { readDbStations } from '../../../sources/db-stations.ts';
import { defaultParts, tilesOfCity } from '../../../sources/default-packages.ts';
import { readQaTiles } from '../../../sources/osm/qa-tiles.ts';
import { readRrad } from '../../../sources/rrad.ts';
import { readSeaPorts } from '../../../sources/sea-ports.ts';
import { type Inputs, type SourceId, sourceInfo } from '../../layer.ts';
import { airportsFile, ourAirports } from '../our-airports.ts';
import { type StreetSource, userStreetSources } from './user-sources.ts';

/** The sources of a part: default data, or the user's files. */
export async function streetSources(inputs: Inputs, part = ''): Promise<StreetSource[]> {
  if (part === defaultParts.samples) return sampleSources(inputs);
  if (part === defaultParts.worldwide) return worldwideSources(inputs);
  return userStreetSources((kind) => inputs.userFiles(kind));
}

function sampleSources(inputs: Inputs): StreetSource[] {
  const tiles = (id: SourceId, country: string): StreetSource => ({
    group: 'odbl',
    info: infoOf(id, '@mapbox/mvt-fixtures', inputs),
    read: (options) => {
      const paths = tilesOfCity(id.replace('osm-', '')).map((file) => inputs.packageFile('@mapbox/mvt-fixtures', file));
      return readQaTiles(paths, { ...options, country });
    },
  });
  return [
    tiles('osm-montevideo', 'UY'),
    tiles('osm-astana', 'KZ'),
    {
      group: 'open',
      info: infoOf('db-stations', 'db-stations', inputs),
      read: (options) => readDbStations(inputs.packageFile('db-stations', 'data.ndjson'), options),
    },
    {
      group: 'open',
      info: infoOf('rrad', 'rrad', inputs),
      read: (options) => readRrad(inputs.packageFile('rrad', 'addresses-us-all.json'), options),
    },
  ];
}

/** Points of interest of the whole world. */
const worldwideSources = (inputs: Inputs): StreetSource[] => [
  {
    group: 'open',
    info: ourAirports(inputs),
    read: (options) => readAirports(airportsFile(inputs), options),
  },
  {
    group: 'open',
    info: infoOf('sea-ports', 'sea-ports', inputs),
    read: (options) => readSeaPorts(inputs.packageFile('sea-ports', 'lib/ports.json'), options),
  },
];

const infoOf = (id: SourceId, name: string, inputs: Inputs) =>
  sourceInfo(id, inputs, { version: `${name} ${inputs.packageVersion(name)}` });
