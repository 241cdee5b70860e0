/** A real OpenSearch cluster of a test's own, on free ports; each of its nodes can be killed, paused and brought back. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cable, cables } from '../../../../test/support/cables.ts';
import { freePort } from '../../../../test/support/free-port.ts';
import { classPathOf, javaOf } from '../../../../test/support/java.ts';
import { until } from '../../../../test/support/served.ts';

const sources = join(import.meta.dirname, '../server');
const neededJava = 21;
const heap = '512m';
const startMs = 300_000;
const program = join(sources, 'TestNode.java');
const jvmOptions = [`-Xms${heap}`, `-Xmx${heap}`, '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];
/** What is made once for all tests on a machine. */
const made = join(tmpdir(), 'whereabouts-opensearch');

/**
 * Options of Java that start a node, compiled once, with an archive of the classes that it loads: it takes 3 s of
 * processor time to start so, 6.6 to 7.7 without them. A Java that cannot use the archive starts as without.
 */
function nodeProgram(java: string, classPath: string): string[] {
  const jar = join(made, 'node.jar');
  const archive = join(made, 'node.jsa');
  const words = ['-cp', `${jar}:${classPath}`, 'TestNode'];
  const options = [...jvmOptions, `-XX:SharedArchiveFile=${archive}`, ...words];
  if (existsSync(archive) && statSync(archive).mtimeMs > statSync(program).mtimeMs) return options;
  // Several tests may make them at the same time.
  const own = mkdtempSync(join(made, 'node-'));
  const run = (args: string[]) => spawnSync(java, args, { timeout: startMs });
  if (!existsSync(jar) || statSync(jar).mtimeMs < statSync(program).mtimeMs) {
    run(['-m', 'jdk.compiler/com.sun.tools.javac.Main', '-cp', classPath, '-d', join(own, 'classes'), program]);
    run(['-m', 'jdk.jartool/sun.tools.jar.Main', '-cf', join(own, 'node.jar'), '-C', join(own, 'classes'), '.']);
    // An archive is of a jar of this time and size.
    const time = new Date(Math.ceil(statSync(program).mtimeMs));
    utimesSync(join(own, 'node.jar'), time, time);
    renameSync(join(own, 'node.jar'), jar);
  }
  const option = `-XX:ArchiveClassesAtExit=${join(own, 'node.jsa')}`;
  run([
    ...jvmOptions,
    option,
    '-DendsWhenStarted=true',
    ...words,
    join(own, 'data'),
    'http.port=0',
    'transport.port=0',
  ]);
  if (existsSync(join(own, 'node.jsa'))) renameSync(join(own, 'node.jsa'), archive);
  rmSync(own, { recursive: true, force: true });
  return options;
}

/** The Java that nodes run on; undefined where there is none. */
export const java = javaOf(neededJava);
const classPath = java && classPathOf(join(sources, 'pom.xml'), made);
const startsNode = java && classPath ? nodeProgram(java, classPath) : [];

/** Why tests over a real cluster are skipped where there is none; false where there is one. */
export const noOpenSearch =
  !(java && classPath) &&
  `needs OpenSearch: install Java ${neededJava} or newer and Maven, and let it reach Maven Central`;

export type SearchNode = {
  url: string;
  /** Ends it as `kill -9` does. */
  kill(): Promise<void>;
  /** Ends it as an operator does. */
  stop(): Promise<void>;
  /** Stops it from answering without closing a connection. */
  pause(): void;
  resume(): void;
  /** Starts it again, on the same ports and with the data it had. */
  start(): Promise<void>;
  /** Asks it for something, by its own interface. */
  ask(method: string, path: string, body?: object): Promise<Record<string, never>>;
  /** Number of its process; undefined before it is started. */
  pid(): number | undefined;
  /** Its cable, where the cluster has some. */
  cable: Cable | undefined;
};

