import { fork } from 'node:child_process';
import { on } from 'node:events';
import { rm } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { resolve } from 'node:path';
import cliProgress from 'cli-progress';
import type { LayerBuilder } from '../build/layer.ts';
import { layerBuilders } from '../build/layers/index.ts';
import { withBuildLock } from '../build/locks.ts';
import { type BuildRequest, buildersOf, type Plan, planBuild, type ReadSource } from '../build/plan.ts';
import {
  ensureSources,
  isIn,
  isPublished,
  listAfterBuild,
  nameOf,
  readSources,
  type Source,
  sampleSource,
  withSources,
  writeSources,
} from '../build/source-list.ts';
import { layersOfKind, withKind } from '../build/user-files.ts';
import { currentManifest } from '../build/versions.ts';
import type { Config } from '../config.ts';
import { publishers } from '../download/extracts.ts';
import { Failure, UsageError } from '../errors.ts';
import type { SourceKind } from '../sources/source-kinds.ts';
import { currentVersion, type LayerName, layerNames, type Manifest } from '../store/manifest.ts';
import { downloadsDirectory, officialSources, readSource, regionSources } from './read-source.ts';
import { describeDataset } from './status.ts';

type Shown = { update(step: string, share: number, doing: string): void; stop(): void };

/** The text next to a bar: the duration of its step. */
type Step = { step: string; doing: string; startedAt?: number; endedAt?: number };

const barWidth = 30;

/** Shows how far a build is: a bar per step on a terminal, else a line when a step begins and ends. */
export function showBuildProgress(steps: readonly string[], output: NodeJS.WriteStream = process.stderr) {
  let shown = output.isTTY ? showBars(steps, output) : showLines(output);
  let isBars = output.isTTY;
  return {
    update: (...progress: Parameters<Shown['update']>) => shown.update(...progress),
    /** Goes on with lines instead of bars, as others write to the terminal from now on. */
    continueAsLines() {
      if (!isBars) return;
      isBars = false;
      shown.stop();
      shown = showLines(output);
    },
    stop: () => shown.stop(),
  };
}

function showBars(steps: readonly string[], stream: NodeJS.WriteStream): Shown {
  const width = Math.max(...steps.map((step) => step.length));
  const bars = new cliProgress.MultiBar({
    stream,
    format: lineOf,
    hideCursor: true,
    linewrap: false,
    forceRedraw: true,
  });
  const shown = new Map<string, { bar: cliProgress.SingleBar; state: Step }>();
  for (const step of steps) {
    const state: Step = { step: step.padEnd(width), doing: 'waiting' };
    shown.set(step, { bar: bars.create(1, 0, state), state });
  }
  return {
    update(step, share, doing) {
      const found = shown.get(step);
      if (!found) return;
      const { bar, state } = found;
      state.startedAt ??= performance.now();
      if (share >= 1) state.endedAt ??= performance.now();
      state.doing = doing;
      bar.update(share, state);
    },
    stop() {
      // A second stop would draw the bars again, over what was written since.
      if (bars.isActive) bars.stop();
    },
  };
}

/** One bar: `  postal     ██████░░░░  60%  12s  rows of Japan`. */
function lineOf(
  _options: unknown,
  { progress }: { progress: number },
  { step, doing, startedAt, endedAt }: Step,
): string {
  const filled = Math.round(progress * barWidth);
  const bar = `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)}`;
  const percent = `${Math.floor(progress * 100)}%`.padStart(4);
  const time = startedAt === undefined ? '' : formatTime((endedAt ?? performance.now()) - startedAt);
  return `  ${step} ${bar} ${percent} ${time.padStart(6)}  ${doing}`;
}

