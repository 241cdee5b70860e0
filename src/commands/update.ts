import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Command } from 'commander';
import { lockedPackages } from '../build/default-data.ts';
import type { ExtractChanges } from '../build/layer.ts';
import { layerBuilders } from '../build/layers/index.ts';
import { withBuildLock } from '../build/locks.ts';
import { NothingBuilt, planBuild } from '../build/plan.ts';
import {
  editSources,
  ensureSources,
  isIn,
  isPublished,
  readSources,
  type Source,
  sampleSource,
  withSources,
} from '../build/source-list.ts';
import { currentManifest, rolledBackSources } from '../build/versions.ts';
import type { Config } from '../config.ts';
import { remoteFile } from '../download/download.ts';
import { fetchChanges } from '../download/osm-changes.ts';
import { Failure, UsageError } from '../errors.ts';
import { packagesOf } from '../sources/default-data.ts';
import { DatasetError, type LayerName, type Manifest } from '../store/manifest.ts';
import { extractName } from '../store/sqlite/street-level.ts';
import { extractStates, headersFor, isAddress, officialSources } from './read-source.ts';
import { type BuildOptions, elsewhere, keptAs, runPlan, sourceReader } from './run-build.ts';
import { configFor } from './settings.ts';

type UpdateOptions = Pick<BuildOptions, 'acceptLoss' | 'keepSources' | 'official' | 'yes' | 'json'>;

export function addUpdateCommand(program: Command): void {
  program
    .command('update')
    .description('rebuild what has changed at the publishers, in files, in the list of sources or in the default data')
    .option('--every <time>', 'keep running and repeat at this interval, such as 24h or 30m', timeOf)
    .option('--official', 'also add the official files of the whole world, or their newest editions')
    .option('--yes', 'download large files without asking')
    .option('--accept-loss', 'make the dataset current even if it lost records or fails a check')
    .option('--keep-sources', 'keep the unpacked default data and downloads for the next build')
    .option('--json', 'print the outcome as JSON: the new version, or null, and what was not updated')
    .action(async ({ every, ...options }: UpdateOptions & { every?: number }, command: Command) => {
      const config = configFor(command);
      const print = (outcome: Outcome) => printOutcome(outcome, options);
      if (every === undefined) return print(await update(config, options));
      // The first process of a container is not ended by a signal that it does not listen to.
      process.once('SIGTERM', () => process.exit(0)).once('SIGINT', () => process.exit(0));
      for (;;) {
        await update(config, options).then(print).catch(printFailure);
        await wait(every);
      }
    });
}

/** The result of an update: the new dataset, if anything changed, and the unavailable sources. */
export type Outcome = { manifest: Manifest | undefined; failures: string[] };

/**
 * Rebuilds what changed since the current dataset was made; an unavailable source stays as it is in it. Throws
 * UsageError where there is no dataset, DatasetError where a guard stops the new one.
 */
export function update(config: Config, options: UpdateOptions = {}): Promise<Outcome> {
  return withBuildLock(config.dataDirectory, () => updateBy(config, options));
}

