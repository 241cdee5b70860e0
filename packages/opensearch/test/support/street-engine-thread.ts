/** The thread of street-engines.ts: publishes a directory at a cluster, and answers from there. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import { searchable } from '../../../../src/api/open.ts';
import { cityNames } from '../../../../src/geocoding/resolve-city.ts';
import type { AddressExplanation } from '../../../../src/store/address-contract.ts';
import { datasetSchemaVersion } from '../../../../src/store/manifest.ts';
import { openWorld } from '../../../../src/store/packed/world.ts';
import { whenFound } from '../../../../src/store/store.ts';
import { withMadePlaces as madePlaces } from '../../../../test/support/made-places.ts';
import type { Answered, EngineRequest, ThreadJob } from '../../../../test/support/street-engines.ts';
import { connect } from '../../src/connection.ts';
import { openSearchEngine } from '../../src/engine.ts';
import { openCluster } from '../../src/index.ts';

const { address, directory, hasPlaces, withMadePlaces, parts, signal, port } = workerData as ThreadJob;
const answered = new Int32Array(signal);

function answer(message: Answered): void {
  port.postMessage(message);
  Atomics.store(answered, 0, 1);
  Atomics.notify(answered, 0);
}

const manifest = join(directory, 'manifest.json');
// A directory that a test filled by hand has none, or one that lists other parts.
if (parts || !existsSync(manifest)) {
  const facts = { schemaVersion: datasetSchemaVersion, version: 'test', builtAt: '', layers: {}, sources: [] };
  writeFileSync(manifest, JSON.stringify({ ...facts, parts: parts ?? [{ name: '', number: 0 }] }));
}

try {
  const cluster = await openCluster(address, { deadlineMs: 60_000 });
  await cluster.publish(directory, { shards: 3, replicas: 0, keepVersions: 1 });
  await cluster.close();
  const engine = await openSearchEngine(address, { deadlineMs: 60_000 });
  const places = hasPlaces
    ? cityNames(openWorld(directory))
    : { resolve: () => undefined, countriesNamed: () => [], regionsNamed: () => [] };
  const level = searchable(engine.parts(), withMadePlaces ? madePlaces(places) : places);

  port.on('message', async (request: EngineRequest | undefined) => {
    try {
      if (request) return answer(await find(request));
      await engine.close();
      const connection = await connect(address);
      await connection.write({ method: 'DELETE', path: `/${connection.name}-*` });
      await connection.close();
      answer({});
      port.close();
    } catch (error) {
      answer({ error: (error as Error).stack ?? String(error) });
    }
  });

  async function find({ layer, method, args, isExplained }: EngineRequest): Promise<Answered> {
    let explanation: AddressExplanation | undefined;
    const explained = isExplained ? [(found: AddressExplanation) => (explanation = found)] : [];
    const value = await whenFound(() => {
      const searched = level[layer] as unknown as Record<string, (...args: unknown[]) => unknown>;
      const found = searched[method](...args, ...explained);
      return layer === 'map' ? [...(found as Iterable<object>)] : found;
    });
    return { value, ...(explanation && { explanation }) };
  }
  answer({});
} catch (error) {
  answer({ error: (error as Error).stack ?? String(error) });
}
