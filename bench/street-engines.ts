/**
 * The engines of street-level data side by side: real addresses in every form of bench/quality, queried at a dataset's
 * files and at an OpenSearch cluster that was filled from them. Prints each difference in the first answer, times of
 * both, requests a second with the processor time that they take, times at 50 requests a second, and the size of the
 * index. Starts nodes of its own; needs what packages/opensearch/test needs, ../shared/data and osmium.
 *   node bench/street-engines.ts [--samples 100]           file by file, this many addresses of each
 *   node bench/street-engines.ts --together --nodes 3      the default dataset, and all files as one of ten countries
 *   node bench/street-engines.ts --synthetic 1000000       a made-up country: loading rate, bytes an address, times
 * `--fresh` keeps two sets of questions for 50 a second that are asked once each: before all others, and after them.
 */
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openSearchEngine } from '../packages/opensearch/src/engine.ts';
import { openCluster } from '../packages/opensearch/src/index.ts';
import { noOpenSearch, searchCluster } from '../packages/opensearch/test/support/opensearch.ts';
import { openStreetLevel, searchable } from '../src/api/open.ts';
import { buildStreetLevel } from '../src/build/layers/streets.ts';
import { cityNames } from '../src/geocoding/resolve-city.ts';
import { datasetSchemaVersion, readManifest } from '../src/store/manifest.ts';
import { openWorld } from '../src/store/packed/world.ts';
import { whenFound } from '../src/store/store.ts';
import { defaultDataset, sharedData } from '../test/support/dataset.ts';
import { importStreetFiles } from '../test/support/street-dataset.ts';
import {
  addressQuestion,
  type Level,
  type Question,
  questionsOfDataset,
  questionsOfFile,
} from './quality/street-questions.ts';
import { type Sample as SyntheticSample, syntheticCountry } from './scale/synthetic-country.ts';

/** Questions in progress at the cluster. */
const atOnce = 4;
const pacedRate = 50;
const pacedSeconds = 10;
const files: readonly (readonly [file: string, country: string])[] = [
  ['osm/liechtenstein-2024.osm.pbf', 'Liechtenstein'],
  ['osm/fi-helsinki.osm.pbf', 'Finland'],
  ['osm/us-baltimore.osm.pbf', 'USA'],
  ['osm/at-krems.osm.gz', 'Austria'],
  ['osm/de-dreieich.osm.gz', 'Germany'],
  ['osm/ru-moscow.osm.gz', 'Russia'],
  ['osm/monaco-planetiler.osm.pbf', 'Monaco'],
  ['osm/jp-tokyo.osm.pbf', 'Japan'],
  ['osm/kr-suwon.osm.gz', 'Korea'],
  ['osm/cz-plzen.osm.gz', 'Czechia'],
  ['openaddresses/oa-output-alameda/alameda/us/ca/alameda.csv', 'United States'],
  ['openaddresses/oa-output-santa_clara/santa_clara/us/ca/santa_clara.csv', 'United States of America'],
];

const dataset = defaultDataset();
if (!dataset) throw new Error('no dataset is built; run "npm run whereabouts -- build"');
if (noOpenSearch) throw new Error(noOpenSearch);
const world = dataset;
const { values: options } = parseArgs({
  options: {
    samples: { type: 'string', default: '100' },
    nodes: { type: 'string', default: '1' },
    together: { type: 'boolean', default: false },
    fresh: { type: 'boolean', default: false },
    synthetic: { type: 'string' },
  },
});
const samples = Number(options.samples);
const nodeCount = Number(options.nodes);
const cluster = await searchCluster(nodeCount);
const totals = { queries: 0, first: 0, all: 0 };
const times: Record<string, { files: number[]; cluster: number[] }> = {};
try {
  if (options.synthetic) await synthetic(Number(options.synthetic));
  else if (options.together) await together();
  else for (const [at, [file, country]] of files.entries()) await ofFile(file, country, at);
} finally {
  await cluster.close();
}
const share = (part: number) => `${((100 * part) / totals.queries).toFixed(2)} %`;
console.log(`${totals.queries} asked: same first answer ${share(totals.first)}, same list ${share(totals.all)}`);
for (const [kind, { files: ofFiles, cluster: ofCluster }] of Object.entries(times)) {
  console.log(`${kind}: files ${spread(ofFiles)}, cluster ${spread(ofCluster)}`);
}

