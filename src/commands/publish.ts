import type { Command } from 'commander';
import { loadStreetExtension } from '../api/open.ts';
import type { Config } from '../config.ts';
import { SourceError } from '../core/source-records.ts';
import { UsageError } from '../errors.ts';
import { addressFault, schemes, standsFor } from '../extensions.ts';
import { makePublishedCurrent, openObjectStore, publish, readPointer } from '../publish/publish.ts';
import { linesOf, openBytes } from '../sources/open-bytes.ts';
import { currentVersion } from '../store/manifest.ts';
import type { Line } from '../store/street-engine.ts';
import { configFor, publishableDataset, wholeNumber } from './settings.ts';

const help = `
Destinations: s3://bucket/prefix (credentials, region and endpoint from the usual AWS_… variables, files and roles), a
directory that the nodes reach through a web server or a shared file system, or an OpenSearch cluster, which takes only
addresses, streets and points of interest.

  whereabouts publish s3://maps/world                           the current dataset
  whereabouts publish s3://maps/world --use 20261121T165535Z    has all nodes go back to it
  whereabouts serve --dataset s3://maps/world                   on every node

  whereabouts publish https://search.example.org:9200/streets --replicas 2
  whereabouts serve --streets https://search.example.org:9200/streets
See docs/operations.md.`;

export function addPublishCommand(program: Command): void {
  program
    .command('publish <destination> [version]')
    .description('publish the current dataset, or another local one, for other machines to serve')
    .option('--use <version>', 'have all nodes serve a version that is already published; nothing is sent')
    .option('--verify', 'read back the files that are already there, and replace damaged ones')
    .option('--list', 'list the published versions')
    .option('--shards <number>', 'number of shards of the index in a search cluster', wholeNumber('--shards'), 1)
    .option('--replicas <number>', 'number of replicas of each shard', wholeNumber('--replicas'), 1)
    .addHelpText('after', help)
    .action((destination: string, version: string | undefined, options: PublishOptions, command: Command) =>
      publishTo(configFor(command), destination, version, options),
    );
}

type PublishOptions = { use?: string; list?: boolean; verify?: boolean; shards?: number; replicas?: number };

/** Publishes a version, the current one by default, or does what the options say instead. */
export async function publishTo(
  config: Config,
  destination: string,
  version?: string,
  options: PublishOptions = {},
): Promise<void> {
  if (standsFor('opensearch', destination)) return publishAtCluster(config, destination, version, options);
  const { use, list, verify = false } = options;
  const { store, pinned } = await openObjectStore(destination);
  if (pinned !== undefined) throw new UsageError(`a destination must not have a version; expected ${store.address}`);
  if (list) {
    const { version: current, published = [] } = (await readPointer(store)) ?? {};
    for (const one of published) console.log(`${one === current ? '*' : ' '} ${one}`);
  } else if (use !== undefined) {
    await makePublishedCurrent(store, use, verify);
    console.log(`nodes now serve ${use} from ${store.address}`);
  } else {
    const directory = publishableDataset(config, version);
    const { files, bytes, replaced, present } = await publish(store, directory, {
      isVerified: verify,
      progress: (file, at, of) => console.error(`  ${at + 1}/${of} ${file}`),
    });
    const instead = replaced === 0 ? '' : `, ${replaced} of them in place of damaged ones`;
    console.log(
      `published at ${store.address}: ${files} files sent (${(bytes / 1e6).toFixed(1)} MB)${instead}, ${present} already there`,
    );
  }
}

const pullHelp = `
Addresses: s3://bucket/prefix, https://… or a directory, with @version for a particular version; by default the setting
"dataset". Use it to prepare a data directory before serving, for instance in an init container:

  whereabouts pull --or-keep s3://maps/world
See docs/operations.md.`;

