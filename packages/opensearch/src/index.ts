/** Street-level data in an OpenSearch cluster: the engine for `https://`, and what is published and changed there. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatasetError, type Manifest, readManifest, streetLayerNames } from '../../../src/store/manifest.ts';
import { exportPois, exportStreets } from '../../../src/store/sqlite/export.ts';
import { fileNumber, licenceGroups, poiFileName, streetFileName } from '../../../src/store/sqlite/street-level.ts';
import type { Line, StreetPublishing } from '../../../src/store/street-engine.ts';
import { type ConnectionLimits, connect } from './connection.ts';
import { type IndexFacts, indexSchema, type PartFacts } from './documents.ts';
import { type PublishedVersion, publishedVersions, publishStreets, servePublished } from './publish.ts';
import { Refused } from './request.ts';
import { upsertLive } from './upsert.ts';
import type { ExportedPart } from './write-documents.ts';

export { openSearchEngine as openStreetEngine } from './engine.ts';

/** Opens a cluster for publishing, as `StreetExtension` has it. */
export async function openCluster(address: string, limits?: ConnectionLimits) {
  const connection = await connect(address, limits);
  return {
    /** Publishes the street-level data of a dataset's directory. */
    async publish(directory: string, options: StreetPublishing) {
      const manifest = readManifest(directory);
      const { parts, facts, close } = exportDataset(directory, manifest);
      return publishStreets(connection, facts, parts, options).catch(refused).finally(close);
    },
    versions: (): Promise<PublishedVersion[]> => publishedVersions(connection).catch(refused),
    serve: (version: string): Promise<void> => servePublished(connection, version).catch(refused),
    upsertLines: (lines: AsyncIterable<Line>): Promise<number> => upsertLive(connection, lines).catch(refused),
    close: () => connection.close(),
  };
}

/** What a cluster refuses is for its operator to mend. */
function refused(error: unknown): never {
  if (!(error instanceof Refused)) throw error;
  throw new DatasetError(`the search cluster refused a request (status ${error.status}): ${error.message}`);
}

function exportDataset(directory: string, manifest: Manifest) {
  const opened = new DisposableStack();
  const open = <T extends { close(): void }>(name: string, openOne: (path: string) => T): T | undefined => {
    const path = join(directory, name);
    return existsSync(path) ? opened.adopt(openOne(path), (file) => file.close()) : undefined;
  };
  const parts: ExportedPart[] = [];
  const facts: PartFacts[] = [];
  for (const { name, number, bounds } of manifest.parts) {
    for (const group of licenceGroups) {
      const streets = open(streetFileName(group, name), exportStreets);
      const pois = open(poiFileName(group, name), exportPois);
      if (!streets && !pois) continue;
      const part = fileNumber(number, group);
      parts.push({ number: part, ...(streets && { streets }), ...(pois && { pois }) });
      facts.push({
        number: part,
        bounds,
        ...(streets && { streets: { sources: streets.sources, records: streets.records, classes: streets.classes } }),
        ...(pois && { pois: { sources: pois.sources, records: pois.records } }),
      });
    }
  }
  return {
    parts,
    facts: { ...describe(manifest), parts: facts.sort((one, other) => one.number - other.number) },
    close: () => opened.dispose(),
  };
}

function describe({ version, builtAt, layers, sources }: Manifest): Omit<IndexFacts, 'parts'> {
  const kept = streetLayerNames.flatMap((name) => {
    const layer = layers[name];
    return layer ? [[name, { ...layer, files: [] }] as const] : [];
  });
  const named = new Set(kept.flatMap(([, layer]) => layer.sources));
  return {
    schema: indexSchema,
    version,
    changes: 0,
    builtAt,
    layers: Object.fromEntries(kept),
    sources: sources.filter(({ id }) => named.has(id)),
  };
}
