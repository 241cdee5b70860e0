/**
 * Runs mutants one after the other in this process, each with the test files that run its line: of the code that a mutant
 * concerns and of the tests every one has modules of its own, while stores stay open. A hundred times what `node --test`
 * does in the time. Started by ../mutation.ts with a file of mutants and where to append what became of each.
 */
import { appendFileSync, existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Coverage } from './covered.ts';
import { collect, functions, runAll, standIn } from './harness.ts';
import type { Mutant } from './mutants.ts';

/** `coverage` is a file that is written by the first process and read by those after it. */
export type Task = {
  mutants: Mutant[];
  tests: string[];
  fresh: readonly string[];
  keepsStores?: boolean;
  skip?: string;
  coverage: string;
};
/** By test file: its processor time, which mutants it runs, by number, and its cases that fail unchanged here. */
type Covering = { test: string; ms: number; mutants: number[]; without: string[] }[];

const root = join(import.meta.dirname, '../..');
const [taskPath, donePath, first] = process.argv.slice(2);
const { mutants, tests, fresh, keepsStores, skip, coverage } = JSON.parse(readFileSync(taskPath, 'utf8')) as Task;
const rootUrl = pathToFileURL(`${realpathSync(root)}/`).href;
/** Modules loaded afresh for each mutant; where stores stay open, without those that hold them. */
const own = new RegExp(`^(?:${fresh.join('|')}|test/|acceptance/|bench/quality/)`);
const kept = keepsStores ? /^test\/support\/(?:small-|dataset|temporary)/ : /^$/;
/** What opens stores, by module. */
const openers: { [path: string]: string } = keepsStores
  ? {
      'test/support/small-store.ts': 'openSmallStore',
      'test/support/small-world.ts': 'smallWorld',
      'src/api/open.ts': 'openDataset',
    }
  : {};

let current: Mutant | undefined;

registerHooks({
  resolve(specifier, context, next) {
    const number = context.parentURL?.startsWith('file:') && new URL(context.parentURL).searchParams.get('m');
    if (specifier === 'node:test' && number) return { url: 'mutation:test', format: 'module', shortCircuit: true };
    const resolved = next(specifier, context);
    if (!number || !resolved.url.startsWith(rootUrl)) return resolved;
    const path = resolved.url.slice(rootUrl.length);
    if (path in openers) return { url: `mutation:${path}`, format: 'module', shortCircuit: true };
    return own.test(path) && !kept.test(path) ? { ...resolved, url: `${resolved.url}?m=${number}` } : resolved;
  },
  load(url, context, next) {
    if (url === 'mutation:test') return { format: 'module', shortCircuit: true, source: standIn };
    if (url.startsWith('mutation:')) {
      const path = url.slice('mutation:'.length);
      const real = JSON.stringify(rootUrl + path);
      const name = openers[path];
      return {
        format: 'module',
        shortCircuit: true,
        source: `import * as real from ${real}; export * from ${real}; export const ${name} = globalThis.mutation.once(real.${name});`,
      };
    }
    if (!url.startsWith(rootUrl) || !url.includes('?m=')) return next(url, context);
    const path = url.slice(rootUrl.length, url.indexOf('?'));
    const isCurrent = path === current?.file;
    const source = isCurrent ? changed(textOf(path), current!) : textOf(path);
    if (path.endsWith('.json')) return { format: 'json', shortCircuit: true, source };
    return { format: 'module', shortCircuit: true, source: isCurrent ? stripTypeScriptTypes(source) : stripped(path) };
  },
});

const texts = new Map<string, string>();
const plain = new Map<string, string>();

function textOf(path: string): string {
  if (!texts.has(path)) texts.set(path, readFileSync(join(root, path), 'utf8'));
  return texts.get(path)!;
}

/** Without its types. Stripping all modules took longer than running the tests. */
function stripped(path: string): string {
  if (!plain.has(path)) plain.set(path, path.endsWith('.ts') ? stripTypeScriptTypes(textOf(path)) : textOf(path));
  return plain.get(path)!;
}

function changed(text: string, { at, was, is }: Mutant): string {
  return text.slice(0, at) + is + text.slice(at + was.length);
}

const opened = new Map<string, unknown>();
/** A store that is opened the first time, and never closed; made-up worlds in temporary directories are not kept. */
const once =
  (open: (...args: unknown[]) => unknown) =>
  (...args: unknown[]) => {
    if (typeof args[0] === 'string' && args[0].startsWith(tmpdir())) return open(...args);
    const key = JSON.stringify([open.name, ...args]);
    if (!opened.has(key)) opened.set(key, open(...args));
    const store = opened.get(key);
    return store instanceof Promise ? store.then((each) => ({ ...each, remove() {}, close() {} })) : store;
  };
