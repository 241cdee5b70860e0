/** Replaces node:test where mutants run: collects the cases of a file and runs them until one fails. */

type Body = (t: object) => unknown;
type Case = { name: string; body: Body; hooks: Hooks[] };
type Hooks = { beforeEach: Body[]; afterEach: Body[] };

export type CollectedFile = { cases: Case[]; befores: Body[]; afters: Body[] };

let file: CollectedFile = { cases: [], befores: [], afters: [] };
let suites: Hooks[] = [{ beforeEach: [], afterEach: [] }];
/** Names of suites that are left out, such as those that need a server. */
let leftOut: RegExp | undefined;

/** Source of the module that tests import as `node:test`. */
export const standIn = `const { test, suite, before, after, beforeEach, afterEach, mock } = globalThis.mutation;
export { test, test as it, test as default, suite, suite as describe, before, after, beforeEach, afterEach, mock };`;

type Arguments = [...options: { skip?: unknown }[], body: Body];

function isSkipped(name: string, rest: Arguments): boolean {
  const [options] = rest;
  return Boolean((typeof options === 'object' && options.skip) || leftOut?.test(name));
}

const test = Object.assign(
  (name: string, ...rest: Arguments) => {
    if (!isSkipped(name, rest)) file.cases.push({ name, body: rest[rest.length - 1] as Body, hooks: [...suites] });
  },
  { skip() {}, todo() {} },
);

const suite = Object.assign(
  (name: string, ...rest: Arguments) => {
    if (isSkipped(name, rest)) return;
    suites.push({ beforeEach: [], afterEach: [] });
    (rest[rest.length - 1] as () => void)();
    suites.pop();
  },
  { skip() {} },
);

export const functions = {
  test,
  suite,
  before: (body: Body) => file.befores.push(body),
  after: (body: Body) => file.afters.push(body),
  beforeEach: (body: Body) => suites[suites.length - 1].beforeEach.push(body),
  afterEach: (body: Body) => suites[suites.length - 1].afterEach.push(body),
};

/** The cases of the file that `load` imports. */
export async function collect(load: () => Promise<unknown>, skip: string | undefined): Promise<CollectedFile> {
  const collected: CollectedFile = { cases: [], befores: [], afters: [] };
  file = collected;
  suites = [{ beforeEach: [], afterEach: [] }];
  leftOut = skip === undefined ? undefined : new RegExp(skip);
  await load();
  return collected;
}

/**
 * Runs the wanted cases of a file, and calls `ended` after its hooks (with no name) and after each, with what it threw: what
 * `ended` throws ends the file.
 */
export async function runAll(
  { cases, befores, afters }: CollectedFile,
  isWanted: (name: string) => boolean,
  ended: (name: string, error?: unknown) => void,
): Promise<void> {
  const ends: Body[] = [];
  const t = contextWith(ends);
  try {
    for (const each of befores) await each(t);
    ended('');
    for (const one of cases) {
      if (!isWanted(one.name)) continue;
      let failure: unknown;
      try {
        for (const { beforeEach } of one.hooks) for (const each of beforeEach) await each(t);
        await one.body(t);
        for (const { afterEach } of one.hooks) for (const each of afterEach) await each(t);
      } catch (error) {
        failure = error;
      }
      ended(one.name, failure);
      // Not after all cases: each may have opened databases of its own.
      for (const each of ends.splice(0).reverse()) await each(t);
    }
  } finally {
    for (const each of [...ends.reverse(), ...afters]) await each(t);
  }
}

function contextWith(ends: Body[]): object {
  const t = {
    name: '',
    signal: new AbortController().signal,
    after: (end: Body) => ends.push(end),
    diagnostic() {},
    skip() {},
    test: async (_: string, ...rest: Arguments) => (rest[rest.length - 1] as Body)(t),
  };
  return t;
}