export type SearchCluster = {
  /** Addresses of all nodes, separated by commas. */
  url: string;
  nodes: SearchNode[];
  /** Asks the first node. */
  ask: SearchNode['ask'];
  close(): Promise<void>;
};

/** A node that is gone is noticed soon: tests do not wait for the defaults of a large cluster. */
const noticingSoon = ['follower', 'leader'].flatMap((check) => [
  `cluster.fault_detection.${check}_check.interval=500ms`,
  `cluster.fault_detection.${check}_check.timeout=2s`,
]);

/**
 * Starts a cluster, each node at the end of a cable of its own if that is wanted; `noticesLate` leaves nodes that do not
 * answer in it for half a minute, as by default; with `hasDiskLimits` full disks count. It ends with `close`.
 */
export async function searchCluster(
  count = 1,
  { hasCables = false, noticesLate = false, hasDiskLimits = false } = {},
): Promise<SearchCluster> {
  const directory = mkdtempSync(join(tmpdir(), 'whereabouts-opensearch-'));
  const network = hasCables ? cables(count) : undefined;
  const places = await Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const cable = network?.cables[at];
      return { host: cable?.host ?? '127.0.0.1', cable, http: await freePort(), transport: await freePort() };
    }),
  );
  const seeds = places.map(({ host, transport }) => `${host}:${transport}`).join(',');
  const names = places.map((_, at) => `node-${at}`);
  const nodes = places.map(({ host, http, transport, cable }, at) =>
    searchNode({ url: `http://${host}:${http}`, cable }, [
      join(directory, names[at]),
      `node.name=${names[at]}`,
      `cluster.name=${directory.slice(-6)}`,
      `http.port=${http}`,
      `transport.port=${transport}`,
      `network.host=${host}`,
      'discovery.type=zen',
      `discovery.seed_hosts=${seeds}`,
      `cluster.initial_cluster_manager_nodes=${names.join(',')}`,
      ...(hasDiskLimits
        ? ['cluster.info.update.interval=10s']
        : ['cluster.routing.allocation.disk.threshold_enabled=false']),
      ...(noticesLate ? [] : noticingSoon),
    ]),
  );
  const close = async () => {
    await Promise.all(nodes.map((node) => node.kill()));
    network?.remove();
    rmSync(directory, { recursive: true, force: true });
  };
  const [{ ask }] = nodes;
  const isWhole = async () =>
    (await ask('GET', `/_cluster/health?wait_for_nodes=${count}&timeout=10s`)).timed_out === false;
  try {
    await Promise.all(nodes.map((node) => node.start()));
    await until('all nodes are there', isWhole, startMs);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    url: nodes.map((node) => node.url).join(','),
    nodes,
    ask,
    close,
  };
}

function searchNode({ url, cable }: Pick<SearchNode, 'url' | 'cable'>, settings: readonly string[]): SearchNode {
  let child: ChildProcess | undefined;
  const end = async (signal: NodeJS.Signals) => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  };
  return {
    url,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    pause: () => child!.kill('SIGSTOP'),
    resume: () => child!.kill('SIGCONT'),
    async start() {
      const words = [...(cable?.words ?? []), java!, ...startsNode, ...settings];
      const log = `${settings[0]}.log`;
      const output = openSync(log, 'w');
      child = spawn(words[0], words.slice(1), { stdio: ['ignore', output, output] });
      closeSync(output);
      const ended = once(child, 'exit').then(([code]) => {
        throw new Error(`the node ended with code ${code}: ${readFileSync(log, 'utf8').slice(-2_000)}`);
      });
      ended.catch(() => {});
      const isUp = async () => (await fetch(url).catch(() => undefined))?.ok === true;
      await Promise.race([until('the node answers', isUp, startMs), ended]);
    },
    async ask(method, path, body) {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      return answer.json() as Promise<Record<string, never>>;
    },
    cable,
    pid: () => child?.pid,
  };
}
