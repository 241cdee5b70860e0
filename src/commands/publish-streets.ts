/** Street-level data to a search cluster, for `publish` and `build --to`. */
import { loadStreetExtension } from '../api/street-level.ts';
import type { Config } from '../config.ts';
import { publishableDataset } from './settings.ts';

export type ClusterOptions = {
  version: string | undefined;
  use: string | undefined;
  list: boolean | undefined;
  shards: number;
  replicas: number;
};

/** Publishes a dataset's street-level data at a cluster, or has the cluster serve another version of them, or lists them. */
export async function publishAtCluster(config: Config, address: string, options: ClusterOptions): Promise<void> {
  const { list, use, version } = options;
  // A wrong version is refused before anything is asked of the cluster.
  const directory = list || use !== undefined ? undefined : publishableDataset(config, version);
  const { openCluster } = await loadStreetExtension();
  const cluster = await openCluster(address);
  try {
    if (directory !== undefined) {
      const { shards, replicas } = options;
      let last = '';
      const progress = (step: string, done: number) => {
        if (step !== last || step === 'documents') console.error(`  ${step} ${done}`);
        last = step;
      };
      const { keepVersions } = config;
      const { documents, bytes } = await cluster.publish(directory, { shards, replicas, keepVersions, progress });
      console.log(
        `published: ${documents} documents (${(bytes / 1e6).toFixed(1)} MB); nodes switch to it by themselves`,
      );
    } else if (list || use === undefined) {
      for (const { version: one, isServed } of await cluster.versions()) console.log(`${isServed ? '*' : ' '} ${one}`);
    } else {
      await cluster.serve(use);
      console.log(`nodes now take street-level data from ${use}`);
    }
  } finally {
    await cluster.close();
  }
}