async function ofFile(file: string, country: string, at: number): Promise<void> {
  const path = pathOf(file);
  const imported = await importStreetFiles(world, [path]);
  const { size, rate } = await compare(imported.directory, `f${at}`, questionsOfFile(path, file, country, samples));
  console.log(`${basename(file)}: index ${(size / 1e6).toFixed(2)} MB, ${rate} documents a second`);
  imported.remove();
}

async function together(): Promise<void> {
  await compare(world, 'default', questionsOfDataset(world, samples));
  const imported = await importStreetFiles(
    world,
    files.map(([file]) => pathOf(file)),
  );
  const questions = files.flatMap(([file, country]) => questionsOfFile(pathOf(file), file, country, samples));
  await compare(imported.directory, 'countries', questions);
  imported.remove();
}

function pathOf(file: string): string {
  const path = sharedData(file);
  if (!path) throw new Error(`${file} is not in ../shared/data`);
  return path;
}

/** Publishes a directory and asks both engines; returns the size of the index in bytes and the loading rate. */
async function compare(directory: string, name: string, questions: readonly Question[]) {
  const manifest = join(directory, 'manifest.json');
  if (!existsSync(manifest)) {
    const facts = { schemaVersion: datasetSchemaVersion, version: name, builtAt: '', layers: {}, sources: [] };
    writeFileSync(manifest, JSON.stringify(facts));
  }
  const url = cluster.nodes.map((node) => `${node.url}/${name}`).join();
  const publisher = await openCluster(url);
  const startedAt = performance.now();
  const copies = { shards: 1, replicas: nodeCount > 1 ? 1 : 0, keepVersions: 1 };
  const { bytes: size, documents } = await publisher.publish(directory, copies);
  const seconds = (performance.now() - startedAt) / 1000;
  await publisher.close();
  console.log(`${name}: ${size} bytes, ${documents} documents in ${seconds.toFixed(0)} s`);
  const places = cityNames(openWorld(directory));
  const ofFiles = openStreetLevel(directory, places, readManifest(directory).parts);
  const engine = await openSearchEngine(url, { deadlineMs: 30_000 });
  const ofCluster = searchable(engine.parts(), places);
  for (const kind of new Set(questions.map(kindOf))) {
    const ofKind = questions.filter((question) => kindOf(question) === kind);
    const ofPace = pacedRate * pacedSeconds;
    const [first, last, rest] = options.fresh
      ? [ofKind.slice(0, ofPace), ofKind.slice(ofPace, 2 * ofPace), ofKind.slice(2 * ofPace)]
      : [[], [], ofKind];
    const timed = async (what: string, some: readonly Question[]) => {
      if (some.length > 0)
        console.log(`${kind}: ${pacedRate} a second, ${what}: ${spread(await paced(some, ofCluster))}`);
    };
    await timed('before all others', first);
    const [nodeBefore, ownBefore, before] = [await nodeMs(), process.cpuUsage(), performance.now()];
    let next = 0;
    const ask = async () => {
      while (next < rest.length) await one(rest[next++], ofFiles, ofCluster);
    };
    await Promise.all(Array.from({ length: atOnce }, ask));
    const seconds = (performance.now() - before) / 1000;
    const { user, system } = process.cpuUsage(ownBefore);
    const node = (await nodeMs()) - nodeBefore;
    const rate = (rest.length / seconds).toFixed(0);
    const each = (ms: number) => (ms / rest.length).toFixed(1);
    console.log(
      `${kind}: ${rate} a second, processor time each: nodes ${each(node)} ms, this process ${each((user + system) / 1000)} ms`,
    );
    await timed('not asked before', last);
    if (!options.together) await timed('repeated', rest.slice(0, ofPace));
  }
  await engine.close();
  ofFiles.close();
  await cluster.ask('DELETE', `/${name}-*`);
  return { size, documents, seconds, rate: Math.round(documents / seconds) };
}