function formatTime(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${String(seconds % 60).padStart(2, '0')}s`;
}

function showLines(output: NodeJS.WriteStream): Shown {
  const startedAt = new Map<string, number>();
  const ended = new Set<string>();
  return {
    update(step, share, doing) {
      if (!startedAt.has(step)) {
        startedAt.set(step, performance.now());
        output.write(`  ${step} …\n`);
      }
      if (share < 1 || doing !== 'done' || ended.has(step)) return;
      ended.add(step);
      output.write(`  ${step} done in ${((performance.now() - startedAt.get(step)!) / 1000).toFixed(1)} s\n`);
    },
    stop() {},
  };
}

export type BuildOptions = {
  source?: string[];
  region?: string;
  official?: boolean;
  from?: string;
  only?: boolean;
  yes?: boolean;
  layer?: string[];
  keepSources?: boolean;
  acceptLoss?: boolean;
  /** Leaves out sources that the dataset has already; without others nothing is built. */
  onlyNew?: boolean;
  to?: string;
  json?: boolean;
  /** Receives the directory of a first dataset each time that more of it can be served; no option of the command line. */
  onArrival?: (directory: string) => void;
};

/**
 * Builds with progress and a summary on standard error. `onKept` receives what is said of a source of the list that
 * cannot be read and stays as it is in the current dataset.
 */
export function build(
  config: Config,
  options: BuildOptions = {},
  onKept: (reason: string) => void = (reason) => console.error(`whereabouts: not updated: ${reason}`),
): Promise<Manifest> {
  // The build beside a service that was killed ends moments after it.
  const waitMs = options.onArrival ? 20_000 : 0;
  return withBuildLock(config.dataDirectory, () => buildLocked(config, options, onKept), waitMs);
}

async function buildLocked(config: Config, options: BuildOptions, onKept: (reason: string) => void): Promise<Manifest> {
  const { dataDirectory } = config;
  const builders = chooseBuilders(options.layer);
  const within = builders.map(({ name }) => name);
  const current = currentManifest(dataDirectory);
  requireNeeded(builders, current);
  const version = currentVersion(dataDirectory);
  if (version !== undefined) await ensureSources(dataDirectory, { version });
  const before = await readSources(dataDirectory);
  const reader = sourceReader(config);
  const read: ReadSource[] = [];
  const requested = await requestedSources(config, options, builders.flatMap(layersOf));
  const isHere = ({ from }: Source) =>
    before.some((source) => source.from === from && current && isIn(source, current));
  const wanted = options.onlyNew ? requested.filter((source) => !isHere(source)) : requested;
  if (current && requested.length > 0 && wanted.length === 0) return current;
  for (const source of wanted) {
    read.push(await reader.read(source));
    refuseUnread(read.at(-1)!, builders.flatMap(layersOf));
  }
  const sources = read.map(({ source }) => source);
  const hasStreets = read.some(({ files }) => buildersOf(files).has('streets'));

  // The sources are added to the dataset; the first dataset, and one with --only, consists of them alone.
  const isAdded = current !== undefined && sources.length > 0 && !options.only;
  // A dataset that this program cannot read, for example of an older schema, is rebuilt from its sources.
  const others = version === undefined || options.only ? remaining(before, current, within, hasStreets) : before;
  const { list, added, replaced } = withSources(others, sources);
  if (isAdded) printChanges(list, added, replaced);
  const reread = isAdded ? added : list;
  const kept: string[] = [];
  const keep = (reason: string) => {
    kept.push(reason);
    onKept(reason);
  };
  const plan = await planBuild({
    wanted: list,
    reread: new Set(reread.filter((source) => source !== sampleSource).map(({ name }) => name)),
    layers: isAdded ? [] : within,
    parts: [],
    within,
    includesBoundaries: options.layer !== undefined && within.includes('boundaries'),
    current,
    // One of the list that cannot be read stays as it is in the current dataset, which is said; if it is not in it, the remedy is
    // added, as another source may have been meant to be built.
    read: (source) =>
      reader.read(source).catch((error) => {
        const { name } = source;
        if (!(error instanceof UsageError) || !before.some((listed) => listed.name === name)) throw error;
        if (!current || !isIn(source, current))
          throw new Failure(`${error.message} (it is the source ${name} of the list; ${removalOf(name)})`);
        keep(keptAs(name, error.message));
        return undefined;
      }),
  });
  if (kept.length > 0 && plan.tasks.length === 0)
    throw new Failure('no dataset is built: nothing else was to be built');
  const isListed = (name: string) =>
    before.some((source) => source.name === name) && !added.some((source) => source.name === name);
  return runPlan(config, { plan, list, before }, options, (name, reason) => {
    if (isAdded && !isListed(name)) return false;
    keep(keptAs(name, reason));
    return true;
  });
}

/** What is said of a source whose data stay as they are. */
export const keptAs = (name: string, reason: string) =>
  `${name}: ${reason}; its data are kept as they are; ${removalOf(name)}`;

const removalOf = (name: string) => `"whereabouts sources remove ${name}" removes it from the list`;

/** The existing sources to keep: those of layers that are not built, and the samples. */
function remaining(
  before: readonly Source[],
  current: BuildRequest['current'],
  within: readonly LayerName[],
  hasStreets: boolean,
): Source[] {
  const untouched = before.filter(
    ({ name }) =>
      (!within.includes('streets') && current?.parts.some((part) => part.name === name)) ||
      layerNames.some((layer) => !within.includes(layer) && current?.layers[layer]?.inputs?.[name] !== undefined),
  );
  return hasStreets || untouched.some(({ name }) => name === sampleSource.name)
    ? untouched
    : [sampleSource, ...untouched];
}

/**
 * Executes a plan. `list` is the new list of sources, and `before` the former one. `isKept` is asked about each source whose files
 * were read, but cannot be used, and that the current dataset has: its data stay as they are, or the build ends.
 */
export async function runPlan(
  config: Config,
  { plan, list, before }: { plan: Plan; list: readonly Source[]; before: readonly Source[] },
  options: Pick<BuildOptions, 'keepSources' | 'acceptLoss' | 'onArrival'>,
  isKept: (name: string, reason: string) => boolean = () => false,
): Promise<Manifest> {
  const { dataDirectory } = config;
  const versionBefore = currentVersion(dataDirectory);
  const kept = new Set<string>();
  const progress = showBuildProgress(['sources', ...plan.tasks.map(({ layer, part }) => part ?? layer)]);
  try {
    // Its guards ask every endpoint: most of the program, where most commands build nothing.
    const { buildDataset } = await import('../build/pipeline.ts');
    const manifest = await buildDataset({
      dataDirectory,
      tasks: plan.tasks,
      keptParts: plan.keptParts,
      keepSources: options.keepSources ?? false,
      memoryMb: config.buildMemoryMb,
      keepsExtract: config.followChanges,
      keepVersions: config.keepVersions,
      maxLossPercent: config.maxLossPercent,
      acceptLoss: options.acceptLoss ?? false,
      warn: (fault) => console.error(`  accepted: ${fault}`),
      isKept({ inputs, changes }, reason) {
        const names = Object.keys(inputs);
        if (names.length === 0 || changes || !names.every((name) => isKept(name, reason))) return false;
        for (const name of names) kept.add(name);
        return true;
      },
      progress: progress.update,
      onArrival(directory) {
        if (!options.onArrival) return;
        progress.continueAsLines();
        options.onArrival(directory);
      },
      async finish(directory, manifest) {
        // With the former hash, a source is tried again by the next update.
        const read = plan.read.filter(({ source }) => !kept.has(source.name));
        // Whoever edits the list while a build runs finds the edit in it afterwards.
        const now = await readSources(dataDirectory);
        await writeSources(directory, listAfterBuild({ list, before, now, read, manifest }));
      },
    });
    progress.stop();
    // Kept only while a build may have to be repeated; the next one is to read what is then published.
    if (!options.keepSources) await rm(downloadsDirectory(dataDirectory), { recursive: true, force: true });
    const isSame = manifest.version === versionBefore;
    console.error(
      isSame ? `\nnothing has changed: ${manifest.version} stays current` : `\n${describeDataset(manifest)}`,
    );
    return manifest;
  } finally {
    progress.stop();
  }
}

/** Why a source of a dataset that was pulled is not read. */
export const elsewhere = 'its files are where the dataset was built that was pulled';

/** Reads each source once. What is left out of folders is listed on standard error. */
export function sourceReader(config: Config): { read: (source: Source) => Promise<ReadSource> } {
  const known = new Map<string, Promise<ReadSource>>();
  return {
    async read(source) {
      if (isPublished(source)) throw new UsageError(elsewhere);
      const onIgnored = (path: string, why: string) => console.error(`  skipped ${path}: ${why}`);
      const reading = known.get(source.from) ?? readSource(source, config, onIgnored);
      known.set(source.from, reading);
      const { source: found, files } = await reading;
      return { source: { ...found, name: source.name }, files };
    },
  };
}

/** The sources named by `--source`, `--region` and `--official`. */
async function requestedSources(
  config: Config,
  options: BuildOptions,
  layers: readonly LayerName[],
): Promise<Source[]> {
  const sources = (options.source ?? []).map(sourceOf);
  const { region, official, from = publishers.join(','), yes: isAgreed = false } = options;
  const isRead = (kind: SourceKind) => isReadBy(kind, layers);
  if (official) sources.push(...(await officialSources(config, { isAgreed, isRead })));
  if (region !== undefined) sources.push(...(await regionSources(config, { region, from, isAgreed, isRead })));
  return sources;
}

/** A source as it is written on the command line: a file, folder, pattern or address, with or without `kind=`. */
export function sourceOf(written: string): Source {
  const { kind, path: from } = withKind(written);
  const isPath = !/^[a-z][a-z0-9+.-]+:\/\//i.test(from) && from !== '-';
  return { name: nameOf(from), ...(kind && { kind }), from: isPath ? resolve(from) : from };
}

/** Prints what a build adds, replaces and keeps. */
function printChanges(list: readonly Source[], added: readonly Source[], replaced: readonly Source[]): void {
  for (const { name, from } of added) {
    const former = replaced.find((source) => source.name === name);
    const instead = former && former.from !== from ? `, instead of ${former.from}` : '';
    console.error(`  ${former ? 'replaces' : 'adds'} ${name}: ${from}${instead}`);
  }
  const kept = list.filter((source) => !added.includes(source)).map(({ name }) => name);
  if (kept.length > 0) console.error(`  keeps: ${kept.join(', ')}`);
}

/**
 * The builders of the layers named, separated by commas or given one by one. Layers that come from the same sources are
 * built together, whichever of them is named. Throws UsageError for an unknown name.
 */
export function chooseBuilders(names: readonly string[] | undefined): LayerBuilder[] {
  const wanted = names?.flatMap((name) => name.split(',')).map((name) => name.trim());
  for (const name of wanted ?? []) {
    if (!layerNames.includes(name as LayerName))
      throw new UsageError(`there is no layer "${name}"; expected one of ${layerNames.join(', ')}`);
  }
  return layerBuilders.filter((builder) => !wanted || layersOf(builder).some((name) => wanted.includes(name)));
}

/** Throws UsageError for a layer that is made of another which neither the build nor the current dataset has. */
function requireNeeded(builders: readonly LayerBuilder[], current: Manifest | undefined): void {
  const names = builders.map(({ name }) => name);
  for (const { name, needs } of builders) {
    const missing = needs.filter((needed) => !names.includes(needed) && !current?.layers[needed]);
    if (missing.length === 0) continue;
    throw new UsageError(
      `the layer ${name} needs ${missing.join(', ')}, which neither this build nor the current dataset has; ` +
        `add ${missing.map((needed) => `--layer ${needed}`).join(' ')}, or build without --layer first`,
    );
  }
}

const layersOf = ({ name, also = [] }: LayerBuilder): LayerName[] => [name, ...also];

const isReadBy = (kind: SourceKind, layers: readonly LayerName[]): boolean =>
  layersOfKind(kind).some((name) => layers.includes(name));

/** Throws UsageError for a source that none of the layers to be built is made of. */
export function refuseUnread({ files }: Pick<ReadSource, 'files'>, layers: readonly LayerName[]): void {
  for (const [kind, paths] of Object.entries(files) as [SourceKind, string[]][]) {
    if (isReadBy(kind, layers)) continue;
    const of = layersOfKind(kind);
    throw new UsageError(
      `${paths[0]} belongs to the layer ${of.join(', ')}, which --layer does not name; add --layer ${of[0]}, or leave the file out`,
    );
  }
}

// Builds the first dataset in a process of its own, beside the service that already serves what is there of it, and from then
// on at low priority. The child is this module, too: what it does is at the end of the file.

type Task = { config: Config; options: BuildOptions };
type Message = { arrived: string } | { built: string } | { failed: string; isUsage?: boolean };

/** A dataset that is being built and served at once. */
export type GrowingDataset = NonNullable<Awaited<ReturnType<typeof buildBesideService>>>;

/**
 * Starts the build and returns when there are places and time zones to serve; undefined if the dataset was whole by then.
 * Throws what the build failed with before that, as a UsageError or Failure.
 */
export async function buildBesideService(config: Config, options: BuildOptions) {
  const child = fork(import.meta.filename, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  child.send({ config, options } satisfies Task);
  const messages = on(child, 'message', { close: ['exit'] });
  const next = async (): Promise<Message> => {
    const { value, done } = await messages.next();
    if (!done) return value[0];
    const reason = child.signalCode ?? `code ${child.exitCode}`;
    return { failed: `the build ended with ${reason}; start again to continue it` };
  };
  const first = await next();
  if ('failed' in first) throw new (first.isUsage ? UsageError : Failure)(first.failed);
  if ('built' in first) return undefined;
  // The build ends with the service, and does not keep it from ending.
  child.unref();
  child.channel?.unref();
  return {
    /** Its directory, while it is not whole. */
    directory: first.arrived,
    /** The directory each time that a layer has arrived, and at the end that the dataset is whole or why it is not. */
    next,
  };
}

/** The lowest priority that leaves the build some time on a busy machine. */
const priority = 10;

if (process.argv[1] === import.meta.filename) {
  const send = (message: Message) => process.send?.(message);
  process.once('message', async ({ config, options }: Task) => {
    try {
      const onArrival = (directory: string) => {
        // Nobody is served before. On Linux it holds for the threads that begin later: one for each layer.
        setPriority(priority);
        send({ arrived: directory });
      };
      const { version } = await build(config, { ...options, onArrival });
      send({ built: version });
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      send({ failed: error.message, isUsage: error instanceof UsageError && !(error instanceof Failure) });
    }
    process.disconnect?.();
  });
  // Without the service nobody waits for the rest; the next start goes on.
  process.once('disconnect', () => process.exit());
}
