/** The rules that keep the modules apart (ARCHITECTURE.md), checked against every import statement. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');

/** Module → what its files may import besides the module itself: modules or single files, and packages (`npm:` and `node:` names). */
const rules: Record<string, { own: readonly string[]; packages: readonly RegExp[] }> = {
  text: { own: [], packages: [/^any-ascii$/, /^n2words\//, /^node:module$/] },
  core: { own: ['text', 'errors'], packages: [/^node:net$/] },
  'store/packed': {
    own: [
      'store/store',
      'store/gazetteer',
      'store/visit-bonus.json',
      'store/identifiers',
      'store/map-contract',
      'store/manifest',
      'core',
      'text',
    ],
    packages: [/^node:/, /^tinyqueue$/],
  },
  'store/sqlite': {
    own: ['store/street-parts', 'store/map-contract', 'store/identifiers', 'store/manifest', 'core', 'text'],
    packages: [/^node:/, /^pbf$/],
  },
  store: { own: ['core', 'errors', 'schema'], packages: [/^node:/, /^typebox$/] },
  'geocoding/address': {
    own: [
      'geocoding/weights.json',
      'geocoding/search-limits',
      'store/street-parts',
      'store/address-contract',
      'store/identifiers',
      'store/store',
      'core',
      'text',
    ],
    packages: [],
  },
  tiles: { own: ['store/store', 'store/manifest', 'core'], packages: [/^@maplibre\/vt-pbf$/, /^lineclip$/] },
  geocoding: {
    own: ['store/store', 'store/address-contract', 'store/gazetteer', 'store/visit-bonus.json', 'core', 'text'],
    packages: [],
  },
  // The only file that knows which engine holds which layer.
  'api/open': { own: ['store', 'geocoding/resolve-city', 'geocoding/address', 'extensions'], packages: [] },
  api: {
    own: ['endpoints', 'store/store', 'core', 'text/language-tags', 'errors', 'schema'],
    packages: [/^typebox/, /^node:(crypto|zlib)$/],
  },
  endpoints: {
    own: [
      'schema',
      'geocoding',
      'store/store',
      'store/manifest',
      'store/address-contract',
      'store/gazetteer',
      'store/identifiers',
      'core',
      'text',
      'errors',
    ],
    packages: [/^typebox/],
  },
  sources: {
    own: ['store/own-process', 'store/sqlite/spool', 'store/sqlite/term-filter', 'core', 'text/edit-kind', 'errors'],
    packages: [/./],
  },
  build: {
    own: [
      'sources',
      'store',
      'tiles',
      'api',
      'endpoints/index',
      'endpoints/position-context',
      'core',
      'text',
      'errors',
      'schema',
    ],
    packages: [/^node:/, /^tar$/, /^csv-parse/, /^polylabel$/, /^geos-wasm$/, /^lineclip$/, /^typebox$/],
  },
  download: { own: ['sources/source-kinds', 'errors'], packages: [/^node:/] },
  publish: {
    own: ['api/open', 'build/locks', 'build/versions', 'download', 'store', 'errors', 'extensions', 'schema'],
    packages: [/^node:/],
  },
  keys: {
    own: ['schema', 'core', 'errors', 'endpoints/endpoint'],
    packages: [/^typebox$/, /^node:/],
  },
  geocode: {
    own: [
      'api',
      'endpoints',
      'store/store',
      'store/durable',
      'store/own-process',
      'store/sqlite/database',
      'store/manifest',
      'sources/parquet-rows',
      'core',
      'text',
      'errors',
    ],
    packages: [
      /^node:/,
      /^csv-parse$/,
      /^read-excel-file\/universal$/,
      /^write-excel-file\/node$/,
      /^yauzl$/,
      /^hyparquet/,
    ],
  },
  'server/drop-in': {
    own: [
      'endpoints/geocoded-record',
      ...['geocoding/layers', 'geocoding/weights.json', 'core/geo', 'core/osm-object', 'text/language-tags', 'errors'],
    ],
    packages: [],
  },
  'server/mcp': { own: ['endpoints', 'errors', 'schema'], packages: [/^@modelcontextprotocol\/server/] },
  'server/processes': {
    own: ['api', 'server', 'keys', 'store', 'config', 'errors', 'extensions'],
    packages: [/^node:/, /^pino$/, /^prom-client$/],
  },
  server: {
    own: [
      'api',
      'endpoints',
      'schema',
      'keys',
      'store/store',
      'store/durable',
      'tiles',
      'geocode',
      'store/own-process',
      'store/sqlite/database',
      'core',
      'errors',
    ],
    packages: [/./],
  },
  index: { own: ['api', 'endpoints', 'store', 'errors'], packages: [/^node:/, /^typebox$/] },
  config: {
    own: ['keys/key-record', 'errors', 'schema', 'extensions'],
    packages: [/^node:/],
  },
  errors: { own: ['text/edit-kind', 'errors.json'], packages: [] },
  extensions: { own: ['errors'], packages: [] },
};

/** Extension → files of `src` that it may import, and its dependencies. */
const extensions: Record<string, { own: readonly string[]; packages: readonly RegExp[] }> = {
  'object-store': {
    own: ['download/download', 'errors', 'publish/object-store', 'core'],
    packages: [/^node:/, /^@aws-sdk\/client-s3$/],
  },
  opensearch: {
    own: [
      // The formats of rows and terms are those of the files that an index is filled from.
      'store/sqlite/export',
      'store/sqlite/house-block',
      'store/sqlite/poi-writer',
      'store/sqlite/schema',
      'store/sqlite/street-level',
      'store/sqlite/street-writer',
      'store/sqlite/terms',
      'store/sqlite/vocabulary',
      'store/sqlite/word-triples',
      'store/street-engine',
      'store/map-contract',
      'store/street-parts',
      'store/store',
      'store/manifest',
      'core',
      'text',
      'errors',
      'schema',
    ],
    packages: [/^node:/, /^typebox$/, /^@opensearch-project\/opensearch/],
  },
  valkey: {
    own: ['keys/engine', 'keys/key-record'],
    packages: [/^node:/, /^@redis\/client$/],
  },
};

type Import = { from: string; to: string };

/** The imports of a folder's files; paths are those from the folder, without their ending. */
function imports(folder = 'src'): Import[] {
  return globSync(`${folder}/**/*.ts`, { cwd: root }).flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const from = relative(folder, file).replaceAll('\\', '/').replace(/\.ts$/, '');
    return [...text.matchAll(/(?:^|\n)(?:import|export)[^;'"]*?from '([^']+)'|import\('([^']+)'\)/g)].map((match) => {
      const target = match[1] ?? match[2];
      const to = target.startsWith('.')
        ? join(dirname(from), target).replaceAll('\\', '/').replace(/\.ts$/, '')
        : target;
      return { from, to };
    });
  });
}

const isIn = (path: string, module: string) => path === module || path.startsWith(`${module}/`);
const isPackage = (path: string, all: ReadonlySet<string>) => !all.has(path);

const moduleOf = (path: string) => Object.keys(rules).find((name) => isIn(path, name));

test('every module imports only what its rule admits, and each rule admits no more than that', () => {
  const found = imports();
  const files = new Set(
    globSync('src/**/*.{ts,json}', { cwd: root }).map((file) => relative('src', file).replace(/\.ts$/, '')),
  );
  assert.ok(found.length > 50, 'the imports are found at all');
  const needless = new Set(
    Object.entries(rules).flatMap(([name, { own, packages }]) => [...own, ...packages].map((one) => `${name}: ${one}`)),
  );
  const broken = found.filter(({ from, to }) => {
    const module = moduleOf(from);
    if (!module || isIn(to, module)) return false;
    const { own, packages } = rules[module];
    const admitting = isPackage(to, files)
      ? packages.find((pattern) => pattern.test(to))
      : own.find((admitted) => isIn(to, admitted));
    needless.delete(`${module}: ${admitting}`);
    return admitting === undefined;
  });
  assert.deepEqual(broken, []);
  assert.deepEqual([...needless], []);
});

test('the product imports no extension; an extension imports only what its rule admits of the product', () => {
  const toExtension = imports().filter(({ to }) => /^@whereabouts\/|(?:^|\/)packages\//.test(to));
  assert.deepEqual(toExtension, []);
  for (const [name, { own, packages }] of Object.entries(extensions)) {
    const folder = `packages/${name}/src`;
    const files = new Set(
      globSync(`${folder}/**/*.ts`, { cwd: root }).map((file) => relative(folder, file).slice(0, -3)),
    );
    const outward = imports(folder)
      .map(({ to }) => (to.startsWith('../') ? relative('src', join(folder, to)).replaceAll('\\', '/') : to))
      .filter((to) => !files.has(to));
    const admitting = (to: string) =>
      own.find((admitted) => isIn(to, admitted)) ?? packages.find((pattern) => pattern.test(to));
    assert.deepEqual(
      outward.filter((to) => admitting(to) === undefined),
      [],
    );
    const needed = new Set(outward.map(admitting));
    assert.deepEqual(
      [...own, ...packages].filter((one) => !needed.has(one)),
      [],
    );
  }
});

test('SQL stands only in store/sqlite and keys', () => {
  const users = imports()
    .filter(({ to }) => to === 'node:sqlite')
    .map(({ from }) => from);
  assert.deepEqual(
    users.filter((from) => !isIn(from, 'store/sqlite') && !isIn(from, 'keys')),
    [],
  );
});

test('Fastify is named only in server', () => {
  const users = imports()
    .filter(({ to }) => to === 'fastify' || to.startsWith('@fastify/'))
    .map(({ from }) => from);
  assert.ok(users.length > 0);
  assert.deepEqual(
    users.filter((from) => !isIn(from, 'server')),
    [],
  );
});

test('the environment is read only in config.ts', () => {
  const readers = globSync('src/**/*.ts', { cwd: root }).filter((file) =>
    /process\.env\b/.test(readFileSync(join(root, file), 'utf8')),
  );
  assert.deepEqual(
    readers.filter((file) => !file.endsWith('src/config.ts')),
    [],
  );
});

/** Files of src whose text has a pattern. */
const having = (pattern: RegExp) =>
  globSync('src/**/*.ts', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => pattern.test(readFileSync(join(root, file), 'utf8')))
    .sort();

test('endpoints are answered in api/execute alone; what a position in a text means is what /reverse answers', () => {
  assert.deepEqual(having(/\b(?:endpoint|endpoints\.\w+|reverse|operation)\.handle\(/), [
    'src/api/execute.ts',
    'src/endpoints/reverse.ts',
  ]);
});

test('answers are sent by Fastify, what never became a request in server/problem; metrics have a port of their own', () => {
  const ahead = ['src/server/problem.ts', 'src/server/processes/listeners.ts'];
  assert.deepEqual(having(/\.writeHead\(|\bresponse\.(?:end|write)\(/), ahead);
  assert.deepEqual(having(/HTTP\/1\.1 \$?\{?\w/), ['src/server/problem.ts']);
});

test('no private part of Node is used', () => {
  assert.deepEqual(having(/[.'"]_(?:handle|header|events|httpMessage)\b|onParserExecute|onIncoming|onconnection/), []);
});

test('only *.long.test.ts run other programs than Node', () => {
  const programs = /\/support\/(?:browser|cables|nginx|opensearch|program|redis-\w+|s3-server|search-\w+)\.ts'/;
  const quick = globSync('test/**/!(*.long).test.ts', { cwd: root });
  assert.deepEqual(
    quick.filter((file) => programs.test(readFileSync(join(root, file), 'utf8'))),
    [],
  );
});

/** Files of which each reaches every other by its imports. */
function circles(): string[][] {
  const next = Map.groupBy(imports(), ({ from }) => from);
  const reached = (from: string) => {
    const found = new Set<string>();
    const open = [from];
    for (let file = open.pop(); file !== undefined; file = open.pop())
      for (const { to } of next.get(file) ?? []) if (!found.has(to)) found.add(to) && open.push(to);
    return found;
  };
  const all = new Map([...next.keys()].map((file) => [file, reached(file)]));
  const inCircle = [...all.keys()].filter((file) => all.get(file)?.has(file));
  const groups = Map.groupBy(inCircle, (file) =>
    inCircle.find((other) => all.get(file)?.has(other) && all.get(other)?.has(file)),
  );
  return [...groups.values()];
}

test('no files import each other in a circle', () => {
  assert.deepEqual(circles(), []);
});