Object.assign(globalThis, { mutation: { ...functions, mock, once } });

/** An error that nothing caught, which `node --test` counts as a failure too. */
let uncaught: unknown;
for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, (error) => (uncaught = error));

process.on('disconnect', () => process.exit());

let number = 0;

/** How long a test may do nothing, in seconds. */
const maxIdleSeconds = 60;

/** A test that waits for something which may still come: `node --test` has no limit of time, so it notices nothing. */
class Waiting extends Error {}

/**
 * Rejects when a test uses ten times its processor time, on a busy machine the clock says nothing; and when it does
 * nothing for a minute. Where nothing is left that could wake it, `node --test` fails it as well.
 */
async function tooLong(ms: number, signal: AbortSignal): Promise<never> {
  const before = process.getActiveResourcesInfo().length;
  const used = (since?: NodeJS.CpuUsage) => {
    const { user, system } = process.cpuUsage(since);
    return (user + system) / 1_000;
  };
  const from = process.cpuUsage();
  for (let idle = 0; idle < maxIdleSeconds; ) {
    const last = process.cpuUsage();
    await wait(1_000, undefined, { signal });
    if (used(from) > 5_000 + 10 * ms) throw new Error('takes too long');
    idle = used(last) < 20 ? idle + 1 : 0;
  }
  const left = process.getActiveResourcesInfo();
  throw left.length > before ? new Waiting(`waits for ${left.join(', ')}`) : new Error('waits for nothing');
}

/** Runs a test file with modules of a number; throws what fails first, unless `failed` says otherwise. */
async function runFile(
  path: string,
  ms: number,
  without: readonly string[],
  failed: (name: string, error: unknown) => void = (_, error) => {
    throw error;
  },
): Promise<void> {
  const imported = `${rootUrl}${path}?m=${number}`;
  const ended = new AbortController();
  const late = tooLong(ms, ended.signal);
  late.catch(() => {});
  try {
    await Promise.race([late, collect(() => import(imported), skip).then((file) => runAll(file, without, failed))]);
    await nextTurn();
  } finally {
    ended.abort();
  }
  if (uncaught !== undefined) throw uncaught;
}

/** Runs all files unchanged: a case that fails then (it starts a thread, say) would say nothing later, and is left out. */
async function covering(): Promise<Covering> {
  const taking = new Coverage();
  const files: Covering = [];
  for (const test of tests) {
    number++;
    const began = process.cpuUsage();
    const without: string[] = [];
    try {
      await runFile(test, 120_000, [], (name, error) => {
        console.error(`left out: ${test}, ${name}: ${String(error).split('\n')[0]}`);
        without.push(name);
      });
    } catch (error) {
      console.error(`left out: ${test}: ${String(error).split('\n')[0]}`);
      uncaught = undefined;
      continue;
    }
    const ran = taking.ran();
    const { user, system } = process.cpuUsage(began);
    const ms = (user + system) / 1_000;
    const own = mutants.flatMap(({ file, at }, each) => (ran(`${rootUrl}${file}?m=${number}`, at) ? each : []));
    files.push({ test, ms, mutants: own, without });
  }
  taking.end();
  return files.sort((one, other) => one.ms - other.ms);
}

if (!existsSync(coverage)) {
  try {
    writeFileSync(coverage, JSON.stringify(await covering()));
  } catch (error) {
    console.error('the tests fail without a change:', error);
    process.exit(1);
  }
}
/** Above this another process takes over: the modules of mutants stay in the memory of this one. */
const maxMemory = 2_500_000_000;
const files = JSON.parse(readFileSync(coverage, 'utf8')) as Covering;
for (let at = Number(first); at < mutants.length; at++) {
  const mine = files.filter(({ mutants }) => mutants.includes(at));
  appendFileSync(donePath, `${JSON.stringify({ started: at, ms: mine.reduce((sum, { ms }) => sum + ms, 0) })}\n`);
  [current, uncaught, number] = [mutants[at], undefined, number + 1];
  let by: string | undefined;
  let hasWaited = false;
  for (const { test, ms, without } of mine) {
    try {
      await runFile(test, ms, without);
    } catch (error) {
      if (process.env.MUTATION_SHOW) console.error(error);
      hasWaited ||= error instanceof Waiting;
      if (error instanceof Waiting) continue;
      by = test;
      break;
    }
  }
  appendFileSync(
    donePath,
    `${JSON.stringify({ at, survived: by === undefined, by: by ?? null, ran: mine.length > 0 })}\n`,
  );
  // What waits goes on beside the next mutants.
  if ((hasWaited || process.memoryUsage.rss() > maxMemory) && at + 1 < mutants.length) process.exit(3);
}
process.exit(0);