/** `broken`: why the changes of extracts, by name, could not be applied a moment ago. */
async function updateBy(
  config: Config,
  options: UpdateOptions,
  broken: ReadonlyMap<string, string> = new Map(),
): Promise<Outcome> {
  const { dataDirectory } = config;
  const current = currentManifest(dataDirectory);
  if (!current) throw new UsageError(`there is no dataset in ${dataDirectory}; build one with "whereabouts build"`);
  await ensureSources(dataDirectory, current);
  const before = await readSources(dataDirectory);
  // The official files are part of the list from then on; those named after their month replace the last month's.
  const official = options.official ? await officialSources(config, { isAgreed: options.yes ?? false }) : [];
  const { list: listed } = withSources(before, official);
  const { read } = sourceReader(config);
  const reread = new Set<string>();
  /** Sources of which only the entity tag or the date is another one. */
  const same = new Map<string, Source>();
  const changes = new Map<string, ExtractChanges>();
  const failures: string[] = [];
  const left = new Set<string>();
  const rolledBack = await rolledBackSources(dataDirectory);
  for (const source of listed) {
    if (source.from === sampleSource.from || isPublished(source)) continue;
    try {
      const isNew = !isIn(source, current);
      // One elsewhere is treated as the same while it has changes.
      const canFollow = !isNew && (isAddress(source.from) || (await read(source)).source.hash === source.hash);
      let fault = broken.get(source.name);
      const ofExtract =
        canFollow && fault === undefined
          ? await changesOf(source, current, config).catch((error) => {
              if (!(error instanceof UsageError)) throw error;
              fault = error.message;
            })
          : undefined;
      if (ofExtract && ofExtract !== 'same') {
        changes.set(source.name, ofExtract);
        if (ofExtract.timestamp) same.set(source.name, { ...source, date: ofExtract.timestamp });
      }
      if (ofExtract) continue;
      // Without its changes the extract is asked for itself, which may be as old as before.
      if (isNew || (await mayHaveChanged(source, config))) {
        const { source: found, files } = await read(source);
        // An extract of each week may be older than the changes of each day that were applied.
        const isBehind = fault !== undefined && (await isOlder(files['osm-pbf'] ?? [], current, source.name));
        const version = found.hash === source.hash ? undefined : rolledBack.get(`${source.name} ${found.hash}`);
        if (version !== undefined && !isNew)
          throw new UsageError(
            `its files are those of ${version}, which was rolled back; its data are kept as they are until it has newer ones, ` +
              `or "whereabouts build --source ${source.from}" reads these`,
          );
        if (isNew || (found.hash !== source.hash && !isBehind)) {
          reread.add(source.name);
          if (fault !== undefined)
            console.error(
              `  ${source.name}: its changes cannot be applied: ${fault}; the whole extract is read instead`,
            );
          continue;
        }
        if (!isBehind) same.set(source.name, { ...source, ...found });
      }
      if (fault !== undefined)
        failures.push(`${source.name}: its changes cannot be applied: ${fault}; a newer extract is needed`);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      failures.push(`${source.name}: ${error.message}`);
      if (!isIn(source, current)) left.add(source.name);
    }
  }
  const outdated = await outdatedData(current);
  const list = listed.map((source) => same.get(source.name) ?? source);
  const wanted = list.filter(({ name }) => !left.has(name));
  const hasNew = wanted.some((source) => source.from !== sampleSource.from && !isIn(source, current));
  const within = layerBuilders.map(({ name }) => name).filter((name) => hasNew || current.layers[name]);
  const plan = await planBuild({
    wanted,
    reread,
    ...outdated,
    within,
    changes,
    current,
    async read(source) {
      if (!isPublished(source)) return read(source);
      failures.push(keptAs(source.name, elsewhere));
      return undefined;
    },
  });
  const isSame = plan.tasks.length === 0 && plan.keptParts.length === current.parts.length;
  if (!isSame) {
    try {
      const isKept = (name: string, reason: string) =>
        failures.push(`${name}: ${reason}; its data are kept as they are`) > 0;
      const manifest = await runPlan(config, { plan, list, before }, options, isKept);
      return { manifest: manifest.version === current.version ? undefined : manifest, failures };
    } catch (error) {
      if (error instanceof NothingBuilt) return { manifest: undefined, failures };
      if (changes.size === 0 || !(error instanceof UsageError)) throw error;
      // A broken change is fetched again the next time; until then the extracts themselves are requested.
      await rm(changesDirectory(dataDirectory), { recursive: true, force: true });
      return updateBy(config, options, new Map([...changes.keys()].map((name) => [name, error.message])));
    }
  }
  const known = (source: Source) => {
    const found = same.get(source.name);
    return found?.from === source.from ? found : source;
  };
  if (same.size > 0) await editSources(dataDirectory, (now) => ({ list: now.map(known) }));
  return { manifest: undefined, failures };
}

/** Whether extracts lack changes that a part has. */
async function isOlder(paths: readonly string[], { parts }: Manifest, name: string): Promise<boolean> {
  const { baseUrl, sequence = 0 } = parts.find((part) => part.name === name)?.replication ?? {};
  const states = await extractStates(paths);
  return states.some(({ replication: own }) => own && own.baseUrl === baseUrl && own.sequence < sequence);
}

