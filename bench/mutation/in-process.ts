/**
 * Runs mutants one after the other in this process, with the tests that go with them: of the code that a mutant concerns
 * and of the tests every one has modules of its own, while stores stay open. A hundred times what `node --test` does in
 * the time. Started by ../mutation.ts with a file of mutants and where to append what became of each.
 */
import { appendFileSync, readFileSync, realpathSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Mutant } from './mutants.ts';

type Task = { mutants: Mutant[]; stages: string[][]; from: number };
type Case = { name: string; body: (t: object) => unknown };

const root = join(import.meta.dirname, '../..');
const [taskPath, donePath] = process.argv.slice(2);
const { mutants, stages, from } = JSON.parse(readFileSync(taskPath, 'utf8')) as Task;
const rootUrl = pathToFileURL(`${realpathSync(root)}/`).href;
/** Modules that each mutant has its own of, and of these those that stay, as they keep what takes long to open. */
const own = /^(?:src\/(?:geocoding|text|endpoints|api)|test|acceptance|bench\/quality)\//;
const kept = /^test\/support\/(?:small-|dataset|temporary)/;
const memo = /^(?:test\/support\/small-store|src\/store\/open)\.ts$/;

let current: Mutant | undefined;
let cases: Case[] = [];
let befores: (() => unknown)[] = [];
let afters: (() => unknown)[] = [];

registerHooks({
  resolve(specifier, context, next) {
    const number = context.parentURL?.startsWith('file:') && new URL(context.parentURL).searchParams.get('m');
    if (specifier === 'node:test' && number) return { url: 'mutation:test', format: 'module', shortCircuit: true };
    const resolved = next(specifier, context);
    if (!number || !resolved.url.startsWith(rootUrl)) return resolved;
    const path = resolved.url.slice(rootUrl.length);
    if (memo.test(path)) return { url: `mutation:${path}`, format: 'module', shortCircuit: true };
    return own.test(path) && !kept.test(path) ? { ...resolved, url: `${resolved.url}?m=${number}` } : resolved;
  },
  load(url, context, next) {
    if (url === 'mutation:test')
      return {
        format: 'module',
        shortCircuit: true,
        source:
          'const { test, before, after } = globalThis.mutation; export { test, test as it, test as default, before, after }; export const describe = (name, body) => body();',
      };
    if (url.startsWith('mutation:')) {
      const real = JSON.stringify(rootUrl + url.slice('mutation:'.length));
      const name = url.includes('small-store') ? 'openSmallStore' : 'openDataset';
      return {
        format: 'module',
        shortCircuit: true,
        source: `import * as real from ${real}; export * from ${real}; export const ${name} = globalThis.mutation.once(real.${name});`,
      };
    }
    const loaded = next(url, context);
    if (current === undefined || !url.includes('?m=') || !url.startsWith(`${rootUrl}${current.file}?`)) return loaded;
    const text = String(loaded.source);
    return { ...loaded, source: text.slice(0, current.at) + current.is + text.slice(current.at + current.was.length) };
  },
});

const opened = new Map<string, unknown>();
Object.assign(globalThis, {
  mutation: {
    test: Object.assign(
      (name: string, ...rest: [...object[], (t: object) => unknown]) => {
        const [options] = rest as { skip?: unknown }[];
        if (typeof options === 'object' && options.skip) return;
        cases.push({ name, body: rest[rest.length - 1] as Case['body'] });
      },
      { skip() {} },
    ),
    before: (body: () => unknown) => befores.push(body),
    after: (body: () => unknown) => afters.push(body),
    /** A store that is opened the first time, and never closed; made-up worlds in temporary directories are not kept. */
    once:
      (open: (...given: unknown[]) => unknown) =>
      (...given: unknown[]) => {
        if (typeof given[0] === 'string' && given[0].startsWith(tmpdir())) return open(...given);
        const key = JSON.stringify([open.name, ...given]);
        if (!opened.has(key)) opened.set(key, open(...given));
        const store = opened.get(key);
        return store instanceof Promise ? store.then((each) => ({ ...each, remove() {} })) : store;
      },
  },
});

/** Whether all tests of some files pass; the first that does not ends it. */
async function pass(paths: readonly string[], number: number): Promise<boolean> {
  for (const path of paths) {
    [cases, befores, afters] = [[], [], []];
    const ends: (() => unknown)[] = [];
    try {
      await import(`${rootUrl}${path}?m=${number}`);
      for (const each of befores) await each();
      const t = { after: (end: () => unknown) => ends.push(end), diagnostic() {}, skip() {} };
      for (const { body } of cases) await body(t);
    } catch (error) {
      if (process.env.MUTATION_SHOW) console.error(error);
      return false;
    } finally {
      for (const each of [...ends, ...afters]) await each();
    }
  }
  return true;
}

let number = 0;
// Without a change everything must pass, or nothing would be told by what does not.
for (const stage of stages) if (!(await pass(stage, ++number))) throw new Error(`tests fail as they are: ${stage}`);
for (const mutant of mutants.slice(from)) {
  appendFileSync(donePath, `{"started":${mutants.indexOf(mutant)}}\n`);
  current = mutant;
  let survived = true;
  for (const stage of stages) survived &&= await pass(stage, ++number);
  appendFileSync(donePath, `${JSON.stringify({ at: mutants.indexOf(mutant), survived })}\n`);
}
process.exit(0);