function kindOf({ text }: Question): string {
  return text.split(' ', 1)[0];
}

/** Processor time that the nodes have taken. */
async function nodeMs(): Promise<number> {
  const { nodes } = await cluster.ask('GET', '/_nodes/stats/process');
  const all = Object.values(nodes as Record<string, { process: { cpu: { total_in_millis: number } } }>);
  return all.reduce((sum, { process: ofNode }) => sum + ofNode.cpu.total_in_millis, 0);
}

/** Times of questions that come at a steady rate, each from when it came. */
async function paced(questions: readonly Question[], level: Level): Promise<number[]> {
  const startedAt = performance.now();
  return Promise.all(
    questions.map(async ({ ask }, at) => {
      const dueAt = startedAt + (at * 1000) / pacedRate;
      await wait(Math.max(0, dueAt - performance.now()));
      await whenFound(() => ask(level));
      return performance.now() - dueAt;
    }),
  );
}

async function one({ text, ask }: Question, ofFiles: Level, ofCluster: Level): Promise<void> {
  const kind = kindOf({ text, ask });
  const spent = (times[kind] ??= { files: [], cluster: [] });
  const before = performance.now();
  const expected = ask(ofFiles);
  const between = performance.now();
  spent.files.push(between - before);
  const found = await whenFound(() => ask(ofCluster));
  spent.cluster.push(performance.now() - between);
  totals.queries++;
  const isSameFirst = JSON.stringify(expected[0]) === JSON.stringify(found[0]);
  if (isSameFirst) totals.first++;
  if (JSON.stringify(expected) === JSON.stringify(found)) totals.all++;
  if (!isSameFirst)
    console.log(`  differs: ${text}\n    ${JSON.stringify(expected[0])}\n    ${JSON.stringify(found[0])}`);
}

async function synthetic(count: number): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'whereabouts-engines-'));
  for (const name of readdirSync(world)) {
    if (/^(countries|regions|place.*|boundaries|outlines|word-use)\.pack$/.test(name))
      copyFileSync(join(world, name), join(directory, name));
  }
  try {
    const sample: SyntheticSample = { addresses: [], streets: [], pois: [] };
    const info = {
      id: 'made-up',
      title: '',
      version: '1',
      vintage: null,
      licence: 'CC0-1.0',
      attribution: '',
      url: '',
    };
    const read = async function* () {
      yield* syntheticCountry(count, sample);
    };
    await buildStreetLevel({ directory, progress() {} }, [{ group: 'open', info, read }]);
    const near = ({ lat, lng }: { lat: number; lng: number }) => ({ lat: lat + 0.001, lng: lng - 0.001 });
    const missing = (street: string) => street.slice(0, 2) + street.slice(3);
    const questions = [
      ...sample.addresses.flatMap(({ street, houseNumber, city }) => [
        addressQuestion(`${street} ${houseNumber}, ${city}`),
        { ...addressQuestion(`${missing(street)} ${houseNumber}, ${city}`), text: 'address-mistyped' },
      ]),
      ...sample.streets.map(
        (street): Question => ({
          text: `street ${street.name}`,
          ask: (level) => level.streets.search({ text: street.name, near: near(street), radiusKm: 5, limit: 10 }),
        }),
      ),
      ...sample.pois.map(
        (poi): Question => ({
          text: `poi ${poi.name}`,
          ask: (level) => level.pois.nearest(near(poi), { radiusKm: 1, limit: 20 }),
        }),
      ),
      ...sample.addresses.map(
        (house): Question => ({
          text: `reverse ${house.lat}`,
          ask: (level) => level.addresses.nearest(house, { maxKm: 0.05, limit: 1 }),
        }),
      ),
    ];
    const { size, seconds } = await compare(directory, `s${count}`, questions);
    console.log(
      `${count} addresses: ${(size / count).toFixed(1)} bytes each, ${Math.round(count / seconds)} a second loaded`,
    );
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function spread(all: number[]): string {
  const sorted = all.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.floor(part * (sorted.length - 1))]?.toFixed(1);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`;
}
