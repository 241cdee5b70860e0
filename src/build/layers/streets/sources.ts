/** Every source of street-level data: what it is, under which licence, and how it is read. */
import { readAirports } from '../../../sources/airports.ts';
import { readDbStations } from '../../../sources/db-stations.ts';
import { astanaTiles, montevideoTiles } from '../../../sources/default-packages.ts';
import { readQaTiles } from '../../../sources/osm/qa-tiles.ts';
import { readRrad } from '../../../sources/rrad.ts';
import { readSeaPorts } from '../../../sources/sea-ports.ts';
import type { Inputs } from '../../layer.ts';
import { airportsFile, ourAirports } from '../our-airports.ts';
import { defaultParts } from '../packages.ts';
import { openStreetMap, type StreetSource, userStreetSources } from './user-sources.ts';

/** The sources of a part: default data, or the user's files. */
export async function streetSources(inputs: Inputs, part = ''): Promise<StreetSource[]> {
  if (part === defaultParts.samples) return sampleSources(inputs);
  if (part === defaultParts.worldwide) return worldwideSources(inputs);
  return userStreetSources((kind) => inputs.userFiles(kind));
}

function sampleSources(inputs: Inputs): StreetSource[] {
  const tiles = (id: string, city: string, files: readonly string[], country: string): StreetSource => ({
    group: 'odbl',
    info: {
      id,
      title: `OpenStreetMap: ${city}, QA tiles of the test data of Mapbox`,
      version: `@mapbox/mvt-fixtures ${inputs.packageVersion('@mapbox/mvt-fixtures')}`,
      vintage: '2017-12-04',
      ...openStreetMap,
    },
    read: (options) => {
      const paths = files.map((file) => inputs.packageFile('@mapbox/mvt-fixtures', file));
      return readQaTiles(paths, { ...options, country });
    },
  });
  return [
    tiles('osm-montevideo', 'Montevideo', montevideoTiles, 'UY'),
    tiles('osm-astana', 'Astana', astanaTiles, 'KZ'),
    {
      group: 'open',
      info: {
        id: 'db-stations',
        title: 'Stations of Deutsche Bahn',
        version: `db-stations ${inputs.packageVersion('db-stations')}`,
        vintage: null,
        licence: 'CC-BY-4.0',
        attribution: 'DB InfraGO AG',
        url: 'https://github.com/derhuerst/db-stations',
      },
      read: (options) => readDbStations(inputs.packageFile('db-stations', 'data.ndjson'), options),
    },
    {
      group: 'open',
      info: {
        id: 'rrad',
        title: 'Real addresses of 16 states of the USA, from OpenAddresses',
        version: `rrad ${inputs.packageVersion('rrad')}`,
        vintage: '2017-01',
        licence: 'Public domain',
        attribution: 'OpenAddresses contributors; selection by EthanRBrown',
        url: 'https://github.com/EthanRBrown/rrad',
      },
      read: (options) => readRrad(inputs.packageFile('rrad', 'addresses-us-all.json'), options),
    },
  ];
}

/** Points of interest of the whole world. */
function worldwideSources(inputs: Inputs): StreetSource[] {
  return [
    {
      group: 'open',
      info: ourAirports(inputs),
      read: (options) => readAirports(airportsFile(inputs), options),
    },
    {
      group: 'open',
      info: {
        id: 'sea-ports',
        title: 'Sea ports',
        version: `sea-ports ${inputs.packageVersion('sea-ports')}`,
        vintage: null,
        licence: 'MIT',
        attribution: 'sea-ports contributors',
        url: 'https://www.npmjs.com/package/sea-ports',
      },
      read: (options) => readSeaPorts(inputs.packageFile('sea-ports', 'lib/ports.json'), options),
    },
  ];
}
