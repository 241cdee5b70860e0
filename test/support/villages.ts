/** Villages as maps, and builds of them as parts of a dataset. */
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { build } from '../../src/commands/run-build.ts';
import { loadConfig } from '../../src/config.ts';
import { currentVersion, readManifest } from '../../src/store/manifest.ts';
import { pbfFile } from './osm-writer.ts';
import { temporaryFile } from './temporary.ts';

/** A village: a street with houses and a line, and an inn. */
export const village = (street: string, city: string, lat: number, houses = 12) =>
  pbfFile({
    nodes: [
      ...Array.from({ length: houses }, (_, at) => ({
        id: at + 1,
        lat: lat + at * 0.0003,
        lng: 13.3,
        tags: { 'addr:housenumber': String(at + 1), 'addr:street': street, 'addr:city': city, 'addr:country': 'DE' },
      })),
      { id: 900, lat, lng: 13.301 },
      { id: 901, lat: lat + 0.004, lng: 13.301 },
      { id: 902, lat, lng: 13.302, tags: { amenity: 'restaurant', name: `Inn of ${street}` } },
    ],
    ways: [{ id: 1, nodes: [900, 901], tags: { highway: 'residential', name: street } }],
  });

export const configOf = (directory: string) =>
  loadConfig({ environment: {}, overrides: { dataDirectory: directory, logLevel: 'silent' } });

export const add = (t: TestContext, directory: string, name: string, content: Uint8Array, options = {}) =>
  build(configOf(directory), { source: [temporaryFile(t, name, content)], keepSources: true, ...options });

export const manifestOf = (directory: string) => readManifest(join(directory, currentVersion(directory)!));