export function addPullCommand(program: Command): void {
  program
    .command('pull [address]')
    .description('fetch a published dataset, verify it and make it current')
    .option('--or-keep', 'where that fails, end well with the dataset that is here already, as serve begins')
    .addHelpText('after', pullHelp)
    .action(async (address: string | undefined, { orKeep }: { orKeep?: boolean }, command: Command) => {
      const config = configFor(command);
      const dataset = address ?? config.dataset;
      if (dataset === '')
        throw new UsageError('pull needs an address such as s3://bucket/prefix, or the setting "dataset"');
      const { pullOnce } = await import('../publish/pull.ts');
      const { dataDirectory } = config;
      const kept = (error: Error) => {
        const current = orKeep ? currentVersion(dataDirectory) : undefined;
        if (current === undefined) throw error;
        console.error(`whereabouts: ${error.message}; the local dataset is kept`);
        return current;
      };
      const version = await pullOnce({ ...config, dataset }).catch(kept);
      console.log(`${version} is the current dataset of ${dataDirectory}`);
    });
}

/** Publishes a dataset's street-level data at a cluster, or has the cluster serve another version of them, or lists them. */
export async function publishAtCluster(
  config: Config,
  address: string,
  version: string | undefined,
  { list, use, shards = 1, replicas = 1 }: PublishOptions,
): Promise<void> {
  const fault = addressFault(address.split(','), schemes.opensearch);
  if (fault) throw new UsageError(`the address of the search cluster ${fault}`);
  // A wrong version is refused before anything is asked of the cluster.
  const directory = list || use !== undefined ? undefined : publishableDataset(config, version);
  const { openCluster } = await loadStreetExtension();
  await using opened = new AsyncDisposableStack();
  const cluster = opened.adopt(await openCluster(address), (one) => one.close());
  if (directory !== undefined) {
    let last = '';
    const progress = (step: string, done: number) => {
      if (step !== last || step === 'documents') console.error(`  ${step} ${done}`);
      last = step;
    };
    const { keepVersions } = config;
    const { documents, bytes } = await cluster.publish(directory, { shards, replicas, keepVersions, progress });
    console.log(`published: ${documents} documents (${(bytes / 1e6).toFixed(1)} MB); nodes switch to it by themselves`);
  } else if (list || use === undefined) {
    for (const { version: one, isServed } of await cluster.versions()) console.log(`${isServed ? '*' : ' '} ${one}`);
  } else {
    await cluster.serve(use);
    console.log(`nodes now take street-level data from ${use}`);
  }
}

const upsertHelp = `
The file has one JSON object a line, - is standard input:
  {"source":"register","title":"City register","licence":"CC-BY-4.0","attribution":"© City of Berlin"}
  {"id":"r:1","street":"Hauptstraße","house_number":"7","city":"Berlin","country":"DE","postal_code":"10827","lat":52.48,"lng":13.35}
  {"id":"r:2","name":"Café Roma","category":"restaurant","cuisine":"italian","lat":52.48,"lng":13.35}
  {"id":"r:3","deleted":true}
The first line names the source of those after it. An address replaces the one with the same id, and a house with the same
number in the same street. See docs/scale-out.md.`;

export function addUpsertCommand(program: Command): void {
  program
    .command('upsert <file>')
    .description('add, change or delete addresses and points of interest in the search cluster')
    .option('--streets <address>', 'the OpenSearch cluster (default: the setting `streets`)')
    .addHelpText('after', upsertHelp)
    .action(async (file: string, _options: unknown, command: Command) => {
      const { streets } = configFor(command);
      if (streets === '')
        throw new UsageError('no search cluster is configured; pass --streets, or set WHEREABOUTS_STREETS');
      const { openCluster } = await loadStreetExtension();
      await using opened = new AsyncDisposableStack();
      const cluster = opened.adopt(await openCluster(streets), (one) => one.close());
      const count = await cluster.upsertLines(linesIn(file));
      console.log(`${count} records applied; nodes return them within a few seconds`);
    });
}

async function* linesIn(file: string): AsyncGenerator<Line> {
  const files = file === '-' ? [{ name: 'standard input', chunks: process.stdin }] : openBytes(file);
  try {
    for await (const one of files) {
      let number = 0;
      for await (const lines of linesOf(one)) {
        for (const line of lines) {
          number++;
          if (line.trim() !== '') yield { text: line, number };
        }
      }
    }
  } catch (error) {
    throw error instanceof SourceError ? new UsageError(error.message) : error;
  }
}
