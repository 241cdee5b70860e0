/**
 * Runs mutants one after the other in this process, each with the cases that run its line: of the code that a mutant
 * concerns and of the tests every one has modules of its own. A hundred times what `node --test` does in the time.
 * Started by ../mutation.ts with a file of mutants and where to append what became of each.
 */
import { appendFileSync, existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
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
  skip?: string;
  coverage: string;
};
/** What a case, or with no name all before the first, takes in processor time, and which mutants it runs, by number. */
type Covered = { name: string; ms: number; mutants: number[] };
type CoveredFile = { test: string; setup: Covered; cases: Covered[] };

const root = join(import.meta.dirname, '../..');
const [taskPath, donePath, first] = process.argv.slice(2);
const { mutants, tests, fresh, skip, coverage } = JSON.parse(readFileSync(taskPath, 'utf8')) as Task;
const rootUrl = pathToFileURL(`${realpathSync(root)}/`).href;
/** Modules loaded afresh for each mutant. */
const own = new RegExp(`^(?:${fresh.join('|')}|test/|acceptance/|bench/quality/)`);

let current: Mutant | undefined;

registerHooks({
  resolve(specifier, context, next) {
    const number = context.parentURL?.startsWith('file:') && new URL(context.parentURL).searchParams.get('m');
    if (specifier === 'node:test' && number) return { url: 'mutation:test', format: 'module', shortCircuit: true };
    const resolved = next(specifier, context);
    if (!number || !resolved.url.startsWith(rootUrl)) return resolved;
    const path = resolved.url.slice(rootUrl.length);
    return own.test(path) ? { ...resolved, url: `${resolved.url}?m=${number}` } : resolved;
  },
  load(url, context, next) {
    if (url === 'mutation:test') return { format: 'module', shortCircuit: true, source: standIn };
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

Object.assign(globalThis, { mutation: { ...functions, mock } });

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
  const from = processorMs();
  for (let idle = 0; idle < maxIdleSeconds; ) {
    const last = processorMs();
    await wait(1_000, undefined, { signal });
    if (processorMs() - from > 5_000 + 10 * ms) throw new Error('takes too long');
    idle = processorMs() - last < 20 ? idle + 1 : 0;
  }
  const left = process.getActiveResourcesInfo();
  throw left.length > before ? new Waiting(`waits for ${left.join(', ')}`) : new Error('waits for nothing');
}

const processorMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

type HowToRun = Parameters<typeof runAll> extends [unknown, ...infer Rest] ? Rest : never;

/** Runs cases of a test file with modules of a number; throws what `ended` throws, and what comes besides cases. */
async function runFile(path: string, ms: number, ...how: HowToRun): Promise<void> {
  const imported = `${rootUrl}${path}?m=${number}`;
  const ended = new AbortController();
  const late = tooLong(ms, ended.signal);
  late.catch(() => {});
  try {
    await Promise.race([late, collect(() => import(imported), skip).then((file) => runAll(file, ...how))]);
    await nextTurn();
  } finally {
    ended.abort();
  }
  if (uncaught !== undefined) throw uncaught;
}

/**
 * Runs all files unchanged: a case that fails then (it starts a thread, say) would say nothing later, and is left out. What runs
 * as its module loads is run by each case that runs a function of the module.
 */
async function covering(): Promise<CoveredFile[]> {
  const taking = new Coverage();
  const files: CoveredFile[] = [];
  for (const test of tests) {
    number++;
    const covered: Covered[] = [];
    let began = processorMs();
    const urlOf = (file: string) => `${rootUrl}${file}?m=${number}`;
    try {
      await runFile(
        test,
        120_000,
        () => true,
        (name, error) => {
          const ms = processorMs() - began;
          const ran = taking.ran();
          const atLoad = new Set(covered[0]?.mutants);
          const runs = mutants.flatMap(({ file, at }, each) =>
            ran(urlOf(file), at) || (atLoad.has(each) && ran(urlOf(file))) ? each : [],
          );
          if (error === undefined) covered.push({ name, ms, mutants: runs });
          else console.error(`left out: ${test}, ${name}: ${String(error).split('\n')[0]}`);
          began = processorMs();
        },
      );
      const [setup, ...cases] = covered;
      files.push({ test, setup, cases });
    } catch (error) {
      console.error(`left out: ${test}: ${String(error).split('\n')[0]}`);
      uncaught = undefined;
    }
  }
  taking.end();
  return files;
}

if (!existsSync(coverage)) writeFileSync(coverage, JSON.stringify(await covering()));
/** Above this another process takes over: the modules of mutants stay in the memory of this one. */
const maxMemory = 2_500_000_000;
const files = JSON.parse(readFileSync(coverage, 'utf8')) as CoveredFile[];
/** How often a file was run, and how often it noticed something. */
const [runs, kills] = [new Map<string, number>(), new Map<string, number>()];
/** What a file promises: to notice something in little time. */
const promise = ({ test, ms }: { test: string; ms: number }) =>
  ((kills.get(test) ?? 0) + 1) / ((runs.get(test) ?? 0) + 4) / (ms + 100);

for (let at = Number(first); at < mutants.length; at++) {
  const mine = files
    .map(({ test, setup, cases }) => {
      const running = cases.filter((each) => each.mutants.includes(at));
      const ms = running.reduce((sum, each) => sum + each.ms, setup.ms);
      return { test, ms, names: new Set(running.map(({ name }) => name)) };
    })
    .filter(({ names }) => names.size > 0)
    .sort((one, other) => promise(other) - promise(one));
  appendFileSync(donePath, `${JSON.stringify({ started: at, ms: mine.reduce((sum, { ms }) => sum + ms, 0) })}\n`);
  [current, uncaught, number] = [mutants[at], undefined, number + 1];
  let by: string | undefined;
  let hasWaited = false;
  for (const { test, ms, names } of mine) {
    runs.set(test, (runs.get(test) ?? 0) + 1);
    try {
      await runFile(
        test,
        ms,
        (name) => names.has(name),
        (_, error) => {
          if (error !== undefined) throw error;
        },
      );
    } catch (error) {
      if (process.env.MUTATION_SHOW) console.error(error);
      hasWaited ||= error instanceof Waiting;
      if (error instanceof Waiting) continue;
      by = test;
      kills.set(test, (kills.get(test) ?? 0) + 1);
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
