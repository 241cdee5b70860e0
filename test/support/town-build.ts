/** A town of houses as a map, and builds of the street-level layers of it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { openDataset } from '../../src/api/open.ts';
import { buildDataset } from '../../src/build/pipeline.ts';
import { endpoints } from '../../src/endpoints/index.ts';
import { currentVersion } from '../../src/store/manifest.ts';
import { ask } from './ask.ts';
import { firstVersion } from './data-directory.ts';
import { pbfFile } from './osm-writer.ts';

const { address } = endpoints;

/** A town of houses, so that a build takes several steps. */
export function town(houses: number): Buffer {
  const nodes = Array.from({ length: houses }, (_, at) => ({
    id: at + 1,
    lat: 52.4 + (at % 100) * 0.001,
    lng: 13.3 + Math.floor(at / 100) * 0.001,
    tags: {
      'addr:housenumber': String((at % 50) + 1),
      'addr:street': `Gasse ${Math.floor(at / 50)}`,
      'addr:city': 'Berlin',
      'addr:country': 'DE',
    },
  }));
  return pbfFile({ nodes });
}

export const build = (directory: string, file: string, kind: 'osm-pbf' | 'openaddresses' = 'osm-pbf') =>
  buildDataset({
    dataDirectory: directory,
    tasks: [{ layer: 'streets', part: 'town', userFiles: { [kind]: [file] }, inputs: {} }],
    keptParts: [],
    keepSources: true,
    acceptLoss: true,
    progress() {},
  });

export const firstOf = (directory: string, q: string) => {
  const store = openDataset(join(directory, currentVersion(directory)!));
  const { results } = ask(address, store, { q }) as { results: { match_type: string; street: string }[] };
  store.close();
  return results[0];
};

export function assertUntouched(directory: string): void {
  assert.equal(currentVersion(directory), firstVersion);
  assert.equal(firstOf(directory, '10 Downing Street').match_type, 'exact');
}
