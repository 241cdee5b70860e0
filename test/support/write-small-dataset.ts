/** Writes the small real dataset: the builders of a build over files of the rows of small-world-data.ts. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { datasetSchemaVersion, type LayerInfo, type Manifest } from '../../src/store/manifest.ts';
import { buildLayer, type LayerFiles, type LayerReport } from './build-layer.ts';
import { smallPackages } from './small-packages.ts';
import { describedFile } from './small-store.ts';
import { buildSmallStreets } from './small-streets.ts';
import { postalRows } from './small-world-data.ts';

/**
 * Has the real builders write every layer of the small dataset, and its manifest, into an empty directory; the world with a user's
 * files too.
 */
export async function writeSmallDataset(directory: string, userFiles: LayerFiles['userFiles'] = {}): Promise<void> {
  const postalTable = join(directory, 'postal.txt');
  writeFileSync(postalTable, postalRows.map(postalLine).join(''));
  const files = { packages: smallPackages, userFiles: { ...userFiles, 'geonames-postal': [postalTable] } };
  const zones = await buildLayer('zones', directory, files);
  const world = await buildLayer('world', directory, files);
  const boundaries = await buildLayer('boundaries', directory, files);
  const postal = await buildLayer('postal', directory, files);
  const ip = await buildLayer('ip', directory, files);
  rmSync(postalTable);
  const { also = {}, ...streets } = await buildSmallStreets(directory);
  const { addresses, pois } = also;
  const described = ({ records, countries, dropped, sources, files: names }: LayerReport): LayerInfo => ({
    ...{ records, dropped, sources: sources.map(({ id }) => id), buildSeconds: 0 },
    ...(countries && { countries }),
    files: names.map((name) => describedFile(directory, name)),
  });
  const reports = { world, zones, boundaries, postal, ip, addresses: addresses!, streets, pois: pois! };
  const layers = Object.fromEntries(Object.entries(reports).map(([name, report]) => [name, described(report)]));
  const sources = Object.values(reports).flatMap((report) => report.sources);
  const { addresses: ofAddresses, streets: ofStreets, pois: ofPois } = layers;
  const manifest: Manifest = {
    schemaVersion: datasetSchemaVersion,
    version: 'small-1',
    builtAt: '2026-01-01T00:00:00Z',
    layers,
    sources: [...new Map(sources.map((source) => [source.id, source])).values()],
    parts: [
      {
        ...{ name: '', number: 0, inputs: {} },
        layers: { addresses: ofAddresses, streets: ofStreets, pois: ofPois },
        sources: streets.sources,
      },
    ],
  };
  writeFileSync(join(directory, 'manifest.json'), JSON.stringify(manifest));
}

/** A row of GeoNames' postal codes. */
const postalLine = ([country, code, place, admin1, lat, lng]: readonly [
  string,
  string,
  string,
  string,
  number,
  number,
]) => `${[country, code, place, admin1, '', '', '', '', '', lat, lng, 4].join('\t')}\n`;