/** Whether a source may have changed since it was read; if unknown, it is read to compare its hash. */
async function mayHaveChanged({ from, etag, date }: Source, config: Config): Promise<boolean> {
  if (!isAddress(from)) return true;
  const remote = await remoteFile(from, headersFor(from, config));
  if (remote === 'missing') throw new Failure(`${from} no longer exists; its data are kept as they are`);
  if (remote === 'unreachable') return true;
  if (remote.etag !== undefined && etag !== undefined) return remote.etag !== etag;
  return remote.lastModified === undefined || remote.lastModified !== date;
}

/** Layers and parts that were made of other versions of the default data than this program has. */
async function outdatedData(current: Manifest): Promise<{ layers: LayerName[]; parts: string[] }> {
  const locked = await lockedPackages();
  const isOutdated = (inputs: Record<string, string> | undefined, packages: readonly string[]) =>
    inputs !== undefined && packages.some((name) => inputs[name] !== locked.get(name)?.version);
  const layers = layerBuilders.map(({ name }) => name).filter((name) => name !== 'streets');
  return {
    layers: layers.filter((name) => isOutdated(current.layers[name]?.inputs, packagesOf(name))),
    parts: current.parts
      .filter(({ name, inputs }) => isOutdated(inputs, packagesOf('streets', name)))
      .map(({ name }) => name),
  };
}

function printOutcome({ manifest, failures }: Outcome, { json }: UpdateOptions): void {
  if (failures.length > 0) process.exitCode = 1;
  if (json) return void console.log(JSON.stringify({ version: manifest?.version ?? null, failures }));
  for (const failure of failures) console.error(`whereabouts: not updated: ${failure}`);
  console.log(manifest ? `${manifest.version} is current` : 'nothing has changed');
}

function printFailure(error: unknown): void {
  const isReported = error instanceof UsageError || error instanceof DatasetError;
  console.error('whereabouts:', isReported ? error.message : error);
}

const milliseconds: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function timeOf(written: string): number {
  const [, count, unit] = /^([1-9]\d*)([smhd])$/.exec(written) ?? [];
  const time = Number(count) * (milliseconds[unit] ?? 0);
  // A timer has 31 bits.
  if (!(time > 0 && time < 2 ** 31))
    throw new UsageError(`--every is "${written}", expected a time up to 24 days, such as 24h or 30m`);
  return time;
}

// Which parts of a dataset can follow the changes of their extracts, and the changes that they lack.

/** Changes above this share of their extract, and this size, which lie in memory, are applied more slowly than a new one is read. */
const maxShare = 0.5;
const fewBytes = 1e6;

/** Where the change files of an extract are kept for the next update. */
const changesDirectory = (dataDirectory: string) => join(dataDirectory, 'changes');

/** The address of changes as an extract has it, over TLS: whoever is on the way could change them, but for what came without it. */
function overTls(address: string, extract: string): string {
  const url = URL.parse(address);
  if (url?.protocol === 'http:' && url.origin !== URL.parse(extract)?.origin) url.protocol = 'https:';
  return url?.href ?? address;
}

/**
 * The changes since a part's extract; `same` where the part has them all, undefined where it cannot follow them. Throws
 * Failure where the publisher does not have them, or a newer extract is faster.
 */
async function changesOf(
  { name, from }: Source,
  current: Manifest,
  { dataDirectory, followChanges }: Pick<Config, 'dataDirectory' | 'followChanges'>,
): Promise<ExtractChanges | 'same' | undefined> {
  const part = current.parts.find((one) => one.name === name);
  const extract = join(dataDirectory, current.version, extractName(name));
  if (!followChanges || !part?.replication || !existsSync(extract)) return undefined;
  const { extract: first, sequence } = part.replication;
  const baseUrl = overTls(part.replication.baseUrl, from);
  const folder = createHash('sha256').update(baseUrl).digest('hex').slice(0, 16);
  const directory = join(changesDirectory(dataDirectory), folder);
  const { files, state } = await fetchChanges({ baseUrl, sequence: first, known: sequence, directory });
  if (state.sequence === sequence) return 'same';
  const sizes = await Promise.all([extract, ...files].map(async (path) => (await stat(path)).size));
  const [extractBytes, ...changeBytes] = sizes;
  if (changeBytes.reduce((sum, bytes) => sum + bytes, 0) > Math.max(fewBytes, maxShare * extractBytes))
    throw new Failure('they have become more than half of the extract');
  return { extract, version: part.sources[0]?.version ?? name, files, ...state };
}
